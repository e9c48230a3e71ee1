# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""When a goal is sent, without ROS."""

from __future__ import annotations

import math

from bo_explorer.core.types import Waypoint
from bo_explorer.ros.flight_stacks.goals import GoalGate

A, B = Waypoint(0.0, 0.0, 1.0), Waypoint(3.0, 0.0, 1.0)


def test_a_goal_is_sent_once():
    gate = GoalGate()
    assert [gate.is_new(A, 0.05 * i) for i in range(100)] == [True] + 99 * [False]


def test_a_new_place_is_a_new_goal_but_not_at_once():
    gate = GoalGate(period_s=0.2)
    assert gate.is_new(A, 0.0)
    assert not gate.is_new(B, 0.1)
    assert gate.is_new(B, 0.25)


def test_jitter_and_whole_turns_are_no_new_goal():
    gate = GoalGate()
    gate.is_new(Waypoint(0.0, 0.0, 1.0, 3.1), 0.0)
    assert not gate.is_new(Waypoint(0.001, -0.001, 1.0, 3.1 - 2.0 * math.pi), 1.0)
    assert gate.is_new(Waypoint(0.0, 0.0, 1.0, -3.1), 2.0)
    assert gate.is_new(Waypoint(0.0, 0.0, 1.0, None), 3.0)
    assert gate.is_new(Waypoint(0.0, 0.0, 1.1, None), 4.0)


def test_a_failed_goal_is_sent_again_after_a_while():
    gate = GoalGate(retry_s=3.0)
    gate.is_new(A, 0.0)
    gate.fail(A, 1.0)
    assert not gate.is_new(A, 3.9) and gate.is_new(A, 4.0)
    assert gate.failures == 1


def test_the_failure_of_a_replaced_goal_counts_for_nothing():
    """Field case F4."""
    gate = GoalGate(retry_s=1.0)
    gate.is_new(A, 0.0)
    gate.is_new(B, 1.0)
    gate.fail(A, 1.1)
    assert not gate.is_new(B, 10.0) and gate.failures == 0


def test_a_goal_may_be_repeated():
    gate = GoalGate(repeat_s=2.0)
    assert [gate.is_new(A, t) for t in (0.0, 1.0, 2.0, 3.0, 4.0)] == [True, False] * 2 + [True]


def test_a_forgotten_goal_is_sent_anew():
    gate = GoalGate()
    gate.is_new(A, 0.0)
    gate.forget()
    assert gate.is_new(A, 0.01)
