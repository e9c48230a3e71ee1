# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
One-shot multi-step lookahead: all decisions of a scenario tree optimised jointly by gradients.

Jiang et al. 2020, *Efficient nonmyopic Bayesian optimization via one-shot multi-step trees*;
Balandat et al. 2020, *BoTorch*, section 4.2; with a budget as in Astudillo et al. 2021,
*Multi-step budgeted Bayesian optimization with unknown evaluation costs*. Nothing here depends on
the number of axes or on what the field is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from ..acquisition.log_expected_improvement import log_expected_improvement
from ..ascent import Box, Precision, ascend
from ..gp.field_map import FieldMap
from ..optimise import box_between, sobol_points, spread_starts
from ..types import FloatArray, Posterior
from .draws import DRAWS, Draws, make_draws
from .gp_tree import Futures, PresentBelief, View
from .journey import Journey, Ledger
from .tree_outlook import TreeShape, charges, outlook

REWARDS = ('improvement', 'per_cost', 'priced')
"""What a tree is worth, see :class:`OneShotTree`."""

# Of the logarithm of the value. The last ascents to end climb alone, for the price of a batch.
_PRECISION = Precision(value=1e-6, gradient=1e-4, max_iterations=60)


@dataclass(frozen=True)
class Tree:
    """
    The decisions of a scenario tree.

    Nodes stand stage by stage: the first decision, then one for each reading imagined there, then
    one for each reading imagined at each of those, children of one node together.

    :param points: shape ``(T, D)``.
    :param readings: those imagined at each stage but the last.
    :param first_means: posterior mean at the first point after each reading imagined there, sensor
        unit.
    """

    points: FloatArray
    readings: tuple[Draws, ...]
    first_means: FloatArray


@dataclass(frozen=True)
class TreePlan:
    """
    What came of an optimisation.

    :param first_point: the decision to take now, shape ``(D,)``.
    :param value: value of the tree, see :class:`OneShotTree`.
    :param tree: the best tree; give it to the next optimisation.
    :param trees: the trees of all ascents, best first, shape ``(R, T, D)``.
    :param values: their values, shape ``(R,)``.
    """

    first_point: FloatArray
    value: float
    tree: Tree
    trees: FloatArray
    values: FloatArray


@dataclass(frozen=True)
class OneShotTree:
    """
    The tree and what it is worth.

    Each stage adds the expected improvement of its point over the best place known by then, the
    readings before it imagined. The sum telescopes to the improvement of the whole plan where the
    sensor has no noise. ``reward`` sets the value:

    - ``improvement``: the sum ``E[sum EI]``; costs matter through the budget only.
    - ``per_cost``: ``E[sum EI] / E[sum cost]``.
    - ``priced``: ``E[sum EI] - price E[sum cost]``.

    Where the budget is finite, the improvement of a stage counts with the weight
    ``sigmoid((remaining - spent - home) / (softness remaining))``: smooth, so that gradients see
    the edge of the budget; the caller decides what is legal.

    :param fantasies: readings imagined at each stage, e.g. ``(4, 2)`` for three stages of 1, 4 and
        8 decisions; 1 stands for the posterior mean alone; empty for the myopic policy.
    :param reward: one of :data:`REWARDS`.
    :param price: standard deviations of the field for one unit of cost; only for ``priced``.
    :param softness: width of the edge of the budget, as a part of what remains.
    :param draws: ``sobol`` (scrambled, equal weights) or ``gauss_hermite`` (exact for
        polynomials).
    :raises ValueError: if a value breaks its rule.
    """

    fantasies: tuple[int, ...] = (4, 2)
    reward: str = 'improvement'
    price: float = 0.1
    softness: float = 0.02
    draws: str = 'gauss_hermite'

    def __post_init__(self) -> None:
        if any(count < 1 for count in self.fantasies):
            raise ValueError(f"'fantasies' must each be at least 1, got {self.fantasies!r}.")
        for name, allowed in (('reward', REWARDS), ('draws', DRAWS)):
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"'{name}' must be one of {', '.join(allowed)}, got {getattr(self, name)!r}."
                )
        for name in ('price', 'softness'):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(
                    f"'{name}' must be a finite number above 0, got {getattr(self, name)!r}."
                )

    @property
    def widths(self) -> tuple[int, ...]:
        """Number of nodes of each stage."""
        widths = [1]
        for count in self.fantasies:
            widths.append(widths[-1] * count)
        return tuple(widths)

    @property
    def size(self) -> int:
        """Number of nodes, ``T``."""
        return sum(self.widths)

    def readings(self, generator: np.random.Generator) -> tuple[Draws, ...]:
        """
        Return the imagined readings of each stage but the last.

        :param generator: decides the scrambling of ``sobol``.
        """
        return tuple(make_draws(count, self.draws, generator) for count in self.fantasies)

    def values(
        self,
        belief: PresentBelief,
        trees: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None = None,
    ) -> torch.Tensor:
        """
        Return the value of trees, differentiable in their points.

        :param belief: the present belief.
        :param trees: points of the nodes, shape ``(R, T, D)``.
        :param readings: from :meth:`readings`.
        :param journey: costs and budget; ``None`` where every stage costs 1 and nothing limits it.
        :return: shape ``(R,)``.
        """
        score = self.score(belief, trees, readings, journey)
        return score if self.reward == 'priced' else score.exp()

    def score(
        self,
        belief: PresentBelief,
        trees: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None = None,
    ) -> torch.Tensor:
        """
        Return what is climbed: the logarithm of the value, or the value where it has a price.

        The logarithm ranks and guides trees whose value underflows. Parameters as in
        :meth:`values`.
        """
        log_improvement, cost = self._totals(belief, trees, readings, journey)
        if self.reward == 'priced':
            return log_improvement.exp() - self.price * cost
        return log_improvement - cost.log() if self.reward == 'per_cost' else log_improvement

    def optimise(
        self,
        model: FieldMap,
        lower: FloatArray,
        upper: FloatArray,
        *,
        generator: np.random.Generator,
        journey: Journey | None = None,
        n_raw: int = 128,
        n_starts: int = 8,
        previous: Tree | None = None,
        precision: Precision = _PRECISION,
    ) -> TreePlan:
        """
        Optimise all decisions of the tree at once.

        First decisions are tried all over the box, each followed greedily; the best such trees
        climb together. With a previous tree, what it says from the imagined reading that came true
        onwards is tried too, and so is that tree as it stands.

        :param model: samples and hyperparameters; at least one sample.
        :param lower: least coordinates, shape ``(D,)``.
        :param upper: greatest coordinates, shape ``(D,)``.
        :param generator: decides all random numbers; the result depends on nothing else.
        :param journey: costs and budget; ``None`` where every stage costs 1 and nothing limits it.
        :param n_raw: first decisions tried, at least 1; a power of 2 covers the box best.
        :param n_starts: ascents from them, at least 1.
        :param previous: the tree of the decision before, of as many stages and axes.
        :param precision: when an ascent ends.
        :return: the plan.
        :raises ValueError: if a value breaks its rule or there is no sample.
        """
        for name, count in (('n_raw', n_raw), ('n_starts', n_starts)):
            if count < 1:
                raise ValueError(f"'{name}' must be at least 1, got {count!r}.")
        box = box_between(lower, upper)
        belief = PresentBelief(model.samples, model.hyperparameters)
        readings = self.readings(generator)
        pool = box.point(sobol_points(n_raw, len(box.lower), generator))
        with torch.no_grad():
            stages = self._grow(belief, [pool.unsqueeze(1)], pool, readings, journey)
            trees = torch.cat(stages, dim=1)
            values = self.score(belief, trees, readings, journey)
            chosen = spread_starts(box.unit(pool).numpy(), values.numpy(), n_starts)
            starts = [trees[chosen]]
            if previous is not None:
                warm = self._continued(belief, previous, pool, readings, journey)
                starts.append(box.point(box.unit(warm)))
        return self._climb(belief, box, torch.cat(starts), readings, journey, precision)

    def _climb(
        self,
        belief: PresentBelief,
        box: Box,
        starts: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None,
        precision: Precision,
    ) -> TreePlan:
        """Climb from trees ``(R, T, D)`` together and take the best."""
        shape = (-1, self.size, len(box.lower))
        whole = Box(box.lower.repeat(self.size), box.upper.repeat(self.size))
        units, _ = ascend(
            lambda flat: self.score(belief, flat.reshape(shape), readings, journey),
            whole,
            box.unit(starts).reshape(len(starts), -1).numpy(),
            precision,
        )
        trees = whole.point(torch.from_numpy(units)).reshape(shape)
        with torch.no_grad():
            values = self.values(belief, trees, readings, journey).numpy()
        order = np.argsort(-values, kind='stable')
        tree = remembered(belief, trees[order[0]].numpy(), readings)
        return TreePlan(
            tree.points[0], float(values[order[0]]), tree, trees.numpy()[order], values[order]
        )

    def _ledger(self, journey: Journey | None, n: int) -> Ledger:
        return Ledger(journey, self.softness, torch.zeros(n, dtype=torch.float64))

    def _totals(
        self,
        belief: PresentBelief,
        trees: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``log E[sum EI]`` and ``E[sum cost]``, each shape ``(R,)``."""
        shape = TreeShape.of(readings)
        log_gain = self._log_gains(belief, trees, shape) + shape.log_weights
        if journey is None:
            costs = torch.ones_like(log_gain)
        else:
            costs, log_paid = charges(journey, self.softness, trees, shape)
            log_gain = log_gain + log_paid
        return torch.logsumexp(log_gain, dim=1), costs @ shape.log_weights.exp()

    def _log_gains(
        self, belief: PresentBelief, trees: torch.Tensor, shape: TreeShape
    ) -> torch.Tensor:
        """Return ``log EI`` of each decision, given what was read before it, shape ``(R, T)``."""
        posterior, best = outlook(belief, trees, shape)
        each = Posterior(posterior.mean.unsqueeze(-1), posterior.std.unsqueeze(-1))
        return log_expected_improvement(each, best).squeeze(-1)

    def _grow(
        self,
        belief: PresentBelief,
        stages: list[torch.Tensor],
        pool: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None,
    ) -> list[torch.Tensor]:
        """
        Complete trees greedily.

        :param stages: the first stages, each ``(R, width, D)``.
        :param pool: where the other nodes may lie, shape ``(P, D)``.
        :return: all stages.
        """
        n, dimension = len(stages[0]), pool.shape[1]
        futures, ledger = Futures(belief, n), self._ledger(journey, n)
        grown: list[torch.Tensor] = []
        for stage, width in enumerate(self.widths):
            if stage < len(stages):
                points = stages[stage].reshape(-1, 1, dimension)
            else:
                view = futures.view(pool.unsqueeze(0))
                leg, log_paid = ledger.charge(view.points)
                gain = _log_gain(futures, view) + log_paid
                if self.reward == 'priced':
                    gain = gain.exp() - self.price * leg
                elif self.reward == 'per_cost':
                    gain = gain - leg.log()
                points = pool[gain.argmax(dim=1)].unsqueeze(1)
            grown.append(points.reshape(n, width, dimension))
            if stage < len(readings):
                z = readings[stage].z
                view = futures.view(points)
                leg, _ = ledger.charge(points)
                futures = futures.after(view, z)
                ledger = ledger.after(points[:, 0], leg[:, 0], len(z))
        return grown

    def _continued(
        self,
        belief: PresentBelief,
        previous: Tree,
        pool: torch.Tensor,
        readings: tuple[Draws, ...],
        journey: Journey | None,
    ) -> torch.Tensor:
        """Return trees that go on from another one, shape ``(R, T, D)``."""
        had = tuple(len(reading.z) for reading in previous.readings)
        if had != self.fantasies:
            raise ValueError(
                f"'previous' must have the fantasies {self.fantasies}, got {had}; "
                'start without a tree.'
            )
        points = torch.from_numpy(previous.points.copy())
        as_it_stands = points.unsqueeze(0)
        if not self.fantasies:
            return as_it_stands
        old = torch.split(points, list(self.widths))
        with torch.no_grad():
            mean = _sensor_mean(belief, belief.mean(belief.whiten(points[0])))
        # The nodes of the old tree that the nodes of the new one continue, stage by stage.
        apart = (torch.from_numpy(previous.first_means.copy()) - mean).abs()
        nodes = apart.argmin(dim=0, keepdim=True)
        stages = [old[1][nodes].unsqueeze(0)]
        for stage in range(1, len(self.fantasies)):
            there = previous.readings[stage].z
            nearest = (readings[stage - 1].z.unsqueeze(1) - there).abs().argmin(dim=1)
            nodes = (nodes.unsqueeze(1) * len(there) + nearest).flatten()
            stages.append(old[stage + 1][nodes].unsqueeze(0))
        continued = self._grow(belief, stages, pool, readings, journey)
        return torch.cat([torch.cat(continued, dim=1), as_it_stands])


def _log_gain(futures: Futures, view: View) -> torch.Tensor:
    return log_expected_improvement(view.posterior, futures.incumbent)


def remembered(belief: PresentBelief, points: FloatArray, readings: tuple[Draws, ...]) -> Tree:
    """
    Return a tree for the next optimisation to go on from.

    :param belief: the present belief.
    :param points: of the nodes, shape ``(T, D)``.
    :param readings: those imagined.
    """
    if not readings:
        return Tree(points, readings, np.empty(0))
    first = torch.from_numpy(points[:1].copy()).unsqueeze(0)
    with torch.no_grad():
        futures = Futures(belief, 1)
        after = futures.after(futures.view(first), readings[0].z).view(first)
        means = _sensor_mean(belief, after.posterior.mean[:, 0]).numpy()
    return Tree(points, readings, means)


def _sensor_mean(belief: PresentBelief, mean: torch.Tensor) -> torch.Tensor:
    h = belief.hyperparameters
    return h.mean + h.signal_std * mean
