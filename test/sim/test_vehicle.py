# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.sim.config import VehicleConfig
from bo_explorer.sim.vehicle import PointVehicle

reproducible = settings(derandomize=True, deadline=None, max_examples=40)
coordinates = st.floats(-30.0, 30.0)
places = st.tuples(coordinates, coordinates).map(np.array)
speeds = st.floats(1.0, 15.0)
accelerations = st.floats(0.3, 8.0)
steps = st.floats(0.005, 0.3)


def vehicle_at(x: float, y: float, speed: float = 5.0, acceleration: float = 2.0) -> PointVehicle:
    return PointVehicle(np.array([x, y]), speed_mps=speed, acceleration_mps2=acceleration)


def fly_to(vehicle: PointVehicle, target: np.ndarray, dt: float, time: float) -> np.ndarray:
    track = [vehicle.position]
    for _ in range(math.ceil(time / dt)):
        vehicle.step(target, dt)
        track.append(vehicle.position)
        if vehicle.is_at_rest and np.array_equal(vehicle.position, target):
            break
    return np.array(track)


@reproducible
@given(places, places, speeds, accelerations, steps)
def test_from_rest_it_flies_straight_and_stops_on_the_setpoint(
    start: np.ndarray, target: np.ndarray, speed: float, acceleration: float, dt: float
) -> None:
    vehicle = PointVehicle(start, speed_mps=speed, acceleration_mps2=acceleration)
    distance = float(np.linalg.norm(target - start))
    # Speeding up and braking take speed / acceleration longer than cruising all the way.
    track = fly_to(vehicle, target, dt, distance / speed + 2.0 * speed / acceleration + 5.0)
    assert vehicle.is_at_rest
    assert np.array_equal(vehicle.position, target)
    assert vehicle.flown_m == pytest.approx(distance, abs=1e-6)
    if distance > 1e-6:
        direction = (target - start) / distance
        along = (track - start) @ direction
        across = (track - start) @ np.array([-direction[1], direction[0]])
        assert np.abs(across).max() <= 1e-9
        assert along.max() <= distance + 1e-6
        assert (np.diff(along) >= -1e-9).all()


@reproducible
@given(
    st.lists(st.tuples(places, steps, st.integers(1, 30)), min_size=1, max_size=6),
    speeds,
    accelerations,
)
def test_speed_acceleration_and_distance_keep_to_their_limits_whatever_it_is_told(
    orders: list[tuple[np.ndarray, float, int]], speed: float, acceleration: float
) -> None:
    vehicle = vehicle_at(0.0, 0.0, speed, acceleration)
    flown = 0.0
    for target, dt, count in orders:
        for k in range(count):
            before, velocity = vehicle.position, vehicle.velocity
            assert vehicle.step(None if k % 7 == 6 else target, dt) == dt
            moved = float(np.linalg.norm(vehicle.position - before))
            flown += moved
            assert vehicle.speed_mps <= speed * (1.0 + 1e-12)
            assert moved <= speed * dt * (1.0 + 1e-9)
            change = float(np.linalg.norm(vehicle.velocity - velocity))
            assert change <= acceleration * dt * (1.0 + 1e-9)
    assert vehicle.flown_m >= flown - 1e-9


@reproducible
@given(places, places, speeds, accelerations, steps)
def test_a_setpoint_changed_in_flight_is_reached_all_the_same(
    first: np.ndarray, second: np.ndarray, speed: float, acceleration: float, dt: float
) -> None:
    vehicle = vehicle_at(0.0, 0.0, speed, acceleration)
    for _ in range(20):
        vehicle.step(first, dt)
    distance = float(np.linalg.norm(second - vehicle.position))
    fly_to(vehicle, second, dt, 2.0 * distance / speed + 8.0 * speed / acceleration + 5.0)
    assert vehicle.is_at_rest
    assert np.array_equal(vehicle.position, second)


def test_the_flight_time_is_that_of_the_trapezoid_of_speed() -> None:
    vehicle = vehicle_at(0.0, 0.0, speed=4.0, acceleration=2.0)
    dt = 0.02
    track = fly_to(vehicle, np.array([40.0, 0.0]), dt, 60.0)
    assert dt * (len(track) - 1) == pytest.approx(40.0 / 4.0 + 4.0 / 2.0, abs=2.0 * dt)


def test_without_a_setpoint_it_brakes_in_the_distance_physics_asks_for() -> None:
    vehicle = vehicle_at(0.0, 0.0, speed=5.0, acceleration=2.0)
    for _ in range(300):
        vehicle.step(np.array([1000.0, 0.0]), 0.02)
    assert vehicle.speed_mps == pytest.approx(5.0)
    start = vehicle.position
    for _ in range(300):
        vehicle.step(None, 0.02)
    assert vehicle.is_at_rest
    assert np.linalg.norm(vehicle.position - start) == pytest.approx(25.0 / 4.0, abs=1e-9)


@pytest.mark.parametrize('bad', [math.nan, math.inf])
def test_a_setpoint_that_is_not_finite_makes_it_stop_and_hold(bad: float) -> None:
    vehicle = vehicle_at(1.0, 2.0)
    for _ in range(50):
        vehicle.step(np.array([50.0, 2.0]), 0.02)
    for _ in range(200):
        vehicle.step(np.array([bad, 0.0]), 0.02)
    assert vehicle.is_at_rest
    assert np.isfinite(vehicle.position).all()
    held = vehicle.position
    vehicle.step(np.array([bad, bad]), 0.02)
    assert np.array_equal(vehicle.position, held)


def test_after_a_pause_of_ten_seconds_it_has_not_jumped() -> None:
    """Field case F11."""
    vehicle = vehicle_at(0.0, 0.0, speed=5.0, acceleration=2.0)
    for _ in range(200):
        vehicle.step(np.array([500.0, 0.0]), 0.02)
    before = vehicle.position
    assert vehicle.step(np.array([0.0, 500.0]), 10.0) == 1.0
    assert np.linalg.norm(vehicle.position - before) <= 5.0


def test_a_long_step_flies_as_many_short_ones_do() -> None:
    whole, pieces = vehicle_at(0.0, 0.0), vehicle_at(0.0, 0.0)
    target = np.array([3.0, -4.0])
    for _ in range(10):
        whole.step(target, 0.4)
        for _ in range(20):
            pieces.step(target, 0.02)
        assert np.allclose(whole.position, pieces.position, atol=1e-9)


@pytest.mark.parametrize('dt', [0.0, -1.0, math.nan])
def test_no_time_moves_nothing(dt: float) -> None:
    vehicle = vehicle_at(0.0, 0.0)
    vehicle.step(np.array([9.0, 0.0]), 0.1)
    before = vehicle.position
    assert vehicle.step(np.array([9.0, 0.0]), dt) == 0.0
    assert np.array_equal(vehicle.position, before)


def test_what_it_hands_out_cannot_be_used_to_move_it() -> None:
    vehicle = vehicle_at(0.0, 0.0)
    vehicle.position[0] = 5.0
    vehicle.velocity[0] = 5.0
    assert vehicle.is_at_rest
    assert np.array_equal(vehicle.position, [0.0, 0.0])


def test_it_starts_where_its_options_say() -> None:
    vehicle = PointVehicle.from_config(VehicleConfig(start_x=3.0, start_y=-4.0))
    assert np.array_equal(vehicle.position, [3.0, -4.0])
    assert vehicle.is_at_rest


def test_impossible_vehicles_and_setpoints_are_refused() -> None:
    with pytest.raises(ValueError, match="'speed_mps'"):
        vehicle_at(0.0, 0.0, speed=0.0)
    with pytest.raises(ValueError, match="'acceleration_mps2'"):
        vehicle_at(0.0, 0.0, acceleration=math.nan)
    with pytest.raises(ValueError, match="'position'"):
        vehicle_at(math.nan, 0.0)
    with pytest.raises(ValueError, match="'setpoint'"):
        vehicle_at(0.0, 0.0).step(np.zeros(3), 0.1)
