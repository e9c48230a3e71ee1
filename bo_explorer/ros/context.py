# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A ROS context beside others: for programs that only watch or drive the nodes."""

from __future__ import annotations

import rclpy
from rclpy.signals import SignalHandlerOptions


def open_context(domain_id: int | None) -> rclpy.Context:
    """
    Return an initialised context that leaves signals to the process.

    :param domain_id: ROS domain; ``None`` for that of the environment.
    """
    context = rclpy.Context()
    rclpy.init(
        args=[],
        context=context,
        domain_id=domain_id,
        signal_handler_options=SignalHandlerOptions.NO,
    )
    return context
