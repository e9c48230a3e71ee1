# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a mission may begin, and where its home is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .config import ExplorerConfig
from .travel import TravelCost
from .types import FloatArray


@dataclass(frozen=True)
class Refusal:
    """
    Why a mission cannot begin.

    :param reason: one sentence for the operator, with a remedy.
    """

    reason: str


def find_home(
    config: ExplorerConfig, travel: TravelCost, start: FloatArray, available_m: float
) -> FloatArray | Refusal:
    """
    Return where the mission will end.

    A home up to the arrival radius outside of free space is moved inside.

    :param config: all settings.
    :param travel: legal ways and what they cost.
    :param start: where the vehicle is, shape ``(2,)``, metres.
    :param available_m: budget the way home may cost, metres-equivalent.
    :return: home, shape ``(2,)``, metres, or why there is none.
    """
    area = travel.area
    if area.is_empty:
        return Refusal(
            'the no-fly zones and their margins cover the whole search area: make them smaller'
        )
    is_fixed = config.home.mode == 'fixed'
    place = np.array([config.home.x, config.home.y]) if is_fixed else start
    home = area.nearest_legal(place)
    if not np.linalg.norm(home - place) <= config.vehicle.arrival_radius_m:
        return Refusal(
            f'home ({place[0]:.1f}, {place[1]:.1f}) is outside the search area or in a no-fly '
            'zone: make area.polygon contain it, or set home.mode to fixed'
        )
    path = travel.path(start, home)
    if path is None:
        return Refusal(
            f'there is no legal way from ({start[0]:.1f}, {start[1]:.1f}) to home '
            f'({home[0]:.1f}, {home[1]:.1f})'
        )
    cost = travel.path_cost(path)
    if is_fixed and not cost <= max(available_m, area.tolerance_m):
        return Refusal(
            f'the way home costs {cost:.1f} m and the budget leaves {available_m:.1f} m for it: '
            'raise budget.total_m or start nearer to home'
        )
    return home
