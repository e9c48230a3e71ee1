# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A study while it runs: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from .journal import OK, RunRecord

# A line every so often where nobody watches.
_LINE_S = 10.0


class StudyProgress:
    """
    Counts finished runs; to be entered as a context.

    :param console: where to show it.
    :param name: of the study.
    :param total: runs of the study.
    :param done: runs an earlier session has made.
    """

    def __init__(self, console: Console, name: str, total: int, done: int) -> None:
        self._console = console
        self._name = name
        self._total = total
        self._done = done
        self._failed = 0
        self._started = self._told = self._first_at = time.monotonic()
        self._first = done
        self._bar: Progress | None = None
        if console.is_terminal:
            self._bar = Progress(
                TextColumn('[bold]{task.description}'),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn('left:'),
                TimeRemainingColumn(),
                TextColumn('{task.fields[last]}', style='dim'),
                console=console,
            )
            self._task = self._bar.add_task(name, total=total, completed=done, last='')

    def __enter__(self) -> StudyProgress:
        if self._bar is not None:
            self._bar.start()
        elif self._first:
            self._line(f'{self._first} of {self._total} runs are there already')
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def add(self, record: RunRecord) -> None:
        """Count a run; one that failed is told at once."""
        self._done += 1
        task = record.task
        label = f'{task.problem}, {task.policy}, seed {task.seed}'
        if record.status != OK:
            self._failed += 1
            self._line(f'FAILED {label}: {record.error}', style='red')
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, last=label)
            return
        now = time.monotonic()
        if self._done == self._first + 1:
            # Workers take their time to start, once.
            self._first_at = now
        if now - self._told >= _LINE_S or self._done == self._total:
            self._told = now
            self._line(self._state(now))

    def _state(self, now: float) -> str:
        made, ahead = self._done - self._first, self._total - self._done
        failed = f', {self._failed} failed' if self._failed else ''
        left = ''
        if made > 1 and ahead:
            left = f', about {(now - self._first_at) / (made - 1) * ahead:.0f} s left'
        return (
            f'{self._name}: {self._done} of {self._total} runs{failed}, '
            f'{now - self._started:.0f} s{left}'
        )

    def _line(self, text: str, style: str = '') -> None:
        self._console.print(Text(text, style=style), soft_wrap=True)
