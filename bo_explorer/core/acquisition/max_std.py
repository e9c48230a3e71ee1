# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Pure mapping: go where the field is least known."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options
from ..types import Posterior
from .base import AcquisitionContext


@dataclass(frozen=True)
class MaxStandardDeviation(Options):
    """``sigma``: uncertainty sampling (MacKay 1992), blind to the value of the field."""

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the standard deviation in the shape of the mean, ``(..., M)``."""
        return posterior.std.expand_as(posterior.mean).clone()
