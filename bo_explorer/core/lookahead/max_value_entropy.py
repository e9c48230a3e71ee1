# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Max-value entropy search: how much a place tells about the height of the peak."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from ..acquisition.base import AcquisitionContext
from ..acquisition.normal import COST_FLOOR, STD_FLOOR
from ..options import Options, option
from ..types import FloatArray, Posterior
from .base import PlanningState, scattered

# Bisection of the range of the maximum; its last step is 1e-9 of the range.
_BISECTIONS = 30

# No independent maximum of up to 1e8 places lies further above every mean.
_MOST_SIGMAS = 8.0


def sampled_maxima(posterior: Posterior, floor: float, n: int) -> torch.Tensor:
    """
    Return values the maximum of the field may have: equally likely ones of a Gumbel distribution.

    It is fitted to the quartiles of the maximum of independent places (Wang and Jegelka 2017,
    section 3.1), which is too high where places are correlated.

    :param posterior: belief, shape ``(M,)``.
    :param floor: what the maximum is not below.
    :param n: how many.
    :return: rising, shape ``(n,)``.
    """
    mean, std = posterior.mean, posterior.std.clamp_min(STD_FLOOR)
    probabilities = torch.tensor([0.25, 0.5, 0.75], dtype=mean.dtype)
    low = torch.full_like(probabilities, float((mean - _MOST_SIGMAS * std).max()))
    high = torch.full_like(probabilities, float((mean + _MOST_SIGMAS * std).max()))
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        u = (middle.unsqueeze(-1) - mean) / std
        is_below = torch.special.log_ndtr(u).sum(-1) < probabilities.log()
        low, high = torch.where(is_below, middle, low), torch.where(is_below, high, middle)
    first, median, third = 0.5 * (low + high)
    # The quantile of a Gumbel distribution is a - b log(-log p).
    scale = (third - first) / (math.log(-math.log(0.25)) - math.log(-math.log(0.75)))
    location = median + scale * math.log(math.log(2.0))
    levels = (torch.arange(n, dtype=mean.dtype) + 0.5) / n
    maxima: torch.Tensor = location - scale * (-levels.log()).log()
    return maxima.clamp_min(floor)


def information_gain(posterior: Posterior, maxima: torch.Tensor) -> torch.Tensor:
    """
    Return the mean fall of the entropy of the field at each place once its maximum is known.

    ``u phi(u) / (2 Phi(u)) - log Phi(u)`` with ``u = (f* - mu) / sigma``, the entropy a normal
    variable loses when it is cut off above ``f*`` (Wang and Jegelka 2017, equation 6).

    :param posterior: belief, shape ``(M,)``.
    :param maxima: values ``f*``, shape ``(n,)``.
    :return: nats, shape ``(M,)``; 0 where the field is known.
    """
    std = posterior.std.clamp_min(STD_FLOOR)
    u = (maxima.unsqueeze(-1) - posterior.mean) / std
    log_probability = torch.special.log_ndtr(u)
    ratio = torch.exp(-0.5 * u.square() - 0.5 * math.log(2.0 * math.pi) - log_probability)
    gain = (0.5 * u * ratio - log_probability).mean(0)
    return torch.where(posterior.std > STD_FLOOR, gain, 0.0)


@dataclass(frozen=True)
class MaxValueEntropy(Options):
    """
    Mutual information of a place and the maximum of the field (MES, Wang and Jegelka 2017).

    The reading is taken as free of noise, as published.

    :param n_maxima: values of the maximum it averages over.
    :param per_cost: whether the gain is divided by the cost of leg and stop, in sides.
    """

    n_maxima: int = option(16, 'Values of the maximum averaged over.', low=1, high=4096)
    per_cost: bool = option(False, 'Whether the gain is divided by the cost of leg and stop.')

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the gain of information, nats, shape ``(M,)``."""
        posterior, context = state.posterior, state.context
        maxima = sampled_maxima(posterior, float(context.incumbent), self.n_maxima)
        gain = information_gain(posterior, maxima)
        if self.per_cost:
            gain = gain / context.cost.clamp_min(COST_FLOOR)
        return scattered(len(state.legal), state.legal, gain.numpy()[state.legal])

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: the policy knows no price."""
        return None
