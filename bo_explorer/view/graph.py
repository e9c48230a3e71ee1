# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The view among the nodes: it hears the explorer's topics and calls its services.

Messages are handed on as the bytes they came in, so what nobody looks at costs nothing, and a
bridge passes them on unchanged. Topic and type of the pose and of the battery, and the plane that
is searched, are parameters of the explorer: the view asks for them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PointStamped, PoseStamped
from nav_msgs.msg import OccupancyGrid, Odometry, Path
from rcl_interfaces.srv import GetParameters
from rclpy.clock import Clock, ClockType
from rclpy.exceptions import InvalidNamespaceException
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import QoSProfile
from sensor_msgs.msg import BatteryState, PointCloud2
from std_msgs.msg import String
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

from ..core.errors import ConfigError
from ..core.options import from_flat, walk
from ..core.plane import GROUND, PlaneConfig, SearchPlane
from ..ros import qos
from ..ros.context import open_context

COMMANDS = ('start', 'pause', 'resume', 'return_home')
"""Services of the explorer that a person may call from the view."""

POSE = 'pose'
BATTERY = 'battery'

_EXPLORER = 'bo_explorer'
_PLANE_KEYS = tuple(f'plane.{spec.key}' for spec in walk(PlaneConfig))
_KEYS = ('pose.topic', 'pose.type', 'battery.topic', 'battery.scale', 'vehicle.altitude_m')
_ASK_PERIOD_S = 2.0
_SPIN_S = 0.1
_JOIN_S = 2.0


@dataclass(frozen=True)
class Topic:
    """
    A topic of the explorer.

    :param key: the name the view knows it by, whatever the topic is called.
    :param name: as it is subscribed to.
    :param message_type: its message class.
    :param profile: QoS that hears the publisher at the least cost to it.
    """

    key: str
    name: str
    message_type: Any
    profile: QoSProfile


def _output(name: str, message_type: Any, profile: QoSProfile = qos.LATCHED) -> Topic:
    return Topic(name, name, message_type, profile)


SHOWN = (
    _output(qos.RECORD, String),
    _output(qos.MAP, PointCloud2),
    _output(qos.PATH, Path),
    _output(qos.WAYPOINT, PoseStamped, qos.WAYPOINT_INPUT),
    _output(qos.DIAGNOSTICS, DiagnosticArray, qos.EVENTS),
)
"""What the page is drawn from, besides pose and battery."""

BRIDGED = (
    _output(qos.MEAN_GRID, OccupancyGrid),
    _output(qos.STD_GRID, OccupancyGrid),
    _output(qos.MARKERS, MarkerArray),
    _output(qos.BEST_ESTIMATE, PointStamped),
)
"""What other viewers are given besides."""


@dataclass(frozen=True)
class Inputs:
    """
    What the explorer says it listens to, and where it searches.

    :param plane: the one that is searched.
    :param pose_topic: name of its pose topic.
    :param is_odometry: whether that carries nav_msgs/Odometry.
    :param battery_topic: name of its battery topic, empty for none.
    :param battery_scale: turns the percentage of the battery into 0 to 1.
    :param answer: what the explorer said, word for word; empty for the defaults.
    """

    plane: SearchPlane = GROUND
    pose_topic: str = POSE
    is_odometry: bool = False
    battery_topic: str = BATTERY
    battery_scale: float = 1.0
    answer: str = ''

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Inputs:
        """
        Sort the parameters of an explorer.

        :param values: by key; plane and altitude may be whole numbers.
        :raises ConfigError: if the plane cannot be used.
        """
        plane = {key.partition('.')[2]: values[key] for key in _PLANE_KEYS}
        return cls(
            SearchPlane(from_flat(PlaneConfig, plane), float(values['vehicle.altitude_m'])),
            str(values['pose.topic']),
            values['pose.type'] == 'odometry',
            str(values['battery.topic']),
            float(values['battery.scale']),
            repr(sorted(values.items())),
        )

    def topics(self) -> list[Topic]:
        """Return pose and battery as topics."""
        pose_type = Odometry if self.is_odometry else PoseStamped
        topics = [Topic(POSE, self.pose_topic, pose_type, qos.INPUT)]
        if self.battery_topic:
            topics.append(Topic(BATTERY, self.battery_topic, BatteryState, qos.INPUT))
        return topics


@dataclass(frozen=True)
class Answer:
    """
    What came of a command.

    :param success: whether the explorer did it.
    :param message: its sentence.
    """

    success: bool
    message: str


class ExplorerGraph:
    """
    A node in a context and a thread of its own.

    :param take: takes a topic and the bytes of its message, in the node's thread.
    :param opened: takes every topic, by its full name, before its first message.
    :param topics: outputs of the explorer to hear.
    :param namespace: of the explorer.
    :param domain_id: ROS domain; ``None`` for that of the environment.
    :raises ConfigError: if the namespace is none.
    """

    def __init__(
        self,
        take: Callable[[Topic, bytes], object],
        *,
        opened: Callable[[Topic], object] = lambda topic: None,
        topics: tuple[Topic, ...] = SHOWN,
        namespace: str = '',
        domain_id: int | None = None,
    ) -> None:
        self._take, self._opened = take, opened
        self._heard_inputs: list[Any] = []
        self._asked: Any = None
        self.inputs = Inputs()
        """What the explorer said last about its inputs; the defaults before."""
        # Signals are for the process: it closes this node in its own time.
        self._context = open_context(domain_id)
        try:
            self._node = rclpy.create_node(
                f'bo_explorer_view_{os.getpid()}',
                context=self._context,
                namespace=namespace,
                start_parameter_services=False,
                enable_rosout=False,
            )
        except InvalidNamespaceException as error:
            rclpy.try_shutdown(context=self._context)
            raise ConfigError(
                'namespace', f"'--namespace' must be a ROS namespace, got {namespace!r}: {error}"
            ) from None
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._clients = {
            name: self._node.create_client(Trigger, f'{_EXPLORER}/{name}') for name in COMMANDS
        }
        self._parameters = self._node.create_client(GetParameters, f'{_EXPLORER}/get_parameters')
        for topic in topics:
            self._listen(topic)
        self._listen_to_inputs()
        self._node.create_timer(
            _ASK_PERIOD_S, self._ask, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        self._is_closing = threading.Event()
        self._thread = threading.Thread(target=self._spin, name='ros', daemon=True)
        self._thread.start()

    @property
    def place(self) -> str:
        """Where the view listens, in words."""
        domain = self._context.get_domain_id()
        return f'ROS domain {domain}, namespace {self._node.get_namespace()}'

    def close(self) -> None:
        """Leave the graph."""
        self._is_closing.set()
        self._thread.join(_JOIN_S)
        self._executor.shutdown(timeout_sec=0.0)
        self._node.destroy_node()
        rclpy.try_shutdown(context=self._context)

    def call(self, command: str) -> Future[Answer]:
        """
        Ask the explorer for something; may be called in any thread.

        :param command: one of :data:`COMMANDS`.
        :return: the answer to come; at once where no explorer runs.
        """
        answer: Future[Answer] = Future()
        client = self._clients[command]
        if not client.service_is_ready():
            answer.set_result(Answer(False, 'there is no explorer to ask'))
            return answer

        def settle(response: Any) -> None:
            # Nobody may be waiting any more.
            if answer.set_running_or_notify_cancel():
                result = response.result()
                answer.set_result(Answer(result.success, result.message))

        client.call_async(Trigger.Request()).add_done_callback(settle)
        return answer

    def _spin(self) -> None:
        while not self._is_closing.is_set() and self._context.ok():
            try:
                self._executor.spin_once(timeout_sec=_SPIN_S)
            except ExternalShutdownException:
                return

    def _listen(self, topic: Topic) -> Any:
        full = replace(topic, name=self._node.resolve_topic_name(topic.name))
        self._opened(full)
        return self._node.create_subscription(
            topic.message_type,
            topic.name,
            lambda data: self._take(full, data),
            topic.profile,
            raw=True,
        )

    def _listen_to_inputs(self) -> None:
        for subscription in self._heard_inputs:
            self._node.destroy_subscription(subscription)
        self._heard_inputs = [self._listen(topic) for topic in self.inputs.topics()]

    def _ask(self) -> None:
        """Ask the explorer for its parameters; another one may run by now."""
        if self._asked is not None:
            self._parameters.remove_pending_request(self._asked)
            self._asked = None
        if self._parameters.service_is_ready():
            request = GetParameters.Request(names=[*_KEYS, *_PLANE_KEYS])
            self._asked = self._parameters.call_async(request)
            self._asked.add_done_callback(self._take_parameters)

    def _take_parameters(self, response: Any) -> None:
        self._asked = None
        values = [parameter_value_to_python(value) for value in response.result().values]
        if len(values) != len(_KEYS) + len(_PLANE_KEYS) or None in values:
            return
        try:
            inputs = Inputs.from_values(dict(zip([*_KEYS, *_PLANE_KEYS], values)))
        except ConfigError:
            return
        before = self.inputs
        if before.answer == inputs.answer:
            return
        self.inputs = inputs
        if before.topics() != inputs.topics():
            self._listen_to_inputs()
