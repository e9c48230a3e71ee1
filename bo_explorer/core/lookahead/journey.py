# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What imagined futures cost, and how far the budget reaches along them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..types import FloatArray

PointCost = Callable[[torch.Tensor], torch.Tensor]
"""Maps points ``(..., D)`` to costs ``(...)``."""

LegCost = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Maps starts and ends ``(..., D)``, which broadcast, to costs ``(...)``."""


@dataclass(frozen=True)
class Journey:
    """
    What it costs to move and how much may be spent.

    Costs are in one unit, that of ``remaining``, and differentiable in the points.

    :param first: cost of the first leg and the stop at its end, above 0.
    :param leg: cost of any later leg and the stop at its end, above 0; a cost of the point alone
        ignores the start.
    :param remaining: what all legs together may cost, above 0.
    :param home: cost of the way home, kept back of ``remaining``; ``None`` where there is no need
        to return.
    :raises ValueError: if nothing remains.
    """

    first: PointCost
    leg: LegCost
    remaining: float = math.inf
    home: PointCost | None = None

    def __post_init__(self) -> None:
        if not self.remaining > 0.0:
            raise ValueError(f"'remaining' must be above 0, got {self.remaining!r}.")

    @classmethod
    def starting_at(
        cls,
        origin: FloatArray,
        leg: LegCost,
        remaining: float = math.inf,
        home: PointCost | None = None,
    ) -> Journey:
        """
        Return the journey whose first leg costs what any other does.

        :param origin: the present place, shape ``(D,)``.
        """
        start = torch.tensor(origin, dtype=torch.float64)
        return cls(lambda points: leg(start, points), leg, remaining, home)


@dataclass(frozen=True)
class Ledger:
    """
    Where each of ``B`` futures stands and what it has spent.

    :param journey: costs and budget; ``None`` where every stage costs 1 and nothing limits it.
    :param softness: width of the edge of the budget, as a part of what remains.
    :param spent: shape ``(B,)``.
    :param place: shape ``(B, D)``; ``None`` before the first leg.
    """

    journey: Journey | None
    softness: float
    spent: torch.Tensor
    place: torch.Tensor | None = None

    def charge(self, points: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """
        Return what it costs to go on to some points, and whether the budget pays for it.

        :param points: shape ``(B, M, D)`` or ``(1, M, D)``.
        :return: the costs, shape ``(B, M)``, and the logarithm of the weight between 0 and 1 that
            a gain there has, shape ``(B, M)``.
        """
        shape = (len(self.spent), points.shape[1])
        if self.journey is None:
            return torch.ones(shape, dtype=points.dtype), torch.zeros(shape, dtype=points.dtype)
        if self.place is None:
            cost = self.journey.first(points).expand(shape)
        else:
            cost = self.journey.leg(self.place.unsqueeze(1), points)
        if math.isinf(self.journey.remaining):
            return cost, torch.zeros_like(cost)
        left = self.journey.remaining - self.spent.unsqueeze(1) - cost
        if self.journey.home is not None:
            left = left - self.journey.home(points)
        width = self.softness * self.journey.remaining
        return cost, torch.nn.functional.logsigmoid(left / width)

    def after(self, place: torch.Tensor, cost: torch.Tensor, n_draws: int) -> Ledger:
        """
        Return the ledger of the futures after one more stop, every one split into ``n_draws``.

        :param place: shape ``(B, D)``.
        :param cost: of the leg there, shape ``(B,)``.
        """
        return Ledger(
            self.journey,
            self.softness,
            (self.spent + cost).repeat_interleave(n_draws),
            place.repeat_interleave(n_draws, dim=0),
        )
