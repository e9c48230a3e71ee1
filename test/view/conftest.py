# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The view in one process, in a domain of its own."""

from __future__ import annotations

import os

import pytest

from ..ros_isolation import isolated_environment, next_domain_id


@pytest.fixture
def domain_id(tmp_path):
    """Return a domain that nobody else uses."""
    pytest.importorskip('rclpy', reason='ROS 2 is not installed')
    os.environ.update(isolated_environment(tmp_path / 'log'))
    return next_domain_id()
