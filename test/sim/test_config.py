# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import from_flat, to_flat, walk
from bo_explorer.sim.config import FieldConfig, SimulatorConfig
from test.sim.scenarios import CONFIG, flattened, parameters


def test_every_option_has_a_description_and_every_number_bounds() -> None:
    for spec in walk(SimulatorConfig):
        assert spec.description.endswith('.')
        if spec.kind in ('int', 'float'):
            assert spec.low is not None and spec.high is not None, spec.key
        if spec.key.endswith('_m'):
            assert spec.unit == 'm'


def test_the_defaults_survive_the_way_through_flat_keys() -> None:
    flat = to_flat(SimulatorConfig(), 'simulator.')
    again = from_flat(SimulatorConfig, flat, 'simulator.')
    assert to_flat(again, 'simulator.').keys() == flat.keys()
    assert again.sensor == SimulatorConfig().sensor


@pytest.mark.parametrize(
    ('key', 'value'),
    [
        ('simulator.field.kind', 'volcano'),
        ('simulator.field.function', 'sphere'),
        ('simulator.field.scale', 0.0),
        ('simulator.field.spacing_m', 0.0),
        ('simulator.field.origin_x', 3.0),
        ('simulator.sensor.dropout', 1.5),
        ('simulator.sensor.noise_std', math.nan),
        ('simulator.vehicle.speed_mps', -1.0),
        ('simulator.battery.capacity_m', 0.0),
    ],
)
def test_a_bad_value_is_refused_by_its_full_name(key: str, value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        from_flat(SimulatorConfig, {key: value}, 'simulator.')
    assert caught.value.key == key
    assert f"'{key}'" in str(caught.value)


def test_the_rectangle_starts_at_the_origin_or_at_zero() -> None:
    assert FieldConfig(width_m=4.0, height_m=3.0).rectangle == (0.0, 0.0, 4.0, 3.0)
    moved = FieldConfig(width_m=4.0, height_m=3.0, origin_x=-1.0, origin_y=2.0)
    assert moved.rectangle == (-1.0, 2.0, 3.0, 5.0)


def test_the_settings_file_shows_every_option_with_its_default() -> None:
    shown = parameters('simulator')
    for spec in walk(SimulatorConfig, 'simulator.'):
        value = shown[spec.key]
        assert type(value) is type(spec.default), spec.key
        both_unset = isinstance(value, float) and math.isnan(value) and math.isnan(spec.default)
        assert value == spec.default or both_unset, spec.key


def test_settings_files_keep_to_what_both_yaml_readers_agree_on() -> None:
    # The reader of ROS 2 takes plain y, n, yes, no, on and off for truth values.
    for path in Path(CONFIG).glob('*.yaml'):
        for event in yaml.parse(path.read_text(encoding='utf-8')):
            if isinstance(event, yaml.ScalarEvent) and event.style is None:
                assert event.value.lower() not in ('y', 'n', 'yes', 'no', 'on', 'off'), path


def test_nested_settings_become_dotted_keys() -> None:
    assert flattened({'a': {'b': {'c': 1}, 'd': 2}}) == {'a.b.c': 1, 'a.d': 2}
