# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""ROS domains for processes that shall hear each other and nobody else on the machine."""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from pathlib import Path
from typing import IO

# Ports of higher ones may be taken by anybody.
_DOMAINS = range(1, 102)


class DomainClaim:
    """
    A ROS domain that nobody else uses.

    Participants open their ports some time after a domain was chosen, and nodes may be started
    again, so that looking at ports is not enough: a locked file keeps other claims away until
    this one is released or its process ends. Where every domain is claimed, one is shared.
    """

    def __init__(self) -> None:
        self._lock: IO[str] | None = None
        domains = random.sample(_DOMAINS, len(_DOMAINS))
        self.number = domains[0]
        """The domain."""
        for domain in domains:
            lock = _locked(domain)
            if lock is not None and _is_quiet(domain):
                self.number, self._lock = domain, lock
                return
            if lock is not None:
                lock.close()

    def __enter__(self) -> DomainClaim:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def release(self) -> None:
        """Let others have the domain."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _locked(domain: int) -> IO[str] | None:
    """Return the locked file of a domain, ``None`` where somebody else has it."""
    path = Path(tempfile.gettempdir(), f'bo_explorer_domain_{os.getuid()}_{domain}.lock')
    lock = path.open('w')
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock


def _is_quiet(domain: int) -> bool:
    """Tell whether no participant seems to be in a domain."""
    # The first one listens at port 7400 + 250 domain + 10 (DDSI-RTPS 9.6.2).
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(('', 7410 + 250 * domain))
        except OSError:
            return False
    return True
