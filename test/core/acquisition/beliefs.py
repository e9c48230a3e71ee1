# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Posteriors and contexts the acquisition tests share."""

from __future__ import annotations

from typing import Any

import torch

from bo_explorer.core.acquisition import AcquisitionContext
from bo_explorer.core.types import Posterior

STOP = 0.02


def tensor(*values: float) -> torch.Tensor:
    """Return the values in float64, shape ``(len(values),)``."""
    return torch.tensor(values, dtype=torch.float64)


def belief(mean: Any, std: Any) -> Posterior:
    """Return a posterior from numbers or tensors."""
    return Posterior(
        torch.as_tensor(mean, dtype=torch.float64), torch.as_tensor(std, dtype=torch.float64)
    )


def random_belief(*shape: int, seed: int = 0) -> Posterior:
    """Return a posterior of the shape with means of order 1 and deviations in 0.05 .. 1.05."""
    generator = torch.Generator().manual_seed(seed)
    return Posterior(
        torch.randn(shape, generator=generator, dtype=torch.float64),
        0.05 + torch.rand(shape, generator=generator, dtype=torch.float64),
    )


def random_distance(*shape: int, seed: int = 1) -> torch.Tensor:
    """Return distances in 0 .. 1.5 sides."""
    generator = torch.Generator().manual_seed(seed)
    return 1.5 * torch.rand(shape, generator=generator, dtype=torch.float64)


def context(distance: Any, incumbent: Any = 0.0, **changes: Any) -> AcquisitionContext:
    """Return a context halfway through a budget of 3 sides, 20 samples taken."""
    distance = torch.as_tensor(distance, dtype=torch.float64)
    values: dict[str, Any] = {
        'incumbent': torch.as_tensor(incumbent, dtype=torch.float64),
        'distance': distance,
        'cost': distance + STOP,
        'remaining': 1.5,
        'total': 3.0,
        'n_samples': 20,
    }
    return AcquisitionContext(**{**values, **changes})
