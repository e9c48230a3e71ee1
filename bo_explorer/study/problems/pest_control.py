# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Pest control over 25 stages: at each none or one of four pesticides [Oh et al. 2019, COMBO].

What is paid for the pesticides plus the stages at which the pest is above a tenth. Pesticides are
cheaper the more often they are bought, and the pest becomes tolerant of them. As in the published
code the random numbers of every stage come from the same seed: each stage has the same.
"""

from __future__ import annotations

import numpy as np
import torch

from ...core.types import FloatArray
from .base import Evaluation, KnownCost, Problem, unit_cost

STAGES = 25

_THRESHOLD = 0.1
_N_SIMULATIONS = 100
_SEED = 1
_PRICES = np.array([0.0, 1.0, 0.8, 0.7, 0.5])
_MOST_DISCOUNT = np.array([0.0, 0.2, 0.3, 0.3, 0.0])
_CONTROL = np.array([0.0, 2.0, 3.0, 3.0, 5.0]) / 7.0
_TOLERANCE = np.array([0.0, 1.0, 2.5, 2.0, 0.5]) / 7.0

_LEAST_COST = 1e-3
"""Doing nothing is free in the published problem, and no cost-aware policy can divide by that."""


def choices_at(units: FloatArray) -> FloatArray:
    """
    Return the choice of every stage, 0 for none, at points of the unit cube.

    :param units: shape ``(..., 25)``.
    """
    chosen: FloatArray = np.minimum(np.floor(5.0 * units), 4.0)
    return chosen


def price(choices: FloatArray) -> float:
    """
    Return what the pesticides cost.

    :param choices: 0 to 4, shape ``(25,)``.
    """
    kinds = choices.astype(np.intp)
    share = np.bincount(kinds, minlength=5) / len(kinds)
    return float((_PRICES * (1.0 - _MOST_DISCOUNT * share))[kinds].sum())


def loss(choices: FloatArray) -> float:
    """
    Return the price plus the expected number of stages with too much pest.

    :param choices: 0 to 4, shape ``(25,)``.
    """

    def stage() -> np.random.RandomState:
        return np.random.RandomState(_SEED)

    pest = stage().beta(1.0, 30.0, size=_N_SIMULATIONS)
    spread = stage().beta(1.0, 17.0 / 3.0, size=_N_SIMULATIONS)
    control = _CONTROL.copy()
    above = 0.0
    for kind in choices.astype(np.intp):
        above += float(np.mean(pest > _THRESHOLD))
        if kind == 0:
            pest = spread * (1.0 - pest) + pest
        else:
            pest = (1.0 - stage().beta(1.0, control[kind], size=_N_SIMULATIONS)) * pest
            control[kind] += _TOLERANCE[kind] / len(choices)
    return price(choices) + above


def price_cost(points: torch.Tensor) -> torch.Tensor:
    """
    Return the price at points of the unit cube; flat, so its gradient is 0.

    :param points: shape ``(..., 25)``.
    """
    kinds = choices_at(points.detach().numpy()).reshape(-1, STAGES)
    prices = np.array([max(price(row), _LEAST_COST) for row in kinds])
    return torch.from_numpy(prices).reshape(points.shape[:-1])


def pest_problem(*, is_cost_aware: bool) -> Problem:
    """
    Return the problem of the least loss, negated.

    :param is_cost_aware: whether an evaluation costs what its pesticides do, or 1.
    """
    cost: KnownCost = price_cost if is_cost_aware else unit_cost

    def evaluate(point: FloatArray) -> Evaluation:
        return Evaluation(-loss(choices_at(point)), float(cost(torch.from_numpy(point))))

    return Problem(STAGES, evaluate, known_cost=cost)
