# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Policies that imagine the readings to come.

To add one: write its module with a frozen dataclass under
:class:`~bo_explorer.core.options.Options` that satisfies
:class:`~bo_explorer.core.lookahead.base.Policy`, and add it to :data:`LOOKAHEAD`. Its options then
become parameters, and the contract tests cover it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..options import Options
from .budgeted_multi_step_ei import BudgetedMultiStepEi
from .knowledge_gradient import KnowledgeGradient
from .max_value_entropy import MaxValueEntropy
from .on_the_way import OnTheWay
from .one_shot_policy import OneShot
from .published_rollouts import (
    DistUcbRollout,
    EiPerCostRollout,
    EiRollout,
    PbgiRollout,
    UcbRollout,
)
from .rollout import MeanPath, Rollout
from .thompson import ThompsonSampling

__all__ = ['LOOKAHEAD']

LOOKAHEAD: Mapping[str, type[Options]] = MappingProxyType(
    {
        'budgeted_multi_step_ei': BudgetedMultiStepEi,
        'dist_ucb_rollout': DistUcbRollout,
        'ei_per_cost_rollout': EiPerCostRollout,
        'ei_rollout': EiRollout,
        'knowledge_gradient': KnowledgeGradient,
        'max_value_entropy': MaxValueEntropy,
        'mean_path': MeanPath,
        'on_the_way': OnTheWay,
        'one_shot': OneShot,
        'pbgi_rollout': PbgiRollout,
        'rollout': Rollout,
        'thompson': ThompsonSampling,
        'ucb_rollout': UcbRollout,
    }
)
"""Every policy that is more than an acquisition, by its name in ``policy.name``, sorted."""
