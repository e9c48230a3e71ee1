# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Pandora's-box Gittins index: the price at which a place is just worth opening.

Each place is a box that costs ``lambda c`` to open and pays the field's value there. Weitzman
(1979): with independent boxes it is optimal to open the one with the greatest index ``g``, where
``E[max(f - g, 0)] = lambda c``, and to stop when the best value seen exceeds every index.
Neighbouring values of a field are correlated and travel changes with the vehicle's place, so here
the index is a heuristic and the optimality does not carry over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from ..options import Options, option
from ..types import Posterior
from .base import AcquisitionContext
from .log_expected_improvement import log_expected_improvement
from .normal import COST_FLOOR, STD_FLOOR, inverse_log_h
from .screening import ROUGH_ERROR, rough_improvement, rough_inverse


def gittins_index(posterior: Posterior, cost: torch.Tensor, price: float) -> torch.Tensor:
    """
    Return ``g = mu - sigma h^-1(lambda c / sigma)`` (Xie et al. 2024, equation 6).

    Never below ``mu - lambda c``, which it is where the standard deviation is 0. The gradient is
    that of the implicit equation: 1 by the mean, ``phi / Phi`` by the standard deviation and
    ``-lambda / Phi`` by the cost, with ``phi`` and ``Phi`` at ``(mu - g) / sigma``.

    :param posterior: belief, shape ``(..., M)``.
    :param cost: ``c``, cost of the leg and the stop, sides, shape ``(..., M)``.
    :param price: ``lambda``, standard deviations of the field per side.
    :return: shape ``(..., M)``.
    :raises ValueError: if the price is not above 0.
    """
    std = posterior.std.clamp_min(STD_FLOOR)
    return posterior.mean - std * inverse_log_h(_log_price(cost, price) - std.log())


def may_have_greatest_index(
    posterior: Posterior, cost: torch.Tensor, price: float, legal: torch.Tensor
) -> torch.Tensor:
    """
    Return where the greatest index may be, by a few operations a place.

    An index is above a number ``g`` where ``E[max(f - g, 0)] > lambda c``. The index of a place
    that looks best is exact; places that do not reach it are left out.

    :param posterior: belief, shape ``(..., M)``.
    :param cost: cost of the leg and the stop, sides, shape ``(..., M)``.
    :param price: ``lambda``, standard deviations of the field per side.
    :param legal: booleans, shape ``(..., M)``.
    :return: booleans, shape ``(..., M)``.
    :raises ValueError: if the price is not above 0.
    """
    std, due = posterior.std.clamp_min(STD_FLOOR), cost.clamp_min(COST_FLOOR) * price
    rough = posterior.mean - std * rough_inverse((due / std).log())
    place = (rough + (legal.to(std.dtype) - 1.0) * 1e300).argmax(-1, keepdim=True)
    shape = (*place.shape[:-1], std.shape[-1])
    there = Posterior(
        posterior.mean.expand(shape).gather(-1, place), std.expand(shape).gather(-1, place)
    )
    greatest = gittins_index(there, cost.expand(shape).gather(-1, place), price).squeeze(-1)
    greatest = greatest - 2e-9 * greatest.abs() - 1e-12
    paid = rough_improvement(posterior, greatest)
    return (paid >= due * (1.0 - 2.0 * ROUGH_ERROR)).logical_and_(legal)


def worth_opening(posterior: Posterior, context: AcquisitionContext, price: float) -> torch.Tensor:
    """
    Return where the expected improvement exceeds the price: ``EI > lambda c``.

    Equivalent to an index above the incumbent. Where it holds nowhere, Weitzman's rule stops.

    :param posterior: belief, shape ``(..., M)``.
    :param context: incumbent and costs.
    :param price: ``lambda``, standard deviations of the field per side.
    :return: booleans, shape ``(..., M)``.
    :raises ValueError: if the price is not above 0.
    """
    improvement = log_expected_improvement(posterior, context.incumbent)
    return improvement > _log_price(context.cost, price)


def _log_price(cost: torch.Tensor, price: float) -> torch.Tensor:
    if not 0.0 < price < math.inf:
        raise ValueError(f"'price' must be a finite number above 0, got {price!r}.")
    return cost.clamp_min(COST_FLOOR).log() + math.log(price)


@dataclass(frozen=True)
class PandoraGittinsIndex(Options):
    """
    The Gittins index at a fixed price (PBGI, Xie et al. 2024, arXiv 2406.20062).

    A low price explores like a wide confidence bound; a high one takes the near and the sure.

    :param price: ``lambda``, standard deviations of the field per side.
    """

    price: float = option(
        0.1,
        'Price of flying the side of the area, in standard deviations of the field.',
        low=0.0,
        open_low=True,
        high=1e6,
    )

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the index, standard deviations of the field, shape ``(..., M)``."""
        return gittins_index(posterior, context.cost, self.price_in(context))

    def may_be_best(
        self, posterior: Posterior, context: AcquisitionContext, legal: torch.Tensor
    ) -> torch.Tensor:
        """Return where the greatest index may be, shape ``(..., M)``."""
        return may_have_greatest_index(posterior, context.cost, self.price_in(context), legal)

    def price_in(self, context: AcquisitionContext) -> float:
        """Return the price in force."""
        return self.price
