# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Probability of improvement: how likely a sample beats the best place measured."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import Options, option
from ..types import Posterior
from .base import AcquisitionContext
from .normal import distribution, standardised


@dataclass(frozen=True)
class ProbabilityOfImprovement(Options):
    """
    ``P(f > f* + margin) = Phi((mu - f* - margin) / sigma)`` (Kushner 1964).

    Counts how likely an improvement is and not how large; without a margin it stays close to the
    best place. Beyond about 8 standard deviations above and 38 below it saturates at 1 and 0.

    :param margin: improvement that counts, standard deviations of the field.
    """

    margin: float = option(
        0.0, 'Improvement that counts, in standard deviations of the field.', low=0.0, high=100.0
    )

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the probability of an improvement, shape ``(..., M)``."""
        u, _ = standardised(posterior, context.incumbent + self.margin)
        return distribution(u)
