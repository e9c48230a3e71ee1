# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Simulated missions: a first move, then whatever a base policy would do, all futures at once.

Axes are ``(K, S, J)``: first moves, samples of the readings, grid of the simulated steps. What all
samples share, the first leg above all, has length 1 on the second axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..acquisition.base import Acquisition, AcquisitionContext
from ..acquisition.normal import STD_FLOOR, h
from ..types import Posterior
from .base import BUDGET_TOLERANCE, PlanningState
from .choice import choose
from .fantasies import Fantasies, Reading, broadcast

NO_PATH = 1e6
"""Cost of a leg without a legal path, in sides: never flown, but acquisitions need a number."""

# Numbers in one array of a block of missions: 1 MiB.
_BLOCK = 2**17


@dataclass(frozen=True)
class SimulationGrid:
    """
    The candidates simulated missions move on; costs in sides of the area.

    :param indices: of the candidates, rising, shape ``(J,)``.
    :param posterior: present belief there, shape ``(J,)``.
    :param covariance: present posterior covariance, shape ``(J, J)``.
    :param noise_variance: of one reading, standardised.
    :param context: what an acquisition knows now, for the values that stay.
    :param legs: cost from the present place, shape ``(J,)``.
    :param between: cost from row to column, infinite without a legal path, shape ``(J, J)``.
    :param homes: cost of the way home, shape ``(J,)``.
    :param stop: cost of one stop.
    :param available: budget of the whole simulated mission, the way home included.
    """

    indices: NDArray[np.int64]
    posterior: Posterior
    covariance: torch.Tensor
    noise_variance: float
    context: AcquisitionContext
    legs: torch.Tensor
    between: torch.Tensor
    homes: torch.Tensor
    stop: float
    available: float

    @classmethod
    def of(cls, state: PlanningState, indices: NDArray[np.int64]) -> SimulationGrid:
        """
        Cut the grid out of the state.

        :param state: what the policy decides on.
        :param indices: candidates, rising, shape ``(J,)``.
        """
        side, rows = state.side_m, torch.from_numpy(indices)
        posterior = state.posterior
        return cls(
            indices=indices,
            posterior=Posterior(posterior.mean[rows], posterior.std[rows]),
            covariance=state.field_map.covariance(rows, rows).contiguous(),
            noise_variance=state.field_map.noise_variance,
            context=state.context,
            legs=torch.from_numpy(state.leg_costs_m[indices] / side),
            between=torch.from_numpy(state.routes.costs_between(indices, indices) / side),
            homes=torch.from_numpy(state.home_costs_m[indices] / side),
            stop=state.stop_cost_m / side,
            available=state.available_m / side - BUDGET_TOLERANCE * state.context.total,
        )

    def fantasies(self) -> Fantasies:
        """Return the present belief, ready for imagined readings."""
        return Fantasies(self.posterior, self.covariance, self.noise_variance)

    def positions(self, candidates: NDArray[np.int64]) -> torch.Tensor:
        """Return where candidates of the grid stand in it, shape ``(K,)``."""
        return torch.from_numpy(np.searchsorted(self.indices, candidates))


def places_passed(
    from_start: torch.Tensor, to_end: torch.Tensor, n_places: int
) -> list[torch.Tensor]:
    """
    Return the grid places nearest to points that divide legs into equal parts.

    The squared distance of a place from the point at the fraction ``t`` of a leg is
    ``(1 - t) a^2 + t b^2 - t (1 - t) l^2`` (Stewart's theorem), ``a`` and ``b`` being its
    distances from both ends. With travel costs in their place this needs no coordinates and
    follows the path round zones.

    :param from_start: cost from the start of each leg to every place, shape ``(..., J)``.
    :param to_end: cost from every place to the end of each leg, shape ``(..., J)``.
    :param n_places: how many points.
    :return: grid indices, each shape ``(...)``, in the order they are passed.
    """
    if n_places == 0:
        return []
    start, end = from_start.square(), to_end.square()
    fractions = [part / (n_places + 1) for part in range(1, n_places + 1)]
    return [torch.lerp(start, end, t).argmin(-1) for t in fractions]


def expected_gain(reading: Reading, incumbent: torch.Tensor) -> torch.Tensor:
    """
    Return by how much a reading is expected to raise the best posterior mean.

    :param reading: what is known before it, shape ``(...)``.
    :param incumbent: best posterior mean so far.
    """
    std = reading.step_std.clamp_min(STD_FLOOR)
    return std * h((reading.mean - incumbent) / std)


@dataclass(frozen=True)
class Rewards:
    """
    What simulated missions brought, averaged over the samples; each shape ``(K,)``.

    :param acquisition: sum of the acquisition's values at the stops.
    :param improvement: rise of the best posterior mean over the places read.
    :param cost: legs and stops flown, sides.
    """

    acquisition: torch.Tensor
    improvement: torch.Tensor
    cost: torch.Tensor


def simulate(
    grid: SimulationGrid,
    moves: torch.Tensor,
    policies: list[Acquisition],
    normals: torch.Tensor,
    *,
    first_values: torch.Tensor,
    n_along: int,
) -> Rewards:
    """
    Fly simulated missions and add up what they bring.

    Each reading's part of the improvement is its exact expectation given the readings before it;
    only the belief afterwards depends on the sample. A simulated move obeys ``leg + stop + home <=
    what is left``, no place is visited twice, and a mission without such a move has ended.

    :param grid: candidates of the simulated moves.
    :param moves: first moves, grid indices, shape ``(K,)``.
    :param policies: the acquisition that chooses each further move.
    :param normals: base samples, shape ``(S, P)``, ``P >= len(policies) (n_along + 1) + n_along``.
    :param first_values: the acquisition at the first moves, shape ``(K,)``.
    :param n_along: readings on each leg before its end.
    """
    # Missions do not touch each other: blocks of them, all of one size, stay in the cache.
    n_blocks = max(round(len(moves) * len(normals) * len(grid.legs) / _BLOCK), 1)
    block = max(-(-len(moves) // n_blocks), 1)
    parts = [
        _simulate_block(grid, m, policies, normals, first_values=v, n_along=n_along)
        for m, v in zip(torch.split(moves, block), torch.split(first_values, block))
    ]
    return Rewards(
        torch.cat([part.acquisition for part in parts]),
        torch.cat([part.improvement for part in parts]),
        torch.cat([part.cost for part in parts]),
    )


def _simulate_block(
    grid: SimulationGrid,
    moves: torch.Tensor,
    policies: list[Acquisition],
    normals: torch.Tensor,
    *,
    first_values: torch.Tensor,
    n_along: int,
) -> Rewards:
    fantasies, columns = grid.fantasies(), iter(normals.T.unsqueeze(1))
    target = moves.unsqueeze(1)
    visited = [target]
    from_start, leg = grid.legs.expand(len(moves), 1, -1), grid.legs[target]
    towards = grid.between.T.contiguous()
    passed = places_passed(from_start, rows_of(towards, target), n_along)
    alive = torch.ones_like(target, dtype=torch.bool)
    incumbent = grid.context.incumbent.expand(1, 1)
    distances = grid.between.clamp_max(NO_PATH)
    needed = grid.between + (grid.homes + grid.stop)
    acquired, improved, spent = first_values.unsqueeze(1), torch.zeros_like(leg), leg + grid.stop
    for step in range(len(policies) + 1):
        for place in passed:
            is_new = (place != target) & (place != visited[-2] if step else True)
            gain = expected_gain(fantasies.look(place), incumbent)
            improved = improved + torch.where(alive & is_new, gain, 0.0)
            mean = fantasies.read(place, next(columns), is_new)
            incumbent = torch.where(is_new, torch.maximum(incumbent, mean), incumbent)
        gain = expected_gain(fantasies.look(target), incumbent)
        improved = improved + torch.where(alive, gain, 0.0)
        if step == len(policies):
            break
        incumbent = torch.maximum(incumbent, fantasies.read(target, next(columns)))
        from_start = rows_of(distances, target)
        legal = rows_of(needed, target) <= (grid.available - spent).unsqueeze(-1)
        legal = without(legal, visited) & alive.unsqueeze(-1)
        if not legal.any():
            break
        n_read = (step + 1) * (n_along + 1)
        context = context_after(grid, from_start, incumbent, n_read)
        target, value = choose(policies[step], fantasies.posterior, context, legal)
        alive = alive & (value > -torch.inf)
        passed = _passed_between(grid.between, towards, visited[-1], target, n_along)
        visited.append(target)
        acquired = acquired + torch.where(alive, value, 0.0)
        leg = from_start.expand(*target.shape, -1).gather(-1, target.unsqueeze(-1)).squeeze(-1)
        spent = spent + torch.where(alive, leg + grid.stop, 0.0)
    return Rewards(acquired.mean(1), improved.mean(1), spent.mean(1))


def rows_of(table: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """
    Return rows of a table, shape ``(..., J)``; several times faster than indexing with ``places``.

    :param table: shape ``(J, J)``.
    :param places: grid indices, shape ``(...)``.
    """
    return table.index_select(0, places.reshape(-1)).reshape(*places.shape, -1)


def _passed_between(
    between: torch.Tensor,
    towards: torch.Tensor,
    start: torch.Tensor,
    target: torch.Tensor,
    n_along: int,
) -> list[torch.Tensor]:
    """
    Return the places passed on the legs of all futures, each shape ``(K, S)``.

    :param between: cost from row to column, shape ``(J, J)``.
    :param towards: cost to row from column, shape ``(J, J)``.
    """
    if n_along == 0:
        return []
    # Many futures fly the same leg.
    n = len(between)
    legs, which = torch.unique(start * n + target, return_inverse=True)
    from_start, to_end = rows_of(between, legs // n), rows_of(towards, legs % n)
    return [p[which] for p in places_passed(from_start, to_end, n_along)]


def without(legal: torch.Tensor, visited: list[torch.Tensor]) -> torch.Tensor:
    """
    Take the places visited out of the legal ones.

    :param legal: booleans, shape ``(..., J)``.
    :param visited: grid indices, each shape ``(...)``.
    :return: shape ``(..., J)``.
    """
    shape = broadcast(*(place.shape for place in visited), legal.shape[:-1])
    places = torch.stack([place.expand(shape) for place in visited], dim=-1)
    return legal.expand(*shape, -1).scatter(-1, places, False)


def context_after(
    grid: SimulationGrid,
    distance: torch.Tensor,
    incumbent: torch.Tensor,
    n_read: int,
) -> AcquisitionContext:
    """
    Return what an acquisition knows in a simulated mission; its budget left is that of now.

    :param grid: of the simulation.
    :param distance: from where the futures stand, sides, finite, shape ``(..., J)``.
    :param incumbent: best posterior mean, shape ``(...)``.
    :param n_read: readings imagined so far.
    """
    now = grid.context
    return AcquisitionContext(
        incumbent=incumbent,
        distance=distance,
        cost=distance + grid.stop,
        remaining=now.remaining,
        total=now.total,
        n_samples=now.n_samples + n_read,
        dimension=now.dimension,
        n_decays=now.n_decays,
    )
