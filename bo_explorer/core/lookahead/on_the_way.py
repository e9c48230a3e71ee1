# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
One step ahead, but a leg is worth what is read on it: readings come while flying.

Which candidates lie on a leg needs no geometry. The costs from the present place know the shortest
paths: a candidate's path comes over the neighbour whose own cost and the step from there add up to
its cost. Those neighbours form a tree, and all legs are its branches, round zones and in wind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..acquisition import ACQUISITIONS
from ..acquisition.base import Acquisition
from ..acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from ..acquisition.log_expected_improvement import LogExpectedImprovement
from ..options import Options, option
from ..types import FloatArray
from .base import PlanningState, scattered
from .following import Following

GATHERED = ('mean', 'best')
"""What a leg is worth: the mean score along it, or the best."""

# Detour over a neighbour, as a part of the step, up to which a path is taken to lead over it.
_MAX_DETOUR = 0.3

_LOGARITHMS = (ExpectedImprovementPerCost, LogExpectedImprovement)


def path_tree(
    costs: FloatArray, neighbours: NDArray[np.int64], steps: FloatArray
) -> NDArray[np.int64]:
    """
    Return the candidate each one's path comes over last, itself where it is the first.

    :param costs: from the present place, infinite where no path leads, shape ``(M,)``.
    :param neighbours: candidates near each candidate, shape ``(M, K)``.
    :param steps: cost of the straight leg from each neighbour, shape ``(M, K)``.
    """
    own = np.arange(len(costs))
    if not neighbours.size:
        return own
    before = costs[neighbours]
    with np.errstate(invalid='ignore'):
        detour = (before + steps - costs[:, np.newaxis]) / steps
        # A negative detour is a step through a zone.
        is_on_path = (before < costs[:, np.newaxis]) & (detour > -1e-6) & (detour < _MAX_DETOUR)
    detour = np.where(is_on_path, detour, np.inf)
    best = detour.argmin(axis=1)
    return np.where(np.isfinite(detour[own, best]), neighbours[own, best], own)


def gathered(
    scores: FloatArray, costs: FloatArray, parents: NDArray[np.int64], how: str
) -> FloatArray:
    """
    Return what the leg to each candidate is worth.

    The mean is ``1 / d`` times the integral of the score along the leg, each candidate standing
    for the piece before it. Branches are added up by doubling, in as many rounds as the logarithm
    of their length.

    :param scores: at every candidate, shape ``(M,)``.
    :param costs: from the present place, shape ``(M,)``.
    :param parents: :func:`path_tree`.
    :param how: one of :data:`GATHERED`.
    """
    own = np.arange(len(scores))
    # Behind the first candidate of a path stands one that adds nothing.
    none = len(scores)
    before = np.append(np.where(parents == own, none, parents), none)
    if how == 'best':
        best = np.append(scores, -np.inf)
        while (before != none).any():
            best, before = np.maximum(best, best[before]), before[before]
        return best[:none]
    pieces = costs - np.where(parents == own, 0.0, costs[parents])
    pieces = np.where(np.isfinite(pieces), np.maximum(pieces, 1e-12), 1.0)
    total, length = np.append(scores * pieces, 0.0), np.append(pieces, 0.0)
    while (before != none).any():
        total, length = total + total[before], length + length[before]
        before = before[before]
    mean: FloatArray = total[:none] / length[:none]
    return mean


@dataclass(frozen=True)
class OnTheWay(Following, Options):
    """
    An acquisition one step ahead that counts what is read along the leg.

    The score is ``(1 - weight) own + weight leg``, the leg's worth being the mean of the scores
    along it, or the best of them. Where the acquisition is a logarithm the mean is that of the
    numbers behind: expected improvement per metre of the leg, which is what an even stream of
    readings brings.

    :param base: name of an acquisition; it has the options set for it, ``policy.<base>.*``.
    :param gather: what a leg is worth.
    :param weight: of the leg; 0 is the acquisition itself, to the bit.
    :param acquisition: the acquisition of that name; its defaults if left out.
    """

    base: str = option(
        'log_ei',
        'Acquisition whose scores count along the leg, with the options set for it.',
        choices=tuple(ACQUISITIONS),
    )
    gather: str = option('mean', 'What a leg is worth.', choices=GATHERED)
    weight: float = option(
        0.5, 'Weight of the leg against the target itself.', low=0.0, high=1.0
    )
    acquisition: Acquisition | None = None

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the score of every legal candidate, shape ``(M,)``."""
        own: FloatArray = self.followed(state.posterior, state.context).numpy()
        worth = own if self.weight == 0.0 else self._with_leg(own, state)
        return scattered(len(own), state.legal, worth[state.legal])

    def _with_leg(self, own: FloatArray, state: PlanningState) -> FloatArray:
        costs = state.leg_costs_m
        parents = path_tree(costs, *state.routes.neighbours)
        if self.gather == 'mean' and isinstance(self.followed, _LOGARITHMS):
            greatest = own.max(initial=-np.inf)
            # What underflows beside the greatest is still told apart by its own score.
            mean = gathered(np.exp(own - greatest), costs, parents, 'mean')
            leg = greatest + np.log(np.maximum(mean, np.finfo(float).tiny))
        else:
            leg = gathered(own, costs, parents, self.gather)
        worth: FloatArray = (1.0 - self.weight) * own + self.weight * leg
        return worth
