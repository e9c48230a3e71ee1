# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
Beliefs on a grid along many imagined futures at once, without any factorisation.

Let :math:`c` be the present posterior covariance on the grid. Reading number ``j`` of a future at
the place :math:`q_j` adds the row

:math:`b_j(x) = (c(q_j, x) - \sum_{l<j} b_l(q_j) b_l(x)) / s_j`,
:math:`s_j^2 = c(q_j, q_j) - \sum_{l<j} b_l(q_j)^2 + \sigma_n^2`,

and a reading :math:`s_j z_j` above its mean gives

:math:`m(x) = m_0(x) + \sum_j z_j b_j(x)`, :math:`v(x) = v_0(x) - \sum_j b_j(x)^2`.

Every row is a short combination of rows of ``c``, :math:`b_j = \sum_{l \le j} w_{jl} c(q_l, .)`.
Only the weights are kept: memory does not grow with the grid, and what is asked at single places
costs nothing of the size of the grid. The variance does not depend on ``z``, so futures that have
visited the same places share it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch.nn.functional import embedding_bag

from ..types import Posterior


class Reading(NamedTuple):
    """
    An imagined reading before its value is known.

    :param mean: of the field there, shape ``(..., )``.
    :param variance: latent, of the field there.
    :param step_std: standard deviation of the posterior mean there once it is read.
    """

    mean: torch.Tensor
    variance: torch.Tensor
    step_std: torch.Tensor


_Known = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]


def broadcast(*shapes: torch.Size) -> torch.Size:
    """Return the shape that tensors of all these shapes broadcast to."""
    return torch.broadcast_shapes(*shapes)  # type: ignore[no-untyped-call, no-any-return]


class Fantasies:
    """
    The beliefs of all futures; the leading axes broadcast, so shared ones have length 1.

    :param posterior: present belief on the grid, standardised, shape ``(J,)``.
    :param covariance: present posterior covariance on the grid, shape ``(J, J)``.
    :param noise_variance: of one reading, standardised.
    """

    def __init__(
        self, posterior: Posterior, covariance: torch.Tensor, noise_variance: float
    ) -> None:
        self._covariance = covariance
        self._noise = noise_variance
        self._start = posterior.mean
        self._mean = posterior.mean
        self._variance = posterior.std.square()
        self._places: torch.Tensor | None = None  # (..., H)
        self._weights: torch.Tensor | None = None  # (..., H, H), row j makes b_j
        self._normals: torch.Tensor | None = None  # (..., H)
        self._pending = 0
        self._asked: tuple[torch.Tensor, _Known] | None = None

    @property
    def posterior(self) -> Posterior:
        """Marginals on the grid after every reading so far, shape ``(..., J)``."""
        self._bring_grid_up_to_date()
        return Posterior(self._mean, self._variance.clamp(min=0.0).sqrt())

    def look(self, place: torch.Tensor) -> Reading:
        """
        Return what is known about a place of each future, before it is read.

        :param place: grid indices, shape ``(...)``.
        """
        mean, variance, _ = self._at(place)
        return Reading(mean, variance, variance / (variance + self._noise).sqrt())

    def read(
        self, place: torch.Tensor, normal: torch.Tensor, is_read: torch.Tensor | None = None
    ) -> torch.Tensor:
        """
        Imagine a reading in each future.

        :param place: grid indices, shape ``(...)``.
        :param normal: ``z``, the reading above its mean in its own standard deviations;
            broadcasts with the places.
        :param is_read: futures that take the reading, shape ``(...)``; all of them if left out.
        :return: the posterior mean at the place after the reading.
        """
        mean, variance, row = self._at(place)
        std = (variance + self._noise).sqrt()
        one = torch.ones_like(std).unsqueeze(-1)
        new = (one if row is None else torch.cat([row, one], dim=-1)) / std.unsqueeze(-1)
        if is_read is not None:
            new = torch.where(is_read.unsqueeze(-1), new, 0.0)
        self._append(place, new, normal)
        self._pending += 1
        return mean + normal * variance / std

    def _at(self, place: torch.Tensor) -> _Known:
        """Return mean and variance at a place, and the weights of its row before scaling."""
        # A place is looked at before it is read.
        if self._asked is None or self._asked[0] is not place:
            self._asked = (place, self._known_at(place))
        return self._asked[1]

    def _known_at(self, place: torch.Tensor) -> _Known:
        prior = self._covariance[place, place]
        if self._places is None or self._weights is None or self._normals is None:
            return self._start[place], prior.clamp(min=0.0), None
        cross = self._covariance[self._places, place.unsqueeze(-1)]  # (..., H)
        rows = (self._weights @ cross.unsqueeze(-1)).squeeze(-1)  # (..., H): b_l(q)
        mean = self._start[place] + (rows * self._normals).sum(-1)
        variance = (prior - rows.square().sum(-1)).clamp(min=0.0)
        return mean, variance, -(rows.unsqueeze(-2) @ self._weights).squeeze(-2)

    def _append(self, place: torch.Tensor, row: torch.Tensor, normal: torch.Tensor) -> None:
        self._asked = None
        place, normal = place.unsqueeze(-1), normal.unsqueeze(-1)
        if self._places is None or self._weights is None or self._normals is None:
            self._places, self._weights, self._normals = place, row.unsqueeze(-2), normal
            return
        n = self._places.shape[-1]
        shape = broadcast(place.shape[:-1], self._places.shape[:-1])
        self._places = torch.cat(
            [self._places.expand(*shape, n), place.expand(*shape, 1)], dim=-1
        )
        weights = self._weights.new_zeros(*shape, n + 1, n + 1)
        weights[..., :n, :n] = self._weights
        weights[..., n, :] = row
        self._weights = weights
        shape = broadcast(normal.shape[:-1], self._normals.shape[:-1])
        self._normals = torch.cat(
            [self._normals.expand(*shape, n), normal.expand(*shape, 1)], dim=-1
        )

    def _bring_grid_up_to_date(self) -> None:
        """Add the rows of the readings since the last call to mean and variance."""
        if self._places is None or self._weights is None or self._normals is None:
            return
        n = self._places.shape[-1]
        for j in range(n - self._pending, n):
            row = self._row(self._places[..., : j + 1], self._weights[..., j, : j + 1])
            self._mean = torch.addcmul(self._mean, row, self._normals[..., j : j + 1])
            self._variance = torch.addcmul(self._variance, row, row, value=-1.0)
        self._pending = 0

    def _row(self, places: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Return ``sum_l weights_l c(places_l, .)`` on the grid, shape ``(..., J)``."""
        n = places.shape[-1]
        summed = embedding_bag(
            places.reshape(-1, n),
            self._covariance,
            mode='sum',
            per_sample_weights=weights.reshape(-1, n),
        )
        return summed.reshape(*places.shape[:-1], -1)
