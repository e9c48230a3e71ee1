# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps ROS in tests on this machine, out of shared memory and away from other tests."""

from __future__ import annotations

import fcntl
import itertools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

_PROFILE = Path(__file__).parent / 'system' / 'dds_profile.xml'
_BLOCKS = 10
_BLOCK_SIZE = 10
_claims: list[object] = []
_domains: list[Iterator[int]] = []


def isolated_environment(log_directory: Path) -> dict[str, str]:
    """Return the variables that a process of a test needs."""
    return {
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4',
        'FASTRTPS_DEFAULT_PROFILES_FILE': str(_PROFILE),
        'ROS_LOG_DIR': str(log_directory),
        'OMP_NUM_THREADS': '1',
    }


def next_domain_id() -> int:
    """
    Return a domain from 1 to 100: ports of higher ones may be taken by anybody.

    A process has ten for itself, as long as no more than ten test runs go on side by side.
    """
    if not _domains:
        _domains.append(itertools.cycle(_claimed()))
    return next(_domains[0])


def _claimed() -> range:
    folder, user = tempfile.gettempdir(), os.getuid()
    for block in range(_BLOCKS):
        claim = Path(folder, f'bo_explorer_domains_{user}_{block}.lock').open('w')
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            claim.close()
            continue
        # Held until the process ends.
        _claims.append(claim)
        return range(1 + _BLOCK_SIZE * block, 1 + _BLOCK_SIZE * (block + 1))
    return range(1, 1 + _BLOCKS * _BLOCK_SIZE)
