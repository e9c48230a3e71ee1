# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Rollouts of the literature, and their comparators, each with the options of its own base.

As published they know no readings on the way; the option ``along`` adds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..acquisition.base import Acquisition, AcquisitionContext
from ..acquisition.distance_upper_confidence_bound import DistanceUpperConfidenceBound
from ..acquisition.expected_improvement import ExpectedImprovement
from ..acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from ..acquisition.pandora import PandoraGittinsIndex
from ..acquisition.upper_confidence_bound import UpperConfidenceBound
from ..options import group, option
from ..types import FloatArray
from .base import PlanningState
from .following import price_of
from .rollout import RolloutOptions, rollout_scores

_REWARDS = ('acquisition', 'improvement', 'improvement_per_cost')


@dataclass(frozen=True)
class PublishedRollout(RolloutOptions):
    """
    A rollout with a base of its own; a subclass names it in ``base_name``.

    :param horizon: simulated steps after the first move; the papers look three steps ahead, the
        first among them.
    :param n_samples: futures of each first move.
    """

    base_name: ClassVar[str]

    horizon: int = option(
        2,
        'Simulated steps after the first move; 0: none (the base policy), -1: until the budget '
        'has no legal move left.',
        low=-1,
        high=16,
    )
    along: bool = option(False, 'Whether a simulated leg is also read on the way.')
    n_samples: int = option(32, 'Futures simulated for each first move.', low=1, high=4096)

    @property
    def _base(self) -> Acquisition:
        base: Acquisition = getattr(self, self.base_name)
        return base

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the worth of each first move, shape ``(M,)``."""
        return rollout_scores(self, state, self._base, self.n_samples)

    def price(self, context: AcquisitionContext) -> float | None:
        """Return the price the base bets with, ``None`` for a base without one."""
        return price_of(self._base, context)


@dataclass(frozen=True)
class DistUcbRollout(PublishedRollout):
    """distUCB (IJCAI 2023, doi 10.24963/ijcai.2023/446): the values of the bound are summed."""

    base_name = 'dist_ucb'

    reward: str = option(
        'acquisition', 'What a simulated mission is worth.', choices=_REWARDS
    )
    dist_ucb: DistanceUpperConfidenceBound = group(DistanceUpperConfidenceBound)


@dataclass(frozen=True)
class UcbRollout(PublishedRollout):
    """The comparator of the distUCB paper: the same rollout of the plain bound."""

    base_name = 'ucb'

    reward: str = option(
        'acquisition', 'What a simulated mission is worth.', choices=_REWARDS
    )
    ucb: UpperConfidenceBound = group(UpperConfidenceBound)


@dataclass(frozen=True)
class EiRollout(PublishedRollout):
    """Rollout of expected improvement (Lam et al. 2016): the improvements add up."""

    base_name = 'ei'

    reward: str = option(
        'improvement', 'What a simulated mission is worth.', choices=_REWARDS
    )
    ei: ExpectedImprovement = group(ExpectedImprovement)


@dataclass(frozen=True)
class EiPerCostRollout(PublishedRollout):
    """
    Lee et al. (2021, arXiv 2106.06079): improvement by cost, and plain improvement last.

    The cost of the last step buys nothing that comes later, so it is not counted there.
    """

    base_name = 'ei_per_cost'

    reward: str = option(
        'improvement', 'What a simulated mission is worth.', choices=_REWARDS
    )
    ei_per_cost: ExpectedImprovementPerCost = group(ExpectedImprovementPerCost)

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the worth of each first move, shape ``(M,)``."""
        return rollout_scores(
            self, state, self._base, self.n_samples, last=ExpectedImprovement()
        )


@dataclass(frozen=True)
class PbgiRollout(PublishedRollout):
    """Rollout of the Pandora's-box index: where a chain of boxes worth opening begins."""

    base_name = 'pbgi'

    reward: str = option(
        'improvement', 'What a simulated mission is worth.', choices=_REWARDS
    )
    pbgi: PandoraGittinsIndex = group(PandoraGittinsIndex)
