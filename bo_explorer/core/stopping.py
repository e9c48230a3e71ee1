# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Stop rules: each says with a reason when the search should end.

Rules are asked in order before a target is chosen; the first that fires ends the search.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from .acquisition.base import AcquisitionContext
from .acquisition.pandora import worth_opening
from .config import StopConfig
from .types import BoolArray, Decision, Estimate, Outcome, Posterior


@dataclass(frozen=True)
class StopState:
    """
    What a stop rule may look at.

    :param elapsed_s: time since the mission started, pauses left out.
    :param best: best estimate, sensor unit.
    :param posterior: belief at the candidates, standardised, shape ``(M,)``.
    :param context: costs and incumbent.
    :param legal: candidates that may be flown to now, shape ``(M,)``.
    """

    elapsed_s: float
    best: Estimate
    posterior: Posterior
    context: AcquisitionContext
    legal: BoolArray


@dataclass(frozen=True)
class Stop:
    """
    Why the search ends.

    :param outcome: kind of end.
    :param reason: one sentence for the operator.
    """

    outcome: Outcome
    reason: str


class StopRule(Protocol):
    """One reason to end the search."""

    def __call__(self, state: StopState) -> Stop | None:
        """Return why to stop, or ``None`` to go on."""
        ...


@dataclass(frozen=True)
class TimeUp:
    """
    Stop after a time.

    :param max_time_s: seconds.
    """

    max_time_s: float

    def __call__(self, state: StopState) -> Stop | None:
        """Fire when the time has passed."""
        if state.elapsed_s >= self.max_time_s:
            return Stop(Outcome.TIME_UP, f'the time limit of {self.max_time_s:g} s has passed')
        return None


@dataclass(frozen=True)
class Found:
    """
    Stop when the best estimate is surely above a value.

    :param threshold: value to find, sensor unit.
    :param sigmas: standard deviations the estimate must be above it.
    """

    threshold: float
    sigmas: float

    def __call__(self, state: StopState) -> Stop | None:
        """Fire when mean minus ``sigmas`` standard deviations reaches the threshold."""
        sure = state.best.mean - self.sigmas * state.best.std
        if sure >= self.threshold:
            return Stop(
                Outcome.FOUND,
                f'the best estimate {state.best.mean:.4g} +- {state.best.std:.2g} is above '
                f'{self.threshold:g}',
            )
        return None


class NothingWorthItsPrice:
    """
    Stop when no candidate is worth opening: Pandora's-box rule of Xie et al. (2024), section 3.

    Fires when the expected improvement of every legal candidate is at most the price of its cost,
    ``patience`` decisions in a row and not before ``min_samples`` samples.

    :param price: standard deviations of the field per side of travel.
    :param min_samples: samples before the rule may fire.
    :param patience: decisions in a row.
    """

    def __init__(self, price: float, min_samples: int, patience: int) -> None:
        self._price = price
        self._min_samples = min_samples
        self._patience = patience
        self._streak = 0

    def __call__(self, state: StopState) -> Stop | None:
        """Fire when nothing has been worth its price for long enough."""
        worth = worth_opening(state.posterior, state.context, self._price).numpy()
        idle = state.context.n_samples >= self._min_samples and not (worth & state.legal).any()
        self._streak = self._streak + 1 if idle else 0
        if self._streak >= self._patience:
            return Stop(
                Outcome.CONVERGED,
                f'no place has promised more than its price for {self._streak} decisions',
            )
        return None


def make_stop_rules(config: StopConfig) -> tuple[StopRule, ...]:
    """Return the rules ``config`` asks for."""
    rules: list[StopRule] = []
    if not math.isnan(config.found_threshold):
        rules.append(Found(config.found_threshold, config.found_sigmas))
    if not math.isnan(config.max_time_s):
        rules.append(TimeUp(config.max_time_s))
    if config.converged:
        rules.append(
            NothingWorthItsPrice(
                config.price, config.converged_min_samples, config.converged_patience
            )
        )
    return tuple(rules)


def first_stop(rules: Iterable[StopRule], state: StopState) -> Stop | None:
    """
    Ask every rule, so that each keeps its count, and return the first that fires.

    :return: the stop, or ``None`` to go on.
    """
    stops = [stop for stop in [rule(state) for rule in rules] if stop is not None]
    return stops[0] if stops else None


def nothing_left(reachable: BoolArray, fresh: BoolArray, counts: dict[str, int]) -> Decision:
    """
    Return the decision where no candidate is left, with what has taken the last one.

    :param reachable: candidates with a legal way there and home, shape ``(M,)``.
    :param fresh: those of them worth a leg, shape ``(M,)``.
    :param counts: candidates left after each filter.
    """
    if not reachable.any():
        reason = 'no place of the search area can be reached'
        return Decision(Outcome.NO_LEGAL_CANDIDATE, reason, counts=counts)
    if not fresh.any():
        reason = 'every reachable place has been measured'
        return Decision(Outcome.NO_LEGAL_CANDIDATE, reason, counts=counts)
    reason = 'the budget pays for the way home and no further stop'
    return Decision(Outcome.BUDGET_EXHAUSTED, reason, counts=counts)
