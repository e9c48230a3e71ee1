# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.types import FloatArray
from bo_explorer.sim.config import SensorConfig
from bo_explorer.sim.fields import Bounds, Extreme, KnownField
from bo_explorer.sim.sensor import Sensor

ORIGIN = np.zeros(2)


def slope(points: FloatArray) -> FloatArray:
    return 3.0 * points[:, 0] - points[:, 1]


FIELD = KnownField(
    slope,
    Bounds(-1e3, -1e3, 1e3, 1e3),
    Extreme(np.array([1e3, -1e3]), 4e3),
    Extreme(np.array([-1e3, 1e3]), -4e3),
)


def sensor(seed: int = 0, **options: float) -> Sensor:
    return Sensor(SensorConfig(**options), np.random.default_rng(seed))


def flight(instrument: Sensor, times: FloatArray) -> list[tuple[float, float]]:
    """Fly east at 2 m/s and return all readings."""
    readings = []
    for now in times:
        readings += instrument.read(FIELD, np.array([2.0 * now, 0.0]), float(now))
    return readings


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.floats(1e-3, 1.3), min_size=1, max_size=40), st.floats(0.0, 0.9))
def test_readings_do_not_depend_on_how_time_is_cut_into_steps(
    steps: list[float], dropout: float
) -> None:
    end = math.fsum(steps)
    times = np.append(0.0, np.minimum(np.cumsum(steps), end))
    times[-1] = end
    options = {'rate_hz': 7.0, 'noise_std': 0.5, 'dropout': dropout}
    cut = flight(sensor(3, **options), times)
    whole = flight(sensor(3, **options), np.array([0.0, end]))
    assert np.allclose(cut, whole, atol=1e-9)


@pytest.mark.parametrize('step', [0.01, 0.02, 0.05, 0.1, 0.3])
def test_it_reads_at_its_rate_whatever_the_step(step: float) -> None:
    times = step * np.arange(round(30.0 / step) + 1)
    stamps = np.array([stamp for _, stamp in flight(sensor(rate_hz=10.0), times)])
    assert np.allclose(stamps, 0.1 * np.arange(301), atol=1e-8)


def test_a_reading_is_the_value_where_the_vehicle_was_when_it_was_taken() -> None:
    for value, stamp in flight(sensor(rate_hz=3.0), np.linspace(0.0, 10.0, 8)):
        assert value == pytest.approx(3.0 * 2.0 * stamp, abs=1e-6)


def test_noise_has_the_standard_deviation_asked_for() -> None:
    instrument = sensor(5, rate_hz=1000.0, noise_std=0.7)
    values = []
    for now in np.arange(0.0, 8.0, 0.5):
        values += [value for value, _ in instrument.read(FIELD, ORIGIN, float(now))]
    # Three standard errors of a standard deviation, sigma / sqrt(2 n).
    assert np.std(values) == pytest.approx(0.7, abs=3.0 * 0.7 / math.sqrt(2.0 * len(values)))
    assert np.mean(values) == pytest.approx(0.0, abs=3.0 * 0.7 / math.sqrt(len(values)))


def test_the_share_of_dropouts_is_the_one_asked_for() -> None:
    instrument = sensor(6, rate_hz=100.0, dropout=0.3)
    times = np.arange(0.0, 60.0, 1.0)
    got = sum(len(instrument.read(FIELD, ORIGIN, float(now))) for now in times)
    taken = 59 * 100 + 1
    assert got / taken == pytest.approx(0.7, abs=3.0 * math.sqrt(0.3 * 0.7 / taken))


def test_dropouts_leave_the_other_readings_as_they_were() -> None:
    times = np.arange(0.0, 20.0, 0.1)
    all_of_them = flight(sensor(7, noise_std=1.0), times)
    some = flight(sensor(7, noise_std=1.0, dropout=0.5), times)
    assert 0 < len(some) < len(all_of_them)
    assert set(some) < set(all_of_them)
    assert flight(sensor(7, dropout=1.0), times) == []


def test_a_delayed_reading_comes_late_with_the_stamp_of_when_it_was_taken() -> None:
    instrument = sensor(rate_hz=1.0, delay_s=2.5)
    arrivals = {}
    for now in 0.5 * np.arange(12):
        for _, stamp in instrument.read(FIELD, ORIGIN, float(now)):
            arrivals[stamp] = float(now)
    assert arrivals == {0.0: 2.5, 1.0: 3.5, 2.0: 4.5, 3.0: 5.5}


def test_a_delay_does_not_change_the_values() -> None:
    times = np.arange(0.0, 20.0, 0.25)
    prompt = flight(sensor(8, noise_std=1.0), times)
    late = flight(sensor(8, noise_std=1.0, delay_s=3.0), times)
    assert prompt[: len(late)] == late
    assert len(late) < len(prompt)


def test_after_a_long_gap_it_catches_up_with_a_thousand_readings_at_most() -> None:
    instrument = sensor(rate_hz=1000.0)
    instrument.read(FIELD, ORIGIN, 0.0)
    caught_up = instrument.read(FIELD, ORIGIN, 3600.0)
    assert len(caught_up) == 1000
    assert caught_up[-1][1] == pytest.approx(3600.0)
    assert len(instrument.read(FIELD, ORIGIN, 3600.001)) == 1


def test_when_time_runs_backwards_the_schedule_starts_anew() -> None:
    instrument = sensor(rate_hz=1.0, delay_s=5.0)
    for now in (100.0, 101.0, 102.0):
        instrument.read(FIELD, ORIGIN, now)
    assert instrument.read(FIELD, ORIGIN, 3.0) == []
    assert [stamp for _, stamp in instrument.read(FIELD, ORIGIN, 9.0)] == [3.0, 4.0]


def test_the_clock_of_the_day_costs_no_reading() -> None:
    instrument = sensor(rate_hz=50.0)
    start = 1.7e9
    stamps = []
    for k in range(501):
        stamps += [s for _, s in instrument.read(FIELD, ORIGIN, start + 0.02 * k)]
    assert len(stamps) in (500, 501)
    assert np.allclose(np.diff(stamps), 0.02, atol=1e-6)


@pytest.mark.parametrize(
    ('place', 'now', 'name'),
    [([math.nan, 0.0], 0.0, 'position'), ([0.0], 0.0, 'position'), ([0.0, 0.0], math.nan, 'now')],
)
def test_places_and_times_that_are_none_are_refused(
    place: list[float], now: float, name: str
) -> None:
    with pytest.raises(ValueError, match=f"'{name}'"):
        sensor().read(FIELD, np.array(place), now)
