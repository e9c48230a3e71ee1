# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A connection that is lost and comes back, over loopback, with a clock of the tests."""

from __future__ import annotations

import socket
import time

import pytest

from bo_explorer.ros.flight_stacks import tcp_port
from bo_explorer.ros.flight_stacks.tcp_port import TcpPort


class Line:
    """A server and a port that is connected to it."""

    def __init__(self):
        self.now = 0.0
        self.server = socket.create_server(('127.0.0.1', 0))
        self.address = self.server.getsockname()
        self.port = TcpPort(socket.create_connection(self.address), clock=lambda: self.now)
        self.far, _ = self.server.accept()

    def lose(self):
        """Let the other side go away, and the port notice it."""
        self.far.close()
        self.server.close()
        with pytest.raises(OSError, match='closed the connection'):
            self.receive()

    def receive(self):
        """Return what comes next."""
        end = time.monotonic() + 20.0
        while time.monotonic() < end:
            try:
                return self.port.recv(100)
            except BlockingIOError:
                time.sleep(0.001)
        raise AssertionError('nothing has come')

    def close(self):
        for part in (self.port, self.far, self.server):
            part.close()


@pytest.fixture
def line():
    made = Line()
    yield made
    made.close()


def test_a_port_sends_and_receives_and_never_waits(line):
    with pytest.raises(BlockingIOError):
        line.port.recv(100)
    line.far.send(b'down')
    assert line.receive() == b'down'
    assert line.port.send(b'up') == 2
    assert line.far.recv(100) == b'up'
    assert line.port._socket.gettimeout() == 0.0


def test_a_lost_connection_is_an_error_at_once(line):
    line.lose()
    assert line.port.fileno() == -1
    for _ in range(3):
        with pytest.raises(OSError, match='the connection is lost'):
            line.port.recv(100)
        with pytest.raises(OSError, match='the connection is lost'):
            line.port.send(b'up')


def test_it_is_tried_anew_once_a_second(line, monkeypatch):
    line.lose()
    tried = []
    make = socket.socket

    def count(*arguments):
        tried.append(line.now)
        return make(*arguments)

    monkeypatch.setattr(tcp_port.socket, 'socket', count)
    for tick in range(350):
        line.now = 0.01 * tick
        with pytest.raises(OSError, match='the connection is lost'):
            line.port.recv(100)
    assert tried == pytest.approx([1.0, 2.0, 3.0])


def test_it_heals_when_the_other_side_is_back(line):
    line.lose()
    line.server = socket.create_server(line.address)
    end = time.monotonic() + 20.0
    while True:
        assert time.monotonic() < end, 'waited in vain for the connection'
        line.now += 0.1
        try:
            line.port.send(b'up')
            break
        except OSError:
            time.sleep(0.001)
    line.far, _ = line.server.accept()
    assert line.far.recv(100) == b'up'
    assert line.port._socket.gettimeout() == 0.0
