# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The Gittins index is the price at which a place is just worth opening."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.acquisition.pandora import gittins_index, worth_opening
from bo_explorer.core.types import Posterior

from .beliefs import belief, context, random_belief, random_distance, tensor
from .test_normal import INVERSES

means = st.floats(-10.0, 10.0)
stds = st.floats(1e-6, 10.0)
costs = st.floats(1e-6, 10.0)
prices = st.floats(1e-6, 10.0)


def index(mean, std, cost, price):
    return float(gittins_index(belief([mean], [std]), tensor(cost), price))


@pytest.mark.parametrize(('r', 'u'), INVERSES.items())
def test_it_agrees_with_the_table_of_the_inverse(r, u):
    # A cost of 1 leaves the whole ratio to the price.
    assert index(0.0, 1.0, 1.0, r) == pytest.approx(-u, abs=1e-9)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(mean=means, std=st.floats(0.05, 10.0), cost=costs, price=st.floats(1e-3, 10.0))
def test_the_improvement_on_the_index_is_the_price(mean, std, cost, price):
    """Independent of the solver: SciPy's root of the textbook formula."""

    def surplus(g):
        u = (mean - g) / std
        return std * (norm.pdf(u) + u * norm.cdf(u)) - price * cost

    expected = brentq(surplus, mean - price * cost - 1.0, mean + 8.0 * std, xtol=1e-13, rtol=1e-14)
    # The root can be no better than the digits the textbook formula keeps in the tail.
    slope = norm.cdf((mean - expected) / std)
    assert index(mean, std, cost, price) == pytest.approx(expected, abs=1e-10 + 1e-14 / slope)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(mean=means, std=stds, cost=costs, price=prices)
def test_it_is_at_least_the_mean_less_the_price(mean, std, cost, price):
    least = mean - price * cost
    assert index(mean, std, cost, price) >= least - 1e-12 * (1.0 + abs(least))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(mean=means, std=stds, cost=costs, price=prices, factor=st.floats(1.01, 10.0))
def test_it_rises_with_mean_and_deviation_and_falls_with_cost_and_price(
    mean, std, cost, price, factor
):
    here = index(mean, std, cost, price)
    rounding = 1e-12 * (1.0 + abs(mean) + price * cost * factor)
    assert index(mean + factor, std, cost, price) > here
    assert index(mean, std * factor, cost, price) >= here - rounding
    assert index(mean, std, cost * factor, price) <= here + rounding
    assert index(mean, std, cost, price * factor) <= here + rounding


@settings(max_examples=100, derandomize=True, deadline=None)
@given(mean=means, std=stds, cost=costs, price=prices, shift=means, scale=st.floats(0.1, 10.0))
def test_it_moves_and_scales_with_the_field(mean, std, cost, price, shift, scale):
    here = index(mean, std, cost, price)
    tolerance = 1e-11 * (1.0 + abs(mean) + abs(shift) + abs(here)) * max(scale, 1.0)
    assert index(mean + shift, std, cost, price) == pytest.approx(here + shift, abs=tolerance)
    scaled = index(scale * mean, scale * std, cost, scale * price)
    assert scaled == pytest.approx(scale * here, abs=tolerance)


@pytest.mark.parametrize('std', [0.0, 1e-15, 1e-9])
def test_without_uncertainty_it_is_the_mean_less_the_price(std):
    assert index(2.0, std, 0.5, 0.1) == pytest.approx(1.95, rel=1e-13)


def test_its_gradient_is_that_of_the_implicit_equation():
    posterior, cost = random_belief(40), 0.02 + random_distance(40)
    mean, std = posterior.mean.requires_grad_(), posterior.std.requires_grad_()
    cost.requires_grad_()
    price = 0.3
    value = gittins_index(Posterior(mean, std), cost, price)
    by_mean, by_std, by_cost = torch.autograd.grad(value.sum(), (mean, std, cost))
    u = ((mean - value) / std).detach().numpy()
    assert by_mean.numpy() == pytest.approx(1.0)
    assert by_std.numpy() == pytest.approx(norm.pdf(u) / norm.cdf(u), rel=1e-9)
    assert by_cost.numpy() == pytest.approx(-price / norm.cdf(u), rel=1e-9)


def test_the_gradient_by_the_cost_is_finite_without_uncertainty():
    std, cost = tensor(0.0).requires_grad_(), tensor(0.5).requires_grad_()
    gittins_index(Posterior(tensor(1.0), std), cost, 0.1).sum().backward()
    assert float(cost.grad) == pytest.approx(-0.1, rel=1e-12)
    assert math.isfinite(float(std.grad))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(mean=means, std=st.floats(0.01, 10.0), distance=costs, price=prices, incumbent=means)
def test_a_place_is_worth_opening_where_its_index_beats_the_incumbent(
    mean, std, distance, price, incumbent
):
    posterior, state = belief([mean], [std]), context([distance], incumbent)
    value = float(gittins_index(posterior, state.cost, price))
    if abs(value - incumbent) > 1e-9:
        assert bool(worth_opening(posterior, state, price)) is (value > incumbent)


def test_only_a_promise_above_its_price_is_worth_opening():
    posterior = belief([0.0, 0.0, -60.0, 2.0, 0.5], [1.0, 1.0, 1.0, 0.0, 0.0])
    state = context([0.1, 20.0, 0.1, 0.1, 0.1], 1.0)
    assert worth_opening(posterior, state, 0.05).tolist() == [True, False, False, True, False]


def test_nothing_unknown_is_worth_opening():
    posterior = belief([math.nan, 5.0], [1.0, math.nan])
    assert not worth_opening(posterior, context([0.1, 0.1]), 0.1).any()


@pytest.mark.parametrize('price', [0.0, -1.0, math.nan, math.inf])
def test_a_price_of_nothing_is_refused(price):
    with pytest.raises(ValueError, match="'price' must be a finite number above 0"):
        worth_opening(belief([0.0], [1.0]), context(0.1), price)


def test_the_acquisition_is_the_index_at_its_price():
    posterior, state = random_belief(9), context(random_distance(9))
    acquisition = make_acquisition('pbgi', {'price': 0.4})
    assert acquisition.price_in(state) == 0.4
    assert torch.equal(acquisition(posterior, state), gittins_index(posterior, state.cost, 0.4))
