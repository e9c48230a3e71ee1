# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The memory of a mission in files: written as it goes, whole whenever process or power end.

``mission.json`` holds a whole memory and the number of its journal; it is replaced at once or
not at all (a temporary file, fsync, rename, fsync of the folder). ``journal-N.jsonl`` holds the
changes since, one a line with its checksum. A change is written, not buffered, before the call
that made it returns: a process killed at any moment loses nothing. A thread of its own brings
the lines to the disk every second, for fsync may take longer than the gap allowed between two
waypoints: a power cut loses that second at most, and what was flown in it is charged from the
place the vehicle is found at. When a journal has grown, a new one is begun and the thread
writes the whole memory.

A last line that is not whole is what a power cut leaves; anything else that cannot be read is
an error, and the files stay as they are.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import queue
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..core.errors import MemoryFileError
from ..core.memory import MissionMemory, change, changed

logger = logging.getLogger(__name__)

VERSION = 2
"""Version of the files; another one is not read."""

_FORMAT = 'bo_explorer mission memory'
_MISSION = 'mission.json'
_SYNC_PERIOD_S = 1.0

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
        self._memory: dict[str, Any] | None = None
        self._generation = 0
        self._journal: IO[bytes] | None = None
        self.problem = ''
        """Why nothing is written any more; empty where all is well."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = (self._folder / 'lock').open('a')
        except OSError as error:
            raise MemoryFileError(
                f"'memory.folder' must be a folder that can be written, got "
                f"'{self._folder}': {error.strerror}."
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            raise MemoryFileError(
                f"'{self._folder}' is in use by another node: give each its own memory.folder."
            ) from error
        self._work: queue.SimpleQueue[_Whole | None] = queue.SimpleQueue()
        self._start_thread()

    # Reading

    def load(self) -> dict[str, Any] | None:
        """
        Return the plain values of the mission that was left, or ``None`` without one.

        :raises MemoryFileError: if the files are of another version, of another mission or
            damaged; they stay as they are.
        """
        path = self._folder / _MISSION
        if not path.exists():
            journals = sorted(self._folder.glob('journal-*.jsonl'))
            if journals:
                raise self._unusable(journals[0], f'there is no {_MISSION} beside it')
            return None
        whole = self._read_whole(path)
        memory, generation = whole['memory'], whole['generation']
        while (journal := self._journal_path(generation)).exists():
            memory = self._replayed(journal, memory)
            generation += 1
        try:
            MissionMemory.from_dict(memory)
        except MemoryFileError as error:
            raise self._unusable(path, str(error)) from error
        self._generation = generation
        return dict(memory)

    def _read_whole(self, path: Path) -> dict[str, Any]:
        try:
            whole = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise self._unusable(path, str(error)) from error
        if not isinstance(whole, dict) or whole.get('format') != _FORMAT:
            raise self._unusable(path, 'it is no memory of a mission')
        if whole.get('version') != VERSION:
            raise self._unusable(
                path, f"it is of version {whole.get('version')!r}, this program reads {VERSION}"
            )
        memory, generation = whole.get('memory'), whole.get('generation')
        if not isinstance(memory, dict) or whole.get('checksum') != _checksum(_bytes(memory)):
            raise self._unusable(path, 'its checksum is wrong')
        if not isinstance(generation, int):
            raise self._unusable(path, 'it names no journal')
        for key, value in self._identity.items():
            found = whole.get('identity', {}).get(key)
            if found != value:
                raise self._unusable(
                    path, f'it was made with {key} = {found!r}, which is {value!r} now'
                )
        return whole

    def _replayed(self, path: Path, memory: Mapping[str, Any]) -> dict[str, Any]:
        lines = path.read_bytes().split(b'\n')
        steps = [_step(line) for line in lines if line]
        while steps and steps[-1] is None:
            # What a power cut has left of the last lines.
            steps.pop()
        result = dict(memory)
        for number, step in enumerate(steps, 1):
            if step is None:
                raise self._unusable(path, f'line {number} is damaged')
            try:
                result = changed(result, step)
            except (MemoryFileError, TypeError, KeyError) as error:
                raise self._unusable(path, f'line {number}: {error}') from error
        return result

    def _unusable(self, path: Path, why: str) -> MemoryFileError:
        return MemoryFileError(
            f"the mission remembered in '{path}' cannot be gone on with: {why}. The file is left "
            'as it is: move it away, or name another memory.folder.'
        )

    # Writing

    def save(self, memory: MissionMemory | None) -> None:
        """
        Write what has changed; a file that cannot be written is told in :attr:`problem`.

        :param memory: ``None`` before a mission has begun.
        """
        if memory is None or self.problem:
            return
        after = memory.to_dict()
        try:
            if self._memory is None or self._journal is None:
                # The first one, before anything is flown.
                self._write_whole(self._generation, after)
                self._open_journal()
            else:
                self._append(self._journal, change(self._memory, after), after)
        except OSError as error:
            self._fail(error)
        self._memory = after

    def archive(self) -> None:
        """Keep the mission so far under another name: a new one begins."""
        memory, self._memory = self._memory, None
        if memory is None or self.problem:
            return
        path, number = self._folder / _MISSION, 1
        while (kept := self._folder / f'finished-{number}.json').exists():
            number += 1
        # The thread may be about the journal, or an earlier whole memory.
        self._stop_thread()
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        try:
            self._write_whole(self._generation, memory)
            for journal in self._folder.glob('journal-*.jsonl'):
                journal.unlink()
            path.rename(kept)
        except OSError as error:
            self._fail(error)
        self._generation += 1
        self._start_thread()

    def close(self) -> None:
        """Bring everything to the disk and let go of the folder."""
        self._stop_thread()
        if self._journal is not None:
            try:
                os.fsync(self._journal.fileno())
            except OSError as error:
                self._fail(error)
            self._journal.close()
            self._journal = None
        self._lock.close()

    def _append(self, journal: IO[bytes], step: dict[str, Any], after: dict[str, Any]) -> None:
        if not step:
            return
        line = _bytes(step)
        journal.write(b'%08x %s\n' % (_checksum(line), line))
        if journal.tell() > _MAX_JOURNAL_BYTES:
            self._generation += 1
            self._open_journal()
            self._work.put(_Whole(self._generation, after, journal))

    def _open_journal(self) -> None:
        # Unbuffered: what is written has left the process.
        self._journal = self._journal_path(self._generation).open('wb', buffering=0)

    def _write_whole(self, generation: int, memory: Mapping[str, Any]) -> None:
        # Once: checksum and text are of the same memory, whatever becomes of it meanwhile.
        text = _bytes(memory)
        head = {
            'format': _FORMAT,
            'version': VERSION,
            'identity': self._identity,
            'generation': generation,
            'checksum': _checksum(text),
        }
        path, new = self._folder / _MISSION, self._folder / f'{_MISSION}.new'
        with new.open('wb') as stream:
            stream.write(_bytes(head)[:-1] + b',"memory":' + text + b'}')
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)
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
        while True:
            try:
                work = self._work.get(timeout=_SYNC_PERIOD_S)
            except queue.Empty:
                self._sync()
                continue
            if work is None:
                return
            try:
                self._write_whole(work.generation, work.memory)
            except OSError as error:
                self._fail(error)
            work.journal.close()

    def _sync(self) -> None:
        journal = self._journal
        try:
            if journal is not None:
                os.fsync(journal.fileno())
        except OSError as error:
            self._fail(error)

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._bring_to_disk, name='memory', daemon=True)
        self._thread.start()

    def _stop_thread(self) -> None:
        self._work.put(None)
        self._thread.join()

    def _fail(self, error: OSError) -> None:
        self.problem = f"the mission cannot be remembered in '{self._folder}': {error}"
        logger.error(self.problem)

    def _journal_path(self, generation: int) -> Path:
        return self._folder / f'journal-{generation}.jsonl'


def _bytes(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, allow_nan=False, separators=(',', ':')).encode()


def _checksum(data: bytes) -> int:
    return zlib.crc32(data)


def _step(line: bytes) -> dict[str, Any] | None:
    """Return the change of a line of a journal, ``None`` where the line is damaged."""
    checksum, _, data = line.partition(b' ')
    try:
        if int(checksum, 16) != _checksum(data):
            return None
        step = json.loads(data)
    except ValueError:
        return None
    return step if isinstance(step, dict) else None


def _number(journal: Path) -> int:
    digits = journal.stem.removeprefix('journal-')
    return int(digits) if digits.isdigit() else -1
