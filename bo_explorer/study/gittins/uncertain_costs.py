# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Plans within a budget where nobody knows beforehand what an evaluation costs."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ...core.lookahead.draws import Draws
from ...core.lookahead.gp_tree import PresentBelief
from ...core.lookahead.journey import Journey
from ...core.lookahead.one_shot import OneShotTree
from ...core.lookahead.tree_outlook import TreeShape, outlook

# What is left at least: less pays for nothing, and has a logarithm.
_LEAST = 1e-6


@dataclass(frozen=True, kw_only=True)
class UncertainCostTree(OneShotTree):
    """
    A plan along one future whose gains count by the chance that the budget pays for them.

    The belief about a cost is log-normal: its logarithm has the mean ``m`` and the standard
    deviation ``s``. A gain has the weight ``Phi((log(allowed - spent) - m) / s)``, where what the
    decisions before it have spent is the median ``exp(m)`` of each, as in the paper's code.

    :param log_cost: belief about the logarithm of the cost.
    :param allowed: what all decisions may cost.
    """

    log_cost: PresentBelief
    allowed: float

    def _totals(
        self,
        belief: PresentBelief,
        trees: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``log E[sum EI]`` and the cost, each shape ``(R,)``; the journey is not asked."""
        shape = TreeShape.of(readings)
        log_gain = self._log_gains(belief, trees, shape)
        h = self.log_cost.hyperparameters
        log_cost, _ = outlook(self.log_cost, trees, shape)
        mean = h.mean + h.signal_std * log_cost.mean
        std = (h.signal_std * log_cost.std).clamp_min(_LEAST)
        cost = mean.exp()
        left = (self.allowed - cost.cumsum(dim=1) + cost).clamp_min(_LEAST)
        log_paid = torch.special.log_ndtr((left.log() - mean) / std)
        return torch.logsumexp(log_gain + log_paid, dim=1), cost.sum(dim=1)
