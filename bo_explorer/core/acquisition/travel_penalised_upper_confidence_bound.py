# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Upper confidence bound with a price on travel."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options, option
from ..types import Posterior
from .base import AcquisitionContext


@dataclass(frozen=True)
class TravelPenalisedUpperConfidenceBound(Options):
    """
    ``mu + kappa sigma - gamma d``: DUCB of Marchant and Ramos (2012).

    ``d`` is the travel cost of the leg in sides of the search area, so ``gamma`` is in standard
    deviations of the field per side flown.

    :param kappa: weight of the standard deviation.
    :param gamma: weight of the travel cost.
    """

    kappa: float = option(2.0, 'Weight of the standard deviation.', low=0.0, high=1e3)
    gamma: float = option(
        1.0,
        'Price of flying the side of the area, in standard deviations of the field.',
        low=0.0,
        high=1e6,
    )

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the penalised bound, standard deviations of the field, shape ``(..., M)``."""
        return posterior.mean + self.kappa * posterior.std - self.gamma * context.distance
