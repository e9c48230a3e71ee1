# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A vehicle without inertia that searches a world: the planner's parts and nothing of the flight.

It reads along every leg. Its target is chosen anew on arrival, or every so many metres.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch

from ...core.acquisition.base import AcquisitionContext
from ...core.config import ModelConfig
from ...core.gp.field_map import FieldMap
from ...core.gp.hyperparameters import Hyperparameters, initial_hyperparameters
from ...core.gp.model import fit
from ...core.grid import spacing_of
from ...core.optimise import best_candidate
from ...core.policy import PlanningState, Policy, price_falls
from ...core.travel import CandidateRoutes, TravelCost
from ...core.types import FloatArray, Samples
from ...sim.audit import FlightAudit
from .world import SearchWorld

# Targets this close to a stop, in sides, are that stop.
_SEPARATION = 1e-6

# What is left over of a budget by rounding, in sides.
_ROUNDING = 1e-9

_MODEL = ModelConfig()


@dataclass(frozen=True)
class SearchTrace:
    """
    What a search did and believed.

    :param distances: budget spent when a belief was recorded, metres-equivalent, shape ``(N,)``,
        from 0.
    :param places: place of the best estimate then, shape ``(N, 2)``, metres.
    :param points: places of the map, shape ``(M, 2)``, metres.
    :param mean: belief at the end there, sensor unit, shape ``(M,)``.
    :param std: its standard deviation, a reading's noise included, shape ``(M,)``.
    :param decision_s: wall time of every decision, seconds, shape ``(D,)``.
    :param spent_m: cost of the true flight, metres-equivalent.
    :param crossings: times a no-fly zone was entered.
    :param is_home: whether the flight ended at home.
    """

    distances: FloatArray
    places: FloatArray
    points: FloatArray
    mean: FloatArray
    std: FloatArray
    decision_s: FloatArray
    spent_m: float
    crossings: int
    is_home: bool


class Searcher:
    """
    One search.

    :param world: where.
    :param seed: of the noise and of the policy's random numbers.
    :param comes_home: whether the budget must pay for the way home.
    """

    def __init__(self, world: SearchWorld, seed: int, *, comes_home: bool) -> None:
        self._world = world
        self._comes_home = comes_home
        self._noise = np.random.default_rng([seed, 1])
        self._generator = np.random.default_rng([seed, 2])
        self._travel = TravelCost(world.area, stop_cost_m=world.stop_cost_m)
        self._routes = CandidateRoutes(self._travel, world.candidates)
        n = len(world.candidates)
        self._homes = self._routes.costs_to(world.home) if comes_home else np.zeros(n)
        self._audit = FlightAudit(world.area)
        self._audit.add(world.home)
        self._position = world.home
        self._spent = 0.0
        self._points: list[FloatArray] = []
        self._values: list[float] = []
        self._beliefs: list[tuple[float, FloatArray]] = []
        self._decision_s: list[float] = []
        self._stops = [world.home]
        self._fitted_at = 0
        self._n_decays = 0
        self._map = FieldMap(world.candidates, world.model or self._guess())
        self._read(world.home)

    def run(self, policy: Policy, replan_m: float = np.inf) -> SearchTrace:
        """
        Search until the budget allows no further target, then fly home.

        :param policy: chooses the targets.
        :param replan_m: distance flown before the target is chosen anew; infinite: on arrival.
        """
        while (state := self._state()) is not None:
            started = time.perf_counter()
            index = best_candidate(policy.scores(state), state.legal)
            self._decision_s.append(time.perf_counter() - started)
            self._n_decays += price_falls(policy, state)
            if index is None:
                break
            self._fly(self._world.candidates[index], replan_m)
        if self._comes_home and (self._position != self._world.home).any():
            self._fly(self._world.home, np.inf)
        return self._trace()

    def _state(self) -> PlanningState | None:
        """Return what the policy decides on, or ``None`` when no candidate is left."""
        world, side = self._world, self._world.area.side
        legs = self._routes.costs_from(self._position)
        left = world.budget_m - self._spent
        legal = legs + self._homes <= left - _ROUNDING * side
        for stop in self._stops:
            apart = np.linalg.norm(world.candidates - stop, axis=1)
            legal &= apart > _SEPARATION * side
        if not legal.any():
            return None
        # Candidates no path leads to are never chosen; a large finite cost keeps scores finite.
        distance = torch.from_numpy(np.where(np.isfinite(legs), legs, 1e6 * side) / side)
        context = AcquisitionContext(
            incumbent=self._map.sample_posterior().mean.max(),
            distance=distance,
            cost=distance + world.stop_cost_m / side,
            remaining=left / side,
            total=world.budget_m / side,
            n_samples=len(self._points),
            n_decays=self._n_decays,
        )
        return PlanningState(
            field_map=self._map,
            posterior=self._map.posterior(),
            context=context,
            legal=legal,
            routes=self._routes,
            leg_costs_m=legs,
            home_costs_m=self._homes,
            available_m=left + world.stop_cost_m,
            stop_cost_m=world.stop_cost_m,
            side_m=side,
            generator=self._generator,
        )

    def _fly(self, target: FloatArray, at_most: float) -> None:
        """Fly towards a target, reading on the way; only a target that is reached is a stop."""
        path = self._travel.path(self._position, target)
        if path is None:
            raise RuntimeError(f'no legal path from {self._position} to {target}.')
        step = self._world.reading_step_m
        rounding = _ROUNDING * self._world.area.side
        leg, before = self._travel.path_cost(path), self._spent
        is_whole = leg <= at_most + rounding
        if is_whole:
            self._stops.append(target)
        else:
            leg = at_most
        vertices = np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))  # (Q - 1,)
        passed = 0.0
        for along in (*np.arange(step, leg - rounding, step), leg):
            # The flight goes round every corner, also where no reading is taken at it.
            for vertex in path[1:][(vertices > passed) & (vertices < along)]:
                self._audit.add(vertex)
            # Sums round: whoever has flown a whole path is at its end.
            place = target if is_whole and along == leg else _place(path, along)
            self._move(place, before + along)
            passed = along

    def _move(self, place: FloatArray, spent: float) -> None:
        self._audit.add(place)
        self._position, self._spent = place, spent
        self._read(place)

    def _read(self, place: FloatArray) -> None:
        noise = self._world.noise_std * float(self._noise.standard_normal())
        self._points.append(place)
        self._values.append(float(self._world.truth.value(place[np.newaxis])[0]) + noise)
        if self._world.model is None:
            self._learn()
        self._map.update(self._samples())
        best = int(torch.argmax(self._map.sample_posterior().mean))
        self._beliefs.append((self._spent, self._points[best]))

    def _samples(self) -> Samples:
        n = len(self._points)
        return Samples(np.array(self._points).reshape(n, 2), np.array(self._values), np.ones(n))

    def _guess(self) -> Hyperparameters:
        samples = self._samples()
        return initial_hyperparameters(_MODEL, self._world.area.side, 2, samples)

    def _learn(self) -> None:
        """Learn the model when the product would: when the samples have grown by a quarter."""
        n = len(self._points)
        if n < _MODEL.fit_min_samples:
            self._map = FieldMap(self._world.candidates, self._guess())
            return
        if self._fitted_at and n < _MODEL.fit_growth * self._fitted_at:
            return
        self._fitted_at = n
        side = self._world.area.side
        report = fit(
            self._samples(),
            _MODEL,
            self._map.hyperparameters,
            side_m=side,
            spacing_m=spacing_of(self._world.candidates, side),
        )
        if report.is_fitted:
            self._map.set_hyperparameters(report.hyperparameters)

    def _trace(self) -> SearchTrace:
        mean, std = self._map.predict(self._world.candidates)
        noise = self._map.hyperparameters.noise_std
        return SearchTrace(
            distances=np.array([spent for spent, _ in self._beliefs]),
            places=np.array([place for _, place in self._beliefs]),
            points=self._world.candidates,
            mean=mean,
            std=np.hypot(std, noise),
            decision_s=np.array(self._decision_s),
            spent_m=self._audit.flown_m,
            crossings=self._audit.zone_crossings,
            is_home=bool((self._position == self._world.home).all()),
        )


def _place(path: FloatArray, along: float) -> FloatArray:
    """Return the place a distance along a polyline; its last vertex at and beyond its end."""
    for start, end in zip(path[:-1], path[1:]):
        length = float(np.linalg.norm(end - start))
        if along < length:
            place: FloatArray = start + along / length * (end - start)
            return place
        along -= length
    last: FloatArray = path[-1]
    return last
