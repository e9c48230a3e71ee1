# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Rollout: judge each first move by the mission a base policy would make of it."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..acquisition import ACQUISITIONS
from ..acquisition.base import Acquisition
from ..options import Options, option
from ..types import FloatArray
from .base import PlanningState, scattered
from .base_samples import base_samples, middle
from .following import Following
from .spread import first_moves, inner_grid, spread_order
from .trajectories import Rewards, SimulationGrid, simulate

UNTIL_BUDGET = -1
"""Horizon of a simulation that ends when the budget has no legal move left."""

MAX_STEPS = 16
"""Most steps after the first move where the budget alone would end a simulation."""


@dataclass(frozen=True)
class RolloutOptions(Options):
    """
    What every rollout shares.

    Where an acquisition uses the budget left, as a cooled exponent does, it sees that of now.

    :param horizon: simulated steps after the first move; 0 is the base policy itself, -1 goes on
        until the budget has no legal move left, at most :data:`MAX_STEPS`.
    :param reward: what a simulated mission is worth: the sum of the acquisition's values at its
        stops, the improvement of the best posterior mean over the places read, or that by the
        cost of the mission (mean improvement by mean cost, a rate).
    :param n_first: first moves looked into: half of them the best of the base policy, the others
        spread; all legal candidates if there are no more.
    :param n_inner: candidates of the simulated steps, spread over the legal ones, the first moves
        among them. With the number of all candidates the simulation is that on the full grid.
    :param along: whether a simulated leg is also read on the way.
    :param n_along: readings on each leg before its end.
    :param seed: of the base samples, which are the same in every decision.
    """

    horizon: int = option(
        3,
        'Simulated steps after the first move; 0: none (the base policy), -1: until the budget '
        'has no legal move left.',
        low=-1,
        high=MAX_STEPS,
    )
    reward: str = option(
        'improvement_per_cost',
        'What a simulated mission is worth.',
        choices=('acquisition', 'improvement', 'improvement_per_cost'),
    )
    n_first: int = option(64, 'First moves looked into.', low=1, high=100000)
    n_inner: int = option(192, 'Candidates of the simulated steps.', low=1, high=100000)
    along: bool = option(True, 'Whether a simulated leg is also read on the way.')
    n_along: int = option(1, 'Readings on each simulated leg before its end.', low=1, high=8)
    seed: int = option(0, 'Seed of the base samples.', low=0, high=2**31 - 1)

    @property
    def n_steps(self) -> int:
        """Most steps a simulation takes after the first move."""
        return MAX_STEPS if self.horizon == UNTIL_BUDGET else self.horizon

    def normals(self, n_samples: int) -> torch.Tensor:
        """
        Return the base samples a simulation consumes, shape ``(S, P)``.

        :param n_samples: ``S``; 1 is the one future in which each reading is what is expected.
        """
        n_leg = self.n_along * self.along
        n_readings = self.n_steps * (n_leg + 1) + n_leg
        if n_samples == 1:
            return middle(n_readings)
        return base_samples(n_samples, n_readings, self.seed)


def rollout_scores(
    options: RolloutOptions,
    state: PlanningState,
    base: Acquisition,
    n_samples: int,
    last: Acquisition | None = None,
) -> FloatArray:
    """
    Return the value of each first move, minus infinity where none was simulated.

    :param options: of the rollout.
    :param state: what the policy decides on.
    :param base: chooses the simulated moves.
    :param n_samples: futures of each first move.
    :param last: chooses the last simulated move instead, where their number is fixed.
    :return: shape ``(M,)``.
    """
    legal, myopic = state.legal, base(state.posterior, state.context).numpy()
    if not legal.any() or options.horizon == 0:
        return scattered(len(legal), legal, myopic[legal])
    order = spread_order(state.field_map.candidates)
    moves = first_moves(myopic, legal, order, options.n_first)
    grid = SimulationGrid.of(state, inner_grid(moves, legal, order, options.n_inner))
    policies = [base] * options.n_steps
    if last is not None and options.horizon != UNTIL_BUDGET:
        policies[-1] = last
    rewards = simulate(
        grid,
        grid.positions(moves),
        policies,
        options.normals(n_samples),
        first_values=torch.from_numpy(myopic[moves]),
        n_along=options.n_along * options.along,
    )
    return scattered(len(legal), moves, _value(rewards, options.reward).numpy())


def _value(rewards: Rewards, name: str) -> torch.Tensor:
    if name == 'acquisition':
        return rewards.acquisition
    if name == 'improvement':
        return rewards.improvement
    return rewards.improvement / rewards.cost


@dataclass(frozen=True)
class FollowingRollout(Following, RolloutOptions):
    """
    A rollout whose base policy is chosen by name.

    :param base: name of an acquisition; it has the options set for it, ``policy.<base>.*``.
    :param acquisition: the acquisition of that name; its defaults if left out.
    """

    base: str = option(
        'ei_per_cost',
        'Acquisition that chooses the simulated moves, with the options set for it.',
        choices=tuple(ACQUISITIONS),
    )
    acquisition: Acquisition | None = None


@dataclass(frozen=True)
class Rollout(FollowingRollout):
    """
    Mean worth of missions that begin with a move and go on with the base policy.

    The readings are drawn from the belief itself, by base samples all first moves share
    (Bertsekas 2020, *Rollout*; Lee et al. 2021, arXiv 2106.06079).

    :param n_samples: futures of each first move; a power of 2 is best.
    """

    n_samples: int = option(32, 'Futures simulated for each first move.', low=1, high=4096)

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the worth of each first move, shape ``(M,)``."""
        return rollout_scores(self, state, self.followed, self.n_samples)


@dataclass(frozen=True)
class MeanPath(FollowingRollout):
    """
    The rollout along one future, in which each reading is what is expected.

    As cheap as a few myopic decisions, and what published multi-step results often use: one
    fantasy a level, the posterior mean (Xie et al. 2024, Astudillo et al. 2021, trees of ones).
    """

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the worth of each first move, shape ``(M,)``."""
        return rollout_scores(self, state, self.followed, 1)
