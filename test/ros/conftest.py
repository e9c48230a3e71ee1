# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for tests in one process: nothing leaves this machine, nothing is heard from outside."""

from __future__ import annotations

import os

import pytest

rclpy = pytest.importorskip('rclpy', reason='ROS 2 is not installed')


@pytest.fixture(scope='session', autouse=True)
def _isolated(tmp_path_factory):
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    os.environ['FASTDDS_BUILTIN_TRANSPORTS'] = 'UDPv4'
    os.environ['ROS_LOG_DIR'] = str(tmp_path_factory.mktemp('ros_log'))


@pytest.fixture
def context():
    """Return a context of its own, shut down after the test."""
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=1 + os.getpid() % 100)
    yield context
    context.try_shutdown()
