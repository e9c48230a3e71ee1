# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The normal maths agrees with arbitrary precision over its whole range."""

from __future__ import annotations

import math

import pytest
import torch

from bo_explorer.core.acquisition.normal import (
    STD_FLOOR,
    distribution,
    h,
    inverse_log_h,
    log_h,
    standardised,
)

from .beliefs import belief, tensor

POINTS = (
    -60.0, -38.5, -25.1, -25.0, -24.9, -10.0, -3.0, -1.0, -1e-3, 0.0, 1e-3, 0.5,
    1.0, 3.0, 7.99, 8.0, 8.01, 30.0, 1e6,
)  # fmt: skip

INVERSES = {
    1000.0: 1000.0,
    10.0: 10.0,
    2.0: 1.991309537555,
    1.0: 0.899471561254,
    0.5: 0.188049259988,
    0.4: 0.002113656905,
    0.3: -0.216513497692,
    0.1: -0.902346347510,
    1e-2: -1.938356307290,
    1e-4: -3.363015325927,
    1e-8: -5.304507915248,
    1e-16: -7.965826309530,
    1e-40: -13.116374979345,
    1e-100: -21.129673280217,
    1e-300: -36.949568054038,
}


def exact_h(u: float):
    """``h(u)`` by 60 digits that survive the cancellation."""
    mpmath = pytest.importorskip('mpmath')
    with mpmath.workdps(60 + int(0.5 * u * u / math.log(10.0)) if u < 0.0 else 60):
        x = mpmath.mpf(u)
        # erfc keeps its digits in the left tail, where 1 - erf would lose them.
        return mpmath.npdf(x) + x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2


@pytest.mark.parametrize('u', POINTS)
def test_log_h_agrees_with_arbitrary_precision(u):
    mpmath = pytest.importorskip('mpmath')
    expected = float(mpmath.log(exact_h(u)))
    assert float(log_h(tensor(u))) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize('u', [u for u in POINTS if u > -37.0])
def test_h_agrees_with_arbitrary_precision(u):
    assert float(h(tensor(u))) == pytest.approx(float(exact_h(u)), rel=1e-12, abs=0.0)


@pytest.mark.parametrize('u', [-1e150, -1e18, -1e6, 1e18, 1e150])
def test_log_h_has_its_asymptotes_and_finite_slopes_at_extremes(u):
    at = tensor(u).requires_grad_()
    value = log_h(at)
    (slope,) = torch.autograd.grad(value.sum(), at)
    if u < 0.0:
        # Two times the logarithm of 1e150 is lost beside its square.
        expected = -0.5 * u * u - 0.5 * math.log(2.0 * math.pi) - 2.0 * math.log(-u)
        assert float(slope) == pytest.approx(-u, rel=1e-11)
    else:
        expected = math.log(u)
        assert float(slope) == pytest.approx(1.0 / u, rel=1e-14)
    assert float(value.detach()) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize('u', POINTS)
def test_the_slopes_agree_with_arbitrary_precision(u):
    mpmath = pytest.importorskip('mpmath')
    at = tensor(u).requires_grad_()
    (slope,) = torch.autograd.grad(h(at).sum(), at)
    (log_slope,) = torch.autograd.grad(log_h(at).sum(), at)
    with mpmath.workdps(60):
        probability = mpmath.erfc(-mpmath.mpf(u) / mpmath.sqrt(2)) / 2
        expected = float(probability / exact_h(u))
    assert float(distribution(tensor(u))) == float(slope)
    assert float(slope) == pytest.approx(float(probability), rel=1e-12, abs=1e-300)
    # The ratio keeps 13 digits up to the asymptotic series and all beyond.
    assert float(log_slope) == pytest.approx(expected, rel=1e-12)


def test_h_and_log_h_increase_across_their_branches():
    u = torch.linspace(-30.0, 12.0, 100_001, dtype=torch.float64)
    assert (log_h(u).diff() > 0.0).all()
    assert (h(u).diff() > 0.0).all()


@pytest.mark.parametrize(('r', 'u'), INVERSES.items())
def test_the_inverse_agrees_with_the_table(r, u):
    assert float(inverse_log_h(tensor(math.log(r)))) == pytest.approx(u, abs=1e-9)


def test_the_inverse_undoes_log_h_everywhere():
    u = torch.cat(
        [
            torch.linspace(-40.0, 9.0, 20_001, dtype=torch.float64),
            tensor(-1e15, -1e6, -1e3, -100.0, 20.0, 1e3, 1e12, 1e30),
        ]
    )
    torch.testing.assert_close(inverse_log_h(log_h(u)), u, rtol=1e-12, atol=1e-13)


def test_the_slope_of_the_inverse_is_one_over_the_slope():
    u = torch.linspace(-40.0, 12.0, 500, dtype=torch.float64, requires_grad=True)
    round_trip = inverse_log_h(log_h(u))
    (slope,) = torch.autograd.grad(round_trip.sum(), u)
    torch.testing.assert_close(slope, torch.ones_like(slope), rtol=1e-11, atol=0.0)


@pytest.mark.parametrize('function', [h, log_h, inverse_log_h])
def test_second_derivatives_equal_finite_differences(function):
    at = tensor(-20.0, -3.0, -0.4, 0.6, 2.0, 9.0).requires_grad_()
    assert torch.autograd.gradgradcheck(function, at, eps=1e-6, atol=1e-6, rtol=1e-5)


def test_standardised_values_count_deviations_above_the_threshold_of_their_batch():
    u, std = standardised(belief([[1.0, 3.0], [1.0, 3.0]], [[2.0, 0.0], [0.5, 1.0]]), tensor(0, 1))
    assert u.tolist() == [[0.5, 3.0 / STD_FLOOR], [0.0, 2.0]]
    assert std.tolist() == [[2.0, STD_FLOOR], [0.5, 1.0]]
