# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A recording of what a mission hears, decides and says.

Every method runs in the executor's thread and only queues; messages are serialised and written in
the thread of :class:`~bo_explorer.recording.background.BackgroundWriter`. Without a folder nothing
is recorded and everything passes through.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from std_msgs.msg import String

from ..core.errors import ConfigError, RecordingError
from ..core.mission import Mission
from ..core.options import to_flat
from ..recording import journal
from ..recording.background import BackgroundWriter
from ..recording.bag_writer import BagWriter
from ..recording.message_types import find_message_type
from . import conversions, qos
from .logs import RosLogHandler
from .settings import Settings

_CLOSE_TIMEOUT_S = 5.0
_MAX_EARLY = 10_000

# Large messages, and the time between two of them in periods of the map.
_PERIODS = {
    qos.MAP: 1.0,
    qos.MEAN_GRID: 1.0,
    qos.STD_GRID: 1.0,
    qos.MARKERS: 1.0,
    qos.RECORD: 5.0,
}

# What rosbag2 writes for a duration without end.
_FOREVER = {'sec': 9223372036, 'nsec': 854775807}


class MissionRecorder:
    """
    Records from the configuration of the node to its cleanup.

    :param node: gives time, names and log.
    :param settings: where to record, and what to write down for the replay.
    """

    def __init__(self, node: Node, settings: Settings) -> None:
        self._node = node
        self._settings = settings
        self._config = settings.node.recording
        self._writer: BackgroundWriter | None = None
        self._channels: dict[str, int] = {}
        self._early: list[Callable[[int], None]] = []
        self._late: dict[str, Callable[[], None]] = {}
        self._n_reported = 0
        self._n_unstamped = 0
        self.folder: Path | None = None
        """The recording, ``None`` where none is made."""
        self._log_handler = RosLogHandler(node.get_logger().get_child('recording'))

    def make_mission(self) -> Mission:
        """
        Return the mission; if it is to be recorded, one that writes its calls down.

        :raises ConfigError: if the folder cannot be used.
        :raises RecordingError: if a library is missing.
        :raises BoExplorerError: if the settings of the mission cannot be used.
        """
        settings = self._settings
        config, policy = settings.explorer, settings.make_policy()
        if not self._config.folder:
            return Mission(config, policy)
        values = {**to_flat(config), **to_flat(settings.node), **settings.policy}
        return journal.JournalledMission(config, policy, values, self._write_event)

    def tap_input(
        self, topic: str, message_type: type, callback: Callable[[Any], None]
    ) -> Callable[[Any], None]:
        """
        Return a callback of a subscription that records the message first.

        :param topic: name as it was given to the subscription.
        :param message_type: its message class.
        :param callback: the one without recording.
        """
        if self._writer is None:
            return callback
        name = self._add_topic(topic, message_type, ())

        def take(message: Any) -> None:
            self._write(name, message)
            callback(message)

        return take if name else callback

    def tap_output(
        self, publisher: Any, message_type: type, topic: str, profile: QoSProfile
    ) -> Any:
        """
        Return what publishes and records messages; of large ones those that are due, and the last.

        :param publisher: the one without recording.
        :param message_type: its message class.
        :param topic: name as it was given to the publisher.
        :param profile: its QoS.
        """
        if self._writer is None:
            return publisher
        name = self._add_topic(topic, message_type, [_qos(profile)])
        factor = _PERIODS.get(topic)
        period_s = None if factor is None else factor * self._config.map_period_s
        return _TappedPublisher(self, publisher, name, period_s) if name else publisher

    def status(self, name: str) -> Iterator[DiagnosticStatus]:
        """Yield what the diagnostics say of the recording, and log what was lost since."""
        if self._writer is None:
            return
        writer, dropped = self._writer, self._writer.n_dropped + self._n_unstamped
        if dropped > self._n_reported:
            self._node.get_logger().warning(
                f'the recording has lost {dropped - self._n_reported} messages: '
                f'{writer.failure or "the disk is too slow"}'
            )
            self._n_reported = dropped
        level = DiagnosticStatus.WARN if dropped or writer.failure else DiagnosticStatus.OK
        values = {'folder': self.folder, 'messages': writer.n_messages, 'dropped': dropped}
        text = writer.failure or (f'{dropped} messages lost' if dropped else 'ok')
        yield conversions.to_status(level, f'{name}: recording', text, values)

    def close(self) -> None:
        """Finish the recording; waits for the disk, but not for ever."""
        writer = self._writer
        if writer is None:
            return
        for write in self._late.values():
            write()
        self._writer = None
        if not writer.close(_CLOSE_TIMEOUT_S):
            self._node.get_logger().error(
                f"the recording '{self.folder}' is not complete: "
                f'{writer.failure or "the disk is too slow"}'
            )
        else:
            self._node.get_logger().info(
                f"recorded {writer.n_messages} messages, lost {writer.n_dropped}: '{self.folder}'"
            )
        logging.getLogger('bo_explorer.recording').removeHandler(self._log_handler)

    def _add_topic(self, topic: str, message_type: Any, profiles: Any) -> str:
        """Return the full name of a topic, empty if it cannot be recorded."""
        assert self._writer is not None
        name: str = self._node.resolve_topic_name(topic)
        try:
            kind = find_message_type(type_name(message_type))
        except RecordingError as error:
            self._node.get_logger().warning(f"'{name}' is not recorded: {error}")
            return ''

        def add(bag: BagWriter) -> None:
            if name not in self._channels:
                self._channels[name] = bag.add_topic(name, kind, profiles)

        self._writer.put(add)
        return name

    def _open(self) -> None:
        bag = _new_bag(Path(self._config.folder).expanduser())
        self.folder = bag.folder
        self._writer = BackgroundWriter(bag)
        self._events = self._add_topic(journal.TOPIC, String, ())
        logging.getLogger('bo_explorer.recording').addHandler(self._log_handler)
        self._node.get_logger().info(f"recording into '{self.folder}'")

    def _write_event(self, event: journal.Event) -> None:
        if self.folder is None:
            # The first event: the mission has been made, so its settings are good.
            self._open()
        self._put(self._events, lambda: serialize_message(String(data=journal.encode(event))))

    def _write(self, name: str, message: Any, *, is_bulk: bool = False) -> None:
        self._put(name, lambda: serialize_message(message), is_bulk=is_bulk)

    def _put(self, name: str, serialise: Callable[[], bytes], *, is_bulk: bool = False) -> None:
        writer = self._writer
        if writer is None:
            return

        def put(stamp_ns: int) -> None:
            writer.put(
                lambda bag: bag.write(self._channels[name], stamp_ns, serialise()),
                is_bulk=is_bulk,
            )

        stamp_ns = self._node.get_clock().now().nanoseconds
        if stamp_ns > 0:
            early, self._early = self._early, []
            for put_early in early:
                put_early(stamp_ns)
            put(stamp_ns)
        elif len(self._early) < _MAX_EARLY:
            # /clock has not come yet: a stamp of 0 would stretch the recording over decades.
            self._early.append(put)
        else:
            self._n_unstamped += 1


class _TappedPublisher:
    """A lifecycle publisher whose messages are recorded."""

    def __init__(
        self, recorder: MissionRecorder, publisher: Any, name: str, period_s: float | None
    ) -> None:
        self._recorder = recorder
        self._publisher = publisher
        self._name = name
        self._period_s = period_s
        self._recorded_at = -float('inf')

    def publish(self, message: Any) -> None:
        """Publish a message, and record it if it goes out and one is due."""
        self._publisher.publish(message)
        if not self._publisher.is_activated:
            return
        recorder, name, is_bulk = self._recorder, self._name, self._period_s is not None
        now = time.monotonic()
        if self._period_s is not None and now - self._recorded_at < self._period_s:
            recorder._late[name] = lambda: recorder._write(name, message, is_bulk=True)
            return
        self._recorded_at = now
        recorder._late.pop(name, None)
        recorder._write(name, message, is_bulk=is_bulk)


def type_name(message_type: Any) -> str:
    """Return the name of a message class, ``package/msg/Type``."""
    return f'{message_type.__module__.split(".")[0]}/msg/{message_type.__name__}'


def _new_bag(parent: Path) -> BagWriter:
    """Make a recording with a name of its own in a folder."""
    name = time.strftime('mission_%Y-%m-%d_%H-%M-%S')
    number = 0
    while True:
        folder = parent / (f'{name}_{number}' if number else name)
        try:
            return BagWriter(folder, os.environ.get('ROS_DISTRO', ''))
        except FileExistsError:
            number += 1
            if not parent.is_dir() or number > 99:
                raise ConfigError(
                    'recording.folder',
                    f"'recording.folder' must be a folder, got {str(parent)!r}.",
                ) from None
        except OSError as error:
            raise ConfigError(
                'recording.folder',
                f"'recording.folder' must be a folder that can be written, got {str(parent)!r}: "
                f'{error.strerror}.',
            ) from None


def _qos(profile: QoSProfile) -> dict[str, Any]:
    """Return a profile as metadata of version 9 has it."""
    return {
        'history': profile.history.name.lower(),
        'depth': profile.depth,
        'reliability': profile.reliability.name.lower(),
        'durability': profile.durability.name.lower(),
        'deadline': _duration(profile.deadline),
        'lifespan': _duration(profile.lifespan),
        'liveliness': 'automatic',
        'liveliness_lease_duration': _duration(profile.liveliness_lease_duration),
        'avoid_ros_namespace_conventions': profile.avoid_ros_namespace_conventions,
    }


def _duration(duration: Duration) -> dict[str, int]:
    if duration.nanoseconds == 0:
        return dict(_FOREVER)
    return {
        'sec': duration.nanoseconds // 1_000_000_000,
        'nsec': duration.nanoseconds % 1_000_000_000,
    }
