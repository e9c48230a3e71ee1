# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the command ``view`` refuses, and what it says."""

from __future__ import annotations

import asyncio
import socket
import sys

import pytest

from bo_explorer.cli import main

from ..ros_isolation import isolated_environment, next_domain_id


@pytest.fixture
def domain(tmp_path, monkeypatch):
    pytest.importorskip('rclpy', reason='ROS 2 is not installed')
    pytest.importorskip('aiohttp', reason='aiohttp is not installed')
    for key, value in isolated_environment(tmp_path).items():
        monkeypatch.setenv(key, value)
    return str(next_domain_id())


@pytest.fixture
def one_look(monkeypatch):
    """End the command as soon as it waits for its end."""

    async def at_once(event):
        return True

    monkeypatch.setattr(asyncio.Event, 'wait', at_once)


@pytest.mark.parametrize('option', ['--port', '--foxglove'])
@pytest.mark.parametrize('port', ['-1', '65536'])
def test_a_port_that_is_none_is_refused(capsys, option, port):
    assert main(['view', f'{option}={port}']) == 2
    assert f"'{option}' must be from 0 to 65535, got {port}." in capsys.readouterr().err


@pytest.mark.parametrize(
    'module, remedy', [('aiohttp', 'pip install aiohttp'), ('rclpy', 'source its setup file')]
)
def test_a_missing_library_is_named_with_its_remedy(capsys, monkeypatch, module, remedy):
    pytest.importorskip('aiohttp' if module == 'rclpy' else 'rclpy')
    monkeypatch.setitem(sys.modules, module, None)
    assert main(['view']) == 2
    assert remedy in capsys.readouterr().err


def test_the_library_for_foxglove_is_asked_for_when_it_is_needed(capsys, monkeypatch, domain):
    monkeypatch.setitem(sys.modules, 'foxglove', None)
    assert main(['view', '--domain', domain, '--port', '0', '--foxglove', '0']) == 2
    assert 'pip install foxglove-sdk' in capsys.readouterr().err


def test_a_taken_port_is_an_error_in_one_line(capsys, domain):
    with socket.socket() as other:
        other.bind(('127.0.0.1', 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert main(['view', '--domain', domain, '--port', port]) == 1
    error = capsys.readouterr().err
    assert port in error and len(error.splitlines()) == 1


def test_a_bad_namespace_is_refused(capsys, domain):
    assert main(['view', '--domain', domain, '--port', '0', '--namespace', 'a b']) == 2
    assert "'--namespace' must be a ROS namespace, got 'a b'" in capsys.readouterr().err


def test_whoever_opens_the_view_to_the_network_is_warned(capsys, domain, one_look):
    assert main(['view', '--domain', domain, '--port', '0', '--host', '0.0.0.0']) == 0
    assert 'there is no password' in capsys.readouterr().err


def test_on_loopback_nothing_needs_a_warning(capsys, domain, one_look):
    assert main(['view', '--domain', domain, '--port', '0', '--namespace', 'a']) == 0
    said = capsys.readouterr()
    assert not said.err
    assert f'ROS domain {domain}, namespace /a' in said.out and 'http://127.0.0.1:' in said.out
