# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The logarithm of the expected improvement, which ranks places whose improvement underflows."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options
from ..types import Posterior
from .base import AcquisitionContext
from .normal import log_h, standardised
from .screening import near_greatest, rough_improvement


def log_expected_improvement(posterior: Posterior, incumbent: torch.Tensor) -> torch.Tensor:
    """
    Return ``log E[max(f - f*, 0)]``, finite however small it is.

    :param posterior: belief, shape ``(..., M)``.
    :param incumbent: the value ``f*`` to improve on, shape ``(...)``.
    :return: shape ``(..., M)``.
    """
    u, std = standardised(posterior, incumbent)
    return std.log() + log_h(u)


@dataclass(frozen=True)
class LogExpectedImprovement(Options):
    """
    ``log E[max(f - f*, 0)] = log sigma + log h((mu - f*) / sigma)`` (Ament et al. 2023).

    Same argmax as the expected improvement, without its plateaus at 0.
    """

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the logarithm of the expected improvement, shape ``(..., M)``."""
        return log_expected_improvement(posterior, context.incumbent)

    def may_be_best(
        self, posterior: Posterior, context: AcquisitionContext, legal: torch.Tensor
    ) -> torch.Tensor:
        """Return where the greatest improvement may be, shape ``(..., M)``."""
        return near_greatest(rough_improvement(posterior, context.incumbent), legal)
