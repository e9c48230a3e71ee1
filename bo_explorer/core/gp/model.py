# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Learning the hyperparameters: the most probable ones, given samples and priors."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy.optimize import minimize

from ..config import ModelConfig
from ..types import FloatArray, Samples
from .hyperparameters import Hyperparameters, initial_hyperparameters, location_and_scale
from .log_posterior import ExactModel, LogPosterior

__all__ = ['FitReport', 'Hyperparameters', 'fit', 'initial_hyperparameters']

MAX_FIT_SAMPLES = 200
"""Most samples one fit looks at; of more, a spread-out subset with the highest values is taken."""

# Bounds, in sides, and in standard deviations of the values.
_MAX_LENGTHSCALE = 2.0
_SIGNAL_BOUNDS = (0.1, 20.0)
_NOISE_BOUNDS = (0.01, 2.0)

_MAX_ITERATIONS = 60


@dataclass(frozen=True)
class FitReport:
    """
    What came of a fit.

    :param hyperparameters: the learned ones, or those the fit started from.
    :param log_likelihood: log marginal likelihood of the samples fitted, sensor unit, or NaN where
        there is none.
    :param is_fitted: whether the hyperparameters are learned ones.
    :param message: one sentence.
    """

    hyperparameters: Hyperparameters
    log_likelihood: float
    is_fitted: bool
    message: str


def fit(
    samples: Samples,
    config: ModelConfig,
    start: Hyperparameters,
    *,
    side_m: float,
    spacing_m: float,
) -> FitReport:
    """
    Learn the most probable hyperparameters; never raises, whatever the samples are.

    L-BFGS-B runs from ``start`` and from the initial guess; the better end is taken. The result
    depends on the arguments alone.

    :param samples: shape ``(N, D)``; above :data:`MAX_FIT_SAMPLES` a subset stands for them.
    :param config: kernel, ``ard``, and ``noise_std`` where it is known: it is then kept.
    :param start: the hyperparameters in force, kept if the fit fails.
    :param side_m: square root of the search area, metres.
    :param spacing_m: candidate spacing, metres: no lengthscale below half of it is believed.
    :return: the outcome, with a message where it is a failure.
    """
    _, scale = location_and_scale(samples.values)
    if len(samples) < 3 or np.ptp(samples.values) <= 1e-10 * np.abs(samples.values).max():
        return FitReport(start, math.nan, False, 'the samples do not vary enough to learn from')
    try:
        with _one_thread():
            return _fit(_subset(samples), config, start, side_m, spacing_m, scale)
    except (ArithmeticError, RuntimeError, ValueError, Warning) as error:
        # Torch and GPyTorch raise RuntimeError for factors that do not exist; tests turn the
        # warning GPyTorch gives for added jitter into an error.
        return FitReport(start, math.nan, False, f'the fit failed: {error}')


def _fit(
    samples: Samples,
    config: ModelConfig,
    start: Hyperparameters,
    side_m: float,
    spacing_m: float,
    scale: float,
) -> FitReport:
    centre = float(samples.values.mean())
    values = (samples.values - centre) / scale
    dimension = samples.points.shape[1]
    model = ExactModel(
        torch.from_numpy(samples.points / side_m),
        torch.from_numpy(values),
        torch.from_numpy(samples.counts.copy()),
        config.kernel,
        config.ard,
    )
    log_posterior = LogPosterior(model)
    axes = dimension if config.ard else 1
    bounds = _bounds(axes, 0.5 * spacing_m / side_m, values, config.noise_std / scale)
    guess = initial_hyperparameters(config, side_m, dimension, samples)
    low, high = np.array(bounds).T
    starts = [
        np.clip(_to_theta(h, axes, side_m, centre, scale), low, high)
        for h in dict.fromkeys([start, guess])
    ]
    best = None
    for theta in starts:
        found = minimize(
            log_posterior,
            theta,
            jac=True,
            method='L-BFGS-B',
            bounds=bounds,
            options={'maxiter': _MAX_ITERATIONS, 'ftol': 1e-7, 'gtol': 1e-4},
        )
        if best is None or found.fun < best.fun:
            best = found
    assert best is not None
    lengthscales = side_m * np.exp(best.x[:axes])
    signal_std, noise_std = scale * np.exp(best.x[axes : axes + 2])
    hyperparameters = Hyperparameters(
        config.kernel,
        tuple(lengthscales.tolist()) * (dimension // axes),
        float(signal_std),
        float(noise_std) if math.isnan(config.noise_std) else config.noise_std,
        centre + scale * float(best.x[-1]),
    )
    # A change of unit adds a constant per sample to the log density of the values.
    log_likelihood = log_posterior.log_likelihood(best.x) - len(samples) * math.log(scale)
    return FitReport(
        hyperparameters, log_likelihood, True, f'fitted {len(samples)} samples, {best.nit} steps'
    )


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread: on small matrices its threads and those of BLAS only fight."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _bounds(
    axes: int, min_lengthscale: float, values: FloatArray, noise_std: float
) -> list[tuple[float, float]]:
    """Return the bounds of the parameter vector; a known ``noise_std`` has no room."""
    longest = math.log(_MAX_LENGTHSCALE)
    shortest = min(math.log(min_lengthscale), longest)
    known = None if math.isnan(noise_std) else (math.log(noise_std), math.log(noise_std))
    noise = known or (math.log(_NOISE_BOUNDS[0]), math.log(_NOISE_BOUNDS[1]))
    return [
        *[(shortest, longest)] * axes,
        (math.log(_SIGNAL_BOUNDS[0]), math.log(_SIGNAL_BOUNDS[1])),
        noise,
        (float(values.min()), float(values.max())),
    ]


def _to_theta(
    h: Hyperparameters, axes: int, side_m: float, centre: float, scale: float
) -> FloatArray:
    lengthscales = np.log(np.array(h.lengthscales) / side_m)
    # One lengthscale for all axes starts at their geometric mean.
    lengthscales = lengthscales if axes > 1 else lengthscales.mean(keepdims=True)
    spreads = np.log(np.array([h.signal_std, h.noise_std]) / scale)
    return np.concatenate([lengthscales, spreads, [(h.mean - centre) / scale]])


def _subset(samples: Samples) -> Samples:
    """
    Return the highest quarter of the allowed number and an even spread of the others.

    The peak decides the mission, and evenly taken samples keep the spread of the flight.
    """
    n = len(samples)
    if n <= MAX_FIT_SAMPLES:
        return samples
    order = np.argsort(-samples.values, kind='stable')
    highest, others = np.split(order, [MAX_FIT_SAMPLES // 4])
    others = np.sort(others)
    room = MAX_FIT_SAMPLES - len(highest)
    spread = others[np.linspace(0, len(others) - 1, room).round().astype(np.intp)]
    taken = np.sort(np.concatenate([highest, spread]))
    return Samples(samples.points[taken], samples.values[taken], samples.counts[taken])
