# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The cable between two namespaces loses as many packets as it is told to, and no more."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bo_explorer.campaign.network import Network, why_no_network

N_PACKETS = 2000
LISTENER = """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    listener.bind(('10.77.0.1', 9999))
    print('ready', flush=True)
    input()
    listener.setblocking(False)
    count = 0
    try:
        while listener.recv(100):
            count += 1
    except BlockingIOError:
        print(count)
"""
SENDER = f"""
import socket, time
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    for number in range({N_PACKETS}):
        sender.sendto(b'packet', ('10.77.0.1', 9999))
        if number % 20 == 0:
            time.sleep(0.001)
"""


@pytest.fixture
def network():
    reason = why_no_network()
    if reason:
        pytest.skip(f'no network namespaces: {reason}')
    network = Network(f'test{os.getpid() % 1000}')
    yield network
    network.close()


def heard(network):
    """Return how many packets of all come through the cable."""
    command = [*network.explorer_prefix, sys.executable, '-c', LISTENER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as listener:
        assert listener.stdout is not None
        assert listener.stdout.readline() == 'ready\n'
        subprocess.run([*network.prefix, sys.executable, '-c', SENDER], check=True)
        return int(listener.communicate('\n')[0])


def test_a_fifth_of_the_packets_is_lost_and_none_afterwards(network):
    network.lose(20)
    # Five standard deviations of a binomial draw.
    assert heard(network) == pytest.approx(0.8 * N_PACKETS, abs=5.0 * (0.16 * N_PACKETS) ** 0.5)
    network.lose(0)
    assert heard(network) == N_PACKETS


def test_nothing_is_left_of_a_network(network):
    network.close()
    left = subprocess.run(['ip', 'netns', 'list'], capture_output=True, text=True, check=True)
    assert network.prefix[3] not in left.stdout
