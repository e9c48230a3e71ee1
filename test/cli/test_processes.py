# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Processes that are started, watched and stopped."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from bo_explorer.cli.processes import NodeProcess, node_environment, stop_all

POLITE = """
import signal, sys, time
signal.signal(signal.SIGINT, lambda number, frame: sys.exit(0))
print('ready', flush=True)
time.sleep(60)
"""
STUBBORN = POLITE.replace('lambda number, frame: sys.exit(0)', 'signal.SIG_IGN')


@pytest.fixture
def start(tmp_path: Path):
    """Start a program as a module; whatever it does, it is gone after the test."""
    started = []

    def begin(name: str, program: str) -> NodeProcess:
        (tmp_path / f'{name}.py').write_text(program)
        environment = {**os.environ, 'PYTHONPATH': str(tmp_path)}
        process = NodeProcess(name, name, [], environment, tmp_path)
        started.append(process)
        return process

    yield begin
    stop_all(started, 0.1)


def wait_until_ready(process: NodeProcess) -> None:
    end = time.monotonic() + 30.0
    while 'ready' not in process.last_lines():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_ends_well_when_interrupted(start) -> None:
    process = start('polite', POLITE)
    wait_until_ready(process)
    assert process.exit_code is None
    assert stop_all([process], 30.0) == {'polite': 0}


def test_a_process_that_does_not_listen_is_killed(start) -> None:
    process = start('stubborn', STUBBORN)
    wait_until_ready(process)
    assert stop_all([process], 0.2) == {'stubborn': -9}


def test_the_last_lines_of_a_dead_process_can_be_shown(start) -> None:
    process = start('dying', 'print(*range(100), sep="\\n")\nsys.exit(3)')
    assert process.wait(30.0) == 1
    assert "NameError: name 'sys' is not defined" in process.last_lines()
    assert '\n42\n' not in process.last_lines()


def test_nodes_see_only_this_machine(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv('ROS_STATIC_PEERS', '192.0.2.1')
    environment = node_environment(tmp_path, 7)
    assert environment['ROS_DOMAIN_ID'] == '7'
    assert environment['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'LOCALHOST'
    assert 'ROS_STATIC_PEERS' not in environment
    assert sys.executable
