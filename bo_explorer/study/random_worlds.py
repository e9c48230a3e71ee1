# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Missions in worlds drawn at random, judged by what the vehicle really did.

Whatever the world, a mission must keep its budget, enter no zone, stay inside the area and end at
home; where it cannot begin it must not move::

    python -m bo_explorer.study.random_worlds --worlds 10000 --workers 2
    python -m bo_explorer.study.random_worlds --only 123
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from ..core.policy import POLICIES, make_policy
from ..sim.episode import EpisodeResult, run_episode
from ..sim.fields import make_field
from .meddling import Meddler
from .world_generator import World, draw_world

RULES = ('overrun', 'crossing', 'outside', 'not home', 'crashed')
"""What can be wrong with a mission."""

# Rounding of sums of thousands of steps.
_ROUNDING = 1e-9

_PROGRESS_S = 10.0

# Columns where nobody's terminal says how many.
_PLAIN_WIDTH = 120


@dataclass(frozen=True)
class Verdict:
    """
    What came of one world.

    :param seed: of the world.
    :param policy: that flew it.
    :param broken: rules broken, each with a sentence.
    :param seconds: wall time.
    :param outcome: how the mission ended.
    :param untold: cost of the true flight beyond what the planner booked, in its allowances.
    :param stops: measurements made.
    """

    seed: int
    policy: str
    broken: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    outcome: str = ''
    untold: float = 0.0
    stops: int = 0


def fly_world(seed: int, policy: str | None = None, *, with_faults: bool = False) -> Verdict:
    """
    Fly one world and judge it.

    :param seed: of the world.
    :param policy: registry name; ``None``: the policies take turns with the seed.
    :param with_faults: let things go wrong.
    """
    started = time.perf_counter()
    world = draw_world(seed, policy, with_faults=with_faults)
    try:
        result = run_world(world)
    except Exception as error:  # noqa: BLE001  every crash is a finding, whatever its kind
        broken = {'crashed': f'{type(error).__name__}: {error}'}
        return Verdict(seed, world.policy, broken, time.perf_counter() - started, 'crashed')
    record = result.record
    vehicle = world.explorer.vehicle
    wind = np.hypot(vehicle.wind_east_mps, vehicle.wind_north_mps) / vehicle.speed_mps
    allowance = vehicle.arrival_radius_m / (1.0 - wind)
    return Verdict(
        seed,
        world.policy,
        judge(world, result),
        time.perf_counter() - started,
        record.outcome,
        (_true_cost(world, result) - record.spent_m) / allowance,
        record.stops,
    )


def run_world(world: World) -> EpisodeResult:
    """Fly the mission of a world."""
    policy = make_policy(world.policy, world.policy_options)
    return run_episode(
        world.explorer,
        policy,
        make_field(world.simulator.field, np.random.default_rng(world.seed)),
        world.simulator,
        step_s=world.step_s,
        meddle=Meddler(world.commands, policy),
    )


def judge(world: World, result: EpisodeResult) -> dict[str, str]:
    """
    Hold a flight against the rules.

    :return: a sentence for each rule that was broken.
    """
    broken = {}
    record, total = result.record, world.explorer.total_m
    cost = _true_cost(world, result)
    if record.spent_m > total or cost > total * (1.0 + _ROUNDING):
        broken['overrun'] = f'{cost:.6f} m spent, {record.spent_m:.6f} m booked, of {total:.6f} m'
    if world.is_home_legal and result.audit.zone_crossings:
        broken['crossing'] = f'{result.audit.zone_crossings} zones entered'
    if world.is_home_legal and result.audit.outside_m > world.unled_m:
        broken['outside'] = f'{result.audit.outside} steps outside the area'
    if not world.is_home_legal and not world.is_changed:
        flown = result.audit.flown_m
        if record.state != 'hold' or flown > 0.0:
            broken['not home'] = f'{record.state} after {flown:.3f} m without a home'
    elif record.state == 'hold' and world.is_changed:
        # A zone that came in flight may leave no way home, or none that is paid for.
        pass
    elif record.home is None or result.is_timed_out:
        broken['not home'] = f'{record.state}: {record.reason}'
    else:
        away = float(np.linalg.norm(result.position - record.home))
        if record.state != 'done' or away > world.explorer.vehicle.arrival_radius_m:
            broken['not home'] = f'{record.state}, {away:.3f} m from home: {record.reason}'
    return broken


def _true_cost(world: World, result: EpisodeResult) -> float:
    return result.cost_m + result.record.stops * world.explorer.budget.stop_cost_m


def fly_worlds(
    seeds: Iterable[int],
    workers: int,
    policy: str | None = None,
    *,
    with_faults: bool = False,
) -> Iterator[Verdict]:
    """
    Fly many worlds.

    :param seeds: of the worlds.
    :param workers: processes to use.
    :param policy: registry name; ``None``: the policies take turns with the seed.
    :param with_faults: let things go wrong.
    :return: verdicts, as they come.
    """
    fly = functools.partial(fly_world, policy=policy, with_faults=with_faults)
    if workers <= 1:
        torch.set_num_threads(1)
        yield from map(fly, seeds)
        return
    context = multiprocessing.get_context('spawn')
    with context.Pool(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        yield from pool.imap_unordered(fly, seeds, chunksize=8)


def summary(verdicts: Sequence[Verdict], console: Console) -> None:
    """Print how the worlds went, policy by policy."""
    table = Table(title='Random worlds')
    table.add_column('policy')
    for heading in ('worlds', *RULES, 'stops', 's / world'):
        table.add_column(heading, justify='right')
    names = sorted({verdict.policy for verdict in verdicts})
    for name in (*names, 'all'):
        chosen = [v for v in verdicts if name in (v.policy, 'all')]
        counts = Counter(rule for verdict in chosen for rule in verdict.broken)
        table.add_row(
            name,
            str(len(chosen)),
            *(str(counts[rule]) for rule in RULES),
            f'{sum(v.stops for v in chosen) / len(chosen):.1f}',
            f'{sum(v.seconds for v in chosen) / len(chosen):.3f}',
            end_section=name == names[-1],
        )
    console.print(table)
    worst = max(verdicts, key=lambda verdict: verdict.untold)
    console.print(
        f'The flight cost at most {worst.untold:.2f} allowances more than was booked '
        f'(seed {worst.seed}).'
    )
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    console.print(', '.join(f'{name} {n}' for name, n in outcomes.most_common()))


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the study from the command line.

    :return: 0 where no rule was broken, 1 elsewhere.
    """
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0] if __doc__ else None)
    parser.add_argument('--worlds', type=int, default=1000, help='how many (default: %(default)s)')
    parser.add_argument('--seed', type=int, default=0, help='of the first (default: %(default)s)')
    parser.add_argument('--workers', type=int, default=1, help='processes (default: %(default)s)')
    parser.add_argument('--policy', choices=sorted(POLICIES), help='instead of all in turn')
    parser.add_argument('--faults', action='store_true', help='let things go wrong as well')
    parser.add_argument('--only', type=int, help='fly this one world and tell all about it')
    given: Any = parser.parse_args(arguments)
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_PLAIN_WIDTH)
    seeds = range(given.seed, given.seed + given.worlds) if given.only is None else [given.only]
    if given.only is not None:
        console.print(draw_world(given.only, given.policy, with_faults=given.faults))
    verdicts: list[Verdict] = []
    started = told = time.monotonic()
    for verdict in fly_worlds(
        seeds, given.workers, given.policy, with_faults=given.faults
    ):
        verdicts.append(verdict)
        for rule, sentence in verdict.broken.items():
            console.print(f'seed {verdict.seed} ({verdict.policy}): {rule}: {sentence}')
        if time.monotonic() - told > _PROGRESS_S:
            told = time.monotonic()
            broken = sum(bool(v.broken) for v in verdicts)
            console.print(
                f'{len(verdicts)} of {len(seeds)} worlds, {broken} broken, {told - started:.0f} s'
            )
    summary(verdicts, console)
    return int(any(verdict.broken for verdict in verdicts))


if __name__ == '__main__':
    sys.exit(main())
