# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies and settings compared on a field like the user's, and what to write into the file."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

from ..core.errors import ConfigError
from ..core.explorer import Explorer
from ..study.runner.definition import Task
from ..study.runner.execution import make_run, run_here
from ..study.runner.journal import Journal
from ..study.runner.local import run_locally
from ..study.runner.progress import StudyProgress
from ..study.runner.results import Interval, Results
from ..study.runner.table import Table, rounded
from .check import start_of
from .progress import make_console
from .scenario import Scenario, find_scenario, parse_assignments, read_flat
from .suspicions import has_simulator
from .tune_runs import BASELINE, Entry, fly_task, pretend_world

POLICIES = ('log_ei', 'ei_per_cost', 'pbgi', 'ducb')
"""Tried where the user names none: quick ones that led the comparison of policies."""

_PROBLEM = 'field'
_RUNS, _SETTINGS, _TABLE = 'runs.jsonl', 'tune.json', 'tune.csv'
_MOST_ENTRIES = 200


@dataclass(frozen=True)
class TuneOptions:
    """
    What the user wants compared.

    :param config: a parameter file or the name of a shipped one.
    :param policies: registry names.
    :param vary: ``KEY=V1|V2|...`` each; all combinations are tried with every policy.
    :param seeds: worlds, the same for all settings.
    :param overrides: values by dotted key that stand above those of the file.
    :param start: where the mission starts, ``X,Y``, for a file without a pretend world.
    :param noise: standard deviation of a reading in parts of that of the field, for such a file.
    :param workers: processes; 0: in this one.
    :param out: folder for the runs and the table.
    """

    config: str
    policies: Sequence[str] = POLICIES
    vary: Sequence[str] = ()
    seeds: int = 20
    overrides: Mapping[str, Any] = field(default_factory=dict)
    start: str | None = None
    noise: float = 0.1
    workers: int = 1
    out: Path = Path('tune')


def tune(options: TuneOptions, console: Console | None = None) -> bool:
    """
    Fly the missions that are not on record yet, then print a table and a proposal.

    :param options: what to compare.
    :param console: where to print.
    :return: whether every mission came home.
    :raises BoExplorerError: if an option or the file cannot be used.
    :raises KeyboardInterrupt: if interrupted; what is done is kept and printed.
    """
    console = console or make_console()
    _check(options)
    path = find_scenario(options.config)
    flat = {**read_flat(path), **options.overrides}
    scenario = Scenario.from_flat(flat)
    if not has_simulator(scenario):
        explorer = Explorer(scenario.explorer, scenario.make_policy())
        start, why = start_of(scenario, explorer, options.start)
        flat.update(pretend_world(scenario.explorer, start, noise=options.noise))
        console.print(
            Text(
                f'{path.name} has no simulator: fields are drawn from a Gaussian process, '
                f'lengthscale {flat["simulator.field.lengthscale_m"]:.3g} m, noise '
                f'{100.0 * options.noise:g} % of its deviation, start '
                f'({start[0]:.1f}, {start[1]:.1f}), {why}'
            ),
            soft_wrap=True,
        )
    entries = make_entries(flat, options.policies, options.vary)
    settings = {
        'flat': json.dumps(flat, default=list),
        'entries': json.dumps({entry.name: dict(entry.overrides) for entry in entries}),
        'base': str(path.parent),
    }
    tasks = [
        Task(_PROBLEM, entry.name, seed) for seed in range(options.seeds) for entry in entries
    ]
    options.out.mkdir(parents=True, exist_ok=True)
    _claim(options.out / _SETTINGS, settings['flat'])
    with Journal(options.out / _RUNS) as journal:
        try:
            _fly(tasks, settings, options.workers, journal, console)
        finally:
            results = Results(tasks, journal.records, {})
            if results.records:
                _show(results, entries, options.out / _TABLE, console)
    return not results.failures and all(r.metrics.get('home') for r in results.records)


def make_entries(
    flat: Mapping[str, Any], policies: Sequence[str], vary: Sequence[str]
) -> list[Entry]:
    """
    Return what is tried, first the file as it is.

    :param flat: values of the file by dotted key.
    :param policies: registry names.
    :param vary: ``KEY=V1|V2|...`` each.
    :raises ConfigError: if one of them is not valid, or they are too many.
    """
    present = Scenario.from_flat(flat)
    choices = []
    for text in vary:
        key, _, values = text.partition('=')
        choices.append([parse_assignments([f'{key}={value}']) for value in values.split('|')])
    names = list(dict.fromkeys([present.explorer.policy.name, *policies]))
    n = len(names) * math.prod(len(choice) for choice in choices)
    if n > _MOST_ENTRIES:
        raise ConfigError(
            'vary', f"'--vary' must give at most {_MOST_ENTRIES} combinations, got {n}."
        )
    entries = {BASELINE: Entry(BASELINE, {})}
    for name, *chosen in itertools.product(names, *choices):
        overrides: dict[str, Any] = {}
        if name != present.explorer.policy.name:
            overrides['policy.name'] = name
        for choice in chosen:
            overrides.update(choice)
        if overrides:
            Scenario.from_flat({**flat, **overrides})
            label = ', '.join(f'{key}={value}' for key, value in overrides.items())
            entries[label] = Entry(label, overrides)
    return list(entries.values())


def proposal(results: Results, entries: Sequence[Entry]) -> tuple[Entry, str]:
    """
    Return what to use, and why, in a sentence.

    The settings with the least regret at the end replace those of the file only where the
    interval of the paired difference leaves no doubt.

    :param results: at least two seeds of the file's own settings.
    :param entries: what was tried.
    """
    means = {entry.name: _interval(results, 'final', entry.name).mean for entry in entries}
    best = min(entries, key=lambda entry: np.nan_to_num(means[entry.name], nan=np.inf))
    baseline = entries[0]
    if best is baseline:
        return baseline, 'The settings of the file left the least regret: keep them.'
    gain = _difference(results, best.name)
    words = (
        f'{best.name} left {rounded(means[best.name], 3)} % of the range, the settings of the '
        f'file {rounded(means[BASELINE], 3)} %'
    )
    if not gain.mean + gain.half < 0.0:
        return baseline, (
            f'No settings are clearly better than those of the file ({words}): keep them, or give '
            'more seeds.'
        )
    return best, f'{words}: change them.'


def _check(options: TuneOptions) -> None:
    for name, value, least in (
        ('seeds', options.seeds, 2), ('workers', options.workers, 0), ('noise', options.noise, 0.0)
    ):  # fmt: skip
        if not value >= least:
            raise ConfigError(name, f"'--{name}' must be at least {least:g}, got {value!r}.")
    for text in options.vary:
        if not all(part.strip() for part in text.partition('=')):
            raise ConfigError('vary', f"'--vary' must be KEY=V1|V2|..., got {text!r}.")


def _claim(path: Path, flat: str) -> None:
    """Make sure that the folder holds runs of these very settings, or none."""
    if path.exists() and path.read_text(encoding='utf-8') != flat:
        raise ConfigError(
            'out',
            f"'--out' must be a new folder or one of runs with the same settings, got "
            f'{path.parent}; name another.',
        )
    path.write_text(flat, encoding='utf-8')


def _fly(
    tasks: Sequence[Task],
    settings: Mapping[str, Any],
    workers: int,
    journal: Journal,
    console: Console,
) -> None:
    waiting = [task for task in tasks if task not in journal.records]
    if not waiting:
        return
    call = functools.partial(make_run, fly_task, dict(settings))
    made = run_locally(call, waiting, workers) if workers else run_here(call, waiting)
    progress = StudyProgress(console, 'tune', len(tasks), len(tasks) - len(waiting))
    with progress, contextlib.closing(made) as records:
        for record in records:
            journal.add(record)
            progress.add(record)


def _interval(results: Results, metric: str, name: str) -> Interval:
    scale = 100.0 if metric in ('final', 'average') else 1.0
    return Interval.of(scale * results.values(metric, _PROBLEM, name))


def _difference(results: Results, name: str) -> Interval:
    """Return the regret at the end less that of the file's settings, in the same worlds."""
    ours, theirs = (results.by_seed('final', _PROBLEM, n) for n in (name, BASELINE))
    return Interval.of([100.0 * (ours[seed] - theirs[seed]) for seed in ours if seed in theirs])


def _show(
    results: Results, entries: Sequence[Entry], path: Path, console: Console
) -> None:
    table = Table(
        'tune',
        'Regret in % of the range of the field; ± is the 95 % interval',
        ('settings', 'at the end', 'averaged', 'against the file', 'home', 'stops', 'ms/decision'),
        [
            (
                entry.name,
                _interval(results, 'final', entry.name),
                _interval(results, 'average', entry.name),
                None if entry is entries[0] else _difference(results, entry.name),
                _interval(results, 'home', entry.name).mean,
                _interval(results, 'stops', entry.name).mean,
                _interval(results, 'decision_ms', entry.name).mean,
            )
            for entry in entries
        ],
    )
    path.write_text(table.csv(), encoding='utf-8', newline='')
    screen = Screen(title=table.title, title_justify='left')
    for column in table.columns:
        screen.add_column(column, justify='left' if column == 'settings' else 'right')
    for row in table.rows:
        screen.add_row(*(_cell(cell) for cell in row))
    console.print(screen)
    n = len(results.values('final', _PROBLEM, BASELINE))
    console.print(Text(f'{n} worlds flown with the settings of the file; {path}'), soft_wrap=True)
    if n < 2:
        return
    chosen, why = proposal(results, entries)
    console.print(Text(why, style='bold'), soft_wrap=True)
    if chosen.overrides:
        console.print(Text('Into the file, or --set each:'))
        console.print(Text(_yaml(chosen.overrides), style='green'), soft_wrap=True)


def _cell(cell: Any) -> str:
    if cell is None:
        return ''
    if isinstance(cell, Interval):
        return f'{rounded(cell.mean, 3)} ± {rounded(cell.half, 2)}'
    return rounded(cell, 3) if isinstance(cell, float) else str(cell)


def _yaml(overrides: Mapping[str, Any]) -> str:
    nested: dict[str, Any] = {}
    for key, value in overrides.items():
        *sections, name = key.split('.')
        section = nested
        for part in sections:
            section = section.setdefault(part, {})
        section[name] = list(value) if isinstance(value, tuple) else value
    document = {'/**': {'ros__parameters': nested}}
    return yaml.safe_dump(document, sort_keys=False).rstrip('\n')
