# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Rivals that sample: at random, by the mean alone, and along tours of Thompson samples."""

from __future__ import annotations

import math

import numpy as np

from ...core.acquisition.base import AcquisitionContext
from ...core.lookahead.thompson import ThompsonSampling
from ...core.policy import PlanningState
from ...core.types import FloatArray

# Candidates a joint sample is drawn at.
_POINTS = 512

# Within this of a reading, in sides, a place counts as known.
_KNOWN = 0.05


class _Rival:
    """Scores one candidate above all others, which have no score."""

    def scores(self, state: PlanningState) -> FloatArray:
        """Return 0 at the target, minus infinity elsewhere, shape ``(M,)``."""
        scores = np.full(len(state.legal), -np.inf)
        target = self.target(state) if state.legal.any() else None
        if target is not None:
            scores[target] = 0.0
        return scores

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: no price is bet with."""
        return None

    def target(self, state: PlanningState) -> int | None:
        """Return a legal candidate, of which there are some, or ``None`` to end the search."""
        raise NotImplementedError


class RandomTargets(_Rival):
    """Any legal place, each as likely as the others; kept until it is reached."""

    def __init__(self) -> None:
        self._target: int | None = None

    def target(self, state: PlanningState) -> int:
        """Return the present target, or a new one where it is reached."""
        if self._target is None or not state.legal[self._target]:
            self._target = int(state.generator.choice(np.flatnonzero(state.legal)))
        return self._target


class GreedyMean:
    """The greatest posterior mean: all exploitation."""

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the mean, standardised, shape ``(M,)``."""
        return state.posterior.mean.numpy()

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: no price is bet with."""
        return None


class SnakeTour(_Rival):
    """
    The first stop of a tour through the peaks of Thompson samples, planned anew every time.

    After SnAKe (Folch et al. 2022): as many samples as there are decisions left, peaks near
    readings deleted, the rest joined by a short tour. Here the tour ends at home and the number of
    samples falls with the budget.

    :param n_samples: with the whole budget left.
    """

    def __init__(self, n_samples: int = 15) -> None:
        self._n_samples = n_samples

    def target(self, state: PlanningState) -> int | None:
        """Return the first stop of the tour."""
        share = state.context.remaining / state.context.total
        peaks = _peaks(state, max(1, math.ceil(share * self._n_samples)))
        fresh = [peak for peak in peaks if not _is_known(peak, state)] or peaks
        return tour(fresh, state)[0] if fresh else None


class TravellingBandit(_Rival):
    """
    Batches of Thompson samples, each flown to its end along a short tour.

    After Chen and Kontar (arXiv 2410.14533), which visits the batches of any batched Bayesian
    optimisation so; the batches grow, so that there are few of them.

    :param batch: places of the first batch; each is half as large again as the one before.
    """

    def __init__(self, batch: int = 4) -> None:
        self._size = float(batch)
        self._waiting: list[int] = []

    def target(self, state: PlanningState) -> int | None:
        """Return the next place of the batch, or the first of a new one."""
        self._waiting = [index for index in self._waiting if state.legal[index]]
        if not self._waiting:
            self._waiting = tour(_peaks(state, math.ceil(self._size)), state)
            self._size *= 1.5
        return self._waiting[0] if self._waiting else None


def tour(places: list[int], state: PlanningState) -> list[int]:
    """
    Return candidates in the order of a short way from here through all of them to home.

    Nearest neighbours first, then pieces are reversed as long as that helps (2-opt).

    :param places: candidates, each once.
    :param state: where the way begins and ends.
    """
    n = len(places)
    if n < 2:
        return list(places)
    between = state.routes.costs_between(places, places)
    here, home = state.leg_costs_m[places], state.home_costs_m[places]
    left = set(range(n))
    order = [min(left, key=lambda k: (here[k], k))]
    left.discard(order[0])
    while left:
        last = order[-1]
        order.append(min(left, key=lambda k: (between[last, k], k)))
        left.discard(order[-1])

    def length(way: list[int]) -> float:
        return float(here[way[0]] + between[way[:-1], way[1:]].sum() + home[way[-1]])

    best = length(order)
    improved = True
    while improved:
        improved = False
        for i in range(n - 1):
            for j in range(i + 1, n):
                # Costs depend on the direction where there is wind, so the whole way is summed.
                way = order[:i] + order[i : j + 1][::-1] + order[j + 1 :]
                cost = length(way)
                if cost < best * (1.0 - 1e-12):
                    order, best, improved = way, cost, True
    return [places[k] for k in order]


def _peaks(state: PlanningState, n: int) -> list[int]:
    """Return the legal peaks of joint samples of the field, each once."""
    sampler = ThompsonSampling(n_points=_POINTS)
    return list(dict.fromkeys(int(np.argmax(sampler.scores(state))) for _ in range(n)))


def _is_known(candidate: int, state: PlanningState) -> bool:
    place = state.field_map.candidates[candidate]
    distances = np.linalg.norm(state.field_map.samples.points - place, axis=1)
    return bool(distances.min(initial=np.inf) < _KNOWN * state.side_m)
