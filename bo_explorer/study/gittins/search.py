# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A search that pays for its evaluations: what a policy decides on.

Prices are meant in the unit of the problem's values, as in the paper's code, whose model answers
in that unit whatever it standardises within; hence the divisors of the problems. The model's own
unit is its signal, and :attr:`Search.unit` leads from one to the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from ...core.acquisition.base import Acquisition, AcquisitionContext
from ...core.ascent import Precision
from ...core.continuous import ContextBuilder, maximise_acquisition
from ...core.gp.field_map import FieldMap
from ...core.gp.hyperparameters import Hyperparameters
from ...core.lookahead.one_shot import Tree
from ...core.types import FloatArray, Samples
from ..problems.base import Problem
from ..sequential.history import History
from ..sequential.likelihood import GammaPrior, LikelihoodFit

NOISE_VARIANCE = 1e-4
"""Of the model, by the signal variance, as in the paper's code; evaluations are exact."""

# The default prior of the library the paper's code was written for.
_FIT = LikelihoodFit(GammaPrior(3.0, 6.0), noise_ratio=NOISE_VARIANCE)
_PRECISION = Precision(value=1e-8, gradient=1e-5, max_iterations=100)

# Evaluations up to which hyperparameters are found anew after each.
_ALWAYS_FITTED = 200


@dataclass(frozen=True)
class Effort:
    """
    How thoroughly a decision is made.

    :param n_raw: points an acquisition is tried at, by dimension.
    :param n_starts: ascents, at most ten for each dimension.
    """

    n_raw: int = 32
    n_starts: int = 8


class Search:
    """
    One run: evaluations, beliefs about value and cost, and what is left of the budget.

    :param problem: what is maximised.
    :param budget: what all evaluations after the first design may cost.
    :param known: the process the problem was drawn from; ``None`` where it is learned.
    :param generator: of the policy.
    :param effort: how thoroughly decisions are made.
    """

    def __init__(
        self,
        problem: Problem,
        budget: float,
        known: Hyperparameters | None,
        generator: np.random.Generator,
        effort: Effort,
    ) -> None:
        self.problem, self.budget, self.generator = problem, budget, generator
        self.history = History(problem, 0.0, generator)
        self.spent = 0.0
        self.n_decays = 0
        # Index of the last choice, in the unit of the values; PBGI-D alone keeps it.
        self.chosen_index = math.inf
        self.tree: Tree | None = None
        self._known, self._effort = known, effort
        self._hyperparameters: Hyperparameters | None = None
        self._cost_hyperparameters: Hyperparameters | None = None
        self._next_fit = 0

    @property
    def dimension(self) -> int:
        """Axes of the cube."""
        return self.problem.dimension

    @property
    def remaining(self) -> float:
        """Budget left, at least 0."""
        return max(self.budget - self.spent, 0.0)

    @property
    def n_raw(self) -> int:
        """Points an acquisition is tried at before its ascents."""
        return self._effort.n_raw * self.dimension

    @property
    def n_starts(self) -> int:
        """Ascents of a maximisation."""
        return min(self._effort.n_starts, 10 * self.dimension)

    def start(self, points: FloatArray) -> None:
        """Evaluate the first design, which is free, and learn from it."""
        for point in points:
            self.history.evaluate(point)
        self.learn()

    def pay_for(self, point: FloatArray) -> None:
        """Evaluate a point, pay for it and learn from it."""
        self.history.evaluate(point)
        self.spent += self.history.costs[-1]
        self.learn()

    def learn(self) -> None:
        """
        Bring both beliefs up to date, and find their hyperparameters anew where that is due.

        It is after every evaluation up to 200 of them, then once their number beyond has grown by
        a twentieth: where evaluations cost little a budget buys thousands.
        """
        samples, costs = self.history.samples, None
        if self.problem.known_cost is None:
            costs = Samples(samples.points, np.log(self.history.costs), samples.counts)
        n = len(samples)
        if n >= self._next_fit:
            self._next_fit = n + 1 + max(n - _ALWAYS_FITTED, 0) // 20
            nowhere = np.empty((0, self.dimension))
            self._hyperparameters = self._known or _fitted(samples, self._hyperparameters)
            self.belief = FieldMap(nowhere, self._hyperparameters)
            if costs is not None:
                self._cost_hyperparameters = _fitted(costs, self._cost_hyperparameters)
                self.log_cost = FieldMap(nowhere, self._cost_hyperparameters)
        self.belief.update(samples)
        if costs is not None:
            self.log_cost.update(costs)

    @property
    def unit(self) -> float:
        """The unit of the values, and so of prices, in signals of the model."""
        return 1.0 / self.belief.hyperparameters.signal_std

    @property
    def incumbent(self) -> torch.Tensor:
        """Best value seen, in the unit of the belief."""
        h = self.belief.hyperparameters
        best = (self.best - h.mean) / h.signal_std
        return torch.tensor(best, dtype=torch.float64)

    @property
    def best(self) -> float:
        """Best value seen."""
        return max(self.history.values)

    def cost(self, points: torch.Tensor, *, power: float = 1.0) -> torch.Tensor:
        """
        Return the cost of points, or what stands for it where it is unknown.

        A log-normal belief has ``E[c^p] = exp(p m + p^2 v / 2)``; returned is the sure cost with
        this ``p``-th power.

        :param points: shape ``(..., D)``.
        :param power: ``p``: 1 for ``E[c]``, -1 for ``1 / E[1 / c]``.
        :return: shape ``(...)``.
        """
        if self.problem.known_cost is not None:
            return self.problem.known_cost(points)
        h = self.log_cost.hyperparameters
        shape = points.shape[:-1]
        belief = self.log_cost.posterior_at(points.reshape(-1, self.dimension))
        mean = h.mean + h.signal_std * belief.mean
        variance = (h.signal_std * belief.std).square()
        return torch.exp(mean + 0.5 * power * variance).reshape(shape)

    def context(self, *, power: float = 1.0) -> ContextBuilder:
        """
        Return what acquisitions may know at any point.

        :param power: of :meth:`cost`.
        """
        incumbent = self.incumbent

        def build(points: torch.Tensor) -> AcquisitionContext:
            cost = self.cost(points, power=power)
            return AcquisitionContext(
                incumbent=incumbent,
                distance=cost,
                cost=cost,
                remaining=self.remaining,
                total=self.budget,
                # Schedules of the paper's code count what was spent.
                n_samples=math.ceil(self.spent),
                dimension=self.dimension,
                n_decays=self.n_decays,
            )

        return build

    def maximise(
        self, acquisition: Acquisition, *, power: float = 1.0
    ) -> tuple[FloatArray, float]:
        """
        Maximise an acquisition over the cube.

        :param acquisition: of the belief.
        :param power: of :meth:`cost`.
        :return: the point, shape ``(D,)``, and its score.
        """
        return maximise_acquisition(
            self.belief,
            acquisition,
            self.context(power=power),
            np.zeros(self.dimension),
            np.ones(self.dimension),
            generator=self.generator,
            n_raw=self.n_raw,
            n_starts=self.n_starts,
            precision=_PRECISION,
        )


def _fitted(samples: Samples, start: Hyperparameters | None) -> Hyperparameters:
    """Return the most likely hyperparameters; ``start`` is a guess."""
    return _FIT(samples.points, samples.values, start)
