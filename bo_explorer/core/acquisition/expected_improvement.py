# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Expected improvement: how much a sample promises to beat the best place measured."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options
from ..types import Posterior
from .base import AcquisitionContext
from .normal import h, standardised
from .screening import near_greatest, rough_improvement


@dataclass(frozen=True)
class ExpectedImprovement(Options):
    """
    ``E[max(f - f*, 0)] = sigma h((mu - f*) / sigma)`` (Jones et al. 1998, equation 15).

    ``f*`` is the best posterior mean over the places measured, not the best noisy reading. Far
    from any improvement the value underflows to 0; the logarithm ranks those places too
    (:class:`~bo_explorer.core.acquisition.log_expected_improvement.LogExpectedImprovement`).
    """

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the expected improvement, standard deviations of the field, ``(..., M)``."""
        u, std = standardised(posterior, context.incumbent)
        return std * h(u)

    def may_be_best(
        self, posterior: Posterior, context: AcquisitionContext, legal: torch.Tensor
    ) -> torch.Tensor:
        """Return where the greatest improvement may be, shape ``(..., M)``."""
        return near_greatest(rough_improvement(posterior, context.incumbent), legal)
