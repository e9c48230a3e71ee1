# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies: how the candidates are scored, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .acquisition import ACQUISITIONS, make_acquisition
from .acquisition.base import Acquisition, AcquisitionContext
from .acquisition.pandora import worth_opening
from .errors import ConfigError
from .lookahead import LOOKAHEAD
from .lookahead.base import PlanningState, Policy
from .lookahead.following import Following, price_of
from .options import Options, OptionSpec, from_flat, unknown_key, walk
from .types import FloatArray

__all__ = [
    'POLICIES',
    'Myopic',
    'PlanningState',
    'Policy',
    'make_policy',
    'policy_options',
    'price_falls',
]


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
        return price_of(self.acquisition, context)


def price_falls(policy: Policy, state: PlanningState) -> bool:
    """
    Return whether no legal place is worth the policy's price: the next decision bets with less.

    Never for a policy without a price.

    :param policy: which.
    :param state: what it decides on.
    """
    price = policy.price(state.context)
    if price is None:
        return False
    worth = worth_opening(state.posterior, state.context, price).numpy()
    return not (worth & state.legal).any()


POLICIES: Mapping[str, type[Options]] = MappingProxyType({**ACQUISITIONS, **LOOKAHEAD})
"""
Every policy by its name in ``policy.name``: a declaration of its options that is either an
acquisition, and then chooses one step ahead, or a policy itself.
"""


def make_policy(name: str, options: Mapping[str, Any] | None = None) -> Policy:
    """
    Build a policy.

    :param name: a key of :data:`POLICIES`.
    :param options: options by full key, ``policy.<name>.<option>``, of this policy and others.
        Those of others are checked; a policy that follows an acquisition by name uses its.
    :raises ConfigError: if the name or an option is unknown or a value breaks its rule.
    """
    if name not in POLICIES:
        raise ConfigError(
            'policy.name',
            f"'policy.name' must be one of {', '.join(sorted(POLICIES))}, got {name!r}.",
        )
    known = {spec.key: spec for spec in policy_options()}
    checked = {}
    for key, value in (options or {}).items():
        if key not in known:
            raise unknown_key(key, known)
        checked[key] = known[key].validated(value)
    prefix = f'policy.{name}.'
    made = from_flat(POLICIES[name], _under(prefix, checked), prefix)
    if isinstance(made, Following):
        made = made.follow(lambda base: _acquisition(base, checked))
    if isinstance(made, Policy):
        return made
    return Myopic(_acquisition(name, checked))


def policy_options() -> Iterator[OptionSpec]:
    """Yield every option of every policy, with its full key."""
    for name, cls in POLICIES.items():
        yield from walk(cls, f'policy.{name}.')


def _acquisition(name: str, options: Mapping[str, Any]) -> Acquisition:
    prefix = f'policy.{name}.'
    own = {key[len(prefix) :]: value for key, value in _under(prefix, options).items()}
    return make_acquisition(name, own)


def _under(prefix: str, options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key.startswith(prefix)}
