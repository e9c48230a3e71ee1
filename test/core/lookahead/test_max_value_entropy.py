# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Max-value entropy search against integrals and sampled maxima."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import norm

from bo_explorer.core.lookahead.max_value_entropy import (
    MaxValueEntropy,
    information_gain,
    sampled_maxima,
)
from bo_explorer.core.types import Posterior

from .states import STOP, lattice, planning_state


def tensor(*values):
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize('maximum', [-2.0, 0.3, 1.0, 4.0])
@pytest.mark.parametrize('std', [0.1, 1.0, 3.0])
def test_the_gain_is_the_entropy_lost_by_cutting_the_density_off(maximum, std):
    mean = 0.5
    kept = norm.cdf(maximum, mean, std)
    log_kept = norm.logcdf(maximum, mean, std)

    def minus_p_log_p(f):
        log_p = norm.logpdf(f, mean, std) - log_kept
        return -np.exp(log_p) * log_p

    low = min(mean, maximum) - 12.0 * std
    left, _ = quad(minus_p_log_p, low, maximum, limit=200, points=[maximum - 0.1 * std])
    lost = norm.entropy(mean, std) - left
    gain = information_gain(Posterior(tensor(mean), tensor(std)), tensor(maximum))
    if kept > 1e-60:
        assert float(gain) == pytest.approx(lost, rel=1e-5, abs=1e-8)


def test_the_gain_is_the_mean_over_the_maxima():
    posterior = Posterior(tensor(0.0, 1.0), tensor(1.0, 0.3))
    both = information_gain(posterior, tensor(1.5, 2.5))
    alone = [information_gain(posterior, tensor(value)) for value in (1.5, 2.5)]
    torch.testing.assert_close(both, 0.5 * (alone[0] + alone[1]))


def test_a_place_that_is_known_tells_nothing():
    gain = information_gain(Posterior(tensor(0.0, 3.0), tensor(0.0, 0.0)), tensor(2.0))
    assert torch.equal(gain, torch.zeros(2, dtype=torch.float64))


@pytest.mark.parametrize('far', [-1e3, -40.0, 40.0, 1e3])
def test_the_gain_is_finite_far_from_the_maximum(far):
    gain = information_gain(Posterior(tensor(0.0), tensor(1.0)), tensor(far))
    assert torch.isfinite(gain).all()
    assert float(gain) >= 0.0


def test_maxima_have_the_quartiles_of_the_maximum_of_independent_places():
    rng = np.random.default_rng(0)
    mean, std = rng.normal(size=40), rng.uniform(0.1, 1.0, 40)
    maxima = sampled_maxima(Posterior(tensor(*mean), tensor(*std)), -10.0, 4000)
    drawn = (mean + std * rng.normal(size=(200_000, 40))).max(1)
    for p in (0.25, 0.5, 0.75):
        quantile = float(torch.quantile(maxima, p))
        assert quantile == pytest.approx(float(np.quantile(drawn, p)), abs=0.01)
    assert float(maxima.mean()) == pytest.approx(float(drawn.mean()), abs=0.02)


def test_no_maximum_is_below_the_floor():
    posterior = Posterior(tensor(-1.0, -2.0), tensor(0.1, 0.1))
    assert float(sampled_maxima(posterior, 0.5, 16).min()) == 0.5


def test_a_certain_field_has_one_maximum():
    maxima = sampled_maxima(Posterior(tensor(-1.0, 2.0), tensor(0.0, 0.0)), -10.0, 8)
    torch.testing.assert_close(maxima, torch.full((8,), 2.0, dtype=torch.float64))


def test_the_gain_by_cost_is_divided_by_leg_and_stop():
    state = planning_state(lattice(6))
    plain, by_cost = (MaxValueEntropy(per_cost=flag).scores(state) for flag in (False, True))
    legal = state.legal
    cost = (state.leg_costs_m + STOP) / state.side_m
    np.testing.assert_allclose(by_cost[legal], plain[legal] / cost[legal], rtol=1e-12)
    assert (plain[legal] > 0.0).all()


def test_the_entropy_search_of_botorch_agrees_for_the_same_maxima():
    # Its gain for one maximum is the ratio form without noise that is written out here.
    posterior = Posterior(tensor(0.2, 0.9, -1.0), tensor(0.5, 0.2, 1.2))
    maxima = tensor(1.1, 1.7)
    normal = torch.distributions.Normal(0.0, 1.0)
    u = (maxima.unsqueeze(-1) - posterior.mean) / posterior.std
    cdf, pdf = normal.cdf(u), normal.log_prob(u).exp()
    expected = (u * pdf / (2.0 * cdf) - cdf.log()).mean(0)
    torch.testing.assert_close(information_gain(posterior, maxima), expected)
