# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies of the paper that need more of the belief than its marginals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ...core.acquisition.base import AcquisitionContext
from ...core.acquisition.log_expected_improvement import LogExpectedImprovement
from ...core.ascent import Precision
from ...core.lookahead.gp_tree import PresentBelief
from ...core.lookahead.journey import Journey
from ...core.lookahead.knowledge_gradient import expected_rise
from ...core.lookahead.max_value_entropy import information_gain, sampled_maxima
from ...core.lookahead.one_shot import OneShotTree
from ...core.optimise import maximise, sobol_points
from ...core.types import FloatArray, Posterior
from ..problems.gp_path import RandomFunction
from ..sequential.candidates import candidate_points
from .search import Search
from .uncertain_costs import UncertainCostTree

_PRECISION = Precision(value=1e-8, gradient=1e-5, max_iterations=100)
_TREE_PRECISION = Precision(value=1e-6, gradient=1e-4, max_iterations=30)
_N_CANDIDATES = 192
_N_MAXIMA = 10
_N_PLACES = 1000
"""By dimension, where greatest values of the belief are looked for, as in the paper's code."""

_N_JOINT = 1024
_BEST = 4

# Four decisions, each the mean of what came before: what the paper's code calls multi-step.
_CHAIN = (1, 1, 1)
_TREE = OneShotTree(_CHAIN, 'improvement')
_TREE_RAW, _TREE_STARTS = 128, 4


class PosteriorDraw:
    """
    One function drawn from the belief: a prior draw, corrected by the data.

    ``g(x) + k(x, X) (K + N)^-1 (y - g(X) - e)`` [Wilson et al. 2020, *Efficiently sampling
    functions from Gaussian process posteriors*, equation 13].

    :param search: has the belief.
    """

    def __init__(self, search: Search) -> None:
        belief, generator = search.belief, search.generator
        h = belief.hyperparameters
        lengthscales = np.array(h.lengthscales)
        self._prior = RandomFunction.draw(lengthscales, generator)
        self._points = torch.from_numpy(belief.samples.points.copy())
        self._scales = torch.from_numpy(lengthscales)
        values = torch.from_numpy((belief.samples.values - h.mean) / h.signal_std)
        noise = belief.noise_variance
        errors = torch.from_numpy(generator.standard_normal(len(values))) * noise**0.5
        gram = self._kernel(self._points) + noise * torch.eye(len(values), dtype=torch.float64)
        self._weights = torch.linalg.solve(gram, values - self._prior(self._points) - errors)

    def __call__(self, points: torch.Tensor) -> torch.Tensor:
        """
        Return the values, in signals of the model; differentiable.

        :param points: shape ``(M, D)``.
        """
        values: torch.Tensor = self._prior(points) + self._kernel(points) @ self._weights
        return values

    def _kernel(self, points: torch.Tensor) -> torch.Tensor:
        from ...core.gp.kernels import matern52

        return matern52(points, self._points, self._scales)


def thompson(search: Search) -> FloatArray:
    """Return the peak of a function drawn from the belief."""
    values = np.array(search.history.values)
    best = search.history.points[np.argsort(-values, kind='stable')[:_BEST]]
    point, _ = maximise(
        PosteriorDraw(search),
        np.zeros(search.dimension),
        np.ones(search.dimension),
        n_raw=search.n_raw,
        n_starts=search.n_starts,
        generator=search.generator,
        guesses=best,
        precision=_PRECISION,
    )
    return point


def knowledge_gradient(search: Search) -> FloatArray:
    """
    Return the candidate whose reading is expected to raise the best mean most.

    Exact over a list of candidates, the greatest expected improvement among them, not over the
    cube.
    """
    favourite, _ = search.maximise(LogExpectedImprovement())
    values = np.array(search.history.values)
    best = search.history.points[np.argsort(-values, kind='stable')[:_BEST]]
    points = candidate_points(
        _N_CANDIDATES,
        np.concatenate([favourite[np.newaxis], best]),
        np.array(search.belief.hyperparameters.lengthscales),
        search.generator,
    )
    belief = search.history.belief(search.belief.hyperparameters, points)
    covariance = belief.covariance(torch.arange(len(points)))
    variance = covariance.diagonal().clamp(min=0.0).unsqueeze(-1)
    slopes = covariance / (variance + belief.noise_variance).sqrt()
    rise = expected_rise(belief.posterior().mean, slopes)
    chosen: FloatArray = points[int(rise.argmax())]
    return chosen


@dataclass(frozen=True)
class EntropyOfMaximum:
    """
    What a point tells about the greatest value, by its cost, in logarithms.

    :param maxima: values it may have, shape ``(n,)``.
    """

    maxima: torch.Tensor

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the logarithm of the gain of information by cost, shape ``(M,)``."""
        gain = information_gain(posterior, self.maxima)
        return gain.clamp_min(1e-30).log() - context.cost.log()


def max_value_entropy(search: Search) -> FloatArray:
    """Return the point that tells most about the greatest value, by its cost."""
    places = torch.from_numpy(
        search.generator.random((_N_PLACES * search.dimension, search.dimension))
    )
    with torch.no_grad():
        posterior = search.belief.posterior_at(places)
    maxima = sampled_maxima(posterior, float(search.incumbent), _N_MAXIMA)
    return search.maximise(EntropyOfMaximum(maxima))[0]


def multi_step_ei(search: Search) -> FloatArray:
    """Return the first of four decisions planned together along what is expected."""
    return _planned(search, _TREE, None)


def budgeted_multi_step_ei(search: Search) -> FloatArray:
    """
    Return the same within what may be spent: the budget left, or the last four costs if less.

    Astudillo et al. 2021, in the form of the paper's code; but the edge of the budget, where costs
    are known, is as wide as the planner's own, not a thousandth of a unit.
    """
    if search.remaining <= 0.0:
        return _planned(search, _TREE, None)
    allowed = min(search.remaining, sum(search.history.costs[-4:]))
    journey = Journey(
        first=search.cost, leg=lambda _, points: search.cost(points), remaining=allowed
    )
    tree = _TREE
    if search.problem.known_cost is None:
        log_cost = PresentBelief(search.log_cost.samples, search.log_cost.hyperparameters)
        tree = UncertainCostTree(_CHAIN, 'improvement', log_cost=log_cost, allowed=allowed)
    return _planned(search, tree, journey)


def _planned(search: Search, tree: OneShotTree, journey: Journey | None) -> FloatArray:
    plan = tree.optimise(
        search.belief,
        np.zeros(search.dimension),
        np.ones(search.dimension),
        generator=search.generator,
        journey=journey,
        n_raw=_TREE_RAW,
        n_starts=_TREE_STARTS,
        previous=search.tree,
        precision=_TREE_PRECISION,
    )
    search.tree = plan.tree
    return plan.first_point


def drawn_maxima(search: Search, n: int) -> torch.Tensor:
    """
    Return greatest values of joint draws of the belief over Sobol points, shape ``(n,)``.

    :param n: draws.
    """
    places = sobol_points(_N_JOINT, search.dimension, search.generator)
    with torch.no_grad():
        draws = [PosteriorDraw(search)(places).max() for _ in range(n)]
    return torch.stack(draws)
