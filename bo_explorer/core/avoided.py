# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Places the vehicle could not get to: left out for a while, then tried again."""

from __future__ import annotations

import numpy as np

from .types import BoolArray, FloatArray

_DECISIONS = 5
"""Decisions a place is left out of."""


class AvoidedPlaces:
    """Forgets each place after some decisions: what was in the way may be gone."""

    def __init__(self) -> None:
        self._places: list[tuple[FloatArray, int]] = []

    def add(self, place: FloatArray) -> None:
        """Leave a place, shape ``(2,)``, out of the next decisions."""
        self._places.append((np.array(place, dtype=np.float64), _DECISIONS))

    def next_decision(self, candidates: FloatArray, radius_m: float) -> BoolArray:
        """
        Tell which candidates are near a place that is left out of this decision.

        :param candidates: shape ``(M, 2)``, metres.
        :param radius_m: metres.
        :return: shape ``(M,)``.
        """
        avoided: BoolArray = np.zeros(len(candidates), dtype=np.bool_)
        for place, _ in self._places:
            avoided |= np.linalg.norm(candidates - place, axis=1) <= radius_m
        self._places = [(place, left - 1) for place, left in self._places if left > 1]
        return avoided
