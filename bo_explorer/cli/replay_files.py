# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a replay: what :mod:`.result` writes, without a true field and without an audit."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..core.record import MissionRecord
from ..core.types import MapSnapshot
from ..report.belief import Belief
from ..report.mission_json import summarise, write_json
from ..report.mission_picture import draw_mission


def write_files(
    record: MissionRecord, snapshot: MapSnapshot | None, out: Path, console: Console
) -> None:
    """
    Write ``mission.json`` and ``mission.png`` and print the best estimate.

    :param record: of the mission.
    :param snapshot: the last map, or ``None`` without one.
    :param out: an existing folder.
    :param console: where to print.
    :raises OSError: if a file cannot be written.
    """
    belief = Belief()
    if snapshot is not None:
        belief = Belief(snapshot.points, snapshot.mean, snapshot.std)
    document, picture = out / 'mission.json', out / 'mission.png'
    write_json(document, summarise(record, belief=belief))
    draw_mission(picture, record, points=belief.points, mean=belief.mean, std=belief.std)
    best = record.best
    if best is not None:
        console.print(
            Text(
                f'best estimate {best.mean:.4g} +- {best.std:.2g} at ({best.x:.1f}, {best.y:.1f})'
            )
        )
    for file in (document, picture):
        console.print(Text(str(file)), soft_wrap=True)
