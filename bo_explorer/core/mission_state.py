# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The states of a mission."""

from __future__ import annotations

from enum import Enum


class MissionState(Enum):
    """What the mission is doing."""

    IDLE = 'idle'
    WAITING = 'waiting'
    PLANNING = 'planning'
    MOVING = 'moving'
    MEASURING = 'measuring'
    RETURNING = 'returning'
    PAUSED = 'paused'
    SUSPENDED = 'suspended'
    HOLD = 'hold'
    DONE = 'done'


SEARCHING = frozenset(
    {
        MissionState.WAITING,
        MissionState.PLANNING,
        MissionState.MOVING,
        MissionState.MEASURING,
    }
)
"""States in which targets are chosen."""

FLYING = SEARCHING - {MissionState.WAITING} | {MissionState.RETURNING}
"""States in which the vehicle is led."""

INTERRUPTED = frozenset({MissionState.PAUSED, MissionState.SUSPENDED, MissionState.HOLD})
"""States from which the mission goes on with what it did before."""
