# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Maximising scores: over listed candidates, and over a continuous box by gradients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from scipy.optimize import minimize

from .types import BoolArray, FloatArray, frozen_array

TIE_TOLERANCE = 1e-9
"""
Scores closer to the maximum than this part of its magnitude count as equal to it.

Scores come out of sums whose last digits depend on the processor and its number of threads. An
exact comparison would let those digits choose between places that symmetry makes equal, and a
mission could not be replayed on another machine. Giving up a billionth of the score costs nothing.
"""


def best_candidate(scores: FloatArray, legal: BoolArray) -> int | None:
    """
    Return the legal candidate with the greatest score.

    A score that is not finite never wins. Among scores within :data:`TIE_TOLERANCE` of the
    maximum the lowest index wins.

    :param scores: larger is better, shape ``(M,)``.
    :param legal: candidates that may be chosen, shape ``(M,)``.
    :return: an index, or ``None`` where no legal candidate has a finite score.
    """
    eligible = legal & np.isfinite(scores)
    if not eligible.any():
        return None
    best = scores[eligible].max()
    return int(np.argmax(eligible & (scores >= best - TIE_TOLERANCE * abs(best))))


def top_candidates(scores: FloatArray, legal: BoolArray, k: int) -> list[int]:
    """
    Return the ``k`` best candidates, best first: :func:`best_candidate` taken out ``k`` times.

    :param scores: larger is better, shape ``(M,)``.
    :param legal: candidates that may be chosen, shape ``(M,)``.
    :param k: how many, at least 0.
    :return: at most ``k`` indices; fewer where fewer legal candidates have a finite score.
    """
    left = legal.copy()
    chosen: list[int] = []
    while len(chosen) < k:
        index = best_candidate(scores, left)
        if index is None:
            break
        left[index] = False
        chosen.append(index)
    return chosen


def maximise(
    function: Callable[[torch.Tensor], torch.Tensor],
    lower: FloatArray,
    upper: FloatArray,
    *,
    n_raw: int,
    n_starts: int,
    generator: np.random.Generator,
) -> tuple[FloatArray, float]:
    """
    Maximise a differentiable function over a box, by L-BFGS-B from several starts.

    The function is first evaluated at scrambled Sobol points in one batch; the best ones that keep
    apart from each other are the starts. Works in box coordinates, so axes may differ in unit.

    :param function: maps points ``(B, D)`` to values ``(B,)``, differentiable by autograd.
    :param lower: least coordinates, shape ``(D,)``.
    :param upper: greatest coordinates, shape ``(D,)``; an axis may have no width.
    :param n_raw: Sobol points, at least 1; a power of 2 covers the box best.
    :param n_starts: gradient ascents, at least 1.
    :param generator: decides the scrambling; the result depends on nothing else.
    :return: the best point found, shape ``(D,)``, and its value; never worse than any Sobol point.
    :raises ValueError: if the box or a count is not valid or no Sobol point has a finite value.
    """
    low = frozen_array(lower, name='lower', shape=(None,))
    high = frozen_array(upper, name='upper', shape=low.shape)
    if low.size == 0:
        raise ValueError("'lower' must have at least one axis, got none.")
    if (high < low).any():
        raise ValueError(f"'upper' must be at least lower = {low.tolist()}, got {high.tolist()}.")
    for name, count in (('n_raw', n_raw), ('n_starts', n_starts)):
        if count < 1:
            raise ValueError(f"'{name}' must be at least 1, got {count!r}.")
    first, last = torch.tensor(low), torch.tensor(high)

    def in_box(unit: torch.Tensor) -> torch.Tensor:
        # This form hits both edges exactly; the clamp undoes its rounding on an axis of no width.
        return ((1.0 - unit) * first + unit * last).clamp(first, last)

    def value_and_gradient(unit: FloatArray) -> tuple[float, FloatArray]:
        point = torch.tensor(unit, dtype=torch.float64).unsqueeze(0).requires_grad_()
        with torch.enable_grad():
            value = function(in_box(point)).squeeze(0)
            (gradient,) = torch.autograd.grad(value, point)
        if not (torch.isfinite(value) and torch.isfinite(gradient).all()):
            return np.inf, np.zeros_like(unit)
        return -float(value.detach()), -gradient.squeeze(0).numpy()

    sobol = torch.quasirandom.SobolEngine(  # type: ignore[no-untyped-call]
        low.size, scramble=True, seed=int(generator.integers(2**31))
    )
    raw = sobol.draw(n_raw, dtype=torch.float64)
    with torch.no_grad():
        raw_values = function(in_box(raw)).numpy()
    starts = _spread(raw.numpy(), raw_values, n_starts)
    if not starts:
        raise ValueError(f"'function' must be finite in the box, got none of {n_raw} points so.")
    best, best_value = raw[starts[0]].numpy(), float(raw_values[starts[0]])
    for start in starts:
        result = minimize(
            value_and_gradient,
            raw[start].numpy(),
            jac=True,
            method='L-BFGS-B',
            bounds=[(0.0, 1.0)] * low.size,
            options={'ftol': 1e-15, 'gtol': 1e-9, 'maxiter': 200},
        )
        if -float(result.fun) > best_value:
            best, best_value = result.x, -float(result.fun)
    point: FloatArray = in_box(torch.tensor(best)).numpy()
    return point, best_value


def _spread(points: FloatArray, values: FloatArray, k: int) -> list[int]:
    """Return up to ``k`` of the best points of the unit box, near neighbours taken last."""
    # A quarter of the spacing of a regular lattice of k points.
    separation = 0.25 * k ** (-1.0 / points.shape[1])
    apart = np.ones(len(points), dtype=np.bool_)
    chosen: list[int] = []
    while len(chosen) < k:
        index = best_candidate(values, apart)
        if index is None:
            break
        chosen.append(index)
        apart &= np.abs(points - points[index]).max(axis=1) > separation
    rest = np.ones(len(points), dtype=np.bool_)
    rest[chosen] = False
    return chosen + top_candidates(values, rest, k - len(chosen))
