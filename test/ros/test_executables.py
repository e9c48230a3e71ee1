# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The executables: each leads to its node, and ends without a word while it is loading."""

from __future__ import annotations

import importlib
import signal
import subprocess
import sys

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.ros import executables

NAMES = ('explorer_node', 'simulator_node', 'flight_stack')


@pytest.mark.parametrize('name', NAMES)
def test_each_runs_its_node(monkeypatch, name):
    module = importlib.import_module(f'bo_explorer.ros.{name}')
    monkeypatch.setattr(module, 'main', lambda: 7)
    before = signal.getsignal(signal.SIGINT)
    try:
        assert getattr(executables, name)() == 7
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize('name', NAMES)
def test_an_interrupt_while_loading_leaves_no_traceback(name):
    code = f'from bo_explorer.ros import executables; executables.{name}()'
    command = [sys.executable, '-X', 'importtime', '-c', code]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        # The first library the node itself asks for.
        seen = [next(line for line in process.stderr if 'rclpy' in line or 'numpy' in line)]
        process.send_signal(signal.SIGINT)
        seen += process.stderr.readlines()
    assert process.returncode == -signal.SIGINT
    assert 'Traceback' not in ''.join(seen)
