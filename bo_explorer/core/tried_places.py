# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Places that need no further visit: measured ones, and for a while those out of reach."""

from __future__ import annotations

import numpy as np

from .types import BoolArray, FloatArray

# Decisions a place is left out of: what was in the way may be gone.
_PATIENCE = 5


class TriedPlaces:
    """
    Tells which candidates are worth a leg.

    :param separation_m: least distance from a place that was measured, metres.
    :param shortest_leg_m: a candidate this near would be reached without flying, metres.
    :param avoided_m: distance within which a place out of reach speaks for its neighbours, metres.
    """

    def __init__(self, separation_m: float, shortest_leg_m: float, avoided_m: float) -> None:
        self._separation = separation_m
        self._shortest_leg = shortest_leg_m
        self._avoided_m = avoided_m
        self._avoided: list[tuple[FloatArray, int]] = []
        self.stops: list[FloatArray] = []
        """Places the vehicle stopped at to measure, in order, each shape ``(2,)``, metres."""
        self._candidates = np.empty((0, 2))
        self._apart = np.ones(0, dtype=np.bool_)
        self._n_counted = 0

    def avoid(self, place: FloatArray) -> None:
        """Leave a place, shape ``(2,)``, out of the next decisions."""
        self._avoided.append((np.array(place, dtype=np.float64), _PATIENCE))

    def fresh(
        self, candidates: FloatArray, position: FloatArray, present_target: FloatArray | None
    ) -> BoolArray:
        """
        Tell which candidates may be flown to in the decision being made.

        Within the arrival radius the vehicle would arrive without flying: a leg has a length, also
        where revisits are wanted and the separation is 0.

        :param candidates: shape ``(M, 2)``, metres.
        :param position: where the next leg starts, shape ``(2,)``, metres.
        :param present_target: target being flown to, which always may, or ``None``.
        :return: shape ``(M,)``.
        """
        fresh: BoolArray = _distances(candidates, position) > self._shortest_leg
        fresh &= self._apart_from_stops(candidates)
        fresh &= _distances(candidates, position) >= self._separation
        for place, _ in self._avoided:
            fresh &= _distances(candidates, place) > self._avoided_m
        self._avoided = [(place, left - 1) for place, left in self._avoided if left > 1]
        if present_target is not None:
            fresh |= _distances(candidates, present_target) == 0.0
        return fresh

    def _apart_from_stops(self, candidates: FloatArray) -> BoolArray:
        """Tell which candidates are apart from every stop, looking at new stops only."""
        if candidates is not self._candidates or self._n_counted > len(self.stops):
            self._candidates, self._n_counted = candidates, 0
            self._apart = np.ones(len(candidates), dtype=np.bool_)
        for place in self.stops[self._n_counted :]:
            self._apart &= _distances(candidates, place) >= self._separation
        self._n_counted = len(self.stops)
        return self._apart


def _distances(candidates: FloatArray, place: FloatArray) -> FloatArray:
    distances: FloatArray = np.linalg.norm(candidates - place, axis=1)
    return distances
