# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One run, wherever it is made; what it raises becomes part of its record."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Generator, Sequence
from typing import Any

import torch

from .definition import Metrics, Settings, Task
from .journal import FAILED, OK, RunRecord, plain

Call = Callable[[Task], RunRecord]
"""Makes one run; can be sent to another process."""

Execute = Callable[[Call, Sequence[Task]], Generator[RunRecord, None, None]]
"""Makes many runs and yields them as they come; closing it ends what still runs."""


def make_run(
    run: Callable[[Task, Settings], Metrics], settings: dict[str, Any], task: Task
) -> RunRecord:
    """
    Make one run.

    :param run: of a study.
    :param settings: of the study.
    :param task: which run.
    """
    # Runs are many and side by side: threads within one would only get in each other's way.
    torch.set_num_threads(1)
    started = time.perf_counter()
    try:
        metrics = plain(run(task, settings))
    except Exception as error:  # noqa: BLE001  every failure is a result, whatever its kind
        return failed(task, error, time.perf_counter() - started)
    return RunRecord(task, OK, time.perf_counter() - started, metrics)


def failed(task: Task, error: BaseException | str, seconds: float) -> RunRecord:
    """Return the record of a run that failed."""
    if isinstance(error, str):
        return RunRecord(task, FAILED, seconds, error=error)
    return RunRecord(
        task,
        FAILED,
        seconds,
        error=f'{type(error).__name__}: {error}',
        traceback=''.join(traceback.format_exception(error)),
    )


def run_here(call: Call, tasks: Sequence[Task]) -> Generator[RunRecord, None, None]:
    """Make the runs one after the other in this process, where a debugger sees them."""
    for task in tasks:
        yield call(task)
