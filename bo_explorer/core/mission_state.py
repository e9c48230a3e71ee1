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
