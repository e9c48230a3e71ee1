# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The policies of the paper, over a cube: expected improvement, and rollouts of three bases.

A rollout judges first moves by simulated evaluations that the base chooses, as
:mod:`bo_explorer.core.lookahead` does for a vehicle, here among points listed anew for each
decision, the base's own maximiser over the whole cube among them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import torch

from ...core.acquisition.base import Acquisition, AcquisitionContext
from ...core.acquisition.distance_upper_confidence_bound import DistanceUpperConfidenceBound
from ...core.acquisition.expected_improvement import ExpectedImprovement
from ...core.acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from ...core.acquisition.log_expected_improvement import LogExpectedImprovement
from ...core.acquisition.upper_confidence_bound import UpperConfidenceBound
from ...core.ascent import Precision
from ...core.continuous import distance_context, maximise_acquisition
from ...core.gp.field_map import FieldMap
from ...core.gp.hyperparameters import Hyperparameters
from ...core.lookahead.base_samples import base_samples
from ...core.lookahead.spread import first_moves
from ...core.lookahead.trajectories import SimulationGrid, simulate
from ...core.optimise import best_candidate
from ...core.types import FloatArray
from ..sequential.candidates import candidate_points
from ..sequential.history import History

_PRECISION = Precision(value=1e-8, gradient=1e-5, max_iterations=50)
_BEST = 4


@dataclass(frozen=True)
class SwitchingPolicy:
    """
    A policy that knows the way from the last evaluation.

    :param base: chooses the simulated evaluations, and the real one where ``is_rollout`` is not
        set.
    :param is_rollout: whether to look ahead.
    :param reward: what simulated evaluations are worth: ``acquisition`` or ``improvement``.
    :param last: chooses the last simulated evaluation instead of the base.
    """

    base: Acquisition
    is_rollout: bool = True
    reward: str = 'acquisition'
    last: Acquisition | None = None


@dataclass(frozen=True)
class Effort:
    """
    How thoroughly decisions are made.

    :param horizon: evaluations looked ahead, the first among them.
    :param n_samples: futures simulated for each first move.
    :param n_first: first moves looked into.
    :param n_candidates: points the simulated evaluations choose from.
    :param n_raw: points an acquisition is tried at before its ascents.
    :param n_starts: ascents.
    :param stop_cost: of an evaluation itself, sides: without it the expected improvement for the
        way is infinite where one already is.
    """

    horizon: int = 3
    n_samples: int = 32
    n_first: int = 48
    n_candidates: int = 128
    n_raw: int = 256
    n_starts: int = 4
    stop_cost: float = 0.1


def _distance_bound(scaling: str) -> SwitchingPolicy:
    return SwitchingPolicy(DistanceUpperConfidenceBound('scaled', scaling=scaling))


POLICIES: Mapping[str, SwitchingPolicy] = MappingProxyType(
    {
        'ei': SwitchingPolicy(LogExpectedImprovement(), is_rollout=False),
        'ei_per_cost_rollout': SwitchingPolicy(
            ExpectedImprovementPerCost(), reward='improvement', last=ExpectedImprovement()
        ),
        'ucb_rollout': SwitchingPolicy(UpperConfidenceBound('scaled')),
        'dist_ucb_rollout': _distance_bound('floor'),
        'dist_ucb_shift_rollout': _distance_bound('shift'),
        'dist_ucb_paper_rollout': _distance_bound('paper'),
    }
)
"""By name; distUCB in its three regularisations, ``floor`` first."""


def propose(
    policy: SwitchingPolicy,
    history: History,
    hyperparameters: Hyperparameters,
    effort: Effort,
    generator: np.random.Generator,
) -> FloatArray:
    """
    Choose the next point.

    :param policy: one of :data:`POLICIES`.
    :param history: at least one evaluation.
    :param hyperparameters: of the belief.
    :param effort: how thoroughly.
    :param generator: decides all random numbers.
    :return: shape ``(D,)``.
    """
    dimension = history.problem.dimension
    position = history.points[-1]
    belief = history.belief(hyperparameters, np.empty((0, dimension)))
    context = distance_context(
        belief,
        position,
        side=1.0,
        stop_cost=effort.stop_cost,
        remaining=math.inf,
        total=math.inf,
    )
    favourite, _ = maximise_acquisition(
        belief,
        policy.base,
        context,
        np.zeros(dimension),
        np.ones(dimension),
        generator=generator,
        n_raw=effort.n_raw,
        n_starts=effort.n_starts,
        precision=_PRECISION,
    )
    if not policy.is_rollout or effort.horizon <= 1:
        return favourite
    best = np.argsort(-belief.sample_posterior().mean.numpy(), kind='stable')[:_BEST]
    centres = np.concatenate([favourite[np.newaxis], history.points[best], position[np.newaxis]])
    points = candidate_points(
        effort.n_candidates - len(centres), centres, np.array(hyperparameters.lengthscales),
        generator,
    )  # fmt: skip
    belief = history.belief(hyperparameters, points)
    grid = _grid(belief, position, effort)
    scores = policy.base(grid.posterior, grid.context).numpy()
    legal = np.ones(len(points), dtype=np.bool_)
    # The centres and the Sobol points stand first: any prefix of the order is spread.
    moves = first_moves(scores, legal, np.arange(len(points)), effort.n_first)
    bases = [policy.base] * (effort.horizon - 1)
    if policy.last is not None:
        bases[-1] = policy.last
    rewards = simulate(
        grid,
        torch.from_numpy(moves),
        bases,
        base_samples(effort.n_samples, effort.horizon - 1, 0),
        first_values=torch.from_numpy(scores[moves]),
        n_along=0,
    )
    values = rewards.acquisition if policy.reward == 'acquisition' else rewards.improvement
    index = best_candidate(values.numpy(), np.ones(len(moves), dtype=np.bool_))
    if index is None:
        return favourite
    chosen: FloatArray = points[moves[index]]
    return chosen


def _grid(belief: FieldMap, position: FloatArray, effort: Effort) -> SimulationGrid:
    """Return the candidates of a belief as a grid on which every way is straight."""
    points = torch.from_numpy(belief.candidates.copy())
    legs = torch.linalg.vector_norm(points - torch.from_numpy(position), dim=-1)
    everything = torch.arange(len(points))
    context = AcquisitionContext(
        incumbent=belief.sample_posterior().mean.max(),
        distance=legs,
        cost=legs + effort.stop_cost,
        remaining=math.inf,
        total=math.inf,
        n_samples=len(belief.samples),
        dimension=points.shape[1],
    )
    return SimulationGrid(
        indices=everything.numpy(),
        posterior=belief.posterior(),
        covariance=belief.covariance(everything),
        noise_variance=belief.noise_variance,
        context=context,
        legs=legs,
        between=torch.cdist(points, points),
        homes=torch.zeros_like(legs),
        stop=effort.stop_cost,
        available=math.inf,
    )
