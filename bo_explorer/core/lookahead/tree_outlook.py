# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
What is known and spent at every node of whole scenario trees, by a few large operations.

The nodes of a tree are all known beforehand, so covariances between them, and with the samples,
are taken at once. With ``E_k`` the present posterior covariance of node ``k`` with the samples and
with all nodes, the reading imagined at ``k`` moves all those means by ``z`` times the row

:math:`G_k = (E_k - \sum_a G_a[k] G_a) / s_k`, :math:`s_k^2 = E_k[k] - \sum_a G_a[k]^2 +
\sigma_n^2`,

``a`` being the nodes above ``k`` (the bordered factor of
:mod:`~bo_explorer.core.lookahead.gp_tree`, which grows trees whose nodes are not known yet).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..types import Posterior
from .draws import Draws
from .gp_tree import PresentBelief
from .journey import Journey


@dataclass(frozen=True)
class TreeShape:
    """
    How the nodes of a tree hang together; they stand stage by stage, children of one together.

    :param widths: nodes of each stage.
    :param parents: of each node but the first, shape ``(T - 1,)``.
    :param log_weights: logarithm of the probability of each node, shape ``(T,)``.
    :param readings: imagined at each stage but the last.
    """

    widths: tuple[int, ...]
    parents: torch.Tensor
    log_weights: torch.Tensor
    readings: tuple[Draws, ...]

    @classmethod
    def of(cls, readings: tuple[Draws, ...]) -> TreeShape:
        """
        Return the shape that imagined readings make.

        :param readings: at each stage but the last.
        """
        widths, parents, weights, begin = [1], [], [torch.zeros(1, dtype=torch.float64)], 0
        for reading in readings:
            n_draws = len(reading.z)
            stage = torch.arange(begin, begin + widths[-1])
            parents.append(stage.repeat_interleave(n_draws))
            weights.append((weights[-1].unsqueeze(-1) + reading.weight.log()).flatten())
            begin += widths[-1]
            widths.append(widths[-1] * n_draws)
        above = torch.cat([torch.zeros(0, dtype=torch.long), *parents])
        return cls(tuple(widths), above, torch.cat(weights), readings)

    @property
    def stages(self) -> list[range]:
        """The nodes of each stage."""
        ends = [sum(self.widths[: stage + 1]) for stage in range(len(self.widths))]
        return [range(end - width, end) for end, width in zip(ends, self.widths)]


def outlook(
    belief: PresentBelief, trees: torch.Tensor, shape: TreeShape
) -> tuple[Posterior, torch.Tensor]:
    """
    Return what is known at every node before it is read, differentiable in the points.

    :param belief: the present belief.
    :param trees: shape ``(R, T, D)``.
    :param shape: of the trees.
    :return: standardised belief and the best posterior mean over the places measured and imagined
        by then, each shape ``(R, T)``.
    """
    whitened = belief.whiten(trees)
    samples = belief.covariance_with_samples(whitened)
    n = samples.shape[-1]
    among = belief.prior(trees, trees) - whitened @ whitened.transpose(-1, -2)
    covariance = torch.cat([samples, among], dim=-1)  # (R, T, N + T)
    present = belief.sample_means.expand(len(trees), -1)
    means = torch.cat([present, belief.mean(whitened)], dim=-1).unsqueeze(1)  # (R, W, N + T)
    rows: list[torch.Tensor] = []
    above: list[torch.Tensor] = []
    known: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []
    for stage, nodes in enumerate(shape.stages):
        row, node = covariance[:, nodes.start : nodes.stop], torch.tensor(nodes)
        own = torch.arange(len(node))
        variance = row[:, own, n + node]
        for earlier in rows:
            there = earlier[:, own, n + node]
            row = row - there.unsqueeze(-1) * earlier
            variance = variance - there.square()
        best = means[..., :n].amax(-1)
        if above:
            read = torch.stack([means[:, own, n + place] for place in above])
            best = torch.maximum(best, read.amax(0))
        known.append((means[:, own, n + node], variance, best))
        if stage == len(shape.readings):
            break
        z = shape.readings[stage].z
        row = row / (variance.clamp_min(0.0) + belief.noise_variance).sqrt().unsqueeze(-1)
        rows = [_split(earlier, len(z)) for earlier in [*rows, row]]
        above = [place.repeat_interleave(len(z)) for place in [*above, node]]
        means = _split(means, len(z)) + z.repeat(len(node)).unsqueeze(-1) * rows[-1]
    mean, variance, best = (torch.cat(parts, dim=1) for parts in zip(*known))
    # The square root has no slope at 0; points that are known exactly have none either.
    exact = variance <= 0.0
    std = torch.where(exact, 0.0, torch.where(exact, 1.0, variance).sqrt())
    return Posterior(mean, std), best


def charges(
    journey: Journey, softness: float, trees: torch.Tensor, shape: TreeShape
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Return what the leg to every node costs, and how far the budget reaches there.

    :param journey: costs and budget.
    :param softness: width of the edge of the budget, as a part of what remains.
    :param trees: shape ``(R, T, D)``.
    :param shape: of the trees.
    :return: costs, and the logarithm of the weight between 0 and 1 that a gain has, ``(R, T)``.
    """
    first = journey.first(trees[:, :1]).expand(len(trees), 1)
    costs = torch.cat([first, journey.leg(trees[:, shape.parents], trees[:, 1:])], dim=1)
    if not journey.remaining < torch.inf:
        return costs, torch.zeros_like(costs)
    spent = [costs[:, :1]]
    for nodes, reading in zip(shape.stages[1:], shape.readings):
        spent.append(_split(spent[-1], len(reading.z)) + costs[:, nodes.start : nodes.stop])
    left = journey.remaining - torch.cat(spent, dim=1)
    if journey.home is not None:
        left = left - journey.home(trees)
    return costs, torch.nn.functional.logsigmoid(left / (softness * journey.remaining))


def _split(tensor: torch.Tensor, n: int) -> torch.Tensor:
    """Return the second axis with every element ``n`` times."""
    return tensor if n == 1 else tensor.repeat_interleave(n, dim=1)
