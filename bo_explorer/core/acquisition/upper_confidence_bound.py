# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Upper confidence bound: optimism in the face of uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..types import Posterior
from .base import AcquisitionContext
from .confidence import ConfidenceSchedule


@dataclass(frozen=True)
class UpperConfidenceBound(ConfidenceSchedule):
    """
    ``mu + sqrt(beta_n) sigma`` (Srinivas et al. 2010, equation 6); blind to travel.

    Options as in :class:`~bo_explorer.core.acquisition.confidence.ConfidenceSchedule`.
    """

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the bound, standard deviations of the field, shape ``(..., M)``."""
        return posterior.mean + self.width(context) * posterior.std
