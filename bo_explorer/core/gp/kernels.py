# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
Stationary covariance functions of unit variance, one lengthscale per axis.

All are functions of the scaled distance :math:`r = \|(x - x') / \ell\|` [Rasmussen and Williams
2006, *Gaussian Processes for Machine Learning*, section 4.2.1]. They are differentiable in points
and lengthscales; at ``r = 0`` the gradient is 0, never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import torch

Kernel = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
"""
``kernel(x (..., M, D), y (..., N, D), lengthscales (D,))`` gives the covariance ``(..., M, N)``;
points and lengthscales are in one unit of length, float64.
"""


def scaled_distance(
    x: torch.Tensor, y: torch.Tensor, lengthscales: torch.Tensor
) -> torch.Tensor:
    """
    Return the distance of every pair after each axis is divided by its lengthscale.

    :param x: shape ``(..., M, D)``.
    :param y: shape ``(..., N, D)``.
    :param lengthscales: shape ``(D,)``, in the unit of the points.
    :return: shape ``(..., M, N)``.
    """
    # The expanded form x^2 - 2xy + y^2 loses half of the digits between near points.
    return torch.cdist(
        x / lengthscales, y / lengthscales, compute_mode='donot_use_mm_for_euclid_dist'
    )


def matern32(x: torch.Tensor, y: torch.Tensor, lengthscales: torch.Tensor) -> torch.Tensor:
    r"""
    Return the Matern covariance with smoothness 3/2: fields with one derivative.

    :math:`(1 + \sqrt3 r) e^{-\sqrt3 r}`, equation 4.17.

    :param x: shape ``(..., M, D)``.
    :param y: shape ``(..., N, D)``.
    :param lengthscales: shape ``(D,)``.
    :return: shape ``(..., M, N)``.
    """
    r = math.sqrt(3.0) * scaled_distance(x, y, lengthscales)
    return (1.0 + r) * torch.exp(-r)


def matern52(x: torch.Tensor, y: torch.Tensor, lengthscales: torch.Tensor) -> torch.Tensor:
    r"""
    Return the Matern covariance with smoothness 5/2: fields with two derivatives.

    :math:`(1 + \sqrt5 r + \tfrac53 r^2) e^{-\sqrt5 r}`, equation 4.17.

    :param x: shape ``(..., M, D)``.
    :param y: shape ``(..., N, D)``.
    :param lengthscales: shape ``(D,)``.
    :return: shape ``(..., M, N)``.
    """
    r = math.sqrt(5.0) * scaled_distance(x, y, lengthscales)
    return (1.0 + r + r.square() / 3.0) * torch.exp(-r)


def squared_exponential(
    x: torch.Tensor, y: torch.Tensor, lengthscales: torch.Tensor
) -> torch.Tensor:
    r"""
    Return the squared-exponential covariance: infinitely smooth fields.

    :math:`e^{-r^2 / 2}`, equation 4.9.

    :param x: shape ``(..., M, D)``.
    :param y: shape ``(..., N, D)``.
    :param lengthscales: shape ``(D,)``.
    :return: shape ``(..., M, N)``.
    """
    return torch.exp(-0.5 * scaled_distance(x, y, lengthscales).square())


KERNELS: Mapping[str, Kernel] = MappingProxyType(
    {
        'matern32': matern32,
        'matern52': matern52,
        'squared_exponential': squared_exponential,
    }
)
"""Kernels by the name the configuration uses."""
