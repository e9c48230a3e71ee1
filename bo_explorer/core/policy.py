# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies: how the candidates are scored, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from .acquisition import ACQUISITIONS, make_acquisition
from .acquisition.base import Acquisition, AcquisitionContext
from .errors import ConfigError
from .gp.field_map import FieldMap
from .options import OptionSpec, unknown_key, walk
from .travel import CandidateRoutes
from .types import BoolArray, FloatArray, Posterior


@dataclass(frozen=True)
class PlanningState:
    """
    What a policy decides on; nothing in it may be changed.

    :param field_map: belief about the field at the candidates.
    :param posterior: its marginals at the candidates, standardised, shape ``(M,)``.
    :param context: costs and incumbent, in sides and standard deviations.
    :param legal: candidates that may be flown to now, shape ``(M,)``.
    :param routes: travel costs between candidates, metres-equivalent.
    :param leg_costs_m: travel cost from the present place, metres-equivalent, shape ``(M,)``.
    :param home_costs_m: travel cost to home, metres-equivalent, shape ``(M,)``.
    :param available_m: budget that may be planned with: remaining minus reserve.
    :param stop_cost_m: cost of one stop, metres-equivalent.
    :param side_m: side of the search area, the unit of the context's lengths.
    :param generator: the planner's random numbers.
    """

    field_map: FieldMap
    posterior: Posterior
    context: AcquisitionContext
    legal: BoolArray
    routes: CandidateRoutes
    leg_costs_m: FloatArray
    home_costs_m: FloatArray
    available_m: float
    stop_cost_m: float
    side_m: float
    generator: np.random.Generator


class Policy(Protocol):
    """Scores candidates; a policy that looks ahead may leave some at minus infinity."""

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the score of every candidate, shape ``(M,)``; larger is better."""
        ...

    def price(self, context: AcquisitionContext) -> float | None:
        """Return the price per side of travel the policy bets with, or ``None`` without one."""
        ...


@dataclass(frozen=True)
class Myopic:
    """
    One-step policy: the score is the acquisition's.

    :param acquisition: any acquisition function.
    """

    acquisition: Acquisition

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the acquisition at every candidate, shape ``(M,)``."""
        values = self.acquisition(state.posterior, state.context)
        return values.detach().numpy()

    def price(self, context: AcquisitionContext) -> float | None:
        """Return the price of a Pandora's-box acquisition, ``None`` for any other."""
        price = getattr(self.acquisition, 'price_in', None)
        return None if price is None else float(price(context))


PolicyMaker = Callable[[Mapping[str, Any]], Policy]


def _myopic(name: str) -> PolicyMaker:
    return lambda options: Myopic(make_acquisition(name, options))


POLICIES: Mapping[str, PolicyMaker] = MappingProxyType(
    {name: _myopic(name) for name in ACQUISITIONS}
)
"""Every policy by its name in ``policy.name``."""


def make_policy(name: str, options: Mapping[str, Any] | None = None) -> Policy:
    """
    Build a policy.

    :param name: a key of :data:`POLICIES`.
    :param options: its options by full key, ``policy.<name>.<option>``; those of other policies are
        checked for their name and otherwise ignored.
    :raises ConfigError: if the name or an option is unknown or a value breaks its rule.
    """
    if name not in POLICIES:
        raise ConfigError(
            'policy.name',
            f"'policy.name' must be one of {', '.join(sorted(POLICIES))}, got {name!r}.",
        )
    known = {spec.key: spec for spec in policy_options()}
    prefix = f'policy.{name}.'
    own = {}
    for key, value in (options or {}).items():
        if key not in known:
            raise unknown_key(key, known)
        checked = known[key].validated(value)
        if key.startswith(prefix):
            own[key[len(prefix) :]] = checked
    return POLICIES[name](own)


def policy_options() -> Iterator[OptionSpec]:
    """Yield every option of every policy, with its full key."""
    for name, acquisition in ACQUISITIONS.items():
        yield from walk(acquisition, f'policy.{name}.')
