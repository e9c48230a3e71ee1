# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A study whose runs take no time, and the things that go wrong with runs."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from rich.console import Console

from bo_explorer.core.errors import ConfigError
from bo_explorer.study.runner.definition import (
    Block,
    Form,
    Metrics,
    Settings,
    Study,
    Task,
    make_plan,
)
from bo_explorer.study.runner.figures import curves_figure
from bo_explorer.study.runner.results import Results
from bo_explorer.study.runner.run import make_backend, run_plan
from bo_explorer.study.runner.table import Table

PROBLEMS = ('hill', 'valley')
POLICIES = ('good', 'bad')


def run(task: Task, settings: Settings) -> Metrics:
    rng = np.random.default_rng([task.seed, PROBLEMS.index(task.problem)])
    time.sleep(settings['pause_s'])
    if task.policy == 'raises':
        raise RuntimeError(f'no luck with {task.problem}')
    if task.policy == 'dies':
        os.kill(os.getpid(), signal.SIGKILL)
    if task.policy == 'meets':
        _wait_for_the_other(task.seed, settings['data'])
    curve = rng.random() + (task.policy != 'good') + 1.0 / np.arange(1.0, 6.0)
    return {'final': curve[-1], 'curve': curve, 'unknown': np.nan, 'pid': os.getpid()}


def _wait_for_the_other(seed: int, folder: Path) -> None:
    """Return when the run of the other seed, 0 or 1, is running as well."""
    (folder / f'met-{seed}').touch()
    deadline = time.monotonic() + 60.0
    while not (folder / f'met-{1 - seed}').exists():
        if time.monotonic() > deadline:
            raise TimeoutError('the other run never came')
        time.sleep(0.05)


def tables(results: Results) -> list[Table]:
    rows = [
        (policy, *(results.interval('final', problem, policy) for problem in results.problems))
        for policy in results.policies
    ]
    return [Table('final', 'Final', ('policy', *results.problems), rows)]


def figures(results: Results) -> dict[str, Figure]:
    return {'curve': curves_figure(results, 'curve', x='step', y='value')}


def check_policy(name: str) -> None:
    if name not in (*POLICIES, 'raises', 'dies', 'meets'):
        raise ConfigError('policies', f"'policies' must be known, got {name!r}.")


def missing(problem: str, settings: Settings) -> str | None:
    file = settings['data'] / 'valley.csv'
    return f'there is no {file}' if problem == 'valley' and not file.exists() else None


SETTINGS = {'pause_s': 0.0, 'steps': 5, 'is_odd': False, 'mode': 'plain'}
TOY = Study(
    name='toy',
    summary='Nothing to learn from.',
    quick=Form((Block(PROBLEMS, POLICIES, seeds=2),), SETTINGS),
    full=Form((Block(PROBLEMS, POLICIES, seeds=10),), SETTINGS),
    run=run,
    tables=tables,
    figures=figures,
    check_policy=check_policy,
)


def run_toy(out: Path, *, workers: int = 0, backend: str = 'local', **choices: Any) -> Results:
    retry = choices.pop('retry_failed', False)
    address = choices.pop('address', None)
    console = choices.pop('console', None) or Console(file=sys.stderr, width=120)
    plan = make_plan(TOY, choices.pop('form', 'quick'), data=out, **choices)
    return run_plan(
        plan,
        out,
        backend=make_backend(backend, workers=workers, address=address),
        console=console,
        command=['toy'],
        retry_failed=retry,
    )


if __name__ == '__main__':
    run_toy(Path(sys.argv[1]), workers=2, settings={'pause_s': sys.argv[2]}, form='full')
