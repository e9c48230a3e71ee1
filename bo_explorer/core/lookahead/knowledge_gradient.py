# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Knowledge gradient: by how much a reading is expected to raise the best mean of the map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ..acquisition.base import AcquisitionContext
from ..acquisition.log_expected_improvement import log_expected_improvement
from ..acquisition.normal import COST_FLOOR, h
from ..options import Options, option
from ..types import FloatArray
from .base import PlanningState, scattered
from .spread import first_moves, spread_order


def expected_rise(means: torch.Tensor, slopes: torch.Tensor) -> torch.Tensor:
    r"""
    Return ``E[max_i (a_i + b_i Z)] - max_i a_i`` exactly, ``Z`` being standard normal.

    Walks along the upper envelope of the lines, all rows at once. At every corner ``z`` the slope
    rises by ``d``, and the sum of ``d h(-|z|)`` over the corners is the rise [Frazier et al. 2009,
    *The knowledge-gradient policy for correlated normal beliefs*, equation 14].

    :param means: ``a``, shape ``(J,)``.
    :param slopes: ``b``, shape ``(K, J)``.
    :return: shape ``(K,)``.
    """
    means = means.expand_as(slopes)
    rise = torch.zeros(len(slopes), dtype=slopes.dtype)
    slope = slopes.amin(-1, keepdim=True)
    # From the left: the line of the least slope, the highest of those.
    value = torch.where(slopes == slope, means, -torch.inf).amax(-1, keepdim=True)
    while True:
        steeper = slopes > slope
        if not steeper.any():
            return rise
        # Rounding may put a crossing before the last one; the envelope only moves on.
        crossing = torch.where(steeper, (value - means) / (slopes - slope), torch.inf)
        corner = crossing.amin(-1, keepdim=True)
        has_corner = corner < torch.inf
        reaches = steeper & (crossing == corner)
        after = torch.where(reaches, slopes, -torch.inf).amax(-1, keepdim=True)
        after = torch.where(has_corner, after, slope)
        index = torch.where(reaches, slopes, -torch.inf).argmax(-1, keepdim=True)
        value = torch.where(has_corner, means.gather(-1, index), value)
        gain = (after - slope) * h(-torch.where(has_corner, corner, 0.0).abs())
        rise = rise + gain.squeeze(-1)
        slope = after


@dataclass(frozen=True)
class KnowledgeGradient(Options):
    """
    The expected rise of the greatest posterior mean on the grid (Frazier et al. 2009), exact.

    Unlike the expected improvement it counts what a reading tells about the places around.

    :param n_first: candidates looked into: half of them those of the greatest expected
        improvement, the others spread; all legal ones if there are no more.
    :param per_cost: whether the rise is divided by the cost of leg and stop, in sides.
    """

    n_first: int = option(128, 'Candidates looked into.', low=1, high=100000)
    per_cost: bool = option(False, 'Whether the rise is divided by the cost of leg and stop.')

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the rise, standard deviations of the field, shape ``(M,)``."""
        legal, context = state.legal, state.context
        improvement = log_expected_improvement(state.posterior, context.incumbent).numpy()
        order = spread_order(state.field_map.candidates)
        moves = first_moves(improvement, legal, order, self.n_first)
        if not len(moves):
            return scattered(len(legal), moves, np.empty(0))
        rows = torch.from_numpy(moves)
        covariance = state.field_map.covariance(rows)
        variance = covariance.gather(-1, rows.unsqueeze(-1)).clamp(min=0.0)
        slopes = covariance / (variance + state.field_map.noise_variance).sqrt()
        rise = expected_rise(state.posterior.mean, slopes)
        if self.per_cost:
            rise = rise / context.cost[rows].clamp_min(COST_FLOOR)
        return scattered(len(legal), moves, rise.numpy())

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: the policy knows no price."""
        return None
