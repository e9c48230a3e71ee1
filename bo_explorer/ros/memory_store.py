# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The memory of a mission in files: written as it goes, whole whenever process or power end.

``mission.json`` holds a whole memory; it is replaced at once or not at all (a temporary file,
fsync, rename, fsync of the folder). ``journal-N.jsonl`` holds the changes since. A change is
written, not buffered, before the call that made it returns: a process killed at any moment loses
nothing. A thread of its own brings the lines to the disk every second, for fsync may take longer
than the gap allowed between two waypoints: a power cut loses that second at most, and what was
flown in it is charged from the place the vehicle is found at. When a journal has grown, a new
one is begun and the thread writes the whole memory.

What cannot be written, on a full disk say, is tried again: a change is one against what was
written last, so nothing is missing once there is space. Until then ``mission.json`` is called
``mission-behind.json``, for a file can be renamed on a full disk. Its samples are good; what
was spent since is unknown, so whoever goes on with it may do nothing but fly home.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import math
import os
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..core.errors import MemoryFileError
from ..core.memory import MissionMemory, change
from .memory_files import append, read_whole, replayed, unusable, whole_bytes

logger = logging.getLogger(__name__)

_MISSION = 'mission.json'
_BEHIND = 'mission-behind.json'
_SYNC_PERIOD_S = 1.0

# Between two attempts to write the first memory, which takes longer than a line.
_RETRY_PERIOD_S = 1.0

# What may fail: a line or the first memory; an fsync; a whole memory that replaces a journal.
_WRITE, _SYNC, _RENEW = 'write', 'sync', 'renew'

# A journal of more is replaced by a whole memory.
_MAX_JOURNAL_BYTES = 4 * 2**20


@dataclass(frozen=True)
class _Whole:
    """A whole memory to be written, and the journal to be closed that it replaces."""

    generation: int
    memory: dict[str, Any]
    journal: IO[bytes]


class MemoryStore:
    """
    Reads what was remembered and writes what is to be.

    :param folder: holds the files of one mission; made where it does not exist.
    :param identity: what the samples depend on; a memory with another one is not read.
    :raises MemoryFileError: if the folder cannot be used, or another process does.
    """

    def __init__(self, folder: str | Path, identity: Mapping[str, Any]) -> None:
        self._folder = Path(folder).expanduser()
        self._identity = dict(identity)
        self._path = self._folder / _MISSION
        self._new = self._folder / f'{_MISSION}.new'
        self._given: dict[str, Any] | None = None
        self._memory: dict[str, Any] | None = None
        self._generation = 0
        self._journal: IO[bytes] | None = None
        self._begin_at = -math.inf
        self._is_renewing = False
        self._lost_generation = -1
        self._failures: dict[str, str] = {}
        # Held while names and failures change, never while data are written.
        self._naming = threading.RLock()
        self.problem = ''
        """What cannot be written; empty where all is well."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = (self._folder / 'lock').open('a')
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            raise MemoryFileError(
                f"'{self._folder}' is in use by another node: give each its own memory.folder."
            ) from error
        self._work: queue.SimpleQueue[_Whole | None] = queue.SimpleQueue()
        self._start_thread()

    @property
    def is_behind(self) -> bool:
        """Whether the files end before the mission did, or may do so."""
        return self._path.name == _BEHIND

    def _unwritable(self, error: OSError) -> MemoryFileError:
        return MemoryFileError(
            f"'memory.folder' must be a folder that can be written, got '{self._folder}': "
            f'{error.strerror}.'
        )

    # Reading

    def load(self) -> dict[str, Any] | None:
        """
        Return the plain values of the mission that was left, or ``None`` without one.

        :raises MemoryFileError: if the files are of another version, of another mission or
            damaged; they stay as they are. Also if there are none and none can be made.
        """
        if (self._folder / _BEHIND).exists():
            self._path = self._folder / _BEHIND
        path = self._path
        if not path.exists():
            journals = sorted(self._folder.glob('journal-*.jsonl'))
            if journals:
                raise unusable(journals[0], f'there is no {_MISSION} beside it')
            try:
                self._new.touch()
            except OSError as error:
                raise self._unwritable(error) from error
            return None
        memory, generation = read_whole(path, self._identity)
        while (journal := self._journal_path(generation)).exists():
            memory = replayed(journal, memory)
            generation += 1
        try:
            MissionMemory.from_dict(memory)
        except MemoryFileError as error:
            raise unusable(path, str(error)) from error
        self._generation = generation
        return dict(memory)

    # Writing

    def save(self, memory: MissionMemory | None) -> None:
        """
        Write what has changed; what cannot be written is told in :attr:`problem` and tried again.

        :param memory: ``None`` before a mission has begun.
        """
        if memory is None:
            return
        after = self._given = memory.to_dict()
        try:
            if self._memory is None or self._journal is None:
                if time.monotonic() < self._begin_at:
                    return
                # The first one, before anything is flown.
                self._write_whole(self._generation, after)
                self._journal = self._new_journal(self._generation)
            else:
                append(self._journal, change(self._memory, after))
        except OSError as error:
            self._begin_at = time.monotonic() + _RETRY_PERIOD_S
            self._note(_WRITE, error)
            return
        self._memory = after
        self._note(_WRITE)
        self._renew(self._journal, after)

    def archive(self) -> None:
        """Keep the mission so far under another name: a new one begins."""
        memory, self._memory, self._given = self._given, None, None
        self._begin_at = -math.inf
        # The thread may be about the journal, or an earlier whole memory.
        self._stop_thread()
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        try:
            if memory is not None:
                self._write_whole(self._generation + 1, memory)
        except OSError as error:
            # Memory and journals are kept as they are, without what could not be written.
            self._note(_WRITE, error)
        try:
            self._set_aside()
        except OSError as error:
            self._note(_WRITE, error)
        self._generation += 1
        self._is_renewing = False
        self._start_thread()

    def close(self) -> None:
        """Bring everything to the disk and let go of the folder."""
        self._stop_thread()
        if self._journal is not None:
            self._sync(self._journal)
            self._journal.close()
            self._journal = None
        self._lock.close()

    def _renew(self, journal: IO[bytes], after: dict[str, Any]) -> None:
        """Begin another journal where one has grown, or may have lost something."""
        is_due = journal.tell() > _MAX_JOURNAL_BYTES or _SYNC in self._failures
        if self._is_renewing or not is_due:
            return
        try:
            self._journal = self._new_journal(self._generation + 1)
        except OSError as error:
            self._note(_RENEW, error)
            return
        self._generation += 1
        self._is_renewing = True
        self._work.put(_Whole(self._generation, after, journal))

    def _new_journal(self, generation: int) -> IO[bytes]:
        # Unbuffered: what is written has left the process.
        return self._journal_path(generation).open('wb', buffering=0)

    def _set_aside(self) -> None:
        number = 1
        while (kept := self._folder / f'finished-{number}.json').exists():
            number += 1
        with self._naming:
            if self._path.exists():
                self._path.rename(kept)
            for journal in self._folder.glob('journal-*.jsonl'):
                journal.rename(self._folder / f'{kept.stem}-{journal.name}')
            self._path, self.problem = self._folder / _MISSION, ''
            self._failures.clear()
            self._new.touch()

    def _write_whole(self, generation: int, memory: Mapping[str, Any]) -> None:
        data = whole_bytes(generation, self._identity, memory)
        try:
            with self._new.open('wb') as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            with self._naming:
                self._new.replace(self._path)
        except OSError:
            # A line may need the space.
            with contextlib.suppress(OSError):
                os.truncate(self._new, 0)
            raise
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        for journal in self._folder.glob('journal-*.jsonl'):
            if _number(journal) < generation:
                journal.unlink()

    def _bring_to_disk(self) -> None:
        """Do in a thread of its own what may take long."""
        due: _Whole | None = None
        while True:
            try:
                work = self._work.get(timeout=_SYNC_PERIOD_S)
            except queue.Empty:
                self._sync(self._journal)
            else:
                is_last, due = work is None, work or due
                if is_last:
                    break
            if due is not None and self._has_renewed(due):
                due = None
        if due is not None and not self._has_renewed(due):
            due.journal.close()

    def _has_renewed(self, work: _Whole) -> bool:
        try:
            self._write_whole(work.generation, work.memory)
        except OSError as error:
            self._note(_RENEW, error)
            self._sync(work.journal)
            return False
        work.journal.close()
        self._is_renewing = False
        self._note(_RENEW)
        if self._lost_generation < work.generation:
            self._note(_SYNC)
        return True

    def _sync(self, journal: IO[bytes] | None) -> None:
        if journal is None:
            return
        try:
            os.fsync(journal.fileno())
        except OSError as error:
            # What the next fsync says holds for what is written from now on.
            self._lost_generation = _number(Path(str(journal.name)))
            self._note(_SYNC, error)

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._bring_to_disk, name='memory', daemon=True)
        self._thread.start()

    def _stop_thread(self) -> None:
        self._work.put(None)
        self._thread.join()

    def _note(self, what: str, error: OSError | None = None) -> None:
        """
        Take over whether something could be written, and let the name of the file say so.

        :param what: one of ``_WRITE``, ``_SYNC``, ``_RENEW``.
        :param error: why it could not.
        """
        if error is None and what not in self._failures and not self.is_behind:
            return
        with self._naming:
            before = self.problem
            self._failures.pop(what, None)
            if error is not None:
                text = f"the mission cannot be remembered in '{self._folder}': {error}"
                self._failures[what] = text
            self.problem = next(iter(self._failures.values()), '')
            mark = self._mark()
        if self.problem and not before:
            logger.error('%s%s', self.problem, mark)
        elif before and not self.problem:
            logger.warning("the mission is remembered in '%s' again", self._folder)

    def _mark(self) -> str:
        """Name the file as it may be believed; return why it cannot be named so."""
        is_behind = not self._failures.keys().isdisjoint((_WRITE, _SYNC))
        path = self._folder / (_BEHIND if is_behind else _MISSION)
        if path == self._path:
            return ''
        try:
            if self._path.exists():
                self._path.rename(path)
            elif is_behind:
                # Nothing is known of this mission but that it has begun. The file is there
                # already: a full disk may have no room for a name either.
                self._new.rename(path)
        except OSError as error:
            return f"; nor can '{path}' be made to say so: {error}"
        self._path = path
        return ''

    def _journal_path(self, generation: int) -> Path:
        return self._folder / f'journal-{generation}.jsonl'


def _number(journal: Path) -> int:
    digits = journal.stem.removeprefix('journal-')
    return int(digits) if digits.isdigit() else -1
