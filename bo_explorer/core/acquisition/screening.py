# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Finding the best of very many places without scoring them all.

A simulated mission only asks which place is best, and asks it thousands of times. An acquisition
that knows a cheap approximation with a bounded error may leave out the places that cannot win; the
few that remain are scored exactly, so the choice is the same as without the screening.
"""

from __future__ import annotations

import math
from typing import Protocol, runtime_checkable

import torch

from ..types import Posterior
from .base import AcquisitionContext
from .normal import STD_FLOOR

ROUGH_ERROR = 2e-3
"""Bound of the relative error of :func:`rough_improvement`; the worst is 1.6e-3."""

UNDERFLOW = 1e-190
"""Below, an approximate improvement says nothing."""

# Further out the density is below UNDERFLOW, and exponentials that underflow are slow.
_FAR_OUT = 30.0

# h(-t) / phi(t) ~ (1 + a t) / (1 + b t + c t^2 + d t^3), fitted to the relative error.
_A, _B, _C, _D = 0.34462234, 1.61967827, 0.93352111, 0.34653228
_SQRT_HALF_PI = math.sqrt(0.5 * math.pi)

# h^-1(exp(L)) ~ (a + b L + c L^2 + d L^3) / (1 - e L + f L^2), to 0.06 between these L.
_INVERSE_RANGE = (-20.0, 1.5)
_INVERSE_ABOVE = (0.91098675, 0.86757859, -0.13194672, 0.00039484)
_INVERSE_BELOW = (0.39991072, 0.00996449)


@runtime_checkable
class Screening(Protocol):
    """An acquisition that can tell quickly where its greatest score may be."""

    def may_be_best(
        self, posterior: Posterior, context: AcquisitionContext, legal: torch.Tensor
    ) -> torch.Tensor:
        """
        Return the places that may have the greatest score among the legal ones.

        :param posterior: belief, shape ``(..., M)``.
        :param context: costs and incumbent.
        :param legal: booleans, shape ``(..., M)``.
        :return: booleans: legal places, among them every one within a billionth of the greatest
            score, and few others; shape ``(..., M)``.
        """
        ...


def rough_improvement(posterior: Posterior, threshold: torch.Tensor) -> torch.Tensor:
    """
    Return ``E[max(f - g, 0)]`` with a relative error below :data:`ROUGH_ERROR`.

    Where it is below :data:`UNDERFLOW` the result is some number below that, too.

    ``h(u) = max(u, 0) + h(-|u|)``, and ``h / phi`` of the tail is a ratio of polynomials.

    :param posterior: belief, shape ``(..., M)``.
    :param threshold: ``g``, shape ``(...)``.
    :return: standard deviations of the field, shape ``(..., M)``.
    """
    std = posterior.std.clamp_min(STD_FLOOR)
    u = (posterior.mean - threshold.unsqueeze(-1)).div_(std)
    t = u.abs().clamp_max_(_FAR_OUT)
    below = (t * _D).add_(_C).mul_(t).add_(_B).mul_(t).add_(1.0).mul_(2.0 * _SQRT_HALF_PI)
    tail = (t * t).mul_(-0.5).exp_().mul_(t.mul_(_A).add_(1.0)).div_(below)
    return u.clamp_min_(0.0).add_(tail).mul_(std)


def rough_inverse(log_value: torch.Tensor) -> torch.Tensor:
    """
    Return ``h^-1`` of ``exp(log_value)``, to 0.06 between ``exp(-20)`` and 4, else anything.

    :param log_value: any shape; changed in place.
    """
    value = log_value.clamp_(*_INVERSE_RANGE)
    (a, b, c, d), (e, f) = _INVERSE_ABOVE, _INVERSE_BELOW
    below = (value * f).sub_(e).mul_(value).add_(1.0)
    return (value * d).add_(c).mul_(value).add_(b).mul_(value).add_(a).div_(below)


def near_greatest(rough: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """
    Return where an approximation allows the greatest value.

    All legal places, where the greatest approximation is below :data:`UNDERFLOW`.

    :param rough: values of at least 0 with a relative error below :data:`ROUGH_ERROR`, shape
        ``(..., M)``.
    :param legal: booleans, shape ``(..., M)``.
    :return: booleans, shape ``(..., M)``.
    """
    rough = rough * legal.to(rough.dtype)
    greatest = rough.amax(-1, keepdim=True)
    # A billionth of a logarithm, at most 700, is less than a millionth of the value.
    least = (1.0 - ROUGH_ERROR) / (1.0 + ROUGH_ERROR) * (1.0 - 1e-6) * greatest
    return (rough >= torch.where(greatest > UNDERFLOW, least, -1.0)).logical_and_(legal)
