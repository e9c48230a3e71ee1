# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Poses that are late, doubled, wild or of another clock."""

from __future__ import annotations

from bo_explorer.core.mission_clock import MissionClock
from bo_explorer.core.pose_gate import PoseGate, Verdict
from bo_explorer.core.types import Pose

GOOD, JUMPED, LATE, RESET = Verdict.GOOD, Verdict.JUMPED, Verdict.LATE, Verdict.RESET
DUPLICATE, DOUBTED, UNSURE = Verdict.DUPLICATE, Verdict.DOUBTED, Verdict.UNSURE


def judged(*poses):
    """Judge (x, stamp) pairs at 5 m/s, 5 m of slack and an age of 2 s; the first one is sure."""
    gate, clock = PoseGate(5.0, 5.0, 2.0), MissionClock(30.0)

    def judge(x, stamp):
        return gate.judge(Pose(x, 0.0, stamp=stamp), clock.advance(stamp)[0])

    x, stamp = poses[0]
    for early in (0.002, 0.001):
        assert judge(x, stamp - early) is UNSURE
    return [judge(x, stamp) for x, stamp in poses]


def test_a_flight_is_good_also_after_a_gap():
    assert judged((0, 0.0), (5, 1.0), (60, 10.0)) == [GOOD] * 3


def test_after_a_long_time_a_place_is_believed_when_three_poses_agree():
    """A clock that jumps forward would make any wild pose plausible."""
    assert judged((0, 0.0), (900, 3000.0), (1, 3000.1)) == [GOOD, DOUBTED, DOUBTED]
    assert judged((0, 0.0), (90, 20.0), (90, 20.1), (91, 20.2)) == [GOOD, DOUBTED, DOUBTED, RESET]


def test_the_first_place_is_believed_when_three_poses_agree():
    gate = PoseGate(5.0, 5.0, 2.0)
    poses = [(900, 0.0), (0, 0.1), (0.2, 0.2), (0.4, 0.3), (0.6, 0.4)]
    assert [gate.judge(Pose(x, 0.0, stamp=stamp), stamp) for x, stamp in poses] == [
        UNSURE,
        UNSURE,
        UNSURE,
        GOOD,
        GOOD,
    ]


def test_a_pose_that_comes_out_of_order_is_late():
    assert judged((0, 10.0), (1, 10.2), (0.5, 10.1), (2, 10.4)) == [GOOD, GOOD, LATE, GOOD]


def test_a_pose_delivered_twice_is_no_news():
    assert judged((0, 10.0), (0, 10.0), (1, 10.2)) == [GOOD, DUPLICATE, GOOD]


def test_one_wild_pose_is_never_believed():
    assert judged((0, 0.0), (90, 0.1), (1, 0.2), (90, 0.3), (2, 0.4)) == [
        GOOD,
        DOUBTED,
        GOOD,
        DOUBTED,
        GOOD,
    ]


def test_a_jump_is_believed_when_three_poses_agree():
    assert judged((0, 0.0), (90, 0.1), (90, 0.2), (90.5, 0.3), (91, 0.4)) == [
        GOOD,
        DOUBTED,
        DOUBTED,
        JUMPED,
        GOOD,
    ]


def test_wild_poses_that_contradict_each_other_never_agree():
    wild = [(100.0 * (1 + k % 2), 0.1 + 0.1 * k) for k in range(20)]
    assert judged((0, 0.0), *wild)[1:] == [DOUBTED] * 20


def test_one_wild_pose_repeated_does_not_confirm_itself():
    assert judged((0, 0.0), *[(90, 0.1)] * 10)[1:] == [DOUBTED] * 10


def test_a_clock_that_was_set_back_is_believed_when_three_poses_agree():
    later = judged((0, 1000.0), (1, 1.0), (1.5, 1.1), (2, 1.2), (2.1, 1.3))
    assert later == [GOOD, DOUBTED, DOUBTED, RESET, GOOD]


def test_a_simulator_that_starts_again_elsewhere_is_a_jump():
    later = judged((0, 1000.0), (300, 1.0), (300, 1.1), (300, 1.2))
    assert later == [GOOD, DOUBTED, DOUBTED, JUMPED]
