# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Thompson sampling: go where one field that could be true has its peak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ..acquisition.base import AcquisitionContext
from ..errors import ModelError
from ..gp.field_map import JITTERS
from ..options import Options, option
from ..types import FloatArray
from .base import PlanningState, scattered
from .spread import spread_order

# Candidates are ranked by mean + 3 std: below the best of them by that, none is likely the peak.
_SIGMAS = 3.0


@dataclass(frozen=True)
class ThompsonSampling(Options):
    """
    The score is one exact joint sample of the posterior (Thompson 1933); blind to travel.

    On a larger grid the sample is drawn at the legal candidates with the greatest
    ``mu + 3 sigma``, which hold the peak of nearly every sample; the others are left out.

    :param n_points: most candidates the sample is drawn at; the time grows with the cube.
    """

    n_points: int = option(
        1024, 'Most candidates the sample is drawn at.', low=1, high=20000
    )

    def scores(self, state: PlanningState) -> FloatArray:
        """Return a sample of the field, standardised, shape ``(M,)``."""
        chosen = np.flatnonzero(state.legal)
        normals = torch.from_numpy(state.generator.standard_normal(self.n_points))
        if not len(chosen):
            return scattered(len(state.legal), chosen, np.empty(0))
        if len(chosen) > self.n_points:
            bound = (state.posterior.mean + _SIGMAS * state.posterior.std).numpy()
            rank = np.empty(len(bound))
            rank[spread_order(state.field_map.candidates)] = np.arange(len(bound))
            # Rounded, so that among places nobody knows anything of the sample is spread.
            best = np.lexsort((rank[chosen], -np.round(bound[chosen], 2)))
            chosen = np.sort(chosen[best[: self.n_points]])
        rows = torch.from_numpy(chosen)
        factor = _root(state.field_map.covariance(rows, rows))
        sample = state.posterior.mean[rows] + factor @ normals[: len(chosen)]
        return scattered(len(state.legal), chosen, sample.numpy())

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: the policy knows no price."""
        return None


def _root(covariance: torch.Tensor) -> torch.Tensor:
    """
    Return a lower Cholesky factor of a posterior covariance, which may be singular.

    :param covariance: shape ``(J, J)``.
    :raises ModelError: if no jitter of the ladder is enough.
    """
    identity = torch.eye(len(covariance), dtype=covariance.dtype)
    for jitter in (1e-10, *JITTERS[1:]):
        factor: torch.Tensor
        factor, info = torch.linalg.cholesky_ex(covariance + jitter * identity)
        if int(info) == 0 and bool(torch.isfinite(factor).all()):
            return factor
    raise ModelError(
        f'the posterior covariance of {len(covariance)} candidates has no Cholesky factor, even '
        f'with {JITTERS[-1]:g} added to its diagonal; restart the map from its samples.'
    )
