# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission of this package repeated, and compared with other settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..recording.bag_reader import Recording
from ..recording.journal import Event, decode
from ..recording.replay import Choice, Replay, are_same, replay
from ..report.mission_json import write_json
from .progress import make_console
from .replay_files import write_files
from .scenario import Scenario

_NO_TARGET = '-'


def repeat_mission(
    recording: Recording,
    topic: str,
    given: Mapping[str, Any] | None,
    overrides: Mapping[str, Any],
    out: Path,
) -> bool:
    """
    Repeat a mission, print its decisions and write what came of it.

    :param recording: made by the explorer node.
    :param topic: its events.
    :param given: values of a scenario file, or ``None`` for those recorded.
    :param overrides: values that stand above them.
    :param out: an existing folder.
    :return: whether every answer was the same to the last bit.
    :raises BoExplorerError: if recording or settings cannot be used.
    :raises OSError: if a file cannot be written.
    """
    events = [decode(message.content.data) for message in recording.messages(topic)]

    def other(recorded: dict[str, Any]) -> dict[str, Any]:
        if given is None:
            return {**recorded, **overrides}
        return dict(Scenario.from_flat({**given, **overrides}).given)

    recorded = min(events, key=lambda event: int(event['seq']), default={}).get('parameters', {})
    # A file or an override may say what was flown anyway: then there is nothing to compare.
    is_other = bool(recorded) and not are_same(recorded, other(recorded))
    result = replay(events, other if is_other else None)
    console = make_console()
    _print(console, result)
    write_json(out / 'replay.json', _document(recording, result))
    write_files(result.record(), result.map(), out, console)
    console.print(Text(str(out / 'replay.json')), soft_wrap=True)
    return not result.difference


def _print(console: Console, result: Replay) -> None:
    if result.choices:
        console.print(_table(result.choices))
    same = sum(choice.recorded == choice.replayed for choice in result.choices)
    verdict = Text(f'{same} of {len(result.choices)} decisions repeated bit for bit', 'green')
    if result.difference:
        verdict = Text(f'not the recorded mission: {result.difference}', style='bold red')
        for version in result.foreign:
            verdict.append(f'\n  {version}')
    console.print(verdict, soft_wrap=True)
    if result.n_lost:
        console.print(
            Text(f'the recording lost {result.n_lost} calls; repeated up to there', 'yellow')
        )
    if result.other is not None:
        others = [choice.other or {} for choice in result.choices]
        agreed = sum(
            choice.recorded.get('target') == other.get('target')
            for choice, other in zip(result.choices, others)
        )
        console.print(
            Text(
                f'{result.other.config.policy.name} with the given settings agrees with '
                f'{agreed} of {len(others)}'
            )
        )


def _table(choices: list[Choice]) -> Table:
    """Return the decisions side by side."""
    has_other = any(choice.other is not None for choice in choices)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style='bold')
    headings = ['#', 'time [s]', 'recorded', 'replayed']
    for heading in [*headings, *(['other', 'apart [m]'] if has_other else [])]:
        is_number = heading in ('#', 'time [s]', 'apart [m]')
        # As a text: rich takes brackets in a string for markup.
        table.add_column(Text(heading), justify='right' if is_number else 'left')
    begun = choices[0].now
    for number, choice in enumerate(choices, start=1):
        replayed = 'same' if choice.replayed == choice.recorded else _target(choice.replayed)
        row = [str(number), f'{choice.now - begun:.1f}', _target(choice.recorded), replayed]
        if has_other:
            row += [_target(choice.other), _apart(choice.recorded, choice.other)]
        table.add_row(*row)
    return table


def _target(result: Event | None) -> str:
    target = None if result is None else result.get('target')
    if target is None:
        return str((result or {}).get('outcome') or (result or {}).get('error') or _NO_TARGET)
    return f'({target[0]:.1f}, {target[1]:.1f})'


def _apart(one: Event, other: Event | None) -> str:
    a, b = one.get('target'), (other or {}).get('target')
    return _NO_TARGET if a is None or b is None else f'{math.dist(a, b):.1f}'


def _document(recording: Recording, result: Replay) -> dict[str, Any]:
    return {
        'recording': str(recording.path),
        'is_exact': not result.difference,
        'difference': result.difference or None,
        'versions_that_differ': result.foreign,
        'calls': result.n_events,
        'calls_lost': result.n_lost,
        'decisions': [
            {
                'time_s': choice.now,
                'recorded': choice.recorded,
                'replayed': choice.replayed,
                'other': choice.other,
            }
            for choice in result.choices
        ],
    }
