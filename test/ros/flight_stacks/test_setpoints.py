# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Following and holding, without ROS."""

from __future__ import annotations

import pytest

from bo_explorer.core.plane import PlaneConfig, SearchPlane
from bo_explorer.core.types import Pose, Waypoint
from bo_explorer.ros.flight_stacks.setpoints import Setpoints, without_heading

A, B = Waypoint(1.0, 2.0, 3.0, 0.5), Waypoint(4.0, 5.0, 6.0)


HERE = Pose(1.0, 2.0, 3.0)


def begun(*, timeout_s=1.0, plane=None, pose=HERE):
    """Return the setpoints of a vehicle that has just come from other hands."""
    made = Setpoints(timeout_s, SearchPlane(plane or PlaneConfig(), 10.0), 2.0)
    made.begin(pose)
    return made


def test_nothing_is_sent_before_anything_is_known():
    assert Setpoints(1.0, SearchPlane(PlaneConfig(), 10.0), 2.0).follow(0.0, None) is None


def test_the_newest_waypoint_is_followed():
    setpoints = begun()
    setpoints.hear(A, 0.0, HERE)
    setpoints.hear(B, 0.1, HERE)
    assert setpoints.follow(0.2, HERE) is B and not setpoints.is_holding


def test_a_stream_that_ends_leaves_the_vehicle_at_its_last_setpoint():
    setpoints = begun()
    setpoints.hear(A, 0.0, HERE)
    assert setpoints.follow(0.5, HERE) is A
    assert setpoints.follow(100.0, HERE) is A and setpoints.is_holding
    setpoints.hear(B, 101.0, HERE)
    assert setpoints.follow(101.0, HERE) is B and not setpoints.is_holding


def test_an_old_waypoint_is_not_begun():
    setpoints = begun()
    setpoints.hear(A, 0.0, HERE)
    here = setpoints.hold(Pose(7.0, 8.0, 9.0, 1.0))
    assert here == Waypoint(7.0, 8.0, 9.0, 1.0)
    assert setpoints.follow(5.0, HERE) is here and setpoints.is_holding


@pytest.mark.parametrize(
    ('place', 'counts'),
    [
        ((1.0, 2.0), True),  # where the vehicle was when the waypoint came
        ((6.0, 3.9), True),  # on the way
        ((11.0, 0.1), True),  # at the end of it
        ((-0.9, 2.0), True),
        ((6.0, 4.1), False),
        ((13.1, 2.0), False),
        ((1.0, 40.0), False),
    ],
)
def test_after_other_hands_a_waypoint_counts_where_the_vehicle_is_on_its_leg(place, counts):
    setpoints = begun()
    far = Waypoint(11.0, 2.0, 3.0)
    setpoints.hear(far, 0.0, HERE)
    there = Pose(*place, 25.0)
    setpoints.begin(there)
    setpoints.hear(far, 0.1, there)
    hover = Waypoint(there.x, there.y, there.z)
    assert setpoints.follow(0.1, there) == (far if counts else hover)
    # From where the vehicle is now, another waypoint was planned.
    setpoints.hear(B, 0.2, there)
    assert setpoints.follow(0.2, there) is B
    setpoints.hear(far, 0.3, Pose(6.0, 30.0, 3.0))
    assert setpoints.follow(0.3, Pose(6.0, 30.0, 3.0)) is far


def test_a_waypoint_from_before_the_first_pose_was_given_where_that_pose_is():
    setpoints = begun()
    far = Waypoint(31.0, 2.0, 3.0)
    setpoints.hear(far, 0.0, None)
    assert setpoints.follow(0.0, None) != far
    setpoints.hear(far, 0.1, HERE)
    assert setpoints.follow(0.1, HERE) is far


def test_before_a_wall_the_leg_is_on_the_wall():
    wall = PlaneConfig(tilt_deg=90.0, stand_off_m=5.0)
    here, end = Pose(0.0, -5.0, 10.0), Waypoint(20.0, -5.0, 10.0)
    backed_off, higher = Pose(10.0, -30.0, 10.0), Pose(10.0, -5.0, 13.0)
    for place, counts in ((backed_off, True), (higher, False)):
        setpoints = begun(plane=wall, pose=here)
        setpoints.hear(end, 0.0, here)
        setpoints.begin(place)
        assert (setpoints.follow(0.1, place) is end) is counts


def test_without_heading_keeps_the_place():
    assert without_heading(A) == Waypoint(1.0, 2.0, 3.0, None)
