# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The suite on which policies are compared: five kinds of fields on the unit square, known model.

Every policy reads along its legs, has the same path budget, noise, start and seeds, and needs not
come home: the comparison is about where to look. Two numbers a run: the simple regret of the best
estimate over the range of the field, averaged over the distance flown, and at the end.

Run it with ``python -m bo_explorer.study.search_suite``.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ..core.acquisition.base import AcquisitionContext
from ..core.area import SearchArea
from ..core.gp.field_map import FieldMap
from ..core.gp.hyperparameters import Hyperparameters
from ..core.optimise import best_candidate
from ..core.policy import PlanningState, Policy, make_policy
from ..core.travel import CandidateRoutes, TravelCost
from ..core.types import FloatArray, Samples
from .suite_fields import FIELD_KINDS, SuiteField, make_suite_field

CELLS = 40
NOISE_STD = 0.1
BUDGET = 3.0
STOP_COST = 0.02
READING_STEP = 0.05
_SEPARATION = 1e-6


@dataclass(frozen=True)
class SuiteRun:
    """
    One run.

    :param average: regret over the range, averaged over the distance of the budget.
    :param final: regret over the range at the end.
    :param n_decisions: targets chosen.
    :param decision_s: mean wall time of a decision, seconds.
    """

    average: float
    final: float
    n_decisions: int
    decision_s: float


class _Searcher:
    """A vehicle without inertia over one field, with the belief it has gathered."""

    def __init__(self, field: SuiteField, seed: int) -> None:
        self._field = field
        self._noise = np.random.default_rng([seed, 1])
        self.generator = np.random.default_rng([seed, 2])
        square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        self.travel = TravelCost(SearchArea([square]), stop_cost_m=STOP_COST)
        self.candidates = field.points
        self.routes = CandidateRoutes(self.travel, self.candidates)
        self._map = FieldMap(
            self.candidates, Hyperparameters('matern52', (field.lengthscale,) * 2, 1.0, 0.1, 0.0)
        )
        self.position = self.candidates[0]
        self.spent = 0.0
        self._points: list[FloatArray] = []
        self._values: list[float] = []
        self._regrets: list[tuple[float, float]] = []
        self._stops = [self.position]
        self._read(self.position)

    def _read(self, place: FloatArray) -> None:
        index = self._field.index_of(place)
        self._points.append(place)
        self._values.append(
            float(self._field.values[index]) + NOISE_STD * float(self._noise.standard_normal())
        )
        self._map.update(
            Samples(np.array(self._points), np.array(self._values), np.ones(len(self._points)))
        )
        best = self._points[int(torch.argmax(self._map.sample_posterior().mean))]
        self._regrets.append((self.spent, self._field.regret(best)))

    def state(self) -> PlanningState | None:
        """Return what the policy decides on, or ``None`` when no candidate is left."""
        legs = self.routes.costs_from(self.position)
        left = BUDGET - self.spent
        legal = legs <= left - 1e-9
        for stop in self._stops:
            legal &= np.linalg.norm(self.candidates - stop, axis=1) > _SEPARATION
        if not legal.any():
            return None
        distance = torch.from_numpy(legs)
        context = AcquisitionContext(
            incumbent=self._map.sample_posterior().mean.max(),
            distance=distance,
            cost=distance + STOP_COST,
            remaining=left,
            total=BUDGET,
            n_samples=len(self._points),
        )
        return PlanningState(
            field_map=self._map,
            posterior=self._map.posterior(),
            context=context,
            legal=legal,
            routes=self.routes,
            leg_costs_m=legs,
            home_costs_m=np.zeros(len(legs)),
            available_m=left + STOP_COST,
            stop_cost_m=STOP_COST,
            side_m=1.0,
            generator=self.generator,
        )

    def fly(self, target: FloatArray, at_most: float) -> None:
        """Fly towards a target, reading on the way; only a target that is reached is a stop."""
        leg = float(np.linalg.norm(target - self.position))
        start, before = self.position, self.spent
        if leg > at_most + 1e-9:
            target, leg = start + at_most / leg * (target - start), at_most
        else:
            self._stops.append(target)
        for along in np.arange(READING_STEP, leg - 1e-9, READING_STEP):
            self.spent = before + along
            self._read(start + along / leg * (target - start))
        self.spent, self.position = before + leg, target
        self._read(target)

    def regrets(self) -> tuple[float, float]:
        """Return the regret averaged over the budget, and the last."""
        distances = np.array([distance for distance, _ in self._regrets] + [BUDGET])
        values = np.array([value for _, value in self._regrets])
        return float((np.diff(distances) * values).sum() / BUDGET), float(values[-1])


def run_one(policy: Policy, kind: str, seed: int, replan: float = np.inf) -> SuiteRun:
    """
    Let a policy search one field.

    :param policy: what is tried.
    :param kind: a key of :data:`~bo_explorer.study.suite_fields.FIELD_KINDS`.
    :param seed: of the field, the noise and the policy's own random numbers.
    :param replan: distance flown before the target is chosen anew, sides; infinite: on arrival.
    """
    searcher = _Searcher(make_suite_field(kind, CELLS, np.random.default_rng([seed, 0])), seed)
    seconds, n_decisions = 0.0, 0
    while (state := searcher.state()) is not None:
        started = time.perf_counter()
        index = best_candidate(policy.scores(state), state.legal)
        seconds += time.perf_counter() - started
        if index is None:
            break
        n_decisions += 1
        searcher.fly(searcher.candidates[index], replan)
    average, final = searcher.regrets()
    return SuiteRun(average, final, n_decisions, seconds / max(n_decisions, 1))


def _task(task: tuple[str, dict[str, Any], str, int, float]) -> SuiteRun:
    torch.set_num_threads(1)
    name, options, kind, seed, replan = task
    return run_one(make_policy(name, options), kind, seed, replan)


def compare(
    policies: Sequence[tuple[str, dict[str, Any]]],
    kinds: Sequence[str],
    seeds: Sequence[int],
    *,
    replan: float = np.inf,
    workers: int = 1,
) -> Iterator[tuple[str, dict[str, Any], FloatArray]]:
    """
    Run every policy on every kind of field with every seed.

    :param policies: registry names and their options by full key.
    :param kinds: kinds of fields.
    :param seeds: paired over the policies.
    :param replan: as in :func:`run_one`.
    :param workers: processes.
    :return: for each policy name, options and the results, shape ``(kinds, seeds, 3)``: average
        and final regret and seconds a decision.
    """
    with multiprocessing.get_context('spawn').Pool(workers) as pool:
        for name, options in policies:
            tasks = [(name, options, k, s, replan) for k, s in itertools.product(kinds, seeds)]
            runs = pool.map(_task, tasks, chunksize=1)
            table = np.array([[run.average, run.final, run.decision_s] for run in runs])
            yield name, options, table.reshape(len(kinds), len(seeds), 3)


def _row(name: str, options: dict[str, Any], results: FloatArray) -> str:
    means = results[..., :2].mean(axis=1)
    overall = results[..., :2].mean(axis=0)  # (seeds, 2): paired over the kinds
    error = 1.96 * overall.std(axis=0, ddof=1) / np.sqrt(len(overall)) if len(overall) > 1 else 0.0
    half = np.broadcast_to(error, 2)
    label = name + ''.join(
        f' {key.split(".")[-1]}={value}' for key, value in sorted(options.items())
    )
    cells = ' | '.join(f'{average:.3f} {final:.3f}' for average, final in means)
    mean = overall.mean(axis=0)
    return (
        f'| {label} | {cells} | {mean[0]:.3f} ± {half[0]:.3f} | {mean[1]:.3f} ± {half[1]:.3f} '
        f'| {1e3 * results[..., 2].mean():.0f} |'
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description='Compare policies on the search suite.')
    parser.add_argument(
        'policies', nargs='+', help="names, with options as 'name,option=value,option=value'"
    )
    parser.add_argument('--kinds', nargs='+', default=list(FIELD_KINDS), choices=FIELD_KINDS)
    parser.add_argument('--seeds', type=int, default=20)
    parser.add_argument('--first-seed', type=int, default=0)
    parser.add_argument(
        '--replan', type=float, default=np.inf, help='sides flown before the next decision'
    )
    parser.add_argument('--workers', type=int, default=2)
    given = parser.parse_args(arguments)
    policies = [_parse(text) for text in given.policies]
    print('| policy | ' + ' | '.join(given.kinds) + ' | average | final | ms/decision |')
    print('|---' * (len(given.kinds) + 4) + '|', flush=True)
    seeds = range(given.first_seed, given.first_seed + given.seeds)
    for name, options, results in compare(
        policies, given.kinds, seeds, replan=given.replan, workers=given.workers
    ):
        print(_row(name, options, results), flush=True)


def _parse(text: str) -> tuple[str, dict[str, Any]]:
    name, *pairs = text.split(',')
    options = {}
    for pair in pairs:
        key, _, value = pair.partition('=')
        options[f'policy.{name}.{key}'] = _value(value)
    return name, options


def _value(text: str) -> bool | int | float | str:
    if text in ('true', 'false'):
        return text == 'true'
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


if __name__ == '__main__':
    main()
