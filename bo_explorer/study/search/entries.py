# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What can search, by a label: every policy of the planner, and the rivals.

A label is a name, followed by options: ``pbgi,price=0.03,replan=0``. The option ``replan`` is
everybody's: sides flown before the target is chosen anew, 0 for on arrival only.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ...core.errors import ConfigError
from ...core.policy import POLICIES, Policy, make_policy
from .coverage import LawnMower, Spiral
from .tours import GreedyMean, RandomTargets, SnakeTour, TravellingBandit

RIVALS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        'lawn_mower': LawnMower,
        'spiral': Spiral,
        'random': RandomTargets,
        'greedy_mean': GreedyMean,
        'snake': SnakeTour,
        'travelling_bandit': TravellingBandit,
    }
)
"""Searchers that are no policies of the planner."""


@dataclass(frozen=True)
class Entry:
    """
    Who searches.

    :param policy: chooses targets; good for one search.
    :param replan_sides: distance flown before the target is chosen anew; infinite: on arrival.
    """

    policy: Policy
    replan_sides: float


def make_entry(label: str, *, replan_sides: float, stops_are_free: bool = True) -> Entry:
    """
    Build what a label names.

    :param label: name and options.
    :param replan_sides: where the label does not say; 0: on arrival.
    :param stops_are_free: whether the budget is path length alone.
    :raises ConfigError: if the name or an option is unknown or a value breaks its rule.
    """
    name, *pairs = label.split(',')
    options: dict[str, Any] = {}
    for pair in pairs:
        key, sign, text = pair.partition('=')
        if not sign:
            raise ConfigError(
                'policies', f"'policies' must have options as key=value, got {label!r}."
            )
        options[key] = _value(text)
    replan = options.pop('replan', replan_sides)
    if not (isinstance(replan, (int, float)) and replan >= 0.0):
        raise ConfigError('policies', f"'replan' must be at least 0 sides, got {replan!r}.")
    policy = _make(name, options, stops_are_free)
    return Entry(policy, float(replan) if replan > 0.0 else np.inf)


def check_label(label: str) -> None:
    """
    Refuse what :func:`make_entry` cannot build.

    :raises ConfigError: if it cannot.
    """
    make_entry(label, replan_sides=0.0)


def _make(name: str, options: dict[str, Any], stops_are_free: bool) -> Policy:
    if name in POLICIES:
        return make_policy(name, {f'policy.{name}.{key}': v for key, v in options.items()})
    if name not in RIVALS:
        listed = ', '.join([*RIVALS, *POLICIES])
        raise ConfigError('policies', f"'policies' must be of {listed}, got {name!r}.")
    make = RIVALS[name]
    known = dict(inspect.signature(make).parameters)
    fixed = {}
    if known.pop('stops_are_free', None) is not None:
        fixed['stops_are_free'] = stops_are_free
    for key, value in options.items():
        if key not in known:
            listed = ', '.join(known) or 'none'
            raise ConfigError(
                'policies', f"'policies' must give {name} options of {listed}, got {key!r}."
            )
        if not (isinstance(value, int) and value >= 1):
            raise ConfigError('policies', f"'{key}' must be a number from 1 up, got {value!r}.")
    policy: Policy = make(**options, **fixed)
    return policy


def _value(text: str) -> bool | int | float | str:
    if text in ('true', 'false'):
        return text == 'true'
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
