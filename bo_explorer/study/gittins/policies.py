# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The policies the paper compares, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ...core.acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from ...core.acquisition.log_expected_improvement import LogExpectedImprovement
from ...core.acquisition.pandora import PandoraGittinsIndex
from ...core.acquisition.upper_confidence_bound import UpperConfidenceBound
from ...core.types import FloatArray
from .lookahead import (
    budgeted_multi_step_ei,
    knowledge_gradient,
    max_value_entropy,
    multi_step_ei,
    thompson,
)
from .search import Search

Propose = Callable[[Search], FloatArray]
"""Maps a search to the next point, shape ``(D,)``."""

INITIAL_PRICE = 0.1
DECAY = 0.5
"""Of PBGI-D: its first price and the factor each time it falls, in values for a unit of cost."""


def random(search: Search) -> FloatArray:
    """Return any point."""
    return search.generator.random(search.dimension)


def expected_improvement(search: Search) -> FloatArray:
    """Return the point of the greatest expected improvement."""
    return search.maximise(LogExpectedImprovement())[0]


def per_cost(search: Search) -> FloatArray:
    """Return the point of the greatest expected improvement by cost."""
    return search.maximise(ExpectedImprovementPerCost(), power=-1.0)[0]


def cooled(search: Search) -> FloatArray:
    """Return the same with a weight of the cost that falls with the budget: ``E[EI / c^a]``."""
    weight = search.remaining / search.budget
    return search.maximise(ExpectedImprovementPerCost(cooled=True), power=-weight)[0]


def upper_confidence_bound(search: Search) -> FloatArray:
    """Return the point of the greatest bound, by the schedule of Srinivas et al. over 5."""
    return search.maximise(UpperConfidenceBound('scaled'))[0]


def priced(price: float) -> Propose:
    """
    Return the Gittins index at a fixed price.

    :param price: units of the values for a unit of cost.
    """

    def propose(search: Search) -> FloatArray:
        return search.maximise(PandoraGittinsIndex(price * search.unit))[0]

    return propose


def decaying(search: Search) -> FloatArray:
    """
    Return the point of the greatest index at the price in force, after letting it fall.

    The price falls as in the paper's code: where the best value after an evaluation is above the
    index that led to it. So it never falls before the first evaluation that is paid for.
    """
    search.n_decays += search.chosen_index < search.best
    point, index = search.maximise(PandoraGittinsIndex(price_in_force(search)))
    h = search.belief.hyperparameters
    search.chosen_index = h.mean + h.signal_std * index
    return point


def price_in_force(search: Search) -> float:
    """Return the price of PBGI-D, in signals of the model."""
    return max(INITIAL_PRICE * DECAY**search.n_decays, 1e-100) * search.unit


POLICIES: Mapping[str, Propose] = MappingProxyType(
    {
        'random': random,
        'ei': expected_improvement,
        'ei_per_cost': per_cost,
        'ei_cooled': cooled,
        'ucb': upper_confidence_bound,
        'thompson': thompson,
        'knowledge_gradient': knowledge_gradient,
        'max_value_entropy': max_value_entropy,
        'multi_step_ei': multi_step_ei,
        'budgeted_multi_step_ei': budgeted_multi_step_ei,
        'pbgi_1e-2': priced(1e-2),
        'pbgi_1e-3': priced(1e-3),
        'pbgi_1e-4': priced(1e-4),
        'pbgi_d': decaying,
    }
)


def calibrated_price(search: Search, n_draws: int = 64) -> float:
    """
    Return the price at which a search with the stopping rule spends at most its budget on average.

    ``lambda = U / (B - C)`` [Xie et al. 2025, *Cost-aware stopping for Bayesian optimization*,
    arXiv 2507.12453]: ``U`` is how far the best value is expected above the best seen, from joint
    draws of the belief, ``C`` the mean cost of an evaluation. The bound is loose: most is saved.

    :param search: after its first design.
    :param n_draws: of the belief.
    :return: in signals of the model for a unit of cost.
    """
    from .lookahead import drawn_maxima

    highest = drawn_maxima(search, n_draws)
    gain = max(float(highest.mean() - search.incumbent), 1e-6)
    cost = float(np.mean(search.history.costs))
    return gain / max(search.budget - cost, cost)
