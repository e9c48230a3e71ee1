# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Following a polyline: no corner is cut illegally, stopping points lie on the path."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bo_explorer.core.follower import PathFollower

CORNER = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])


def follower(path=CORNER, *, legal=lambda start, end: True, clearance=9.0, arrival=1.0):
    return PathFollower(
        path,
        arrival_radius_m=arrival,
        clearance_m=lambda start, end: clearance,
        stopping_distance_m=4.0,
        settle_s=2.0,
        leg_legal=legal,
    )


def at(x, y):
    return np.array([x, y])


def test_the_first_vertex_after_the_start_is_flown_to_first():
    assert follower().setpoint.tolist() == [10.0, 0.0]


def test_a_vertex_is_passed_within_half_the_arrival_radius_where_there_is_room():
    lead = follower()
    assert not lead.update(at(9.4, 0.0), 0.0)
    assert lead.setpoint.tolist() == [10.0, 0.0]
    assert lead.update(at(9.6, 0.0), 0.1)
    assert lead.setpoint.tolist() == [10.0, 10.0]


def test_a_vertex_on_a_border_is_passed_only_on_the_spot():
    lead = follower(clearance=0.0)
    assert not lead.update(at(9.99, 0.0), 0.0)
    assert lead.update(at(10.0, 0.0), 0.1)


def test_a_vertex_near_a_zone_is_passed_slowly_enough_to_turn_off():
    """Clearance 1 m and stopping distance 4 m: within 1 / 16 m."""
    lead = follower(clearance=1.0)
    assert not lead.update(at(9.93, 0.0), 0.0)
    assert lead.update(at(9.94, 0.0), 0.1)


def test_a_vertex_is_not_passed_while_the_next_leg_is_illegal():
    lead = follower(legal=lambda start, end: start[0] >= 9.9)
    assert not lead.update(at(9.6, 0.0), 0.0)
    assert lead.update(at(9.95, 0.0), 0.1)


def test_a_vehicle_that_cannot_come_closer_passes_after_a_while():
    lead = follower(clearance=0.0)
    assert not lead.update(at(9.5, 0.0), 0.0)
    assert not lead.update(at(9.5, 0.1), 1.9)
    assert lead.update(at(9.5, 0.0), 2.0)


def test_hovering_where_no_leg_is_legal_is_noticed():
    lead = follower(legal=lambda start, end: False)
    lead.update(at(9.9, 0.0), 0.0)
    lead.update(at(9.9, 0.0), 3.9)
    assert not lead.is_stuck(3.9)
    assert lead.is_stuck(4.1)


def test_arrival_needs_the_end_and_every_vertex_before_it():
    loop = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 0.1]])
    lead = follower(loop)
    lead.update(at(0.0, 0.0), 0.0)
    assert not lead.has_arrived
    lead.update(at(10.0, 0.0), 1.0)
    lead.update(at(0.5, 0.1), 2.0)
    assert lead.has_arrived


def test_a_path_of_one_place_has_arrived_at_once():
    """Field case F9: start equals goal."""
    lead = follower(np.array([[1.0, 2.0]]))
    assert lead.update(at(1.0, 2.0), 0.0)
    assert lead.has_arrived
    assert lead.remaining_within(5.0).tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_deviation_is_the_distance_from_the_present_leg():
    lead = follower()
    lead.update(at(5.0, 2.0), 0.0)
    assert lead.deviation_m() == pytest.approx(2.0)


@given(distance=st.floats(0.0, 40.0), along=st.floats(0.0, 9.0))
def test_the_stopping_point_lies_on_the_path_at_the_braking_distance(distance, along):
    lead = follower()
    lead.update(at(along, 0.0), 0.0)
    part = lead.remaining_within(distance)
    length = np.linalg.norm(np.diff(part, axis=0), axis=1).sum()
    assert length == pytest.approx(min(distance, 20.0 - along), abs=1e-9)
    x, y = part[-1]
    on_first, on_second = y == 0.0 and x <= 10.0, abs(x - 10.0) < 1e-9
    assert on_first or on_second


def test_stopping_ends_the_path_at_the_stopping_point():
    lead = follower()
    lead.update(at(8.0, 0.0), 0.0)
    lead.stop_within(4.0)
    assert lead.setpoint.tolist() == [10.0, 0.0]
    assert lead.target.tolist() == [10.0, 2.0]
