# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Reading recordings, one's own and foreign ones: rosbag2 folders and files, MCAP or SQLite.

A file that was never finished, because its process was killed, is read up to the last chunk that
was flushed.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from ..core.errors import RecordingError
from .bag_writer import METADATA
from .libraries import library
from .message_types import find_message_type

_FILES = ('.mcap', '.db3')


@dataclass(frozen=True)
class RecordedMessage:
    """
    One message of a recording.

    :param topic: with its namespace.
    :param stamp_s: when it was recorded, seconds.
    :param content: has the fields of the message as attributes.
    """

    topic: str
    stamp_s: float
    content: Any


class Recording:
    """
    An open recording; to be entered as a context.

    :param path: a folder with ``metadata.yaml``, a file, or a folder of recordings, of which the
        newest is taken.
    :raises RecordingError: if there is no recording or it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = find_recording(path)
        self.is_whole = True
        """Whether the recording was finished."""
        self._stack = ExitStack()
        self._registered: set[str] = set()
        self._typesys = library('rosbags.typesys')
        self._store = self._typesys.get_typestore(self._typesys.Stores.EMPTY)
        try:
            self._reader = self._open()
        except BaseException:
            self._stack.close()
            raise
        self.topics: dict[str, str] = {c.topic: c.msgtype for c in self._reader.connections}
        """Type of the messages of each topic, ``package/msg/Type``."""

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._stack.close()

    def find_topic(self, name: str) -> str | None:
        """
        Return the topic of a name, or of the only topic that ends with it.

        :param name: with or without namespace.
        """
        if name in self.topics:
            return name
        tail = '/' + name.strip('/')
        ending = [topic for topic in self.topics if topic.endswith(tail)]
        return ending[0] if len(ending) == 1 else None

    def require_topic(self, name: str) -> str:
        """
        Return the topic of a name.

        :raises RecordingError: if there is none; the text lists all there are.
        """
        found = self.find_topic(name)
        if found is None:
            listed = '\n'.join(
                f'  {topic}  {kind}' for topic, kind in sorted(self.topics.items())
            )
            raise RecordingError(
                f"'{self.path}' has no topic '{name}'; its topics are:\n{listed or '  none'}"
            )
        return found

    def messages(self, *topics: str) -> Iterator[RecordedMessage]:
        """
        Yield the messages of some topics in the order of their stamps.

        :param topics: full names.
        :raises RecordingError: if a type is unknown or a message cannot be read.
        """
        connections = [c for c in self._reader.connections if c.topic in topics]
        for connection in connections:
            self._register(connection)
        try:
            for connection, stamp_ns, data in self._reader.messages(connections):
                content = self._store.deserialize_cdr(data, connection.msgtype)
                yield RecordedMessage(connection.topic, 1e-9 * stamp_ns, content)
        except (ValueError, IndexError, struct.error, self._rosbag2.ReaderError) as error:
            raise RecordingError(f"'{self.path}' cannot be read further: {error}") from error

    def _open(self) -> Any:
        self._rosbag2 = library('rosbags.rosbag2')
        try:
            return self._enter(self.path)
        except self._rosbag2.ReaderError as error:
            files = _mcap_files(self.path)
            if len(files) != 1:
                raise RecordingError(f"'{self.path}' cannot be read: {error}") from None
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
            mended = folder / files[0].name
            mend(files[0], mended)
            self.is_whole = False
            return self._enter(mended)

    def _enter(self, path: Path) -> Any:
        return self._stack.enter_context(self._rosbag2.Reader(path))

    def _register(self, connection: Any) -> None:
        """Make the type of a connection known: from the recording, or else from this machine."""
        name = connection.msgtype
        if name in self._registered:
            return
        text = connection.msgdef.data or find_message_type(name).definition
        try:
            if connection.msgdef.format.name == 'IDL':
                types = {}
                for part in text.split('=' * 80 + '\nIDL: '):
                    types.update(self._typesys.get_types_from_idl(part.partition('\n')[2] or part))
            else:
                types = self._typesys.get_types_from_msg(text, name)
            self._store.register(types)
        except self._typesys.TypesysError as error:
            raise RecordingError(
                f"'{self.path}' has a definition of {name} that cannot be used: {error}"
            ) from None
        self._registered.add(name)


def find_recording(path: Path) -> Path:
    """
    Return the recording a path means.

    :param path: a recording, or a folder of them, of which the newest is taken.
    :raises RecordingError: if there is none.
    """
    if path.is_file() and path.suffix in _FILES:
        return path
    if path.is_file() and path.name == METADATA:
        return path.parent
    if not path.is_dir():
        what = 'is no file .mcap or .db3' if path.exists() else 'does not exist'
        raise RecordingError(f"'{path}' is no recording: it {what}.")
    if (path / METADATA).is_file():
        return path
    files = [file for file in sorted(path.iterdir()) if file.suffix in _FILES]
    if len(files) == 1:
        return files[0]
    inside = [folder for folder in path.iterdir() if (folder / METADATA).is_file()]
    if not inside:
        raise RecordingError(f"'{path}' is no recording and holds none: no {METADATA} in it.")
    return max(inside, key=lambda folder: (folder / METADATA).stat().st_mtime)


def mend(source: Path, target: Path) -> int:
    """
    Copy what can be read of an MCAP file into one that is whole.

    :param source: a file whose end may be missing.
    :param target: the new file.
    :return: number of messages.
    :raises RecordingError: if the file is no MCAP at all.
    """
    reading, writing = library('mcap.stream_reader'), library('mcap.writer')
    errors = library('mcap.exceptions')
    schemas: dict[int, int] = {0: 0}
    channels: dict[int, int] = {}
    n_messages = 0
    with source.open('rb') as damaged, target.open('wb') as file:
        writer = writing.Writer(file)
        records = reading.StreamReader(damaged, validate_crcs=True).records
        try:
            header = next(records)
            writer.start(profile=header.profile, library=header.library)
        except (errors.McapError, struct.error, AttributeError) as error:
            raise RecordingError(f"'{source}' is no MCAP file: {error}") from None
        try:
            for record in records:
                kind = type(record).__name__
                if kind == 'Schema' and record.id not in schemas:
                    schemas[record.id] = writer.register_schema(
                        record.name, record.encoding, record.data
                    )
                elif kind == 'Channel' and record.id not in channels:
                    channels[record.id] = writer.register_channel(
                        record.topic,
                        record.message_encoding,
                        schemas[record.schema_id],
                        record.metadata,
                    )
                elif kind == 'Message':
                    writer.add_message(
                        channels[record.channel_id],
                        record.log_time,
                        record.data,
                        record.publish_time,
                        record.sequence,
                    )
                    n_messages += 1
        except Exception:
            # Whatever parsers and decompressors raise on half a record: it ends here.
            pass
        writer.finish()
    return n_messages


def _mcap_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix == '.mcap' else []
    return sorted(path.glob('*.mcap'))
