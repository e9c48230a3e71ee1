# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a policy decides on, and what it owes the planner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..acquisition.base import AcquisitionContext
from ..gp.field_map import FieldMap
from ..travel import CandidateRoutes
from ..types import BoolArray, FloatArray, Posterior

BUDGET_TOLERANCE = 1e-9
"""Share of the budget a plan stays below what is left, so that rounding never overruns."""


@dataclass(frozen=True)
class PlanningState:
    """
    What a policy decides on; nothing in it may be changed.

    :param field_map: belief about the field at the candidates.
    :param posterior: its marginals at the candidates, standardised, shape ``(M,)``.
    :param context: costs and incumbent, in sides and standard deviations.
    :param legal: candidates that may be flown to now, shape ``(M,)``.
    :param routes: travel costs between candidates, metres-equivalent.
    :param leg_costs_m: travel cost from the present place, metres-equivalent, shape ``(M,)``.
    :param home_costs_m: travel cost to home, metres-equivalent, shape ``(M,)``.
    :param available_m: budget that may be planned with: remaining minus reserve.
    :param stop_cost_m: cost of one stop, metres-equivalent.
    :param side_m: side of the search area, the unit of the context's lengths.
    :param generator: the planner's random numbers.
    """

    field_map: FieldMap
    posterior: Posterior
    context: AcquisitionContext
    legal: BoolArray
    routes: CandidateRoutes
    leg_costs_m: FloatArray
    home_costs_m: FloatArray
    available_m: float
    stop_cost_m: float
    side_m: float
    generator: np.random.Generator


@runtime_checkable
class Policy(Protocol):
    """
    Scores candidates; larger is better.

    A policy that looks ahead leaves minus infinity at every candidate it has not evaluated, and
    evaluates legal ones only.
    """

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the score of every candidate, shape ``(M,)``."""
        ...

    def price(self, context: AcquisitionContext) -> float | None:
        """Return the price per side of travel the policy bets with, or ``None`` without one."""
        ...


def scattered(
    n_candidates: int, indices: NDArray[np.int64] | BoolArray, values: FloatArray
) -> FloatArray:
    """
    Return the scores of all candidates where some have been evaluated.

    :param n_candidates: ``M``.
    :param indices: which have a value, indices ``(K,)`` or a mask ``(M,)``.
    :param values: shape ``(K,)``.
    :return: minus infinity elsewhere, shape ``(M,)``.
    """
    scores = np.full(n_candidates, -np.inf)
    scores[indices] = values
    return scores
