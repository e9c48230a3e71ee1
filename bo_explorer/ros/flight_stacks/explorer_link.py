# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps the explorer's mission from flying a vehicle that others have."""

from __future__ import annotations

import math
from typing import Any

from rclpy.node import Node
from std_srvs.srv import Trigger

_PERIOD_S = 1.0
_ANSWER_TIMEOUT_S = 5.0
# What the mission answers where somebody else had paused it before.
_ALREADY_PAUSED = 'already paused'


class ExplorerLink:
    """
    Pauses the mission while the vehicle is in other hands, and resumes what it has paused itself.

    The pause is called again and again: a mission may be reset and started, resumed or called home
    meanwhile. The answer tells whose pause it is: a mission that was paused already keeps whoever
    paused it, one that cannot be paused is not this node's to resume.

    :param node: owns the clients.
    :param name: of the explorer node; empty: nothing is ever paused.
    """

    def __init__(self, node: Node, name: str) -> None:
        self._node = node
        self._clients: dict[str, Any] = {}
        if name:
            for command in ('pause', 'resume'):
                self._clients[command] = node.create_client(Trigger, f'{name}/{command}')
        self._calling = ''
        self._called_at = -math.inf
        self.has_paused = False
        """Whether the mission stands because of this node."""

    def want(self, now: float, *, is_flying: bool) -> None:
        """
        Call the mission's services as it takes; called again and again.

        :param now: seconds of a clock that never goes back.
        :param is_flying: whether the mission has the vehicle.
        """
        if not self._clients or (is_flying and not self.has_paused):
            return
        waited = now - self._called_at
        if waited < (_ANSWER_TIMEOUT_S if self._calling else _PERIOD_S):
            return
        command = 'resume' if is_flying else 'pause'
        client = self._clients[command]
        if not client.service_is_ready():
            return
        self._calling, self._called_at = command, now
        future = client.call_async(Trigger.Request())
        future.add_done_callback(lambda done: self._answered(command, done))

    def _answered(self, command: str, future: Any) -> None:
        self._calling = ''
        answer = future.result() if future.exception() is None else None
        if answer is None:
            return
        if command == 'pause' and not answer.success:
            self.has_paused = False
        elif command == 'pause' and answer.message != _ALREADY_PAUSED:
            self.has_paused = True
            self._node.get_logger().info('the mission is paused: the vehicle is in other hands')
        elif command == 'resume' and answer.success:
            self.has_paused = False
            self._node.get_logger().info('the mission flies on')
