# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The one-shot tree as a policy: a plan over the whole area, snapped to legal candidates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from ..acquisition.base import AcquisitionContext
from ..ascent import Precision
from ..errors import ConfigError
from ..options import Options, option
from ..types import BoolArray, FloatArray
from .base import PlanningState
from .draws import DRAWS
from .gp_tree import PresentBelief
from .journey import Journey, PointCost
from .one_shot import REWARDS, OneShotTree, Tree, TreePlan, remembered

# Of the logarithm of the value. The first decision moves to a candidate afterwards, so its last
# digits are lost anyway: ascents to 1e-6 take three times as long for 1 % of the value.
_PRECISION = Precision(value=1e-4, gradient=1e-3, max_iterations=20)

_MAX_ANCHORS = 256
_MAX_NODES = 1000


@dataclass
class _Memory:
    tree: Tree | None = None
    available_m: float = 0.0

    def tree_for(self, state: PlanningState) -> Tree | None:
        """Return the last tree; a budget that has grown means another mission."""
        return self.tree if state.available_m <= self.available_m else None


@dataclass(frozen=True)
class OneShot(Options):
    """
    All decisions of a scenario tree optimised jointly, costs and budget included.

    The plan is made over the bounding box of the candidates. The first leg and the way home cost
    what the legal paths cost (zones and wind included), smoothed over the candidates; the legs
    between are straight. Then the first decision of every ascent is moved to each of the nearest
    legal candidates, the cost of the first leg is made exact, and the tree is valued again: that
    is the candidate's score. All others score minus infinity. The best tree is remembered and
    starts the next plan.

    :param fantasies: readings imagined at each stage before the last.
    :param reward: what the tree is worth, see
        :class:`~bo_explorer.core.lookahead.one_shot.OneShotTree`.
    :param price_per_side: standard deviations of the field per side, for the reward ``priced``.
    :param draws: how the imagined readings are chosen.
    :param n_starts: gradient ascents.
    :param n_raw: first decisions tried before the ascents.
    :param n_snapped: legal candidates valued for each ascent.
    """

    fantasies: tuple[float, ...] = option(
        (3.0, 1.0), 'Readings imagined at each stage before the last.', low=1.0, high=64.0
    )
    reward: str = option('per_cost', 'What a tree is worth.', choices=REWARDS)
    price_per_side: float = option(
        0.1,
        'Price of flying the side of the area, in standard deviations of the field.',
        low=0.0,
        open_low=True,
        high=1e6,
    )
    draws: str = option('gauss_hermite', 'How imagined readings are chosen.', choices=DRAWS)
    n_starts: int = option(4, 'Gradient ascents.', low=1, high=64)
    n_raw: int = option(64, 'First decisions tried before the ascents.', low=1, high=4096)
    n_snapped: int = option(
        4, 'Legal candidates valued round the first decision of each ascent.', low=1, high=64
    )
    _memory: _Memory = field(default_factory=_Memory, init=False, repr=False, compare=False)

    def check(self) -> None:
        """
        Check that the fantasies are whole numbers and the tree is not too large.

        :raises ConfigError: if they are not.
        """
        if any(count != int(count) for count in self.fantasies):
            raise ConfigError(
                'fantasies', f"'fantasies' must be whole numbers, got {self.fantasies!r}."
            )
        if self._tree().size > _MAX_NODES:
            raise ConfigError(
                'fantasies',
                f"'fantasies' must make a tree of at most {_MAX_NODES} decisions, got "
                f'{self.fantasies!r} with {self._tree().size}; imagine fewer readings.',
            )

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the score of every candidate, minus infinity for most, shape ``(M,)``."""
        scores: FloatArray = np.full(len(state.legal), -np.inf)
        if not state.legal.any():
            return scores
        tree, candidates = self._tree(), state.field_map.candidates
        journey = _journey(state)
        plan = tree.optimise(
            state.field_map,
            candidates.min(axis=0),
            candidates.max(axis=0),
            generator=state.generator,
            journey=journey,
            n_raw=self.n_raw,
            n_starts=self.n_starts,
            previous=self._memory.tree_for(state),
            precision=_PRECISION,
        )
        trees, indices = _snapped(plan, candidates, state.legal, self.n_snapped)
        exact = torch.from_numpy(state.leg_costs_m[indices] + state.stop_cost_m) / state.side_m
        journey = Journey(
            lambda points: exact.unsqueeze(1), journey.leg, journey.remaining, journey.home
        )
        belief = PresentBelief(state.field_map.samples, state.field_map.hyperparameters)
        readings = plan.tree.readings
        with torch.no_grad():
            values = tree.score(belief, torch.from_numpy(trees), readings, journey).numpy()
        np.maximum.at(scores, indices, np.where(np.isfinite(values), values, -np.inf))
        self._memory.tree = remembered(belief, trees[int(np.argmax(values))], readings)
        self._memory.available_m = state.available_m
        return scores

    def price(self, context: AcquisitionContext) -> float | None:
        """Return the price per side, where the reward has one."""
        return self.price_per_side if self.reward == 'priced' else None

    def _tree(self) -> OneShotTree:
        return OneShotTree(
            tuple(int(count) for count in self.fantasies),
            reward=self.reward,
            price=self.price_per_side,
            draws=self.draws,
        )


def _journey(state: PlanningState) -> Journey:
    """Return the costs of a plan, sides."""
    side, stop = state.side_m, state.stop_cost_m / state.side_m
    first = _interpolated(state, state.leg_costs_m)

    def leg(start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
        return _distance(start, end) / side + stop

    return Journey(
        lambda points: first(points) + stop,
        leg,
        state.available_m / side,
        _interpolated(state, state.home_costs_m),
    )


def _interpolated(state: PlanningState, costs_m: FloatArray) -> PointCost:
    """
    Return the cost between one place and any other, sides, given it at the candidates.

    It is the straight line to the candidate nearest in cost, plus the detour the candidates round
    about show (a kernel average): exact in calm air without zones, smooth everywhere.

    :param costs_m: metres-equivalent, infinite where no path leads, shape ``(M,)``.
    """
    candidates, side = state.field_map.candidates, state.side_m
    known = np.flatnonzero(np.isfinite(costs_m))
    nearest = known[np.argmin(costs_m[known])]
    chosen = known[:: -(-len(known) // _MAX_ANCHORS)]
    anchors = torch.from_numpy(candidates[chosen])
    place = torch.from_numpy(candidates[nearest : nearest + 1].copy())
    detours = torch.from_numpy(costs_m[chosen]) - _distance(anchors, place)
    width = side / len(chosen) ** (1.0 / candidates.shape[1])

    def cost(points: torch.Tensor) -> torch.Tensor:
        apart = (points.unsqueeze(-2) - anchors).square().sum(-1)
        weights = torch.softmax(-0.5 * apart / width**2, dim=-1)
        total: torch.Tensor = (_distance(points, place) + weights @ detours) / side
        return total

    return cost


def _distance(start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
    """Return the length of straight legs, metres; a millimetre more, so that it has a slope."""
    return ((end - start).square().sum(-1) + 1e-6).sqrt()


def _snapped(
    plan: TreePlan, candidates: FloatArray, legal: BoolArray, n_nearest: int
) -> tuple[FloatArray, NDArray[np.int64]]:
    """
    Return the trees of a plan with their first points at the nearest legal candidates.

    :return: trees, shape ``(K, T, D)``, and the candidates, shape ``(K,)``.
    """
    allowed = np.flatnonzero(legal)
    apart = np.linalg.norm(plan.trees[:, :1] - candidates[allowed], axis=-1)
    nearest = np.argsort(apart, axis=1, kind='stable')[:, :n_nearest]
    indices = allowed[nearest].ravel()
    trees = np.repeat(plan.trees, nearest.shape[1], axis=0)
    trees[:, 0] = candidates[indices]
    return trees, indices
