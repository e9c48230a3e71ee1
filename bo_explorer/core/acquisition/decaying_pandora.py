# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Pandora's-box Gittins index whose price falls each time nothing is worth it."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options, option
from ..types import Posterior
from .base import AcquisitionContext
from .pandora import gittins_index, may_have_greatest_index

_PRICE_FLOOR = 1e-300


@dataclass(frozen=True)
class DecayingPandoraGittinsIndex(Options):
    """
    The Gittins index at the price ``initial_price decay^k`` (PBGI-D, Xie et al. 2024, section 3).

    ``k`` counts how often the stopping rule has fired: as soon as no place is worth the present
    price, the price falls and the search goes on in finer strokes.

    :param initial_price: ``lambda_0``, standard deviations of the field per side.
    :param decay: factor each time.
    """

    initial_price: float = option(
        0.1,
        'Price of flying the side of the area at first, in standard deviations of the field.',
        low=0.0,
        open_low=True,
        high=1e6,
    )
    decay: float = option(
        0.5,
        'Factor on the price each time no place is worth it.',
        low=0.0,
        open_low=True,
        high=1.0,
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
        """Return the price in force, ``lambda_0 decay^k``."""
        return max(self.initial_price * self.decay**context.n_decays, _PRICE_FLOOR)
