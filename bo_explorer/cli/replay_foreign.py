# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A recording of somebody else as a map with its maximum."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

from ..geo.local_frame import LocalFrame
from ..recording.bag_reader import Recording
from ..recording.foreign import is_geographic, read_fixes, read_poses, read_values
from ..recording.survey import rectangle_round, survey
from .progress import make_console
from .replay_files import write_files
from .scenario import Scenario


def map_recording(
    recording: Recording, values: Mapping[str, Any], origin: str | None, out: Path
) -> bool:
    """
    Put the readings of a recording on a map, print the maximum and write what came of it.

    :param recording: of any vehicle.
    :param values: settings by key; without an area it is laid round the track.
    :param origin: of the map as ``'LAT,LON'``, for satellite fixes; ``None``: the first fix.
    :param out: an existing folder.
    :return: true.
    :raises BoExplorerError: if recording or settings cannot be used.
    :raises OSError: if a file cannot be written.
    """
    console = make_console()
    topics = Scenario.from_flat(_complete(values, np.array([[0.0, 0.0], [1.0, 1.0]]))).node
    pose_topic = recording.require_topic(topics.pose.topic)
    reading_topic = recording.require_topic(topics.sensor.topic)
    frame: LocalFrame | None = None
    if is_geographic(recording, pose_topic):
        if origin is not None:
            frame = LocalFrame.parse(origin)
        else:
            latitude, longitude, _ = read_fixes(recording, pose_topic)[0].tolist()
            frame = LocalFrame(latitude, longitude)
        console.print(Text(f'origin of the map: {frame}'))
    poses = read_poses(recording, pose_topic, None if frame is None else frame.to_local)
    readings = read_values(recording, reading_topic, topics.sensor.field)
    scenario = Scenario.from_flat(_complete(values, np.array([pose.position for pose in poses])))
    result = survey(scenario.explorer, scenario.make_policy(), poses, readings)
    console.print(Text(f'{result.record.reason}, {len(result.record.samples)} samples'))
    write_files(result.record, result.map, out, console)
    best = result.record.best
    if frame is not None and best is not None:
        latitudes, longitudes = frame.to_wgs84(np.array([[best.x, best.y]]))
        console.print(Text(f'that is {latitudes[0]:.7f}, {longitudes[0]:.7f}'))
    return True


def _complete(values: Mapping[str, Any], track: Any) -> dict[str, Any]:
    """Fill in what a map needs and nobody has given: an area, and a budget that is never spent."""
    polygon = rectangle_round(track)
    return {'area.polygon': polygon, 'budget.total_m': 1.0, **values}
