# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.area import SearchArea
from bo_explorer.sim.audit import FlightAudit

SQUARE = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]])
BLOCK = np.array([[40.0, 40.0], [60.0, 40.0], [60.0, 60.0], [40.0, 60.0]])
# Two wings and a bar: a straight line at y = 50 passes both wings.
COURT = np.array(
    [
        [20.0, 20.0],
        [80.0, 20.0],
        [80.0, 70.0],
        [70.0, 70.0],
        [70.0, 30.0],
        [30.0, 30.0],
        [30.0, 70.0],
        [20.0, 70.0],
    ]
)


def audit_of(places: list[tuple[float, float]], *zones: np.ndarray) -> FlightAudit:
    audit = FlightAudit(SearchArea([SQUARE], list(zones), margin_m=5.0, zone_margin_m=3.0))
    for place in places:
        audit.add(np.array(place))
    return audit


def test_a_flight_clear_of_everything_is_clean() -> None:
    audit = audit_of([(10.0, 10.0), (90.0, 10.0), (90.0, 90.0)], BLOCK)
    assert (audit.zone_crossings, audit.outside) == (0, 0)
    assert audit.flown_m == pytest.approx(160.0)


@pytest.mark.parametrize('n_steps', [1, 2, 3, 7, 100, 101])
def test_one_crossing_counts_once_however_often_it_is_looked_at(n_steps: int) -> None:
    xs = np.linspace(10.0, 90.0, n_steps + 1)
    assert audit_of([(x, 50.0) for x in xs], BLOCK).zone_crossings == 1


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.lists(st.floats(1.0, 99.0), max_size=12))
def test_two_wings_count_twice_wherever_the_vehicle_is_looked_at(stops: list[float]) -> None:
    places = [(x, 50.0) for x in sorted([5.0, *stops, 95.0])]
    assert audit_of(places, COURT).zone_crossings == 2


def test_entering_again_counts_again() -> None:
    there_and_back = [(30.0, 50.0), (50.0, 50.0), (30.0, 50.0), (50.0, 50.0), (50.0, 51.0)]
    assert audit_of(there_and_back, BLOCK).zone_crossings == 2


def test_a_start_inside_a_zone_counts() -> None:
    audit = audit_of([(50.0, 50.0), (51.0, 50.0), (90.0, 50.0)], BLOCK)
    assert audit.zone_crossings == 1


def test_hovering_inside_a_zone_counts_once() -> None:
    assert audit_of([(50.0, 50.0)] * 5, BLOCK).zone_crossings == 1


def test_flying_along_the_border_of_a_zone_and_through_its_margin_is_allowed() -> None:
    along = [(30.0, 40.0), (70.0, 40.0), (60.0, 40.0), (60.0, 60.0), (61.0, 50.0)]
    assert audit_of(along, BLOCK).zone_crossings == 0


def test_cutting_a_corner_counts_although_both_ends_are_outside() -> None:
    assert audit_of([(39.0, 42.0), (42.0, 39.0)], BLOCK).zone_crossings == 1


def test_steps_outside_the_area_are_counted_and_its_border_belongs_to_it() -> None:
    assert audit_of([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0)]).outside == 0
    audit = audit_of([(90.0, 50.0), (101.0, 50.0), (102.0, 50.0), (90.0, 50.0), (80.0, 50.0)])
    assert audit.outside == 3
    assert audit_of([(101.0, 50.0)]).outside == 1


def test_a_step_across_a_notch_is_outside_although_both_ends_are_inside() -> None:
    notched = np.array([[0.0, 0.0], [50.0, 50.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]])
    audit = FlightAudit(SearchArea([notched]))
    audit.add(np.array([5.0, 10.0]))
    audit.add(np.array([95.0, 10.0]))
    assert audit.outside == 1


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.floats(-20.0, 120.0), st.floats(-20.0, 120.0)), max_size=15))
def test_the_distance_is_the_sum_of_the_steps(places: list[tuple[float, float]]) -> None:
    expected = sum(math.dist(a, b) for a, b in zip(places, places[1:], strict=False))
    assert audit_of(places, BLOCK).flown_m == pytest.approx(expected)


def test_the_planner_s_own_answer_about_a_flight_is_the_same() -> None:
    area = SearchArea([SQUARE], [COURT])
    rng = np.random.default_rng(0)
    for _ in range(300):
        leg = rng.uniform(0.0, 100.0, (2, 2))
        audit = FlightAudit(area)
        audit.add(leg[0])
        audit.add(leg[1])
        assert (audit.zone_crossings > 0) == area.crosses_zone(leg)


def test_a_place_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'position'"):
        audit_of([(math.nan, 0.0)])
