# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The usual test functions of global optimisation, negated so that the best is a maximum.

Formulas and domains as in [SB] unless a function says otherwise. The rectangle of the field is
mapped onto the domain of the function, axis by axis.

[SB] Surjanovic, Bingham: Virtual Library of Simulation Experiments, sfu.ca/~ssurjano.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.types import FloatArray
from .base import Bounds, Function, KnownField, searched_field

if TYPE_CHECKING:
    from ..config import FieldConfig

# Rows of A and P and the weights alpha of the Hartmann function in six dimensions [SB].
_HARTMANN_ALPHA = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN_A = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
_HARTMANN_P = 1e-4 * np.array(
    [
        [1312.0, 1696.0, 5569.0, 124.0, 8283.0, 5886.0],
        [2329.0, 4135.0, 8307.0, 3736.0, 1004.0, 9991.0],
        [2348.0, 1451.0, 3522.0, 2883.0, 3047.0, 6650.0],
        [4047.0, 8828.0, 8732.0, 5743.0, 1091.0, 381.0],
    ]
)

HARTMANN6_OPTIMUM = np.array([0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573])
"""Best place of :func:`hartmann6` to six digits [SB], shape ``(6,)``."""


def ackley(x: FloatArray) -> FloatArray:
    """
    Return the negated Ackley function, 0 at the origin.

    ``20 exp(-0.2 sqrt(mean x_i^2)) + exp(mean cos 2 pi x_i) - 20 - e``

    :param x: shape ``(M, D)``.
    :return: shape ``(M,)``.
    """
    bowl = 20.0 * np.exp(-0.2 * np.sqrt((x**2).mean(axis=1)))
    values: FloatArray = bowl + np.exp(np.cos(2.0 * np.pi * x).mean(axis=1)) - 20.0 - np.e
    return values


def branin(x: FloatArray) -> FloatArray:
    """
    Return the negated Branin function: three equal best places, -0.397887.

    ``-((x1 - 5.1 x0^2 / (4 pi^2) + 5 x0 / pi - 6)^2 + 10 (1 - 1 / (8 pi)) cos x0 + 10)``

    :param x: shape ``(M, 2)``.
    :return: shape ``(M,)``.
    """
    first, second = x[:, 0], x[:, 1]
    bow = second - 5.1 * first**2 / (4.0 * np.pi**2) + 5.0 * first / np.pi - 6.0
    return -(bow**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(first) + 10.0)


def hartmann6(x: FloatArray) -> FloatArray:
    """
    Return the negated Hartmann function of six dimensions, 3.32237 at its best.

    ``sum_i alpha_i exp(-sum_j A_ij (x_j - P_ij)^2)``

    :param x: shape ``(M, 6)``, each coordinate in 0..1.
    :return: shape ``(M,)``.
    """
    squares = (x[:, np.newaxis, :] - _HARTMANN_P) ** 2  # (M, 4, 6)
    values: FloatArray = np.exp(-(_HARTMANN_A * squares).sum(axis=2)) @ _HARTMANN_ALPHA
    return values


def hartmann_slice(x: FloatArray) -> FloatArray:
    """
    Return :func:`hartmann6` over its first two coordinates, the other four at their best.

    :param x: shape ``(M, 2)``, each coordinate in 0..1.
    :return: shape ``(M,)``.
    """
    rest = np.broadcast_to(HARTMANN6_OPTIMUM[2:], (x.shape[0], 4))
    return hartmann6(np.hstack([x, rest]))


def levy(x: FloatArray) -> FloatArray:
    """
    Return the negated Levy function, 0 at ``(1, ..., 1)``.

    With ``w = 1 + (x - 1) / 4``: ``-(sin^2 pi w_1 + sum_i (w_i - 1)^2 (1 + 10 sin^2(pi w_i + 1))
    + (w_D - 1)^2 (1 + sin^2 2 pi w_D))``, the sum over all but the last coordinate.

    :param x: shape ``(M, D)``.
    :return: shape ``(M,)``.
    """
    w = 1.0 + (x - 1.0) / 4.0
    inner, last = w[:, :-1], w[:, -1]
    body = (inner - 1.0) ** 2 * (1.0 + 10.0 * np.sin(np.pi * inner + 1.0) ** 2)
    tail = (last - 1.0) ** 2 * (1.0 + np.sin(2.0 * np.pi * last) ** 2)
    cost: FloatArray = np.sin(np.pi * w[:, 0]) ** 2 + body.sum(axis=1) + tail
    return -cost


def rosenbrock(x: FloatArray) -> FloatArray:
    """
    Return the negated Rosenbrock function, 0 at ``(1, ..., 1)``.

    ``-sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2``

    :param x: shape ``(M, D)``.
    :return: shape ``(M,)``.
    """
    head, tail = x[:, :-1], x[:, 1:]
    cost: FloatArray = (100.0 * (tail - head**2) ** 2 + (1.0 - head) ** 2).sum(axis=1)
    return -cost


@dataclass(frozen=True)
class PlaneFunction:
    """
    A function of two coordinates and where to look at it.

    :param function: ``(M, 2)`` to ``(M,)``, larger is better.
    :param low: least coordinates of the domain.
    :param high: greatest coordinates of the domain.
    :param optimum: best place in the domain.
    """

    function: Function
    low: tuple[float, float]
    high: tuple[float, float]
    optimum: tuple[float, float]


FUNCTIONS: Mapping[str, PlaneFunction] = {
    # The wide domain of [SB] is a needle in noise; this one is the usual picture of it.
    'ackley': PlaneFunction(ackley, (-5.0, -5.0), (5.0, 5.0), (0.0, 0.0)),
    'branin': PlaneFunction(branin, (-5.0, 0.0), (10.0, 15.0), (np.pi, 2.275)),
    'hartmann': PlaneFunction(hartmann_slice, (0.0, 0.0), (1.0, 1.0), (0.20169, 0.150011)),
    'levy': PlaneFunction(levy, (-10.0, -10.0), (10.0, 10.0), (1.0, 1.0)),
    'rosenbrock': PlaneFunction(rosenbrock, (-5.0, -5.0), (10.0, 10.0), (1.0, 1.0)),
}
"""Functions by the name the option ``simulator.field.function`` takes."""


def analytic_field(plane_function: PlaneFunction, bounds: Bounds) -> KnownField:
    """
    Stretch a test function over a rectangle.

    :param plane_function: what to stretch.
    :param bounds: rectangle its domain is mapped to, metres.
    """
    corner, size = np.array(bounds[:2]), np.array(bounds[2:]) - np.array(bounds[:2])
    low, high = np.array(plane_function.low), np.array(plane_function.high)

    def value(points: FloatArray) -> FloatArray:
        return plane_function.function(low + (points - corner) / size * (high - low))

    best = corner + (np.array(plane_function.optimum) - low) / (high - low) * size
    return searched_field(value, bounds, best=best)


def make(config: FieldConfig, rng: np.random.Generator, base: Path | None) -> KnownField:
    """Build the field the options ask for; needs neither randomness nor files."""
    return analytic_field(FUNCTIONS[config.function], config.rectangle)
