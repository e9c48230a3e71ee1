# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Stop rules fire for their own reason and never on NaN."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import torch

from bo_explorer.core.acquisition.base import AcquisitionContext
from bo_explorer.core.config import StopConfig
from bo_explorer.core.stopping import StopState, first_stop, make_stop_rules
from bo_explorer.core.types import Estimate, Outcome, Posterior


def state(*, elapsed_s=0.0, mean=0.0, std=1.0, field_std=1.0, n_samples=50):
    """Return a state of three candidates with the given spread and best estimate."""
    ones = torch.ones(3, dtype=torch.float64)
    return StopState(
        elapsed_s=elapsed_s,
        best=Estimate(0.0, 0.0, mean, std),
        posterior=Posterior(0.0 * ones, field_std * ones),
        context=AcquisitionContext(
            incumbent=torch.tensor(0.0, dtype=torch.float64),
            distance=0.5 * ones,
            cost=0.6 * ones,
            remaining=2.0,
            total=3.0,
            n_samples=n_samples,
        ),
        legal=np.array([True, True, False]),
    )


def test_by_default_only_the_budget_ends_a_search():
    assert make_stop_rules(StopConfig()) == ()
    assert first_stop((), state()) is None


def test_time_is_up_at_the_limit():
    rules = make_stop_rules(StopConfig(max_time_s=60.0))
    assert first_stop(rules, state(elapsed_s=59.9)) is None
    stop = first_stop(rules, state(elapsed_s=60.0))
    assert stop is not None and stop.outcome is Outcome.TIME_UP and '60' in stop.reason


def test_found_needs_the_estimate_to_be_sure():
    rules = make_stop_rules(StopConfig(found_threshold=5.0, found_sigmas=2.0))
    assert first_stop(rules, state(mean=5.5, std=0.3)) is None
    assert first_stop(rules, state(mean=math.nan, std=0.3)) is None
    stop = first_stop(rules, state(mean=5.7, std=0.3))
    assert stop is not None and stop.outcome is Outcome.FOUND


def test_nothing_worth_its_price_needs_patience_and_samples():
    config = StopConfig(converged=True, price=1.0, converged_patience=2, converged_min_samples=20)
    rules = make_stop_rules(config)
    dull = state(field_std=0.01)
    assert first_stop(rules, dataclasses.replace(dull, context=state(n_samples=5).context)) is None
    assert first_stop(rules, dull) is None
    assert first_stop(rules, state(field_std=10.0)) is None, 'a promising place ends the streak'
    assert first_stop(rules, dull) is None
    stop = first_stop(rules, dull)
    assert stop is not None and stop.outcome is Outcome.CONVERGED


def test_a_promise_that_is_not_legal_does_not_count():
    config = StopConfig(converged=True, price=1.0, converged_patience=1, converged_min_samples=1)
    mixed = state()
    std = torch.tensor([0.01, 0.01, 10.0], dtype=torch.float64)
    mixed = dataclasses.replace(mixed, posterior=Posterior(mixed.posterior.mean, std))
    stop = first_stop(make_stop_rules(config), mixed)
    assert stop is not None and stop.outcome is Outcome.CONVERGED


def test_every_rule_is_asked_so_that_none_loses_count():
    config = StopConfig(
        max_time_s=1.0, converged=True, price=1.0, converged_patience=2, converged_min_samples=1
    )
    rules = make_stop_rules(config)
    dull = state(field_std=0.01, elapsed_s=2.0)
    assert first_stop(rules, dull).outcome is Outcome.TIME_UP
    assert first_stop(rules, dataclasses.replace(dull, elapsed_s=0.0)).outcome is Outcome.CONVERGED
