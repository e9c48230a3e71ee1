# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
Where improvement by cost goes wrong: figure 2 of the paper, after Astudillo et al. 2021.

A line of nearly independent places: many cheap ones of little promise and, in the middle, a few
dear ones of great promise. The model is a Matern 5/2 process of tiny lengthscale with a known
variance ``a``, :math:`k(x, x') = \sqrt{a(x) a(x')} k_0(x, x')`. The mirror image, where the plain
improvement goes wrong, has the same dear middle hardly more promising than the rest.

The published code multiplies its field by ``a``, not by its root: off the middle the field is
tamer than the model believes. So are the problems of the plain names; in those that end in
:data:`DRAWN` the field is drawn from the model.

Choices are exact over a grid, one place a lengthscale, where the published code climbs from
restarts and may miss the narrow middle; and a search ends before the place that would overrun the
budget, where the published one opens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch

from ...core.acquisition.base import Acquisition, AcquisitionContext
from ...core.acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from ...core.acquisition.log_expected_improvement import LogExpectedImprovement
from ...core.acquisition.pandora import PandoraGittinsIndex
from ...core.gp.kernels import matern52
from ...core.types import FloatArray, Posterior
from ..problems.gp_path import RandomFunction

LENGTHSCALE = 1e-4
EPSILON, DELTA = 0.1, 9.0
WIDTH = 0.002
"""Of the dear middle, sides: there the bump has fallen to the square of epsilon."""

DRAWN = '_drawn'
"""Ends the name of a problem whose field is what the model believes."""

_N_PLACES = 10001
_NOISE_VARIANCE = 1e-8

_FAMILIES = ('hard_for_ei_per_cost', 'hard_for_ei')
PROBLEMS = (*_FAMILIES, *(name + DRAWN for name in _FAMILIES))
POLICIES: Mapping[str, Acquisition] = {
    'ei': LogExpectedImprovement(),
    'ei_per_cost': ExpectedImprovementPerCost(),
    'pbgi_1e-2': PandoraGittinsIndex(1e-2),
    'pbgi_1e-3': PandoraGittinsIndex(1e-3),
    'pbgi_1e-4': PandoraGittinsIndex(1e-4),
}


@dataclass(frozen=True)
class Line:
    """
    The places, what they cost, and what they hold.

    :param places: rising, shape ``(M,)``.
    :param amplitude: prior variance, shape ``(M,)``.
    :param cost: shape ``(M,)``.
    :param values: shape ``(M,)``.
    """

    places: FloatArray
    amplitude: FloatArray
    cost: FloatArray
    values: FloatArray


def bump(places: FloatArray) -> FloatArray:
    """
    Return a bump of height 1 in the middle, epsilon squared half a width away from it.

    :param places: shape ``(M,)``.
    """
    spread = WIDTH / (2.0 * np.sqrt(-2.0 * np.log(EPSILON**2)))
    shape: FloatArray = np.exp(-((places - 0.5) ** 2) / (2.0 * spread**2))
    return shape


def make_line(problem: str, seed: int, n: int = _N_PLACES) -> Line:
    """
    Draw a line.

    :param problem: one of :data:`PROBLEMS`.
    :param seed: of the field.
    :param n: places.
    """
    places = np.linspace(0.0, 1.0, n)
    shape = bump(places)
    is_cheap_dull = problem.removesuffix(DRAWN) == 'hard_for_ei_per_cost'
    low = EPSILON**2 if is_cheap_dull else (1.0 - EPSILON) ** 2
    amplitude = low + (1.0 - low) * shape
    draw = RandomFunction.draw(
        np.array([LENGTHSCALE]), np.random.default_rng([seed, 31]), n_features=2048
    )
    # In parts, which keep the table of cosines small.
    parts = np.array_split(places[:, np.newaxis], max(n // 1000, 1))
    field = np.concatenate([draw(torch.from_numpy(part)).numpy() for part in parts])
    return Line(
        places,
        amplitude,
        EPSILON + (1.0 + DELTA - EPSILON) * shape,
        (np.sqrt(amplitude) if problem.endswith(DRAWN) else amplitude) * field,
    )


class LineBelief:
    """
    The exact posterior on the line, brought up to date place by place.

    :param line: places and their prior.
    """

    def __init__(self, line: Line) -> None:
        self._line = line
        self._points = torch.from_numpy(line.places).unsqueeze(1)
        self._scale = torch.tensor([LENGTHSCALE], dtype=torch.float64)
        self._root = torch.from_numpy(np.sqrt(line.amplitude))
        self._rows = torch.empty(32, len(line.places), dtype=torch.float64)
        self._n = 0
        self._mean = torch.zeros(len(line.places), dtype=torch.float64)
        self._variance = torch.from_numpy(line.amplitude.copy())

    @property
    def posterior(self) -> Posterior:
        """The marginals, shape ``(M,)``."""
        return Posterior(self._mean, self._variance.clamp(min=0.0).sqrt())

    def read(self, index: int) -> float:
        """Open a place and return what it holds."""
        value = float(self._line.values[index])
        here = self._points[index : index + 1]
        prior = matern52(here, self._points, self._scale)[0] * self._root * self._root[index]
        rows = self._rows[: self._n]
        row = prior - rows[:, index] @ rows
        row = row / (row[index].clamp(min=0.0) + _NOISE_VARIANCE).sqrt()
        residual = (value - self._mean[index]) / (
            self._variance[index].clamp(min=0.0) + _NOISE_VARIANCE
        ).sqrt()
        self._mean = self._mean + residual * row
        self._variance = self._variance - row.square()
        if self._n == len(self._rows):
            self._rows = torch.cat([self._rows, torch.empty_like(self._rows)])
        self._rows[self._n] = row
        self._n += 1
        return value


def open_places(
    line: Line, policy: str, budget: float
) -> tuple[list[float], list[float]]:
    """
    Open places until the budget pays for no more of the policy's choices.

    :param line: where.
    :param policy: one of :data:`POLICIES`.
    :param budget: greatest cost of all.
    :return: what had been spent, and the best value seen, after each; the first place is free.
    """
    belief, acquisition = LineBelief(line), POLICIES[policy]
    cost = torch.from_numpy(line.cost)
    is_open = torch.zeros(len(cost), dtype=torch.bool)
    spent, best = [0.0], [belief.read(0)]
    is_open[0] = True
    while True:
        context = AcquisitionContext(
            incumbent=torch.tensor(best[-1], dtype=torch.float64),
            distance=cost,
            cost=cost,
            remaining=budget - spent[-1],
            total=budget,
            n_samples=len(best),
            dimension=1,
        )
        scores = acquisition(belief.posterior, context)
        index = int(torch.where(is_open, -torch.inf, scores).argmax())
        if spent[-1] + line.cost[index] > budget:
            return spent, best
        is_open[index] = True
        spent.append(spent[-1] + float(line.cost[index]))
        best.append(max(best[-1], belief.read(index)))
