# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
How long one decision takes, and how much memory, as the problem grows.

Each row is measured in a process of its own, which reports the least, the median and the 95th
percentile of several decisions in milliseconds, the median of the processor's time, and the most
memory the process has held above what it held before the first decision. A decision is the update
of the map by one sample, the beliefs and the scores. At the end the rows that have a target are
held against it, and those of one axis against linear growth, both by the machine as it is: other
work on it shows.

Run from the repository root: ``python -m benchmarks.decision_latency [--quick] [--threads 1 2]``.
The whole table takes about five minutes a number of threads.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from bo_explorer.core.acquisition.base import AcquisitionContext
from bo_explorer.core.area import SearchArea
from bo_explorer.core.config import ModelConfig
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.gp.model import fit
from bo_explorer.core.policy import PlanningState, Policy, make_policy
from bo_explorer.core.travel import CandidateRoutes, TravelCost
from bo_explorer.core.types import Samples

SIDE = 100.0
STOP = 2.0
SQUARE = SIDE * np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
ZONE = SIDE * np.array([(0.4, 0.2), (0.6, 0.2), (0.6, 0.8), (0.4, 0.8)])


@dataclasses.dataclass(frozen=True)
class Case:
    """
    One row of the table.

    :param policy: name.
    :param n: support points.
    :param cells: candidates, the square of a whole number.
    :param horizon: simulated steps after the first move; only for policies that have one.
    :param samples: futures of each first move.
    :param zoned: whether a zone stands in the way.
    :param options: other options of the policy by field name.
    """

    policy: str
    n: int = 400
    cells: int = 2500
    horizon: int | None = None
    samples: int | None = None
    zoned: bool = False
    options: tuple[tuple[str, Any], ...] = ()

    def make(self) -> Any:
        """Build the policy."""
        given = dict(self.options)
        if self.horizon is not None:
            given['horizon'] = self.horizon
        if self.samples is not None:
            given['n_samples'] = self.samples
        flat = {f'policy.{self.policy}.{key}': value for key, value in given.items()}
        return make_policy(self.policy, flat)


@dataclasses.dataclass(frozen=True)
class Row:
    """
    What came of one measurement.

    :param case: what was measured.
    :param threads: of torch.
    :param figures: from :func:`measure`.
    """

    case: Case
    threads: int
    figures: dict[str, float]

    @property
    def name(self) -> str:
        """The policy with its options."""
        options = [f'{key}={value}' for key, value in self.case.options]
        return ' '.join([self.case.policy, *options, *['zone'] * self.case.zoned])

    def markdown(self) -> str:
        """Return the row of the table."""
        case, r = self.case, self.figures
        steps = '' if case.horizon is None else case.horizon
        return (
            f'| {self.name} | {case.n} | {r["cells"]:.0f} | {steps} | {case.samples or ""} '
            f'| {self.threads} | {r["least"]:.1f} | {r["p50"]:.1f} | {r["p95"]:.1f} '
            f'| {r["first"]:.0f} | {r["processor"]:.1f} | {r["memory"]:.0f} |'
        )


def cases(quick: bool) -> Iterator[Case]:
    """
    Yield the rows: one axis varied at a time about the case of the target.

    :param quick: a few of them only.
    """
    for name in ('log_ei', 'ei_per_cost', 'pbgi', 'dist_ucb'):
        yield Case(name)
    for base in ('ei_per_cost', 'log_ei', 'ei', 'pbgi', 'dist_ucb'):
        yield dataclasses.replace(TARGET, options=(('base', base),))
    yield dataclasses.replace(TARGET, zoned=True)
    yield Case('dist_ucb_rollout')
    yield Case('one_shot')
    yield Case(FIT)
    if quick:
        return
    for name in ('ei_per_cost_rollout', 'ei_rollout', 'pbgi_rollout', 'ucb_rollout', 'mean_path'):
        yield Case(name)
    for name in ('budgeted_multi_step_ei', 'knowledge_gradient', 'max_value_entropy', 'thompson'):
        yield Case(name)
    for n in (20, 50, 100, 200, 400, 1000):
        yield Case('ei_per_cost', n=n)
        yield dataclasses.replace(TARGET, n=n)
    for cells in (400, 900, 2500, 4900, 10_000):
        yield Case('ei_per_cost', cells=cells)
        yield dataclasses.replace(TARGET, cells=cells)
    for horizon in (1, 2, 3, 4, 8):
        yield dataclasses.replace(TARGET, horizon=horizon)
    for samples in (8, 16, 32, 64, 128):
        yield dataclasses.replace(TARGET, samples=samples)
    for n_inner in (128, 256, 512):
        yield dataclasses.replace(TARGET, options=(('n_inner', n_inner),))


TARGET = Case('rollout', horizon=2, samples=32)
"""Three steps, 64 first moves, over 400 samples and 2500 cells."""

FIT = 'fit of the model'
"""Stands for a policy in the row that times the fit."""

TARGETS_MS = {'rollout': 100.0, 'log_ei': 10.0, 'ei_per_cost': 10.0, 'pbgi': 10.0, FIT: 500.0}
"""What the 95th percentile may be on two cores, at 400 samples and 2500 cells."""


class World:
    """
    A map that grows by one sample each decision.

    :param case: its sizes.
    """

    def __init__(self, case: Case, n_decisions: int) -> None:
        rng = np.random.default_rng(0)
        area = SearchArea([SQUARE], [ZONE] if case.zoned else [])
        self.candidates = area.candidates(SIDE / (case.cells**0.5 - 1.0))
        self.routes = CandidateRoutes(TravelCost(area, stop_cost_m=STOP), self.candidates)
        n = case.n + n_decisions
        self.points = rng.uniform(0.0, SIDE, (n, 2))
        waves = np.sin(self.points[:, 0] / 15.0) + np.cos(self.points[:, 1] / 17.0)
        self.values = waves + rng.normal(0.0, 0.1, n)
        self.field_map = FieldMap(
            self.candidates, Hyperparameters('matern52', (20.0, 20.0), 1.0, 0.1, 0.0)
        )
        self.n = case.n
        self.field_map.update(self._samples())

    def _samples(self) -> Samples:
        return Samples(self.points[: self.n], self.values[: self.n], np.ones(self.n))

    def grow(self) -> PlanningState:
        """Take one more sample and return what a policy then decides on."""
        self.n += 1
        self.field_map.update(self._samples())
        position, home, available = self.points[self.n - 1], np.array([5.0, 5.0]), 2.5 * SIDE
        legs, homes = self.routes.costs_from(position), self.routes.costs_to(home)
        distance = torch.from_numpy(np.where(np.isfinite(legs), legs, 1e6 * SIDE) / SIDE)
        context = AcquisitionContext(
            incumbent=self.field_map.sample_posterior().mean.max(),
            distance=distance,
            cost=distance + STOP / SIDE,
            remaining=available / SIDE,
            total=5.0,
            n_samples=self.n,
        )
        return PlanningState(
            field_map=self.field_map,
            posterior=self.field_map.posterior(),
            context=context,
            legal=np.isfinite(legs + homes) & (legs + STOP + homes <= available),
            routes=self.routes,
            leg_costs_m=legs,
            home_costs_m=homes,
            available_m=available,
            stop_cost_m=STOP,
            side_m=SIDE,
            generator=np.random.default_rng(self.n),
        )


def measure(case: Case, threads: int, repeats: int) -> dict[str, float]:
    """
    Time decisions; to be run in a fresh process.

    :param case: what to decide.
    :param threads: of torch.
    :param repeats: timed decisions, after three that are not.
    :return: milliseconds (wall and processor), mebibytes, candidates.
    """
    torch.set_num_threads(threads)
    world = World(case, repeats + 3)
    work = _fit(world) if case.policy == FIT else _decision(world, case.make())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, processor = [], []
    for _ in range(repeats + 3):
        begin, begin_processor = time.perf_counter(), time.process_time()
        work()
        wall.append(1e3 * (time.perf_counter() - begin))
        processor.append(1e3 * (time.process_time() - begin_processor))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        'first': wall[0],
        'least': min(wall[3:]),
        'p50': float(np.percentile(wall[3:], 50)),
        'p95': float(np.percentile(wall[3:], 95)),
        'processor': float(np.percentile(processor[3:], 50)),
        'memory': (after - before) / 1024.0,
        'cells': float(len(world.candidates)),
    }


def _decision(world: World, policy: Policy) -> Callable[[], object]:
    return lambda: policy.scores(world.grow())


def _fit(world: World) -> Callable[[], object]:
    samples, start = world.field_map.samples, world.field_map.hyperparameters
    spacing = SIDE / len(world.candidates) ** 0.5
    return lambda: fit(samples, ModelConfig(), start, side_m=SIDE, spacing_m=spacing)


def _against_targets(rows: list[Row]) -> Iterator[str]:
    """Yield a line for every row at the sizes of the targets, at the most threads measured."""
    most = max(row.threads for row in rows)
    for row in rows:
        limit = TARGETS_MS.get(row.case.policy)
        sizes = (row.case.n, row.case.cells, row.case.horizon or 2, row.case.samples or 32)
        if limit is None or sizes != (400, 2500, 2, 32) or row.threads != most:
            continue
        p95 = row.figures['p95']
        verdict = 'reached' if p95 <= limit else 'MISSED'
        yield f'{row.name}: p95 {p95:.1f} ms, target {limit:.0f} ms: {verdict}'


def _growth(rows: list[Row]) -> Iterator[str]:
    """Yield how the least time grows from the first to the last size of an axis."""
    for axis in ('n', 'cells', 'horizon', 'samples'):
        for policy in ('ei_per_cost', 'rollout'):
            base = TARGET if policy == 'rollout' else Case(policy)
            same = {
                getattr(row.case, axis): row.figures['least']
                for row in rows
                if row.threads == rows[0].threads
                and dataclasses.replace(row.case, **{axis: getattr(base, axis)}) == base
            }
            sizes = sorted(size for size in same if size is not None)
            if len(sizes) > 1:
                low, high = sizes[0], sizes[-1]
                times = same[high] / same[low]
                yield f'{policy}: {axis} x {high / low:.0f}, time x {times:.1f}'


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--quick', action='store_true', help='a few rows, few repeats')
    parser.add_argument('--threads', type=int, nargs='+', default=[1, 2])
    parser.add_argument('--repeats', type=int, default=0, help='timed decisions of each row')
    arguments = parser.parse_args()
    repeats = arguments.repeats or (15 if arguments.quick else 40)
    print(
        '| policy | n | cells | steps | samples | threads | least | p50 | p95 | first | CPU p50 '
        '| MiB |\n|---|---|---|---|---|---|---|---|---|---|---|---|'
    )
    spawn = multiprocessing.get_context('spawn')
    rows = []
    for case in dict.fromkeys(cases(arguments.quick)):
        for threads in arguments.threads:
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
                figures = pool.submit(measure, case, threads, repeats).result()
            rows.append(Row(case, threads, figures))
            print(rows[-1].markdown(), flush=True)
    print()
    for line in (*_against_targets(rows), *_growth(rows)):
        print(line)


if __name__ == '__main__':
    main()
