# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Consumption learned from a falling charge, against batch regression and against the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bo_explorer.core import consumption
from bo_explorer.core.consumption import ConsumptionFilter

PER_M, PER_S = 1.0 / 1000.0, 1.0 / 200.0
NOTHING = np.zeros(4)


def belief(**options):
    return ConsumptionFilter(
        **{
            'per_m': PER_M,
            'per_s': PER_S,
            'rate_std': 0.5,
            'wind_std': 0.2,
            'gauge_std': 0.005,
            **options,
        }
    )


def reach(learned, *, measured=None, ahead=NOTHING, since=NOTHING, floor=0.0, confidence=0.98):
    return learned.reach_m(
        measured=learned.charge if measured is None else measured,
        since=np.asarray(since, dtype=float),
        ahead=np.asarray(ahead, dtype=float),
        floor=floor,
        confidence=confidence,
    )


def flown(learned, truth, *, rng=None, n=20, step_m=20.0):
    """Fly in turns and hover now and then; return the true charge left and the draws."""
    rng = rng or np.random.default_rng(0)
    charge, draws = 1.0, []
    learned.start(charge)
    for index in range(n):
        angle = 2.0 * math.pi * index / 7.0
        draw = np.array(
            [step_m, 2.0 * (index % 3 == 0), step_m * math.cos(angle), step_m * math.sin(angle)]
        )
        charge -= float(truth @ draw)
        learned.update(charge, draw)
        draws.append(draw)
    return charge, np.array(draws)


def test_it_is_bayesian_regression_on_the_falling_charge():
    """Independent oracle: the same linear model solved in one batch by generalised least squares.

    Without wandering rates the filter is exact inference in charge(k) = charge(0) - Phi(k) theta
    with accumulating scatter.
    """
    rng = np.random.default_rng(3)
    learned = belief(wind_std=0.3)
    learned._wander[:] = 0.0
    scale = np.array([PER_M, PER_S, PER_M, PER_M])
    draws = rng.uniform(0.0, [40.0, 3.0, 10.0, 10.0], size=(8, 4))
    charges = 1.0 - np.cumsum(draws @ (scale * [1.4, 0.8, 0.1, -0.2]))
    learned.start(1.0)
    scatters = []
    for charge, draw in zip(charges, draws):
        scatters.append(consumption._SCATTER * learned.share(draw))
        learned.update(charge, draw)

    features = -np.cumsum(draws * scale, axis=0)
    prior = np.diag(np.array([0.5, 0.5, 0.3, 0.3]) ** 2)
    walk = np.cumsum(scatters)
    noise = (
        0.005**2 * (np.eye(8) + 1.0)  # of each gauge reading, and of the first one
        + np.minimum.outer(walk, walk)
    )
    gain = prior @ features.T @ np.linalg.inv(features @ prior @ features.T + noise)
    mean = np.array([1.0, 1.0, 0.0, 0.0])
    mean = mean + gain @ (charges - 1.0 - features @ mean)
    covariance = prior - gain @ features @ prior
    np.testing.assert_allclose(learned.rates, mean, rtol=1e-8)
    np.testing.assert_allclose(
        learned._covariance[1:, 1:], covariance, rtol=1e-6, atol=1e-12
    )


@pytest.mark.parametrize('factor', [0.5, 1.0, 2.0])
@pytest.mark.parametrize('hover', [0.5, 1.0, 2.0])
def test_true_rates_are_found_and_the_uncertainty_falls(factor, hover):
    learned = belief()
    before = learned.rate_stds
    flown(learned, np.array([factor * PER_M, hover * PER_S, 0.0, 0.0]), n=24)
    off = np.abs(learned.rates - [factor, hover, 0.0, 0.0])
    assert (off <= 3.0 * learned.rate_stds).all()
    assert (learned.rate_stds < before).all()
    assert learned.rates[0] == pytest.approx(factor, rel=0.15)
    assert learned.rate_stds[0] < 0.3 * before[0]


def test_a_wind_nobody_configured_is_found_by_where_the_vehicle_went():
    learned = belief()
    rng = np.random.default_rng(1)
    charge = 1.0
    learned.start(charge)
    for _ in range(25):
        step = rng.normal(size=2) * 20.0
        draw = np.array([float(np.hypot(*step)), 0.0, *step])
        charge -= PER_M * (draw[0] - 0.3 * draw[2])
        learned.update(charge, draw)
    assert learned.rates[2] == pytest.approx(-0.3, abs=0.1)
    assert learned.rates[3] == pytest.approx(0.0, abs=0.1)
    # Home lies against the wind, or before it.
    into, along = (reach(learned, ahead=[0.0, 0.0, d, 0.0]) for d in (-100.0, 100.0))
    assert along - into == pytest.approx(60.0, abs=20.0)


def test_the_reach_is_the_charge_over_the_rate_where_everything_is_known():
    learned = belief(rate_std=0.0, wind_std=0.0, gauge_std=1e-9)
    learned.start(0.8)
    assert reach(learned, confidence=0.5) == pytest.approx(800.0, rel=1e-6)
    assert reach(learned, floor=0.3, confidence=0.5) == pytest.approx(500.0, rel=1e-6)
    hovered = reach(learned, ahead=[0.0, 20.0, 0.0, 0.0], confidence=0.5)
    assert hovered == pytest.approx(700.0, rel=1e-6)


def test_the_reach_is_a_quantile_of_what_the_charge_pays_for():
    """Independent oracle: sample the belief and see how often the reach is paid for."""
    learned = belief(wind_std=0.0)
    flown(learned, np.array([1.3 * PER_M, PER_S, 0.0, 0.0]), n=3)
    for confidence in (0.6, 0.9, 0.98):
        metres = reach(learned, confidence=confidence)
        rng = np.random.default_rng(7)
        states = rng.multivariate_normal(learned._mean, learned._covariance, size=200_000)
        share = metres * PER_M
        draw = share * states[:, 1] + rng.normal(size=200_000) * math.sqrt(
            consumption._SCATTER * share
        )
        assert (draw <= states[:, 0]).mean() == pytest.approx(confidence, abs=0.005)


def test_before_anything_is_learned_half_of_it_is_left_to_doubt():
    learned = belief(wind_std=0.0)
    learned.start(1.0)
    assert 400.0 < reach(learned) < 1000.0 / (1.0 + 0.5 * norm.ppf(0.98))


def test_no_more_than_the_gauge_shows_is_counted_on():
    learned = belief(rate_std=0.0, wind_std=0.0)
    learned.start(1.0)
    assert reach(learned, measured=0.3) < 300.0


@given(st.floats(1.0, 4.0), st.integers(4, 20))
def test_it_is_never_more_optimistic_than_what_was_measured(factor, n):
    """Even where the user says the consumption is known: what was drawn was drawn."""
    learned = belief(rate_std=0.0, wind_std=0.0, gauge_std=0.002)
    charge, draws = flown(learned, np.array([factor * PER_M, 0.0, 0.0, 0.0]), n=n, step_m=10.0)
    measured_rate = (1.0 - charge - 0.004) / draws[:, 0].sum()
    hover_helps = draws[:, 1].sum() * PER_S
    metres = reach(learned, measured=charge)
    explained = draws[:, 0].sum() * PER_M + hover_helps
    if explained > 0.004:
        assert metres * PER_M * max((1.0 - charge - 0.004) / explained, 1.0) <= charge + 1e-9
    assert metres <= max(charge, 0.0) / min(PER_M, measured_rate) + 1e-6


def test_a_charge_that_rises_is_another_battery_and_keeps_what_was_learned():
    learned = belief()
    flown(learned, np.array([2.0 * PER_M, PER_S, 0.0, 0.0]), n=15)
    rates, before = learned.rates, reach(learned)
    learned.update(1.0, np.array([1.0, 0.0, 0.0, 0.0]))
    assert learned.charge == 1.0
    np.testing.assert_allclose(learned.rates, rates, rtol=1e-9)
    assert before < reach(learned) < 500.0


def test_a_gauge_that_does_not_move_promises_no_endless_flight():
    learned = belief()
    learned.start(1.0)
    for _ in range(200):
        learned.update(1.0, np.array([20.0, 0.0, 0.0, 0.0]))
    assert reach(learned) <= 1.0 / (consumption._LEAST_RATE * PER_M)


@given(
    st.lists(
        st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 500.0), st.floats(0.0, 100.0)),
        max_size=30,
    )
)
def test_whatever_the_gauge_says_the_reach_is_finite_and_not_negative(reports):
    learned = belief()
    learned.start(0.9)
    for charge, metres, seconds in reports:
        learned.update(charge, np.array([metres, seconds, 0.5 * metres, 0.0]))
        metres = reach(learned, measured=charge, since=[5.0, 1.0, 0.0, 0.0])
        assert 0.0 <= metres <= charge / (consumption._LEAST_RATE * PER_M) + 1e-6
        assert (np.linalg.eigvalsh(learned._covariance) > -1e-12).all()
