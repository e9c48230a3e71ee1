# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Learning the hyperparameters: a GPyTorch model, priors, and the most probable values under both.

The fit works on standardised data: values by their mean and spread, positions by the side of the
search area. All parameters but the mean are fitted as logarithms, so they stay positive and their
priors are log-normal with the mode of the logarithm at the stated centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import gpytorch
import numpy as np
import torch
from gpytorch.constraints import Positive
from gpytorch.kernels import MaternKernel, RBFKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.priors import NormalPrior
from linear_operator.operators import DiagLinearOperator
from scipy.optimize import minimize

from ..config import ModelConfig
from ..types import FloatArray, Samples
from .hyperparameters import (
    INITIAL_LENGTHSCALE,
    INITIAL_NOISE,
    Hyperparameters,
    initial_hyperparameters,
    location_and_scale,
)

__all__ = ['FitReport', 'Hyperparameters', 'fit', 'initial_hyperparameters']

MAX_FIT_SAMPLES = 200
"""Most samples one fit looks at; of more, a spread-out subset with the highest values is taken."""

# Widths of the priors, in natural logarithms; the mean has its own, in standard deviations.
_LENGTHSCALE_WIDTH, _SIGNAL_WIDTH, _NOISE_WIDTH, _MEAN_WIDTH = 0.8, 0.8, 1.5, 1.0

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


class CountLikelihood(GaussianLikelihood):  # type: ignore[misc]
    """
    Gaussian noise of one learned size per reading, divided by the readings behind each sample.

    :param counts: shape ``(N,)``.
    """

    def __init__(self, counts: torch.Tensor) -> None:
        super().__init__(noise_constraint=_logarithmic())
        self.counts = counts

    def _shaped_noise_covar(
        self, base_shape: torch.Size, *params: object, **kwargs: object
    ) -> DiagLinearOperator:
        return DiagLinearOperator(self.noise / self.counts)


class ExactModel(gpytorch.models.ExactGP):  # type: ignore[misc]
    """
    Gaussian process with constant mean on standardised samples.

    :param points: shape ``(N, D)``, in sides.
    :param values: shape ``(N,)``, in standard deviations of the data.
    :param counts: shape ``(N,)``.
    :param kernel: name of the kernel.
    :param ard: whether every axis has its own lengthscale.
    """

    def __init__(
        self,
        points: torch.Tensor,
        values: torch.Tensor,
        counts: torch.Tensor,
        kernel: str,
        ard: bool,
    ) -> None:
        super().__init__(points, values, CountLikelihood(counts))
        axes = points.shape[-1] if ard else None
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = ScaleKernel(
            _base_kernel(kernel, axes), outputscale_constraint=_logarithmic()
        )
        self.double()
        self.mean_module.register_prior(
            'mean_prior', _normal(0.0, _MEAN_WIDTH), lambda module: module.constant
        )
        self.covar_module.base_kernel.register_prior(
            'lengthscale_prior',
            _normal(math.log(INITIAL_LENGTHSCALE), _LENGTHSCALE_WIDTH),
            lambda module: module.lengthscale.log(),
        )
        self.covar_module.register_prior(
            'signal_prior',
            _normal(0.0, _SIGNAL_WIDTH),
            lambda module: 0.5 * module.outputscale.log(),
        )
        self.likelihood.register_prior(
            'noise_prior',
            _normal(math.log(INITIAL_NOISE), _NOISE_WIDTH),
            lambda module: 0.5 * module.noise.log(),
        )

    def forward(self, points: torch.Tensor) -> gpytorch.distributions.MultivariateNormal:
        """Return the prior at ``points``, shape ``(N, D)``."""
        return gpytorch.distributions.MultivariateNormal(
            self.mean_module(points), self.covar_module(points)
        )


class LogPosterior:
    """
    Log density of samples and parameters together, as a function of one parameter vector.

    The vector is ``[log lengthscales..., log signal_std, log noise_std, mean]``, standardised.

    :param model: holds the samples.
    """

    def __init__(self, model: ExactModel) -> None:
        self.model = model
        self._axes = model.covar_module.base_kernel.raw_lengthscale.numel()
        self._objective = gpytorch.mlls.ExactMarginalLogLikelihood(model.likelihood, model)
        model.train()

    def log_likelihood(self, theta: FloatArray) -> float:
        """Return the log marginal likelihood alone, without priors."""
        self._set(theta)
        with torch.no_grad(), _exact():
            output = self.model.likelihood(self.model(*self.model.train_inputs))
            return float(output.log_prob(self.model.train_targets))

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """
        Return minus the log density and its gradient.

        :raises ArithmeticError: if one of them is not finite.
        """
        self._set(theta)
        with _exact():
            output = self.model(*self.model.train_inputs)
            # GPyTorch divides by the number of samples.
            loss = -len(output.mean) * self._objective(output, self.model.train_targets)
        gradients = torch.autograd.grad(loss, self._parameters())
        gradient = torch.cat([part.reshape(-1) for part in gradients]).numpy()
        # The model holds variances, the vector standard deviations: d log v = 2 d log s.
        gradient[self._axes : self._axes + 2] *= 2.0
        if not (math.isfinite(loss.item()) and np.isfinite(gradient).all()):
            raise ArithmeticError('the likelihood is not finite')
        return loss.item(), gradient

    def _parameters(self) -> list[torch.Tensor]:
        covariance = self.model.covar_module
        return [
            covariance.base_kernel.raw_lengthscale,
            covariance.raw_outputscale,
            self.model.likelihood.noise_covar.raw_noise,
            self.model.mean_module.raw_constant,
        ]

    def _set(self, theta: FloatArray) -> None:
        raw = np.array(theta, dtype=np.float64)
        raw[self._axes : self._axes + 2] *= 2.0
        parts = np.split(raw, [self._axes, self._axes + 1, self._axes + 2])
        with torch.no_grad():
            for parameter, part in zip(self._parameters(), parts):
                parameter.copy_(torch.from_numpy(part).reshape(parameter.shape))


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


def _base_kernel(name: str, axes: int | None) -> gpytorch.kernels.Kernel:
    if name == 'squared_exponential':
        return RBFKernel(ard_num_dims=axes, lengthscale_constraint=_logarithmic())
    smoothness = {'matern32': 1.5, 'matern52': 2.5}[name]
    return MaternKernel(smoothness, ard_num_dims=axes, lengthscale_constraint=_logarithmic())


def _normal(centre: float, width: float) -> NormalPrior:
    """Return a prior whose numbers are not rounded to float32, as plain ones would be."""
    return NormalPrior(*torch.tensor([centre, width], dtype=torch.float64))


def _logarithmic() -> Positive:
    """Return the constraint under which GPyTorch's raw parameter is the logarithm."""
    return Positive(transform=torch.exp, inv_transform=torch.log)


def _exact() -> gpytorch.settings.fast_computations:
    """Return the context in which GPyTorch factorises instead of estimating."""
    return gpytorch.settings.fast_computations(
        covar_root_decomposition=False, log_prob=False, solves=False
    )

