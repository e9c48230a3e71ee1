# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Maximising scores: over listed candidates, and over a continuous box by gradients."""

from __future__ import annotations

import numpy as np
import torch

from .ascent import Box, Function, Precision, ascend
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
    function: Function,
    lower: FloatArray,
    upper: FloatArray,
    *,
    n_raw: int,
    n_starts: int,
    generator: np.random.Generator,
    guesses: FloatArray | None = None,
    precision: Precision | None = None,
) -> tuple[FloatArray, float]:
    """
    Maximise a differentiable function over a box, by L-BFGS-B from several starts.

    The function is first evaluated at scrambled Sobol points and the guesses in one batch; the
    best ones that keep apart from each other are the starts, and climb together, one batch a
    round. Works in box coordinates, so axes may differ in unit.

    :param function: maps points ``(B, D)`` to values ``(B,)``, row by row, differentiable by
        autograd.
    :param lower: least coordinates, shape ``(D,)``.
    :param upper: greatest coordinates, shape ``(D,)``; an axis may have no width.
    :param n_raw: Sobol points, at least 1; a power of 2 covers the box best.
    :param n_starts: gradient ascents, at least 1.
    :param generator: decides the scrambling; the result depends on nothing else.
    :param guesses: more places to start from, shape ``(G, D)``; clipped to the box.
    :param precision: when an ascent ends; by default at the last digits.
    :return: the best point found, shape ``(D,)``, and its value; never worse than any Sobol point
        or guess.
    :raises ValueError: if the box or a count is not valid or no point tried has a finite value.
    """
    box = box_between(lower, upper)
    dimension = len(box.lower)
    for name, count in (('n_raw', n_raw), ('n_starts', n_starts)):
        if count < 1:
            raise ValueError(f"'{name}' must be at least 1, got {count!r}.")
    raw = sobol_points(n_raw, dimension, generator)
    if guesses is not None:
        extra = frozen_array(guesses, name='guesses', shape=(None, dimension))
        raw = torch.cat([raw, box.unit(torch.tensor(extra))])
    with torch.no_grad():
        raw_values = function(box.point(raw)).numpy()
    starts = spread_starts(raw.numpy(), raw_values, n_starts)
    if not starts:
        raise ValueError(
            f"'function' must be finite in the box, got none of {len(raw)} points so."
        )
    points, values = ascend(function, box, raw.numpy()[starts], precision)
    best, best_value = raw.numpy()[starts[0]], float(raw_values[starts[0]])
    for point, value in zip(points, values):
        if value > best_value:
            best, best_value = point, float(value)
    found: FloatArray = box.point(torch.tensor(best)).numpy()
    return found, best_value


def box_between(lower: FloatArray, upper: FloatArray) -> Box:
    """
    Return the box between two corners.

    :param lower: least coordinates, shape ``(D,)``, ``D`` at least 1.
    :param upper: greatest coordinates, shape ``(D,)``.
    :raises ValueError: if a corner is not finite, has no axis, or the shapes or order are wrong.
    """
    low = frozen_array(lower, name='lower', shape=(None,))
    high = frozen_array(upper, name='upper', shape=low.shape)
    if low.size == 0:
        raise ValueError("'lower' must have at least one axis, got none.")
    if (high < low).any():
        raise ValueError(f"'upper' must be at least lower = {low.tolist()}, got {high.tolist()}.")
    return Box(torch.tensor(low), torch.tensor(high))


def sobol_points(n: int, dimension: int, generator: np.random.Generator) -> torch.Tensor:
    """
    Return the first scrambled Sobol points of the unit box.

    :param n: how many.
    :param dimension: axes of the box.
    :param generator: decides the scrambling.
    :return: shape ``(n, dimension)``.
    """
    sobol = torch.quasirandom.SobolEngine(  # type: ignore[no-untyped-call]
        dimension, scramble=True, seed=int(generator.integers(2**31))
    )
    points: torch.Tensor = sobol.draw(n, dtype=torch.float64)
    return points


def spread_starts(points: FloatArray, values: FloatArray, k: int) -> list[int]:
    """
    Return up to ``k`` of the best points of the unit box, near neighbours taken last.

    :param points: shape ``(B, D)``.
    :param values: larger is better, shape ``(B,)``; one that is not finite is never taken.
    :param k: how many, at least 1.
    :return: indices, the best point first.
    """
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
