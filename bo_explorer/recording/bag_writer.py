# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A rosbag2 folder with one MCAP file, readable up to the last flush whatever happens to the process.

The layout is the one ``ros2 bag record --storage mcap`` of Jazzy writes: ``metadata.yaml`` of
version 9, one schema a type, QoS profiles and type hash beside every channel.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from .. import __version__
from .libraries import library
from .message_types import MessageType

METADATA = 'metadata.yaml'
"""Name of the file that makes a folder a recording."""

_VERSION = 9
_CHUNK_BYTES = 256 * 1024


class BagWriter:
    """
    Writes messages; not safe to share between threads.

    :param folder: the recording; made here, must not exist.
    :param ros_distro: name of the ROS 2 distribution, for the metadata.
    :raises RecordingError: if the library ``mcap`` is not installed.
    :raises OSError: if the folder exists or cannot be made.
    """

    def __init__(self, folder: Path, ros_distro: str = '') -> None:
        mcap = library('mcap.writer')
        self.folder = folder
        self._ros_distro = ros_distro
        self._topics: dict[int, dict[str, Any]] = {}
        self._counts: dict[int, int] = {}
        self._schemas: dict[str, int] = {}
        self._first_ns = self._last_ns = 0
        self.n_messages = 0
        """Messages written so far."""
        self.custom_data: dict[str, str] = {}
        """Goes into the metadata, for whoever reads it."""
        folder.mkdir(parents=True)
        self._path = folder / f'{folder.name}_0.mcap'
        self._file = self._path.open('wb')
        self._mcap = mcap.Writer(self._file, chunk_size=_CHUNK_BYTES)
        self._mcap.start(profile='ros2', library=f'bo_explorer {__version__}')
        self.flush()

    def add_topic(
        self, name: str, message_type: MessageType, qos: Sequence[Mapping[str, Any]] = ()
    ) -> int:
        """
        Add a topic.

        :param name: with its namespace, beginning with a slash.
        :param message_type: of its messages.
        :param qos: profiles its publishers offer, each as metadata of version 9 has it.
        :return: its number.
        """
        schema = self._schemas.get(message_type.name)
        if schema is None:
            schema = self._mcap.register_schema(
                message_type.name, 'ros2msg', message_type.definition.encode()
            )
            self._schemas[message_type.name] = schema
        profiles = [dict(profile) for profile in qos]
        channel: int = self._mcap.register_channel(
            name,
            'cdr',
            schema,
            {
                'offered_qos_profiles': yaml.safe_dump(profiles) if profiles else '',
                'topic_type_hash': message_type.type_hash,
            },
        )
        self._counts[channel] = 0
        self._topics[channel] = {
            'name': name,
            'type': message_type.name,
            'serialization_format': 'cdr',
            'offered_qos_profiles': profiles,
            'type_description_hash': message_type.type_hash,
        }
        return channel

    def write(self, topic: int, stamp_ns: int, data: bytes) -> None:
        """
        Write a message.

        :param topic: what :meth:`add_topic` returned.
        :param stamp_ns: when it was received or sent, nanoseconds.
        :param data: the message in CDR.
        """
        self._mcap.add_message(
            topic,
            log_time=stamp_ns,
            data=data,
            publish_time=stamp_ns,
            sequence=self._counts[topic],
        )
        self._first_ns = min(self._first_ns, stamp_ns) if self.n_messages else stamp_ns
        self._last_ns = max(self._last_ns, stamp_ns)
        self._counts[topic] += 1
        self.n_messages += 1

    def flush(self) -> None:
        """
        Bring everything written so far to the disk, in a form that can be read.

        :raises OSError: if the disk does not take it.
        """
        self._mcap.flush()
        os.fsync(self._file.fileno())
        self._write_metadata()

    def close(self) -> None:
        """
        Finish the file with its index and close it.

        :raises OSError: if the disk does not take it.
        """
        with self._file:
            # rosbag2 keeps a copy inside, so that the file can be played without its folder.
            self._mcap.add_metadata(
                'rosbag2', {'serialized_metadata': yaml.safe_dump(self._metadata())}
            )
            self._mcap.finish()
            self._file.flush()
            os.fsync(self._file.fileno())
        self._write_metadata()

    def abandon(self) -> None:
        """Close the file as it is: the disk does not take the rest."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _write_metadata(self) -> None:
        document = {'rosbag2_bagfile_information': self._metadata()}
        temporary = self.folder / f'.{METADATA}'
        temporary.write_text(yaml.safe_dump(document, sort_keys=False), encoding='utf-8')
        temporary.replace(self.folder / METADATA)

    def _metadata(self) -> dict[str, Any]:
        return {
            'version': _VERSION,
            'storage_identifier': 'mcap',
            **self._extent(),
            'topics_with_message_count': [
                {'topic_metadata': topic, 'message_count': self._counts[channel]}
                for channel, topic in self._topics.items()
            ],
            'compression_format': '',
            'compression_mode': '',
            'relative_file_paths': [self._path.name],
            'files': [{'path': self._path.name, **self._extent()}],
            'custom_data': dict(self.custom_data) or None,
            'ros_distro': self._ros_distro,
        }

    def _extent(self) -> dict[str, Any]:
        return {
            'duration': {'nanoseconds': self._last_ns - self._first_ns},
            'starting_time': {'nanoseconds_since_epoch': self._first_ns},
            'message_count': self.n_messages,
        }
