# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""``bo_explorer replay``: a recording through the planner once more."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        'replay',
        help='a recording through the planner once more',
        description=(
            'Repeat a recorded mission and check that every decision is the same to the last bit; '
            'with other parameters, show beside it what they would have chosen. A recording of '
            'somebody else (rosbag2, MCAP or SQLite) becomes a map: name its topics.'
        ),
    )
    parser.add_argument(
        'bag', type=Path, metavar='BAG',
        help='a recording, or a folder of them, of which the newest is taken',
    )  # fmt: skip
    parser.add_argument(
        '--config', metavar='FILE',
        help='scenario file, or the name of a shipped one (default: what the recording was made '
        'with; for a foreign one an area round its track)',
    )  # fmt: skip
    parser.add_argument('--policy', metavar='NAME', help='how targets are chosen')
    parser.add_argument('--seed', type=int, metavar='N', help='seed of the planner')
    parser.add_argument(
        '--set', action='append', default=[], metavar='KEY=VALUE',
        help='any parameter of the planner; may be given several times',
    )  # fmt: skip
    parser.add_argument(
        '--pose-topic', metavar='T', help='of a foreign recording: poses or satellite fixes'
    )
    parser.add_argument('--reading-topic', metavar='T', help='of a foreign recording: the sensor')
    parser.add_argument(
        '--reading-field', metavar='F',
        help='the number in its messages, e.g. data or ranges.0 (default: sensor.field)',
    )  # fmt: skip
    parser.add_argument(
        '--origin', metavar='LAT,LON',
        help='of the map, for satellite fixes (default: the first fix)',
    )  # fmt: skip
    parser.add_argument(
        '--out', type=Path, default=Path('replay'), metavar='DIR',
        help='folder for mission.json, mission.png and replay.json (default: %(default)s)',
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """
    Replay a recording.

    :param options: of the command line.
    :return: whether the mission was repeated exactly; of a foreign recording: whether it gave a
        map.
    :raises BoExplorerError: if recording or settings cannot be used.
    :raises OSError: if a file cannot be written.
    """
    from ..recording.bag_reader import Recording
    from ..recording.journal import TOPIC
    from .replay_foreign import map_recording
    from .replay_mission import repeat_mission
    from .scenario import find_scenario, parse_assignments, read_flat

    given: dict[str, Any] | None = None
    if options.config is not None:
        given = read_flat(find_scenario(options.config))
    overrides: dict[str, Any] = {}
    if options.seed is not None:
        overrides['seed'] = options.seed
    if options.policy is not None:
        overrides['policy.name'] = options.policy
    overrides.update(parse_assignments(options.set))
    for key, value in (
        ('pose.topic', options.pose_topic),
        ('sensor.topic', options.reading_topic),
        ('sensor.field', options.reading_field),
    ):
        if value is not None:
            overrides[key] = value
    is_foreign = options.pose_topic is not None or options.reading_topic is not None
    options.out.mkdir(parents=True, exist_ok=True)
    with Recording(options.bag) as recording:
        if not recording.is_whole:
            print(f"'{recording.path}' was never finished; it is read up to its last flush.")
        events = None if is_foreign else recording.find_topic(TOPIC)
        if events is not None:
            return repeat_mission(recording, events, given, overrides, options.out)
        if given is None and not is_foreign:
            listed = '\n'.join(f'  {t}  {kind}' for t, kind in sorted(recording.topics.items()))
            raise ConfigError(
                'pose_topic',
                f"'{recording.path}' was not made by this package: name its topics with "
                f'--pose-topic and --reading-topic. It has:\n{listed}',
            )
        values = {**(given or {}), **overrides}
        return map_recording(recording, values, options.origin, options.out)
