# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps ROS in tests on this machine, out of shared memory and away from other tests."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

_PROFILE = Path(__file__).parent / 'system' / 'dds_profile.xml'
_counter = itertools.count(7 * os.getpid())


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
    """Return a domain from 1 to 101: ports of higher ones may be taken by anybody."""
    return 1 + next(_counter) % 101
