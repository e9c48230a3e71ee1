# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Planning beside the executor: one thread, one job at a time."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import torch

from ..core.job import Job


class PlanningWorker:
    """
    Runs jobs in a thread of its own.

    The thread is a daemon: a plan cannot be interrupted, and a process that was told to end must
    not wait for it.

    :param threads: processor threads one job may use.
    :param notify: called in the worker's thread when a job is finished.
    """

    def __init__(self, threads: int, notify: Callable[[], object]) -> None:
        self._threads = threads
        self._notify = notify
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Job, float]] = queue.SimpleQueue()
        self._pending = 0
        self._is_stopped = False
        self._thread = threading.Thread(target=self._loop, name='planning', daemon=True)
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether a job was given that has not been taken back."""
        return self._pending > 0

    def submit(self, job: Job) -> None:
        """Queue a job."""
        self._pending += 1
        self._jobs.put(job)

    def take(self) -> tuple[Job, float] | None:
        """Return a finished job and its wall time in seconds, or ``None``."""
        try:
            result = self._results.get_nowait()
        except queue.Empty:
            return None
        self._pending -= 1
        return result

    def stop(self, timeout_s: float) -> bool:
        """
        Take no more jobs and wait for the present one.

        :param timeout_s: longest wait, seconds.
        :return: whether the thread has ended.
        """
        self._is_stopped = True
        self._jobs.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        torch.set_num_threads(self._threads)
        while (job := self._jobs.get()) is not None:
            started = time.perf_counter()
            job.run()
            self._results.put((job, time.perf_counter() - started))
            if not self._is_stopped:
                self._notify()
