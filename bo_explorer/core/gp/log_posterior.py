# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The density that is maximised when the hyperparameters are learned: a GPyTorch model with priors.

Values are standardised by their mean and spread, positions by the side of the search area. All
parameters but the mean are logarithms, so they stay positive and their priors are log-normal, with
the most probable logarithm at the stated centre.
"""

from __future__ import annotations

import math

import gpytorch
import numpy as np
import torch
from gpytorch.constraints import Positive
from gpytorch.kernels import MaternKernel, RBFKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.priors import NormalPrior
from linear_operator.operators import DiagLinearOperator

from ..types import FloatArray
from .hyperparameters import INITIAL_LENGTHSCALE, INITIAL_NOISE

# Widths of the priors, in natural logarithms; that of the mean in standard deviations. The one of
# the lengthscale (95 % between 0.07 and 0.5 sides) keeps a few readings of noise, before the first
# signal is found, from being taken for a field with tiny details.
_LENGTHSCALE_WIDTH, _SIGNAL_WIDTH, _NOISE_WIDTH, _MEAN_WIDTH = 0.5, 0.8, 1.5, 1.0


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
