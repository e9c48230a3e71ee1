# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The expected improvement of a standard normal variable, its logarithm and its inverse.

With density ``phi``, distribution ``Phi`` and ``u`` standard normal units,

``h(u) = E[max(Z + u, 0)] = phi(u) + u Phi(u)``

so that ``E[max(f - g, 0)] = sigma h((mu - g) / sigma)``. Everything here rests on two ratios that
do not underflow, taken from the scaled complementary error function (as in Ament et al. 2023,
*Unexpected improvements to expected improvement*):

- ``Phi(u) / phi(u) = sqrt(pi / 2) erfcx(-u / sqrt(2))``
- ``h(u) / phi(u) = 1 + u Phi(u) / phi(u)``

Gradients are closed forms, exact over the whole line.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from ..types import Posterior

STD_FLOOR = 1e-12
"""Least standard deviation in a quotient; no standardised value is known to twelve digits."""

COST_FLOOR = 1e-12
"""Least cost in a quotient or a logarithm, in sides."""

_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
_SQRT_HALF = math.sqrt(0.5)
_SQRT_HALF_PI = math.sqrt(0.5 * math.pi)

# Above, h(u) = u to the last bit. Below, 1 + u Phi/phi has lost three digits to cancellation and
# the asymptotic series has all of them.
_LINEAR_ABOVE = 8.0
_SERIES_BELOW = -25.0
_SERIES_TERMS = 8

_NEWTON_STEPS = 4


def standardised(
    posterior: Posterior, threshold: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Return how far the mean stands above a threshold, in standard deviations.

    :param posterior: belief, shape ``(..., M)``.
    :param threshold: value to compare with, shape ``(...)``.
    :return: ``(mean - threshold) / std`` and the ``std`` used, floored at :data:`STD_FLOOR`.
    """
    std = posterior.std.clamp_min(STD_FLOOR)
    return (posterior.mean - threshold.unsqueeze(-1)) / std, std


def distribution(u: torch.Tensor) -> torch.Tensor:
    """
    Return ``Phi(u)`` with all its digits in the left tail, where ``torch.special.ndtr`` has none.

    :param u: any shape.
    """
    return 0.5 * torch.erfc(-_SQRT_HALF * u)


def h(u: torch.Tensor) -> torch.Tensor:
    """
    Return ``phi(u) + u Phi(u)``, to 13 digits where it is not below the least float64.

    :param u: any shape.
    """
    value: torch.Tensor = _H.apply(u)  # type: ignore[no-untyped-call]
    return value


def log_h(u: torch.Tensor) -> torch.Tensor:
    """
    Return ``log h(u)``, finite for every ``u`` of magnitude up to 1e150.

    :param u: any shape.
    """
    value: torch.Tensor = _LogH.apply(u)  # type: ignore[no-untyped-call]
    return value


def inverse_log_h(log_value: torch.Tensor) -> torch.Tensor:
    """
    Return the ``u`` with ``log h(u) = log_value``, to 13 digits.

    ``log h`` is increasing and concave, so Newton's method converges from anywhere; the start
    is so near that four steps reach the last digits over -1e30 .. 700.

    :param log_value: any shape.
    """
    value: torch.Tensor = _InverseLogH.apply(log_value)  # type: ignore[no-untyped-call]
    return value


def _ratios(u: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ``Phi / phi`` and ``h / phi`` at ``min(u, 8)``."""
    u = u.clamp_max(_LINEAR_ABOVE)
    probability = _SQRT_HALF_PI * torch.special.erfcx(-_SQRT_HALF * u)
    improvement = (1.0 + u * probability).contiguous()
    # The series is taken where it is needed only: it costs more than all the rest.
    flat = u.reshape(-1)
    tail = (flat < _SERIES_BELOW).nonzero().squeeze(-1)
    if len(tail):
        improvement.view(-1)[tail] = _tail_improvement(flat[tail])
    return probability, improvement


def _tail_improvement(u: torch.Tensor) -> torch.Tensor:
    """Return ``h / phi`` far in the left tail."""
    # h / phi = w (1 - 3 w (1 - 5 w (...))), w = 1 / u^2: from Abramowitz and Stegun 26.2.12.
    w = 1.0 / (u * u)
    one = torch.ones_like(w)
    series = one
    for factor in range(2 * _SERIES_TERMS + 1, 1, -2):
        series = torch.addcmul(one, w, series, value=-float(factor))
    return w * series


def _log_h(u: torch.Tensor, improvement: torch.Tensor) -> torch.Tensor:
    """Return ``log h`` from the ratio ``h / phi``."""
    value = improvement.log() - 0.5 * u * u - _LOG_SQRT_2PI
    is_linear = u > _LINEAR_ABOVE
    if bool(is_linear.any()):
        value[is_linear] = u[is_linear].log()
    return value


def _log_h_and_slope(u: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ``log h`` and its derivative ``Phi / h``."""
    probability, improvement = _ratios(u)
    slope = torch.where(
        u > _LINEAR_ABOVE, 1.0 / u.clamp_min(1.0), probability / improvement
    )
    return _log_h(u, improvement), slope


def _start(log_value: torch.Tensor) -> torch.Tensor:
    """Return a first guess of the inverse of ``log h``."""
    z = (-2.0 * (log_value + _LOG_SQRT_2PI)).clamp_min(0.0)
    # h ~ phi / u^2 in the tail, so u^2 ~ z - 2 log u^2; halving z in the logarithm fits the rest.
    left = -(z - 2.0 * torch.log1p(0.5 * z)).clamp_min(0.0).sqrt()
    # h(u) - u falls from the right like an exponential of h; the rate is a fit, good to 0.05.
    value = log_value.exp()
    right = value - torch.exp(-2.3 * value)
    return torch.where(log_value > -1.5, right, left)


class _H(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, u: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(u)
        _, improvement = _ratios(u)
        density = torch.exp(-0.5 * u * u - _LOG_SQRT_2PI)
        return torch.where(u > _LINEAR_ABOVE, u, density * improvement)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        (u,) = ctx.saved_tensors
        return gradient * distribution(u)


class _LogH(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, u: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(u)
        return _log_h(u, _ratios(u)[1])

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        (u,) = ctx.saved_tensors
        return gradient * _log_h_and_slope(u)[1]


class _InverseLogH(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, log_value: torch.Tensor) -> torch.Tensor:
        u = _start(log_value)
        for _ in range(_NEWTON_STEPS):
            value, slope = _log_h_and_slope(u)
            u = u - (value - log_value) / slope
        ctx.save_for_backward(u)
        return u

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        (u,) = ctx.saved_tensors
        return gradient / _log_h_and_slope(u)[1]
