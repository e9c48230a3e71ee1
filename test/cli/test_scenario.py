# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Scenario files."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from bo_explorer.cli.scenario import (
    Scenario,
    find_scenario,
    parse_assignments,
    read_flat,
    read_scenario,
    write_parameters,
)
from bo_explorer.core.errors import ConfigError

CONFIG = Path(__file__).resolve().parents[2] / 'config'

PLAIN = """
seed: 4
area:
  polygon: [0.0, 0.0, 50.0, 0.0, 50.0, 50.0]
budget: {total_m: 300, stop_cost_m: 5e-1}
policy.name: ducb
policy.ducb.kappa: 2.5
sensor.topic: temperature
simulator:
  seed: 9
  field: {kind: gp_draw}
  node: {step_s: 0.05}
"""


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / 'plain.yaml'
    path.write_text(PLAIN)
    return path


def test_every_value_reaches_its_owner(plain: Path) -> None:
    scenario = read_scenario(plain)
    assert scenario.explorer.seed == 4
    assert scenario.explorer.budget.total_m == 300.0
    assert scenario.policy_options == {'policy.ducb.kappa': 2.5}
    assert scenario.node.sensor.topic == 'temperature'
    assert scenario.world.seed == 9
    assert scenario.world.field.kind == 'gp_draw'
    assert scenario.clock.step_s == 0.05


def test_a_number_with_an_exponent_is_a_number_as_in_ros(plain: Path) -> None:
    assert read_scenario(plain).explorer.budget.stop_cost_m == 0.5


def test_the_form_of_a_ros_parameter_file_says_the_same(plain: Path, tmp_path: Path) -> None:
    wrapped = tmp_path / 'wrapped.yaml'
    indented = PLAIN.replace('\n', '\n    ')
    wrapped.write_text(f'/**:\n  ros__parameters:{indented}')
    assert read_flat(wrapped) == read_flat(plain)


def test_what_is_written_for_the_nodes_reads_back_the_same(plain: Path, tmp_path: Path) -> None:
    scenario = read_scenario(plain, {'stop.found_threshold': math.inf * 0.0})
    written = tmp_path / 'parameters.yaml'
    write_parameters(written, scenario.given)
    again = read_scenario(written)
    assert again.explorer.budget == scenario.explorer.budget
    assert again.world == scenario.world
    assert math.isnan(again.explorer.stop.found_threshold)


def test_an_override_stands_above_the_file(plain: Path) -> None:
    overrides = parse_assignments(['budget.total_m=99', 'area.polygon=[0, 0, 9, 0, 9, 9]'])
    scenario = read_scenario(plain, overrides)
    assert scenario.explorer.budget.total_m == 99.0
    assert len(scenario.explorer.area.polygon) == 6


def test_parameters_of_ros_itself_are_let_through(plain: Path) -> None:
    assert read_scenario(plain, {'use_sim_time': True}) == read_scenario(plain)


@pytest.mark.parametrize(
    ('key', 'value', 'text'),
    [
        ('budget.totl_m', 5.0, 'budget.total_m'),
        ('simulator.field.kinds', 'gp_draw', 'simulator.field.kind'),
        ('policy.ducb.kapa', 1.0, 'policy.ducb.kappa'),
        ('budget.total_m', -1.0, 'above 0'),
        ('budget.total_m', 'much', 'finite number'),
        ('policy.name', 'luck', 'dist_ucb'),
    ],
)
def test_a_bad_value_is_refused_with_a_remedy(
    plain: Path, key: str, value: object, text: str
) -> None:
    with pytest.raises(ConfigError, match=text):
        read_scenario(plain, {key: value})


def test_a_missing_required_value_is_named() -> None:
    with pytest.raises(ConfigError, match='area.polygon'):
        Scenario.from_flat({'budget.total_m': 10.0})


def test_a_slip_in_the_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / 'slip.yaml'
    path.write_text('seed: 1\nbudget: [1, 2\narea: 3\n')
    with pytest.raises(ConfigError, match='line 3'):
        read_scenario(path)


@pytest.mark.parametrize('text', ['', '- 1\n- 2\n', 'just words\n'])
def test_a_file_without_parameters_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / 'odd.yaml'
    path.write_text(text)
    with pytest.raises(ConfigError, match='parameters by name'):
        read_flat(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match='nowhere'):
        read_flat(tmp_path / 'nowhere.yaml')


def test_an_assignment_needs_an_equals_sign() -> None:
    with pytest.raises(ConfigError, match='key=value'):
        parse_assignments(['budget.total_m'])


@pytest.mark.parametrize('path', sorted(CONFIG.glob('*.yaml')), ids=lambda p: p.stem)
def test_every_shipped_scenario_reads(path: Path) -> None:
    flat = read_flat(path)
    if 'area.polygon' not in flat:
        flat.update({'area.polygon': [0.0, 0.0, 9.0, 0.0, 9.0, 9.0], 'budget.total_m': 100.0})
    Scenario.from_flat(flat)


def test_a_shipped_scenario_is_found_by_its_name() -> None:
    assert find_scenario('terrain_summit').name == 'terrain_summit.yaml'
    with pytest.raises(ConfigError, match='terrain_summit'):
        find_scenario('terrain_valley')
