# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whoever claims a ROS domain has it alone."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys

import pytest

from bo_explorer.cli import domains
from bo_explorer.cli.domains import DomainClaim


@pytest.fixture
def claim(monkeypatch, tmp_path):
    """Return a function that claims one of three domains until the test ends."""
    monkeypatch.setattr(domains, '_DOMAINS', range(60, 63))
    monkeypatch.setattr(domains.tempfile, 'gettempdir', lambda: str(tmp_path))
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(DomainClaim())


def test_a_domain_with_a_participant_is_left_alone(claim) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(('', 7410 + 250 * 60))
        assert {claim().number for _ in range(2)} == {61, 62}


def test_a_domain_belongs_to_one_until_it_is_released(claim) -> None:
    claims = [claim() for _ in range(3)]
    assert {claim.number for claim in claims} == {60, 61, 62}
    claims[1].release()
    assert claim().number == claims[1].number


def test_claims_of_other_processes_count(claim, tmp_path) -> None:
    """Two campaigns, or a test run and a demonstration, must not hear each other."""
    script = (
        'from bo_explorer.cli import domains\n'
        'domains._DOMAINS = range(60, 62)\n'
        f'domains.tempfile.gettempdir = lambda: {str(tmp_path)!r}\n'
        'claim = domains.DomainClaim()\n'
        'print(claim.number, flush=True)\n'
        'input()\n'
    )
    with subprocess.Popen(
        [sys.executable, '-c', script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        taken = int(other.stdout.readline())
        assert taken in (60, 61)
        assert {claim().number for _ in range(2)} == {60, 61, 62} - {taken}
        other.communicate('\n')


def test_where_all_are_claimed_one_is_shared(claim) -> None:
    numbers = [claim().number for _ in range(3)]
    assert claim().number in numbers
