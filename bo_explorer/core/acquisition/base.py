# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What an acquisition function is, and what it may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch

from ..types import Posterior


@dataclass(frozen=True)
class AcquisitionContext:
    """
    What an acquisition may know besides the posterior.

    Values are in standard deviations of the field (prior mean 0, prior variance 1). Lengths are in
    sides of the search area, so no acquisition depends on the metre.

    :param incumbent: best posterior mean over the places already measured, shape ``(...)``.
    :param distance: travel cost of the leg from the present place, ``>= 0``, shape ``(..., M)``.
    :param cost: distance plus the cost of stopping, ``> 0``, shape ``(..., M)``.
    :param remaining: budget left, in sides.
    :param total: budget of the whole mission, in sides.
    :param n_samples: samples behind the posterior.
    :param dimension: number of axes of the field.
    :param n_decays: times the Pandora's-box stopping rule has fired so far.
    """

    incumbent: torch.Tensor
    distance: torch.Tensor
    cost: torch.Tensor
    remaining: float
    total: float
    n_samples: int
    dimension: int = 2
    n_decays: int = 0


@runtime_checkable
class Acquisition(Protocol):
    """
    Score of every candidate: a pure, differentiable function.

    Larger is better. The result has the shape of ``posterior.mean``, is float64 and finite,
    also where the standard deviation is 0.
    """

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the scores, shape ``(..., M)``."""
        ...
