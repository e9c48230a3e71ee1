# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The explorer's topics for Foxglove: messages as they came, in CDR, with their definitions."""

from __future__ import annotations

import threading
import time
from typing import Any

from rclpy.qos import DurabilityPolicy

from ..core.errors import ConfigError
from ..recording.message_types import find_message_type
from .graph import Topic

_BACKLOG = 64


class FoxgloveBridge:
    """
    A websocket that Foxglove connects to; clients only listen.

    :param host: address to listen at.
    :param port: TCP port; 0 for any that is free.
    :raises ConfigError: if the library is missing.
    :raises OSError: if the port is taken.
    """

    def __init__(self, host: str, port: int) -> None:
        try:
            import foxglove
        except ImportError:
            raise ConfigError(
                'foxglove',
                'the websocket for Foxglove needs the Python package foxglove-sdk: '
                'pip install foxglove-sdk',
            ) from None
        self._library: Any = foxglove
        self._context = foxglove.Context()
        self._channels: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._latched: dict[str, bytes] = {}
        listener: Any = self
        try:
            self._server = foxglove.start_server(
                name='bo_explorer',
                host=host,
                port=port,
                server_listener=listener,
                context=self._context,
                message_backlog_size=_BACKLOG,
            )
        except RuntimeError as error:
            raise OSError(f'the websocket for Foxglove cannot listen: {error}') from None

    @property
    def port(self) -> int:
        """TCP port the server listens at."""
        return int(self._server.port)

    def close(self) -> None:
        """Hang up."""
        self._server.stop()

    def add(self, topic: Topic) -> None:
        """Offer a topic, by its full name, before its first message."""
        if topic.name in self._channels:
            return
        package = topic.message_type.__module__.partition('.')[0]
        kind = find_message_type(f'{package}/msg/{topic.message_type.__name__}')
        schema = self._library.Schema(
            name=kind.name, encoding='ros2msg', data=kind.definition.encode()
        )
        self._channels[topic.name] = self._library.Channel(
            topic.name, schema=schema, message_encoding='cdr', context=self._context
        )

    def take(self, topic: Topic, data: bytes) -> None:
        """Pass on a message of a topic that was added."""
        with self._lock:
            if topic.profile.durability is DurabilityPolicy.TRANSIENT_LOCAL:
                self._latched[topic.name] = data
            self._log(topic.name, data)

    def on_subscribe(self, client: Any, channel: Any) -> None:
        """Repeat what a late subscriber would have been given by ROS."""
        with self._lock:
            data = self._latched.get(channel.topic)
            if data is not None:
                self._log(channel.topic, data)

    def on_unsubscribe(self, client: Any, channel: Any) -> None:
        """Do nothing: no client has anything of its own here."""

    def _log(self, name: str, data: bytes) -> None:
        self._channels[name].log(data, log_time=time.time_ns())
