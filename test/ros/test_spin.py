# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A node's process ends soon after a signal, whatever holds it up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from ..ros_isolation import isolated_environment, next_domain_id

SCRIPT = """
import ctypes
from rclpy.node import Node
from bo_explorer.ros import spin

spin._PATIENCE_S = 0.5

class Stubborn(Node):
    def __init__(self):
        super().__init__('stubborn')
        self.where = {where!r}

    def bring_up(self):
        print('up', flush=True)
        self.hang('in native code')

    def close(self):
        self.hang('at the end')

    def hang(self, where):
        while where == self.where:
            ctypes.CDLL(None).usleep(50_000_000)

spin.run(Stubborn, [])
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('where', ['nowhere', 'in native code', 'at the end'])
def test_a_signal_ends_a_node_wherever_it_hangs(where, number, tmp_path):
    """Found by the fault campaign: one of thousands never came out of the middleware."""
    environment = {**os.environ, **isolated_environment(tmp_path)}
    environment['ROS_DOMAIN_ID'] = str(next_domain_id())
    with subprocess.Popen(
        [sys.executable, '-c', SCRIPT.format(where=where)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as node:
        assert node.stdout is not None
        assert node.stdout.readline() == 'up\n'
        node.send_signal(number)
        _, said = node.communicate(timeout=30.0)
    assert node.returncode == 0
    assert ('ended anyway' in said) == (where != 'nowhere')
