# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What the files of a memory look like.

A whole memory is one JSON object with its checksum, the number of its journal and what its
samples depend on. A journal holds changes, one a line with its checksum. A last line that is not
whole is what a power cut leaves; anything else that cannot be read is an error, and the files
stay as they are.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from ..core.errors import MemoryFileError
from ..core.memory import changed

VERSION = 2
"""Version of the files; another one is not read."""

_FORMAT = 'bo_explorer mission memory'


def whole_bytes(
    generation: int, identity: Mapping[str, Any], memory: Mapping[str, Any]
) -> bytes:
    """
    Return the content of a file with a whole memory.

    :param generation: number of the journal with the changes since.
    :param identity: what the samples depend on.
    :param memory: plain values.
    """
    # Once: checksum and text are of the same memory, whatever becomes of it meanwhile.
    text = _bytes(memory)
    head = {
        'format': _FORMAT,
        'version': VERSION,
        'identity': identity,
        'generation': generation,
        'checksum': _checksum(text),
    }
    return _bytes(head)[:-1] + b',"memory":' + text + b'}'


def read_whole(path: Path, identity: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """
    Return a whole memory and the number of its journal.

    :param path: what :func:`whole_bytes` was written to.
    :param identity: what the samples depend on now.
    :raises MemoryFileError: if it is damaged, of another version or of another mission.
    """
    try:
        whole = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise unusable(path, str(error)) from error
    if not isinstance(whole, dict) or whole.get('format') != _FORMAT:
        raise unusable(path, 'it is no memory of a mission')
    if whole.get('version') != VERSION:
        raise unusable(
            path, f"it is of version {whole.get('version')!r}, this program reads {VERSION}"
        )
    memory, generation = whole.get('memory'), whole.get('generation')
    if not isinstance(memory, dict) or whole.get('checksum') != _checksum(_bytes(memory)):
        raise unusable(path, 'its checksum is wrong')
    if not isinstance(generation, int):
        raise unusable(path, 'it names no journal')
    for key, value in identity.items():
        found = whole.get('identity', {}).get(key)
        if found != value:
            raise unusable(path, f'it was made with {key} = {found!r}, which is {value!r} now')
    return memory, generation


def append(journal: IO[bytes], step: Mapping[str, Any]) -> None:
    """
    Write one change as a line, whole or not at all.

    :param journal: unbuffered.
    :param step: what :func:`.memory.change` gave; nothing is written where it is empty.
    :raises OSError: if it cannot be written.
    """
    if not step:
        return
    data, end = _bytes(step), journal.tell()
    left = b'%08x %s\n' % (_checksum(data), data)
    try:
        while left:
            # Of what does not fit a part is written.
            left = left[journal.write(left) :]
    except OSError:
        journal.seek(end)
        journal.truncate()
        raise


def replayed(journal: Path, memory: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a memory after the changes of a journal.

    :param journal: holds what :func:`append` wrote.
    :param memory: plain values; stays as it is.
    :raises MemoryFileError: if it is damaged or does not belong to this memory.
    """
    lines = journal.read_bytes().split(b'\n')
    steps = [_step(line) for line in lines if line]
    while steps and steps[-1] is None:
        # What a power cut has left of the last lines.
        steps.pop()
    result = dict(memory)
    for number, step in enumerate(steps, 1):
        if step is None:
            raise unusable(journal, f'line {number} is damaged')
        try:
            result = changed(result, step)
        except (MemoryFileError, TypeError, KeyError) as error:
            raise unusable(journal, f'line {number}: {error}') from error
    return result


def unusable(path: Path, why: str) -> MemoryFileError:
    """Return the error for a file nobody can go on with."""
    return MemoryFileError(
        f"the mission remembered in '{path}' cannot be gone on with: {why}. The file is left "
        'as it is: move it away, or name another memory.folder.'
    )


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
