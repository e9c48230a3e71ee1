# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which place a base policy takes in each of thousands of simulated futures."""

from __future__ import annotations

import dataclasses

import torch

from ..acquisition.base import Acquisition, AcquisitionContext
from ..acquisition.screening import Screening
from ..optimise import TIE_TOLERANCE
from ..types import Posterior


def choose(
    acquisition: Acquisition,
    posterior: Posterior,
    context: AcquisitionContext,
    legal: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Return the best legal place of each future and its score, ties as ``best_candidate``.

    An acquisition that screens is scored at the places that may win only.

    :param acquisition: chooses.
    :param posterior: belief, shape ``(..., J)``; axes of length 1 are shared.
    :param context: costs and incumbent; the axes of costs likewise.
    :param legal: booleans, shape ``(..., J)``; like posterior and costs together, no axis shared
        there is longer here.
    :return: indices and scores, shape ``(...)``; minus infinity where nothing is legal.
    """
    if isinstance(acquisition, Screening):
        return _choose_screened(acquisition, posterior, context, legal)
    values = acquisition(posterior, context)
    values = torch.where(legal, values, -torch.inf)
    best = values.amax(-1, keepdim=True)
    is_best = values >= best - TIE_TOLERANCE * best.abs()
    place = is_best.to(torch.uint8).argmax(-1)
    return place, values.gather(-1, place.unsqueeze(-1)).squeeze(-1)


def _choose_screened(
    acquisition: Acquisition,
    posterior: Posterior,
    context: AcquisitionContext,
    legal: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    assert isinstance(acquisition, Screening)
    left = acquisition.may_be_best(posterior, context, legal)
    futures, n_places = left.shape[:-1], left.shape[-1]
    flat = left.reshape(-1).nonzero().squeeze(-1)
    future, place = flat // n_places, flat % n_places

    def picked(tensor: torch.Tensor) -> torch.Tensor:
        return _taken(tensor, left.shape, flat)

    scores = acquisition(
        Posterior(picked(posterior.mean), picked(posterior.std)),
        dataclasses.replace(
            context,
            incumbent=context.incumbent.expand(futures).reshape(-1)[future],
            distance=picked(context.distance),
            cost=picked(context.cost),
        ),
    ).squeeze(-1)
    n = futures.numel()
    best = scores.new_full((n,), -torch.inf).scatter_reduce_(0, future, scores, 'amax')[future]
    is_best = scores >= best - TIE_TOLERANCE * best.abs()
    future, place, scores = future[is_best], place[is_best], scores[is_best]
    first = place.new_full((n,), n_places).scatter_reduce_(0, future, place, 'amin')
    is_first = place == first[future]
    values = scores.new_full((n,), -torch.inf)
    values[future[is_first]] = scores[is_first]
    return torch.where(first < n_places, first, 0).reshape(futures), values.reshape(futures)


def _taken(tensor: torch.Tensor, shape: torch.Size, flat: torch.Tensor) -> torch.Tensor:
    """
    Return some elements of a tensor that is shared along axes of length 1, shape ``(N, 1)``.

    :param tensor: broadcasts to ``shape``.
    :param flat: indices into ``shape`` laid out flat, shape ``(N,)``.
    """
    if tensor.shape == shape:
        return tensor.reshape(-1)[flat].unsqueeze(-1)
    index, step, rest = torch.zeros_like(flat), 1, flat
    wide = (1,) * (len(shape) - tensor.dim()) + tuple(tensor.shape)
    for size, have in zip(reversed(shape), reversed(wide)):
        if have > 1:
            index += rest % size * step
            step *= have
        rest = rest // size
    return tensor.reshape(-1)[index].unsqueeze(-1)
