# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Missions in worlds drawn at random keep every promise; those that once broke one stay mended."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from bo_explorer.core.policy import POLICIES
from bo_explorer.study.random_worlds import fly_world, judge, main, run_world, summary
from bo_explorer.study.world_generator import FAULTS as FAULT_KINDS
from bo_explorer.study.world_generator import draw_world

N_WORLDS = 200
N_CHUNKS = 20

FAULTS = (
    (16, 'pbgi'),  # momentum at a vertex, into a zone
    (28, 'pi'),  # turns cost more than was booked
    (66, 'pbgi'),
    (70, 'pbgi'),  # a plan from rest was taken for a second turn back, again and again
    (160, 'dist_ucb'),  # a micrometre from a vertex is not at rest
    (184, 'log_ei'),  # sideways momentum at the start of a leg that ends on the border
    (221, 'ducb'),
    (236, 'pbgi'),
    (382, 'ei'),
    (402, 'ei'),
    (480, 'dist_ucb'),
    (492, 'ei'),
    (497, 'pbgi_d'),
    (505, 'max_std'),
    (568, 'pi'),
    (5809, 'dist_ucb'),  # targets within the arrival radius, measured without flying
)

FAULTED = (
    (246, 'ei'),  # a wild pose after a restart was charged as flown
    (360, 'ei'),  # no reading at all for longer than a small world lasts
    (1000, 'max_value_entropy'),  # a stop nearer than the vehicle, after a jump of the clock
    (1137, 'max_std'),  # killed while braking on a border
    (5035, 'ucb'),  # a clock set back in a gap of poses: the way flown was not charged
    (5250, 'ei_per_cost_rollout'),  # the first pose of all was a wild one
    (5373, 'one_shot'),  # home moved behind a vehicle at full speed
    (5597, 'knowledge_gradient'),  # a home nearer than the arrival radius and beyond the budget
    (5679, 'ucb'),
    (6121, 'ducb'),  # a clock that jumped ahead made a wild pose plausible
    (60, 'ucb'),  # a home that becomes legal while the vehicle waits on the ground
)


@pytest.mark.parametrize('chunk', range(N_CHUNKS))
def test_random_worlds_keep_every_promise(chunk):
    """Field case G13."""
    size = N_WORLDS // N_CHUNKS
    for seed in range(chunk * size, (chunk + 1) * size):
        verdict = fly_world(seed)
        assert not verdict.broken, f'--only {seed}: {verdict.broken}'


@pytest.mark.parametrize('chunk', range(10))
def test_random_worlds_keep_every_promise_whatever_goes_wrong(chunk):
    """Gaps, wild poses, clock jumps, kills, and zones and homes that change in flight."""
    for seed in range(6 * chunk, 6 * (chunk + 1)):
        verdict = fly_world(seed, ('ucb', 'ei', 'log_ei')[seed % 3], with_faults=True)
        assert not verdict.broken, f'--faults --only {seed}: {verdict.broken}'


@pytest.mark.parametrize('seed, policy', FAULTED)
def test_a_fault_that_once_broke_a_promise_stays_mended(seed, policy):
    assert not fly_world(seed, policy, with_faults=True).broken


@pytest.mark.parametrize('seed, policy', FAULTS)
def test_a_world_that_once_broke_a_promise_stays_mended(seed, policy):
    assert not fly_world(seed, policy).broken


def test_a_world_follows_from_its_number():
    assert draw_world(7) == draw_world(7)
    assert draw_world(7) != draw_world(8)


def test_a_world_with_faults_is_the_same_world():
    calm, rough = draw_world(9), draw_world(9, with_faults=True)
    assert rough.simulator == calm.simulator
    assert rough.explorer.area == calm.explorer.area
    assert set(calm.commands) < set(rough.commands)


def test_every_kind_of_fault_is_drawn():
    drawn = {c.action for seed in range(40) for c in draw_world(seed, with_faults=True).commands}
    assert set(FAULT_KINDS) <= drawn


def test_every_policy_has_its_turn():
    drawn = {draw_world(seed).policy for seed in range(len(POLICIES))}
    assert drawn == set(POLICIES)


def test_the_judge_sees_what_is_wrong():
    world = draw_world(1, 'ucb')
    result = run_world(world)
    assert judge(world, result) == {}
    result.record.spent_m = world.explorer.budget.total_m + 1e-9
    assert 'overrun' in judge(world, result)
    result.record.spent_m, result.record.state = 0.0, 'returning'
    assert 'not home' in judge(world, result)
    for k in range(3):
        result.audit.add(np.array([1e3 * k, 1e4]))
    assert 'outside' in judge(world, result)


def test_the_study_runs_from_the_command_line(capsys):
    assert main(['--worlds', '2', '--policy', 'ucb']) == 0
    assert 'Random worlds' in capsys.readouterr().out


def test_the_summary_counts_by_policy():
    text = io.StringIO()
    summary([fly_world(0, 'ucb'), fly_world(1, 'ei')], Console(file=text, width=120))
    assert 'ucb' in text.getvalue()
    assert 'ei' in text.getvalue()
