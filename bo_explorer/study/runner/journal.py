# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Every finished run on disk at once: one line of JSON each, only ever appended."""

from __future__ import annotations

import fcntl
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ...core.errors import ConfigError
from .definition import Task

OK = 'ok'
FAILED = 'failed'


@dataclass(frozen=True)
class RunRecord:
    """
    What came of one run.

    :param task: which.
    :param status: ``ok`` or ``failed``.
    :param seconds: wall time.
    :param metrics: what the run found; empty where it failed.
    :param error: kind and text of the error; empty where the run is ok.
    :param traceback: where it was raised.
    """

    task: Task
    status: str
    seconds: float
    metrics: Mapping[str, Any] = field(default_factory=dict)
    error: str = ''
    traceback: str = ''


def plain(value: Any) -> Any:
    """
    Return a value as JSON has it: no arrays, and ``None`` for NaN.

    :raises ValueError: if a number is infinite or the value is of a kind JSON does not have.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if math.isinf(value):
            raise ValueError(f"'metrics' must be finite or NaN, got {value!r}.")
        return None if math.isnan(value) else value
    raise ValueError(f"'metrics' must be numbers, strings, lists or dicts, got {value!r}.")


class Journal:
    """
    The runs of a study in one file; to be entered as a context, by one process at a time.

    A line is complete or it does not count: what a kill left half written is cut off.

    :param path: the file; made where it is absent, in a folder that exists.
    :raises ConfigError: on entering, if another process has it open or a line cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: Any = None
        self._records: dict[Task, RunRecord] = {}

    def __enter__(self) -> Journal:
        self._file = open(self._path, 'a+b')
        try:
            self._lock()
            self._load()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def records(self) -> Mapping[Task, RunRecord]:
        """The last record of every run."""
        return self._records

    def add(self, record: RunRecord) -> None:
        """Append a record; it is on the disk when this returns."""
        line = {
            **record.task._asdict(),
            'status': record.status,
            'seconds': record.seconds,
            'metrics': record.metrics,
        }
        if record.status != OK:
            line.update(error=record.error, traceback=record.traceback)
        self._file.write(json.dumps(line, allow_nan=False).encode() + b'\n')
        self._file.flush()
        os.fsync(self._file.fileno())
        self._records[record.task] = record

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(
                'out',
                f"'out' must be a folder no other study is writing to, got {self._path.parent}; "
                'wait for it or name another.',
            ) from None

    def _load(self) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b'\n') + 1]
        self._file.truncate(len(whole))
        for number, line in enumerate(whole.splitlines(), start=1):
            record = self._read(number, line)
            self._records[record.task] = record

    def _read(self, number: int, line: bytes) -> RunRecord:
        try:
            entry = json.loads(line)
            return RunRecord(
                Task(entry['problem'], entry['policy'], entry['seed']),
                entry['status'],
                entry['seconds'],
                entry['metrics'],
                entry.get('error', ''),
                entry.get('traceback', ''),
            )
        except (ValueError, TypeError, KeyError) as error:
            raise ConfigError(
                'out',
                f"'out' must hold runs that can be read, got line {number} of {self._path}: "
                f'{error!r}; remove the line, and its run is made again.',
            ) from error
