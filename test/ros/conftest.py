# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for tests in one process."""

from __future__ import annotations

import os

import pytest

from ..ros_isolation import isolated_environment, next_domain_id


@pytest.fixture(scope='session', autouse=True)
def _isolated(tmp_path_factory):
    os.environ.update(isolated_environment(tmp_path_factory.mktemp('ros_log')))


@pytest.fixture
def context():
    """Return a context of its own, shut down after the test."""
    rclpy = pytest.importorskip('rclpy', reason='ROS 2 is not installed')
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=next_domain_id())
    yield context
    context.try_shutdown()
