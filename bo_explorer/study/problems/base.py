# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What every problem offers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch

from ...core.types import FloatArray

KnownCost = Callable[[torch.Tensor], torch.Tensor]
"""Maps points ``(..., D)`` to costs ``(...)``, above 0; differentiable."""


class Evaluation(NamedTuple):
    """
    What evaluating a point gave.

    :param value: larger is better.
    :param cost: above 0.
    """

    value: float
    cost: float


@dataclass(frozen=True)
class Problem:
    """
    A function over the unit cube that is to be maximised.

    :param dimension: axes of the cube.
    :param evaluate: of one point, shape ``(D,)``.
    :param best: greatest value; NaN where nobody knows it.
    :param known_cost: the cost of any point before it is evaluated; ``None`` where the cost is
        seen only afterwards.
    """

    dimension: int
    evaluate: Callable[[FloatArray], Evaluation]
    best: float = math.nan
    known_cost: KnownCost | None = None


def unit_cost(points: torch.Tensor) -> torch.Tensor:
    """Return that every evaluation costs 1."""
    return torch.ones_like(points[..., 0])
