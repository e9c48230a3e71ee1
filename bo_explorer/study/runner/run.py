# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a plan into a folder; the same call goes on where the last one stopped."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from ...core.errors import ConfigError
from .definition import Plan
from .execution import Execute, make_run, run_here
from .journal import OK, Journal
from .local import run_locally
from .progress import StudyProgress
from .provenance import provenance
from .ray_cluster import run_on_ray
from .report import (
    CONFIGURATION,
    RUNS,
    compatible_configuration,
    write_configuration,
    write_results,
)
from .results import Results


@dataclass(frozen=True)
class Backend:
    """
    Where runs are made.

    :param label: for people.
    :param execute: makes them.
    """

    label: str
    execute: Execute


def make_backend(name: str, *, workers: int, address: str | None = None) -> Backend:
    """
    Choose where runs are made.

    :param name: ``local`` or ``ray``.
    :param workers: processes of ``local``; 0: in this process.
    :param address: of the Ray cluster; ``None``: the one that is found, or a new one.
    :raises ConfigError: if there is no such backend or the number of workers is negative.
    """
    if workers < 0:
        raise ConfigError('workers', f"'workers' must be at least 0, got {workers!r}.")
    if name == 'local':
        if workers == 0:
            return Backend('no worker processes', run_here)
        execute: Execute = functools.partial(run_locally, workers=workers)
        noun = 'process' if workers == 1 else 'processes'
        return Backend(f'{workers} worker {noun}', execute)
    if name == 'ray':
        return Backend('Ray', functools.partial(run_on_ray, address=address))
    raise ConfigError('backend', f"'backend' must be one of local, ray, got {name!r}.")


def run_plan(
    plan: Plan,
    out: Path,
    *,
    backend: Backend,
    console: Console,
    command: Sequence[str],
    retry_failed: bool = False,
) -> Results:
    """
    Make every run of a plan that is not yet on record, then tables and figures of all.

    :param plan: what to run.
    :param out: folder of this study and form; made where it is absent.
    :param backend: where to run.
    :param console: for progress.
    :param command: how the user asked for it, for the record.
    :param retry_failed: whether runs that failed are made again.
    :return: all results.
    :raises ConfigError: if the folder holds something else.
    :raises KeyboardInterrupt: if interrupted; everything finished is on record, tables and
        figures are those of it, and the same call goes on.
    """
    out.mkdir(parents=True, exist_ok=True)
    with Journal(out / RUNS) as journal:
        configuration = compatible_configuration(out / CONFIGURATION, plan)
        done = {
            task for task, r in journal.records.items() if r.status == OK or not retry_failed
        }
        waiting = [task for task in plan.tasks if task not in done]
        session: dict[str, Any] = {
            'command': list(command),
            'backend': backend.label,
            'provenance': provenance(),
            'runs': 0,
            'seconds': 0.0,
        }
        if waiting or not configuration['sessions']:
            configuration['sessions'].append(session)

        def save() -> Results:
            write_configuration(out / CONFIGURATION, plan, configuration)
            return Results(plan.tasks, journal.records, plan.settings)

        save()
        for problem, reason in plan.skipped.items():
            console.print(Text(f'left out: {problem}: {reason}', style='yellow'), soft_wrap=True)
        try:
            _make_runs(plan, waiting, backend, journal, session, console)
        except KeyboardInterrupt:
            n = sum(task in journal.records for task in plan.tasks)
            console.print(f'{n} of {len(plan.tasks)} runs are kept; the same command goes on.')
            raise
        finally:
            results = save()
            if results.records:
                for path in write_results(out, plan, results, configuration['sessions']):
                    console.print(Text(str(path)), soft_wrap=True)
    return results


def _make_runs(
    plan: Plan,
    waiting: Sequence[Any],
    backend: Backend,
    journal: Journal,
    session: dict[str, Any],
    console: Console,
) -> None:
    if not waiting:
        return
    call = functools.partial(make_run, plan.study.run, dict(plan.settings))
    total = len(plan.tasks)
    started = time.monotonic()
    progress = StudyProgress(console, plan.study.name, total, total - len(waiting))
    with progress, contextlib.closing(backend.execute(call, waiting)) as records:
        for record in records:
            journal.add(record)
            session['runs'] += 1
            session['seconds'] = time.monotonic() - started
            progress.add(record)
