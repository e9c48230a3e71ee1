# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Writing a recording beside everything else: a thread, a bounded queue, counted drops."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable

from .bag_writer import BagWriter

logger = logging.getLogger(__name__)

Work = Callable[[BagWriter], object]
"""Adds a topic or writes a message; called in the thread that writes."""

_CAPACITY = 10_000

# Maps and markers may fill this part of the queue; the rest is kept for inputs and decisions,
# without which a replay is not exact.
_BULK_SHARE = 0.1


class BackgroundWriter:
    """
    Owns a bag and the thread that writes it. Putting work never waits.

    The thread is a daemon: a disk that hangs must not keep a process from ending.

    :param bag: nobody else may use it.
    :param capacity: most pieces of work that wait; what comes on top is dropped and counted.
    :param flush_period_s: so much is lost at most when the process is killed, seconds.
    """

    def __init__(
        self, bag: BagWriter, *, capacity: int = _CAPACITY, flush_period_s: float = 1.0
    ) -> None:
        self._bag = bag
        self._capacity = capacity
        self._flush_period_s = flush_period_s
        self._queue: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._is_closed = False
        self.n_dropped = 0
        """Pieces of work dropped because the disk is too slow or has failed."""
        self.failure = ''
        """Why nothing is written any more, empty while all is well."""
        self._thread = threading.Thread(target=self._loop, name='recording', daemon=True)
        self._thread.start()

    @property
    def n_messages(self) -> int:
        """Messages written so far."""
        return self._bag.n_messages

    def put(self, work: Work, *, is_bulk: bool = False) -> bool:
        """
        Queue work.

        :param work: called in the other thread, in order.
        :param is_bulk: whether it is the first to go where the disk is too slow.
        :return: whether it was taken.
        """
        limit = self._capacity * (_BULK_SHARE if is_bulk else 1.0)
        if self._is_closed or self.failure or self._queue.qsize() >= limit:
            self.n_dropped += 1
            return False
        self._queue.put(work)
        return True

    def close(self, timeout_s: float) -> bool:
        """
        Write what waits, finish the bag and end the thread.

        :param timeout_s: longest wait, seconds.
        :return: whether the bag is complete.
        """
        if not self._is_closed:
            self._is_closed = True
            self._queue.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive() and not self.failure

    def _loop(self) -> None:
        flush_at, flushed = time.monotonic() + self._flush_period_s, -1
        while True:
            try:
                work = self._queue.get(timeout=max(flush_at - time.monotonic(), 0.0))
                if work is None:
                    break
                self._do(work)
            except queue.Empty:
                pass
            if time.monotonic() >= flush_at:
                flush_at = time.monotonic() + self._flush_period_s
                if self._bag.n_messages != flushed:
                    flushed = self._bag.n_messages
                    self._do(BagWriter.flush)
        if self.n_dropped:
            self._bag.custom_data['dropped_messages'] = str(self.n_dropped)
        self._do(BagWriter.close)
        if self.failure:
            self._bag.abandon()

    def _do(self, work: Work) -> None:
        if self.failure:
            self.n_dropped += 1
            return
        try:
            work(self._bag)
        except OSError as error:
            self.failure = f"'{self._bag.folder}' cannot be written: {error.strerror or error}"
            logger.error('the recording ends here: %s', self.failure)
        except Exception:
            self.n_dropped += 1
            logger.exception('a message could not be recorded')
