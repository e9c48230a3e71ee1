# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Maximising an acquisition over a continuous box instead of a grid, for any number of axes.

The vehicle's planner chooses among candidates; studies in more dimensions cannot list them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from .acquisition.base import Acquisition, AcquisitionContext
from .ascent import Precision
from .gp.field_map import FieldMap
from .optimise import box_between, maximise
from .types import FloatArray

ContextBuilder = Callable[[torch.Tensor], AcquisitionContext]
"""Maps points ``(B, D)`` to what an acquisition may know about them, differentiable."""

_PRECISION = Precision(value=1e-10, gradient=1e-7, max_iterations=100)
_BEST_SAMPLES = 4


def distance_context(
    field_map: FieldMap,
    position: FloatArray,
    *,
    side: float,
    stop_cost: float,
    remaining: float,
    total: float,
    n_decays: int = 0,
) -> ContextBuilder:
    """
    Return contexts in which travel costs the straight line from the present place.

    :param field_map: the belief; must hold a sample.
    :param position: present place, shape ``(D,)``, metres.
    :param side: unit of the context's lengths, metres.
    :param stop_cost: cost of a stop, metres-equivalent, above 0.
    :param remaining: budget left, metres-equivalent.
    :param total: budget of the whole search, metres-equivalent.
    :param n_decays: times the Pandora's-box stopping rule has fired so far.
    """
    start = torch.tensor(position, dtype=torch.float64)
    incumbent = field_map.sample_posterior().mean.max()
    # The length has no slope at 0; a millionth of a side more gives it one.
    least = (1e-6 * side) ** 2

    def context(points: torch.Tensor) -> AcquisitionContext:
        distance = ((points - start).square().sum(-1) + least).sqrt() / side
        return AcquisitionContext(
            incumbent=incumbent,
            distance=distance,
            cost=distance + stop_cost / side,
            remaining=remaining / side,
            total=total / side,
            n_samples=len(field_map.samples),
            dimension=len(start),
            n_decays=n_decays,
        )

    return context


def maximise_acquisition(
    field_map: FieldMap,
    acquisition: Acquisition,
    context: ContextBuilder,
    lower: FloatArray,
    upper: FloatArray,
    *,
    generator: np.random.Generator,
    n_raw: int = 512,
    n_starts: int = 8,
    precision: Precision = _PRECISION,
) -> tuple[FloatArray, float]:
    """
    Maximise an acquisition over a box.

    Besides the whole box, places round the best samples are tried: in many dimensions the best
    improvement hides in a basin that no raw point meets.

    :param field_map: the belief; its candidates are not used.
    :param acquisition: what to maximise.
    :param context: what the acquisition may know, e.g. :func:`distance_context`.
    :param lower: least coordinates, shape ``(D,)``, metres.
    :param upper: greatest coordinates, shape ``(D,)``, metres.
    :param generator: decides all random numbers; the result depends on nothing else.
    :param n_raw: Sobol points, at least 1; a power of 2 covers the box best. A quarter as many
        places are tried round the best samples.
    :param n_starts: gradient ascents, at least 1.
    :param precision: when an ascent ends.
    :return: the best point, shape ``(D,)``, and its score.
    :raises ValueError: if the box or a count is not valid or no score is finite.
    """
    box = box_between(lower, upper)

    def score(points: torch.Tensor) -> torch.Tensor:
        return acquisition(field_map.posterior_at(points), context(points))

    return maximise(
        score,
        lower,
        upper,
        n_raw=n_raw,
        n_starts=n_starts,
        generator=generator,
        guesses=_round_best_samples(
            field_map, (box.upper - box.lower).numpy(), n_raw // 4, generator
        ),
        precision=precision,
    )


def _round_best_samples(
    field_map: FieldMap, width: FloatArray, n: int, generator: np.random.Generator
) -> FloatArray:
    """Return places at all scales round the samples of highest mean, shape ``(n, D)``."""
    samples = field_map.samples
    if not len(samples):
        return np.empty((0, len(width)))
    means = field_map.sample_posterior().mean.numpy()
    best = samples.points[np.argsort(-means, kind='stable')[:_BEST_SAMPLES]]
    reach = np.minimum(np.array(field_map.hyperparameters.lengthscales), width)
    steps = generator.standard_normal((n, len(width)))
    scales = 10.0 ** generator.uniform(-2.0, 0.0, (n, 1))
    around: FloatArray = best[np.arange(n) % len(best)] + scales * reach * steps
    return around
