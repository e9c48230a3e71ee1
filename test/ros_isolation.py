# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps ROS in tests on this machine, out of shared memory and away from other tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from bo_explorer.cli.domains import DomainClaim

_PROFILE = Path(__file__).parent / 'system' / 'dds_profile.xml'
_N_CLAIMS = 8
_claims: list[DomainClaim] = []
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
    Return a domain nobody else on this machine uses.

    A process has a few for itself until it ends, in turn.
    """
    if not _domains:
        _claims.extend(DomainClaim() for _ in range(_N_CLAIMS))
        _domains.append(itertools.cycle(claim.number for claim in _claims))
    return next(_domains[0])
