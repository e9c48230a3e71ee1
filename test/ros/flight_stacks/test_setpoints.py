# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Following and holding, without ROS."""

from __future__ import annotations

from bo_explorer.core.types import Pose, Waypoint
from bo_explorer.ros.flight_stacks.setpoints import Setpoints, without_heading

A, B = Waypoint(1.0, 2.0, 3.0, 0.5), Waypoint(4.0, 5.0, 6.0)


def test_nothing_is_sent_before_anything_is_known():
    assert Setpoints(1.0).follow(0.0) is None


def test_the_newest_waypoint_is_followed():
    setpoints = Setpoints(1.0)
    setpoints.hear(A, 0.0)
    setpoints.hear(B, 0.1)
    assert setpoints.follow(0.2) is B and not setpoints.is_holding


def test_a_stream_that_ends_leaves_the_vehicle_at_its_last_setpoint():
    setpoints = Setpoints(1.0)
    setpoints.hear(A, 0.0)
    assert setpoints.follow(0.5) is A
    assert setpoints.follow(100.0) is A and setpoints.is_holding
    setpoints.hear(B, 101.0)
    assert setpoints.follow(101.0) is B and not setpoints.is_holding


def test_an_old_waypoint_is_not_begun():
    setpoints = Setpoints(1.0)
    setpoints.hear(A, 0.0)
    here = setpoints.hold(Pose(7.0, 8.0, 9.0, 1.0))
    assert here == Waypoint(7.0, 8.0, 9.0, 1.0)
    assert setpoints.follow(5.0) is here and setpoints.is_holding


def test_after_other_hands_only_another_waypoint_counts():
    setpoints = Setpoints(1.0)
    setpoints.hear(A, 0.0)
    setpoints.follow(0.0)
    here = setpoints.hold(Pose(40.0, 0.0, 3.0))
    setpoints.wait_for_new()
    setpoints.hear(Waypoint(1.0, 2.0, 3.0, 0.5), 0.1)
    assert setpoints.follow(0.1) is here
    setpoints.hear(B, 0.2)
    assert setpoints.follow(0.2) is B
    setpoints.hear(A, 0.3)
    assert setpoints.follow(0.3) is A


def test_without_heading_keeps_the_place():
    assert without_heading(A) == Waypoint(1.0, 2.0, 3.0, None)
