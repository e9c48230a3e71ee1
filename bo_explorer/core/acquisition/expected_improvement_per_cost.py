# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Expected improvement for the metre."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options, option
from ..types import Posterior
from .base import AcquisitionContext
from .log_expected_improvement import log_expected_improvement
from .normal import COST_FLOOR
from .screening import near_greatest, rough_improvement


@dataclass(frozen=True)
class ExpectedImprovementPerCost(Options):
    """
    ``EI / c^a`` (Snoek et al. 2012), returned as its logarithm ``log EI - a log c``.

    The logarithm keeps the argmax and neither underflows nor divides by a small cost. ``c`` is the
    cost of the leg and the stop, in sides. ``a`` is 1, or ``remaining / total`` where it is cooled
    (Lee et al. 2020): thrifty at first, indifferent to cost when the budget runs out anyway.

    :param cooled: whether ``a`` falls with the budget.
    """

    cooled: bool = option(
        False, 'Let the weight of the cost fall from 1 to 0 as the budget is spent.'
    )

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return ``log EI - a log c``, shape ``(..., M)``."""
        log_cost = context.cost.clamp_min(COST_FLOOR).log()
        log_improvement = log_expected_improvement(posterior, context.incumbent)
        return log_improvement - self.exponent(context) * log_cost

    def may_be_best(
        self, posterior: Posterior, context: AcquisitionContext, legal: torch.Tensor
    ) -> torch.Tensor:
        """Return where the greatest quotient may be, shape ``(..., M)``."""
        rough = rough_improvement(posterior, context.incumbent)
        cost, exponent = context.cost.clamp_min(COST_FLOOR), self.exponent(context)
        return near_greatest(rough / (cost if exponent == 1.0 else cost.pow(exponent)), legal)

    def exponent(self, context: AcquisitionContext) -> float:
        """Return the exponent ``a`` of the cost, between 0 and 1."""
        if not self.cooled:
            return 1.0
        if not context.total > 0.0:
            return 0.0
        return min(max(context.remaining / context.total, 0.0), 1.0)
