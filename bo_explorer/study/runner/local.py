# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Runs on the cores of this machine, each worker a process of its own.

The pools of the standard library lose every run with a worker that dies, or wait for it for ever;
here a death costs the one run it happened in, and that run is recorded as failed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from .definition import Task
from .execution import Call, failed
from .journal import RunRecord

# Time a worker is given to end by itself, seconds.
_GRACE_S = 2.0


class _Worker:
    """A process that makes one run at a time."""

    def __init__(self, call: Call) -> None:
        context = multiprocessing.get_context('spawn')
        connection, theirs = context.Pipe()
        self.connection: Connection[Any, Any] = connection
        self._process: SpawnProcess = context.Process(
            target=_work, args=(theirs, call), daemon=True
        )
        self._process.start()
        theirs.close()
        self.task: Task | None = None
        self._began = 0.0

    def begin(self, task: Task) -> None:
        """Start a run; a worker that is dead is noticed when its record is taken."""
        self.task, self._began = task, time.perf_counter()
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def take(self) -> tuple[RunRecord, bool]:
        """Return the record of the run, and whether the worker lives."""
        task = self.task
        assert task is not None
        self.task = None
        try:
            record: RunRecord = self.connection.recv()
            return record, True
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            lost = f'WorkerLost: the process of this run ended with exit code {code}.'
            return failed(task, lost, time.perf_counter() - self._began), False

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self._process.terminate()
        self._process.join(_GRACE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def run_locally(
    call: Call, tasks: Sequence[Task], workers: int
) -> Generator[RunRecord, None, None]:
    """
    Make runs in worker processes.

    :param call: makes one run.
    :param tasks: begun in this order.
    :param workers: processes, at least 1.
    :return: records as they come.
    """
    waiting = list(reversed(tasks))
    crew: list[_Worker] = []
    try:
        while waiting and len(crew) < workers:
            crew.append(_Worker(call))
            crew[-1].begin(waiting.pop())
        while busy := {w.connection: w for w in crew if w.task is not None}:
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                record, is_alive = worker.take()
                if not is_alive:
                    crew.remove(worker)
                    worker.end()
                if waiting:
                    if not is_alive:
                        worker = _Worker(call)
                        crew.append(worker)
                    worker.begin(waiting.pop())
                yield record
    finally:
        for worker in crew:
            worker.end()


def _work(connection: Connection[Any, Any], call: Call) -> None:
    """Make runs until nobody asks for more."""
    # Ctrl-C reaches the whole group of processes; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(call(connection.recv()))


def _follow_parent() -> None:
    """End with the parent: one that was killed cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
