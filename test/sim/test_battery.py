# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.errors import ConfigError
from bo_explorer.sim.battery import Battery
from bo_explorer.sim.config import BatteryConfig, SimulatorConfig


def test_flying_and_hovering_draw_on_it_at_their_rates() -> None:
    battery = Battery(200.0, hover_m_per_s=4.0)
    assert battery.fraction == 1.0
    assert battery.drain(flown_m=50.0) == pytest.approx(0.75)
    assert battery.drain(hover_s=12.5) == pytest.approx(0.5)
    assert battery.drained_m == pytest.approx(100.0)


def test_it_is_empty_and_not_below_when_more_is_drawn_than_it_holds() -> None:
    battery = Battery(10.0)
    battery.drain(flown_m=25.0)
    assert battery.fraction == 0.0
    assert battery.is_empty
    assert battery.drained_m == 25.0


def test_without_a_capacity_it_never_runs_down() -> None:
    battery = Battery.from_config(BatteryConfig(hover_m_per_s=1.0))
    assert battery.drain(flown_m=1e9, hover_s=1e9) == 1.0
    assert not battery.is_empty


@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.floats(0.0, 50.0), st.floats(0.0, 50.0)), max_size=20))
def test_the_charge_only_falls_and_does_not_depend_on_how_the_flight_is_cut(
    draws: list[tuple[float, float]],
) -> None:
    cut, whole = Battery(500.0, hover_m_per_s=0.5), Battery(500.0, hover_m_per_s=0.5)
    before = 1.0
    for flown, hovered in draws:
        after = cut.drain(flown_m=flown, hover_s=hovered)
        assert 0.0 <= after <= before
        before = after
    whole.drain(flown_m=sum(d[0] for d in draws), hover_s=sum(d[1] for d in draws))
    assert cut.fraction == pytest.approx(whole.fraction, abs=1e-12)


@pytest.mark.parametrize('amount', [-1.0, math.nan, math.inf])
def test_what_nobody_can_draw_is_refused(amount: float) -> None:
    battery = Battery(10.0)
    with pytest.raises(ValueError, match="'flown_m'"):
        battery.drain(flown_m=amount)
    with pytest.raises(ValueError, match="'hover_s'"):
        battery.drain(hover_s=amount)
    assert battery.fraction == 1.0


def test_impossible_batteries_are_refused() -> None:
    with pytest.raises(ValueError, match="'capacity_m'"):
        Battery(0.0)
    with pytest.raises(ValueError, match="'hover_m_per_s'"):
        Battery(1.0, hover_m_per_s=math.nan)


@pytest.mark.parametrize('wind', [(0.0, 0.0), (2.0, 0.0), (-1.0, 3.0)])
@pytest.mark.parametrize('angle', [0.0, 0.7, math.pi / 2, math.pi, 4.0])
def test_in_wind_a_leg_draws_the_calm_metres_flown_through_the_air(
    wind: tuple[float, float], angle: float
) -> None:
    """Independent oracle: the air moves along while the vehicle flies, so |step - w t| = v t."""
    battery = Battery(1000.0, wind_mps=wind, speed_mps=5.0)
    step = 30.0 * np.array([math.cos(angle), math.sin(angle)])
    battery.fly(step, 0.1)
    through_air = battery.drained_m
    time = through_air / 5.0
    assert np.hypot(*(step - np.array(wind) * time)) == pytest.approx(through_air)


def test_without_a_step_it_hovers() -> None:
    battery = Battery(100.0, hover_m_per_s=2.0, wind_mps=(3.0, 0.0), speed_mps=5.0)
    battery.fly(np.zeros(2), 4.0)
    assert battery.drained_m == 8.0


def test_its_gauge_rounds_down_and_shows_a_step_as_that_step() -> None:
    battery = Battery(100.0, gauge_step=0.01, start_fraction=0.9)
    assert battery.fraction == 0.9 and battery.reported == pytest.approx(0.9)
    battery.drain(flown_m=0.5)
    assert battery.reported == pytest.approx(0.89)
    battery.drain(flown_m=100.0)
    assert battery.reported == 0.0 and battery.is_empty


def test_a_wind_stronger_than_the_vehicle_is_refused() -> None:
    with pytest.raises(ValueError, match="'wind_mps'"):
        Battery(10.0, wind_mps=(4.0, 4.0), speed_mps=5.0)
    with pytest.raises(ConfigError, match='wind_east_mps'):
        SimulatorConfig(battery=BatteryConfig(wind_east_mps=4.6))
