# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Goals of an action server, one at a time, the newest wins."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.node import Node

from ...core.types import Waypoint
from .goals import GoalGate


class ActionGoals:
    """
    Sends goals and follows what becomes of the present one.

    :param node: owns the client.
    :param action_type: class of the action.
    :param name: of the action.
    :param ended: takes the goal's final status and its result when the present goal ends; not
        called for a goal that a newer one has replaced.
    """

    def __init__(
        self,
        node: Node,
        action_type: Any,
        name: str,
        ended: Callable[[Waypoint, int, Any], object],
    ) -> None:
        self.client = ActionClient(node, action_type, name)
        self.gate = GoalGate()
        self._ended = ended
        self._handle: Any = None

    def send(self, setpoint: Waypoint, make_goal: Callable[[Waypoint], Any]) -> None:
        """
        Send a setpoint as goal if it is a new one and the server is there.

        :param setpoint: where to fly.
        :param make_goal: makes the goal message of it.
        """
        if not self.client.server_is_ready() or not self.gate.is_new(setpoint, time.monotonic()):
            return
        future = self.client.send_goal_async(make_goal(setpoint))
        future.add_done_callback(lambda done: self._answered(setpoint, done))

    def cancel(self) -> None:
        """Give the present goal up."""
        self.gate.forget()
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.cancel_goal_async()

    def destroy(self) -> None:
        """Remove the client from the node."""
        self.client.destroy()

    def _answered(self, goal: Waypoint, future: Any) -> None:
        handle = future.result() if future.exception() is None else None
        if handle is None or not handle.accepted:
            self.gate.fail(goal, time.monotonic())
            return
        if goal is not self.gate.goal:
            # It was given up before the server had answered.
            if self.gate.goal is None:
                handle.cancel_goal_async()
            return
        self._handle = handle
        handle.get_result_async().add_done_callback(lambda done: self._finished(goal, done))

    def _finished(self, goal: Waypoint, future: Any) -> None:
        if goal is not self.gate.goal or future.exception() is not None:
            return
        self._handle = None
        answer = future.result()
        if answer.status != GoalStatus.STATUS_SUCCEEDED:
            self.gate.fail(goal, time.monotonic())
        self._ended(goal, answer.status, answer.result)
