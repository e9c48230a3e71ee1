# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Budgeted multi-step expected improvement: the best plan of a few stops a budget pays for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ..acquisition.base import AcquisitionContext
from ..acquisition.expected_improvement import ExpectedImprovement
from ..acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from ..optimise import best_candidate
from ..options import Options, option
from ..types import FloatArray
from .base import BUDGET_TOLERANCE, PlanningState, scattered
from .base_samples import middle
from .spread import first_moves, inner_grid, spread_order
from .trajectories import NO_PATH, SimulationGrid, context_after, simulate, without

DEPTH = 3
"""Stops planned after the first."""


@dataclass(frozen=True)
class BudgetedMultiStepEi(Options):
    """
    B-MS-EI (Astudillo et al. 2021, arXiv 2111.06537) along the mean path, trees of ones.

    The score of a first move is the sum of expected improvements over the best plan that begins
    with it, each stop imagined to read its mean. A plan may cost what as many steps of the
    expected improvement by cost would, and never more than what is left, the way home included.
    Costs are those of the legs as flown, where the paper has costs of places.

    The best plan is searched by branching: at each stop the best few candidates by expected
    improvement by cost, at the last one the best by expected improvement.

    :param n_first: first moves looked into.
    :param n_inner: candidates of the further stops, as in ``rollout``.
    :param n_branches: candidates followed at each stop.
    """

    n_first: int = option(64, 'First moves looked into.', low=1, high=100000)
    n_inner: int = option(192, 'Candidates of the further stops.', low=1, high=100000)
    n_branches: int = option(4, 'Candidates followed at each stop.', low=1, high=64)

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the value of the best plan of each first move, shape ``(M,)``."""
        legal = state.legal
        if not legal.any():
            return scattered(len(legal), legal, np.empty(0))
        by_cost = ExpectedImprovementPerCost()
        ranks = by_cost(state.posterior, state.context).numpy()
        order = spread_order(state.field_map.candidates)
        moves = first_moves(ranks, legal, order, self.n_first)
        grid = SimulationGrid.of(state, inner_grid(moves, legal, order, self.n_inner))
        greedy = best_candidate(ranks, legal)
        plan = simulate(
            grid,
            grid.positions(np.array([greedy])),
            [by_cost] * DEPTH,
            middle(DEPTH + 1),
            first_values=torch.zeros(1, dtype=torch.float64),
            n_along=0,
        )
        places = grid.positions(moves)
        # The greedy plan itself must fit, however its sum is rounded.
        cap = float(plan.cost) + BUDGET_TOLERANCE * state.context.total
        fits = grid.legs[places] + grid.stop <= cap
        values = _best_plans(grid, places[fits], cap, self.n_branches)
        return scattered(len(legal), moves[fits.numpy()], values.numpy())

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: the policy knows no price."""
        return None


def _best_plans(
    grid: SimulationGrid, moves: torch.Tensor, cap: float, n_branches: int
) -> torch.Tensor:
    """
    Return the sum of expected improvements of the best plan after each first move.

    Axis 0 holds the first moves, each further one the branches at one stop.

    :param grid: candidates of the stops.
    :param moves: grid indices, shape ``(K,)``.
    :param cap: most a plan may cost without the way home, sides.
    :param n_branches: candidates followed at each stop.
    :return: shape ``(K,)``.
    """
    improvement, by_cost = ExpectedImprovement(), ExpectedImprovementPerCost()
    beliefs, zero = grid.fantasies(), torch.zeros((1,) * DEPTH, dtype=torch.float64)
    target = moves.reshape(-1, *(1,) * (DEPTH - 1))
    visited, spent = [target], grid.legs[target] + grid.stop
    incumbent = grid.context.incumbent.expand(zero.shape)
    total = improvement(grid.posterior, grid.context)[target]
    for level in range(1, DEPTH + 1):
        incumbent = torch.maximum(incumbent, beliefs.read(target, zero))
        distance = grid.between[target].clamp_max(NO_PATH)
        # The way home is paid for beside the plan.
        most = (grid.available - grid.homes).clamp_max(cap) - grid.stop
        legal = without(distance <= most - spent.unsqueeze(-1), visited)
        context = context_after(grid, distance, incumbent, level)
        values = torch.where(legal, improvement(beliefs.posterior, context), 0.0)
        if level == DEPTH:
            total = total + values.amax(-1)
            break
        ranks = torch.where(legal, by_cost(beliefs.posterior, context), -torch.inf)
        n = min(n_branches, ranks.shape[-1])
        places = ranks.topk(n, dim=-1).indices
        gained = values.gather(-1, places)
        flown = torch.where(
            legal.gather(-1, places),
            distance.expand(*places.shape[:-1], -1).gather(-1, places) + grid.stop,
            torch.inf,
        )
        # The branches of this stop take the axis that is its own.
        target, gained, flown = (
            t.squeeze(level).movedim(-1, level) for t in (places, gained, flown)
        )
        visited.append(target)
        total, spent = total + gained, spent + flown
    return total.flatten(1).amax(-1)
