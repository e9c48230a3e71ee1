# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Acquisition functions by name.

To add one: write its module with a frozen dataclass under
:class:`~bo_explorer.core.options.Options` that satisfies
:class:`~bo_explorer.core.acquisition.base.Acquisition`, and add it to :data:`ACQUISITIONS`. Its
options then become parameters, and the contract tests cover it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..errors import ConfigError
from ..options import Options, from_flat
from .base import Acquisition, AcquisitionContext
from .decaying_pandora import DecayingPandoraGittinsIndex
from .distance_upper_confidence_bound import DistanceUpperConfidenceBound
from .expected_improvement import ExpectedImprovement
from .expected_improvement_per_cost import ExpectedImprovementPerCost
from .log_expected_improvement import LogExpectedImprovement
from .max_std import MaxStandardDeviation
from .pandora import PandoraGittinsIndex
from .probability_of_improvement import ProbabilityOfImprovement
from .travel_penalised_upper_confidence_bound import TravelPenalisedUpperConfidenceBound
from .upper_confidence_bound import UpperConfidenceBound

__all__ = ['ACQUISITIONS', 'Acquisition', 'AcquisitionContext', 'make_acquisition']

ACQUISITIONS: Mapping[str, type[Options]] = MappingProxyType(
    {
        'dist_ucb': DistanceUpperConfidenceBound,
        'ducb': TravelPenalisedUpperConfidenceBound,
        'ei': ExpectedImprovement,
        'ei_per_cost': ExpectedImprovementPerCost,
        'log_ei': LogExpectedImprovement,
        'max_std': MaxStandardDeviation,
        'pbgi': PandoraGittinsIndex,
        'pbgi_d': DecayingPandoraGittinsIndex,
        'pi': ProbabilityOfImprovement,
        'ucb': UpperConfidenceBound,
    }
)
"""Every acquisition function by its name in ``policy.name``, sorted."""


def make_acquisition(name: str, options: Mapping[str, Any] | None = None) -> Acquisition:
    """
    Build an acquisition function.

    :param name: a key of :data:`ACQUISITIONS`.
    :param options: its options by field name; those not given keep their defaults.
    :raises ConfigError: if the name or an option is unknown or a value breaks its rule.
    """
    if name not in ACQUISITIONS:
        raise ConfigError(
            'policy.name', f'unknown policy {name!r}; choose one of {list(ACQUISITIONS)}.'
        )
    prefix = f'policy.{name}.'
    flat = {prefix + key: value for key, value in (options or {}).items()}
    acquisition = from_flat(ACQUISITIONS[name], flat, prefix)
    if not isinstance(acquisition, Acquisition):
        raise TypeError(f'{type(acquisition).__name__} is registered but cannot be called.')
    return acquisition
