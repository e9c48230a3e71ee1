# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The files a study leaves: configuration, tables, figures and the page that holds them."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

from ...core.errors import ConfigError
from ...report.whole_file import write_whole
from .definition import Plan
from .results import Results
from .table import Table

CONFIGURATION = 'config.json'
PAGE = 'results.md'
RUNS = 'runs.jsonl'

_DPI = 150

# Failures told in full on the page; the journal has them all.
_MOST_TOLD = 20


def compatible_configuration(path: Path, plan: Plan) -> dict[str, Any]:
    """
    Return the configuration a folder holds, or a new one.

    :param path: the file; may be absent.
    :param plan: what is to be run into the folder.
    :raises ConfigError: if the folder holds runs of something else.
    """
    settings = {key: value for key, value in plan.settings.items() if key != 'data'}
    wanted = {'study': plan.study.name, 'form': plan.form, 'settings': settings}
    if not path.exists():
        return {**wanted, 'sessions': []}
    try:
        found = json.loads(path.read_text(encoding='utf-8'))
        held = {key: found[key] for key in wanted}
        sessions = list(found['sessions'])
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigError(
            'out', f"'out' must hold a configuration that can be read, got {path}: {error!r}."
        ) from error
    if held != json.loads(json.dumps(wanted)):
        raise ConfigError(
            'out',
            f"'out' must be empty or hold runs of the same study, form and settings, got "
            f'{path.parent} with {held} where {wanted} is asked for; name another folder.',
        )
    return {**wanted, 'sessions': sessions}


def write_configuration(path: Path, plan: Plan, held: Mapping[str, Any]) -> None:
    """Write what is run and what it runs with."""
    seeds: dict[str, dict[str, list[int]]] = {}
    for task in plan.tasks:
        seeds.setdefault(task.problem, {}).setdefault(task.policy, []).append(task.seed)
    document = {
        **held,
        'data': str(plan.settings['data']),
        'seeds': {
            problem: {policy: ranges(numbers) for policy, numbers in policies.items()}
            for problem, policies in seeds.items()
        },
        'skipped': dict(plan.skipped),
    }
    write_whole(path, json.dumps(document, indent=2) + '\n')


def ranges(numbers: Iterable[int]) -> str:
    """
    Return whole numbers for people: ``0-3, 7``.

    :param numbers: in any order.
    """
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ', '.join('-'.join(map(str, part)) for part in parts)


def write_results(
    out: Path, plan: Plan, results: Results, sessions: Sequence[Mapping[str, Any]]
) -> list[Path]:
    """
    Write tables, figures and the page that holds them.

    :param out: the folder.
    :param plan: what was asked for.
    :param results: what there is of it.
    :param sessions: of the configuration.
    :return: the files.
    """
    tables = [*plan.study.tables(results), _runs(results)]
    written = []
    for table in tables:
        written.append(out / f'{table.name}.csv')
        write_whole(written[-1], table.csv())
    pictures = []
    matplotlib.use('Agg')
    for name, figure in plan.study.figures(results).items():
        pictures.append(out / f'{name}.png')
        figure.savefig(pictures[-1], format='png', dpi=_DPI)
    page = out / PAGE
    write_whole(page, _page(plan, results, tables, pictures, sessions))
    return [page, *written, *pictures]


def _runs(results: Results) -> Table:
    """Return how many runs of each kind are there, those that failed above all."""
    rows = []
    for problem in results.problems:
        for policy in results.policies:
            asked = [t for t in results.tasks if (t.problem, t.policy) == (problem, policy)]
            if not asked:
                continue
            good = results.of(problem, policy)
            n_failed = sum(
                (r.task.problem, r.task.policy) == (problem, policy) for r in results.failures
            )
            seconds = [record.seconds for record in good.values()]
            mean = sum(seconds) / len(seconds) if seconds else None
            missing = len(asked) - len(good) - n_failed
            rows.append((problem, policy, len(good), n_failed, missing, mean))
    columns = ('problem', 'policy', 'ok', 'failed', 'not run', 'seconds a run')
    return Table('runs', 'Runs', columns, rows)


def _page(
    plan: Plan,
    results: Results,
    tables: Sequence[Table],
    pictures: Sequence[Path],
    sessions: Sequence[Mapping[str, Any]],
) -> str:
    done, total = len(results.records), len(results.tasks)
    parts = [f'# {plan.study.name}\n', f'{plan.study.summary}\n']
    for place, group in itertools.groupby(sessions, _place):
        parts.append(f'On {place}:\n')
        parts.append('\n'.join(map(_session, group)) + '\n')
    settings = ', '.join(f'{k}={v}' for k, v in plan.settings.items() if k != 'data')
    minutes = sum(record.seconds for record in results.records) / 60.0
    state = (
        f'{done} of {total} runs of the {plan.form} form, {len(results.failures)} failed; '
        f'together {minutes:.1f} min of one process.'
    )
    parts.append(f'{state} Settings: {settings or "none"}. Intervals: 95 %, over paired seeds.\n')
    for problem, reason in plan.skipped.items():
        parts.append(f'**Left out: {problem}**: {reason}\n')
    if results.failures:
        lines = [
            f'- {r.task.problem}, {r.task.policy}, seed {r.task.seed}: `{r.error}`'
            for r in results.failures[:_MOST_TOLD]
        ]
        if len(results.failures) > _MOST_TOLD:
            lines.append(f'- and {len(results.failures) - _MOST_TOLD} more in {RUNS}')
        parts.append('## Failed runs\n\n' + '\n'.join(lines) + '\n')
    parts.append('## Figures\n' if pictures else '')
    parts += [f'![{picture.stem}]({picture.name})\n' for picture in pictures]
    parts.append('## Tables\n')
    parts += [table.markdown() for table in tables]
    return '\n'.join(part for part in parts if part)


def _place(session: Mapping[str, Any]) -> str:
    """Tell where and with what a session ran; others may have run there too."""
    p = session['provenance']
    return (
        f'{p["machine"]} with {session["backend"]}; bo_explorer {p["bo_explorer"]}, Python '
        f'{p["python"]}, torch {p["torch"]}, numpy {p["numpy"]}, gpytorch {p["gpytorch"]}'
    )


def _session(session: Mapping[str, Any]) -> str:
    p = session['provenance']
    work = f'{session["runs"]} runs in {session["seconds"]:.0f} s'
    if not session['runs']:
        work = 'ended before it could say how many runs it made'
    return (
        f'- `{shlex.join(session["command"])}`: {p["date"]}, {work}, commit '
        f'{p["commit"] or "unknown"}.'
    )
