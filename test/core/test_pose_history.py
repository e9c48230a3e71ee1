# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A reading belongs to where the vehicle was when it was taken."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.pose_history import PoseHistory
from bo_explorer.core.types import Pose


def history(*poses: tuple[float, float], max_age_s: float = 2.0, capacity: int = 100):
    """Return a history of poses given as (stamp, x)."""
    filled = PoseHistory(max_age_s, capacity)
    for stamp, x in poses:
        filled.add(Pose(x=x, y=-x, z=2.0 * x, stamp=stamp))
    return filled


def test_an_empty_history_knows_no_pose():
    assert PoseHistory(2.0).at(0.0) is None


def test_the_pose_between_two_stamps_lies_on_the_line_between_them():
    pose = history((10.0, 0.0), (11.0, 4.0)).at(10.25)
    assert (pose.x, pose.y, pose.z, pose.stamp) == (1.0, -1.0, 2.0, 10.25)


def test_a_stamp_that_was_given_returns_that_pose():
    pose = history((10.0, 0.0), (11.0, 4.0), (12.0, 7.0)).at(11.0)
    assert pose.x == 4.0


def test_past_either_end_the_nearest_pose_serves_while_it_is_young_enough():
    poses = history((10.0, 1.0), (11.0, 4.0))
    assert poses.at(8.5).x == 1.0
    assert poses.at(12.9).x == 4.0
    assert poses.at(7.9) is None
    assert poses.at(13.1) is None


def test_a11_readings_out_of_order_find_their_own_pose_and_never_the_latest():
    poses = history(*[(9.0 + 0.1 * k, float(k)) for k in range(16)])
    found = [poses.at(stamp).x for stamp in (10.0, 9.5, 10.2)]
    assert found == pytest.approx([10.0, 5.0, 12.0])


def test_a11_poses_out_of_order_are_sorted_in():
    poses = history((10.0, 0.0), (11.0, 10.0), (10.5, 50.0), (10.2, 20.0))
    assert poses.at(10.5).x == 50.0
    assert poses.at(10.35).x == pytest.approx(35.0)


def test_in_a_long_gap_the_near_pose_serves_and_the_middle_has_none():
    poses = history((10.0, 1.0), (20.0, 9.0))
    assert poses.at(11.5).x == 1.0
    assert poses.at(18.5).x == 9.0
    assert poses.at(15.0) is None


def test_a_clock_set_back_forgets_the_poses_of_the_other_time():
    poses = history((1000.0, 1.0), (1000.1, 2.0), (3.0, 7.0))
    assert len(poses) == 1
    assert poses.at(1000.0) is None
    assert poses.at(3.0).x == 7.0


def test_one_stamp_from_the_future_does_not_blind_the_history():
    poses = history((10.0, 1.0), (1e9, 5.0), (10.1, 2.0), (10.2, 3.0))
    assert poses.at(10.2).x == 3.0


def test_the_same_stamp_twice_keeps_the_later_pose():
    poses = history((10.0, 1.0), (10.0, 2.0))
    assert len(poses) == 1
    assert poses.at(10.0).x == 2.0


@pytest.mark.parametrize('stamp', [math.nan, math.inf, -math.inf])
def test_a_stamp_that_is_not_a_time_has_no_pose(stamp):
    assert history((10.0, 1.0)).at(stamp) is None


@pytest.mark.parametrize(
    ('first', 'second', 'middle'),
    [
        (3.0, -3.0, math.pi),
        (-3.0, 3.0, math.pi),
        (0.0, 1.0, 0.5),
        (0.1, -0.3, -0.1),
        (6.2, 0.0, 6.2 / 2 + math.pi - 2 * math.pi),
    ],
)
def test_yaw_turns_the_short_way(first, second, middle):
    poses = PoseHistory(2.0)
    poses.add(Pose(0.0, 0.0, yaw=first, stamp=0.0))
    poses.add(Pose(0.0, 0.0, yaw=second, stamp=1.0))
    yaw = poses.at(0.5).yaw
    assert math.remainder(yaw - middle, 2 * math.pi) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(('first', 'second'), [(None, 1.0), (1.0, None), (None, None)])
def test_an_unknown_yaw_stays_unknown(first, second):
    poses = PoseHistory(2.0)
    poses.add(Pose(0.0, 0.0, yaw=first, stamp=0.0))
    poses.add(Pose(1.0, 0.0, yaw=second, stamp=1.0))
    assert poses.at(0.5).yaw is None
    assert poses.at(0.5).x == 0.5


def test_the_oldest_poses_go_first_when_the_history_is_full():
    poses = history(*[(float(k), float(k)) for k in range(50)], max_age_s=0.5, capacity=8)
    assert len(poses) == 8
    assert poses.at(41.0) is None
    assert poses.at(42.0).x == 42.0


@pytest.mark.parametrize('max_age_s', [0.0, -1.0, math.nan])
def test_an_age_that_is_not_above_zero_is_refused(max_age_s):
    with pytest.raises(ValueError, match="'max_age_s' must be above 0"):
        PoseHistory(max_age_s)


def test_a_capacity_of_nothing_is_refused():
    with pytest.raises(ValueError, match="'capacity' must be above 0"):
        PoseHistory(1.0, capacity=0)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.0, 5.0), min_size=1, max_size=30),
    st.floats(-3.0, 8.0),
)
def test_a_found_pose_is_never_further_in_time_than_allowed_and_lies_on_the_track(stamps, stamp):
    poses = PoseHistory(6.0)
    for time in stamps:
        poses.add(Pose(x=2.0 * time, y=0.0, stamp=time))
    pose = poses.at(stamp)
    low, high = min(stamps), max(stamps)
    if pose is None:
        assert min(abs(stamp - time) for time in stamps) > 6.0
    else:
        assert pose.x == pytest.approx(2.0 * min(max(stamp, low), high), abs=1e-9)
