# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The planner's settings: defaults hold, contradictions are refused."""

from __future__ import annotations

import math

import pytest

from bo_explorer.core.config import ExplorerConfig, VehicleConfig
from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import from_flat, to_flat, walk

SQUARE = {'area.polygon': [0, 0, 50, 0, 50, 50, 0, 50], 'budget.total_m': 100}


def test_area_and_budget_are_enough():
    config = from_flat(ExplorerConfig, SQUARE)
    assert config.reserve_m == 5.0
    assert config.area.polygon[2] == 50.0


@pytest.mark.parametrize('missing', ['area.polygon', 'budget.total_m'])
def test_there_is_no_silent_default_for_area_and_budget(missing):
    """Field case D2: what decides where the vehicle flies must be given."""
    flat = {key: value for key, value in SQUARE.items() if key != missing}
    with pytest.raises(ConfigError, match=f"'{missing}' is required"):
        from_flat(ExplorerConfig, flat)


@pytest.mark.parametrize(
    ('key', 'value'),
    [
        ('area.polygon', [0, 0, 1, 1]),
        ('area.polygon', [0, 0, 1, 1, 2]),
        ('area.resolution_m', 0.0),
        ('area.resolution_m', -1.0),
        ('area.resolution_m', math.inf),
        ('budget.total_m', 0.0),
        ('budget.total_m', -1.0),
        ('budget.reserve_m', 100.0),
        ('budget.stop_cost_m', 0.0),
        ('home.mode', 'fixed'),
        ('ingest.max_samples', 10**9),
        ('model.lengthscale_m', -1.0),
        ('model.kernel', 'rbf'),
        ('vehicle.speed_mps', math.nan),
        ('vehicle.wind_east_mps', 4.6),
    ],
)
def test_values_that_would_hang_or_crash_are_refused(key, value):
    """Field case D3: resolution 0, huge counts, NaN and negative lengths."""
    with pytest.raises(ConfigError):
        from_flat(ExplorerConfig, {**SQUARE, key: value})


def test_limits_in_the_wrong_order_are_refused():
    with pytest.raises(ConfigError, match=r"'ingest.value_max' must be above"):
        from_flat(ExplorerConfig, {**SQUARE, 'ingest.value_min': 2.0, 'ingest.value_max': 1.0})


def test_one_limit_alone_is_allowed():
    config = from_flat(ExplorerConfig, {**SQUARE, 'ingest.value_max': 1.0})
    assert math.isnan(config.ingest.value_min)


def test_wind_just_below_the_limit_is_allowed():
    assert VehicleConfig(speed_mps=10.0, wind_east_mps=8.0).wind_east_mps == 8.0


def test_every_option_has_a_description_and_a_valid_default():
    for spec in walk(ExplorerConfig):
        assert spec.description.endswith('.'), spec.key
        assert spec.validated(spec.default) == spec.default or spec.optional


def test_flat_form_round_trips():
    config = from_flat(ExplorerConfig, SQUARE)
    again = from_flat(ExplorerConfig, to_flat(config))
    assert repr(again) == repr(config)
