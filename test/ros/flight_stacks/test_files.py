# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The parameter file and the launch file of each stack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')
yaml = pytest.importorskip('yaml')

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import from_flat, own_options, walk
from bo_explorer.ros.flight_stacks import FLIGHT_STACKS
from bo_explorer.ros.flight_stacks.config import (
    PREFIX,
    FlightStackConfig,
    SharedConfig,
)
from bo_explorer.ros.settings import Settings, explorer_specs

ROOT = Path(__file__).parents[3]


def flat(tree: dict[str, Any], prefix: str = '') -> dict[str, Any]:
    """Return a tree of parameters by dotted key."""
    result: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            result.update(flat(value, f'{prefix}{name}.'))
        else:
            result[prefix + name] = value
    return result


def parameters(name: str) -> dict[str, Any]:
    text = (ROOT / 'config' / f'{name}.yaml').read_text()
    return flat(yaml.safe_load(text)['/**']['ros__parameters'])


def subset(values: dict[str, Any], specs: Any) -> dict[str, Any]:
    return {spec.key: values[spec.key] for spec in specs if spec.key in values}


def test_the_option_lists_every_stack():
    assert set(own_options(FlightStackConfig)['stack'].choices) == set(FLIGHT_STACKS)


@pytest.mark.parametrize('name', FLIGHT_STACKS)
def test_a_parameter_file_serves_both_nodes(name):
    values = parameters(name)
    explorer = {spec.key: values.get(spec.key, spec.default) for spec in explorer_specs()}
    settings = Settings.from_values(
        {spec.key: spec.validated(explorer[spec.key]) for spec in explorer_specs()}
    )
    shared = from_flat(SharedConfig, subset(values, walk(SharedConfig)))
    assert shared.pose == settings.node.pose and shared.battery == settings.node.battery
    assert shared.vehicle == settings.explorer.vehicle
    assert shared.plane == settings.explorer.plane
    ours = [*walk(FlightStackConfig, PREFIX)]
    config = from_flat(FlightStackConfig, subset(values, ours), PREFIX)
    options = [*walk(FLIGHT_STACKS[name].options_class, f'{PREFIX}{name}.')]
    from_flat(FLIGHT_STACKS[name].options_class, subset(values, options), f'{PREFIX}{name}.')
    assert config.stack == name
    known = {spec.key for spec in (*explorer_specs(), *ours, *options)}
    assert set(values) <= known


@pytest.mark.parametrize('name', FLIGHT_STACKS)
def test_no_parameter_file_arms_or_switches_the_mode(name):
    values = parameters(name)
    assert values['flight_stack.may_arm'] is values['flight_stack.may_switch_mode'] is False
    assert 'flight_stack.take_off_m' not in values


@pytest.mark.parametrize('name', FLIGHT_STACKS)
def test_a_launch_file_names_the_parameter_file_of_its_stack(name):
    text = (ROOT / 'launch' / f'{name}.launch.py').read_text()
    assert f"[share, 'config', '{name}.yaml']" in text
    assert "[share, 'launch', 'flight_stack.launch.py']" in text


def test_the_guide_speaks_of_every_stack_and_every_option():
    text = (ROOT / 'docs' / 'flight_stacks.md').read_text()
    for name in FLIGHT_STACKS:
        assert f'launch/{name}.launch.py' in text or f'bo_explorer {name}.launch.py' in text
        for spec in walk(FLIGHT_STACKS[name].options_class):
            assert f'`{spec.key}`' in text, f'{name}: {spec.key}'
    for spec in walk(FlightStackConfig):
        assert f'`{spec.key}`' in text, spec.key


def test_odometry_cannot_be_given_to_the_explorer():
    with pytest.raises(ConfigError, match="'pose.type' must be pose_stamped"):
        from_flat(SharedConfig, {'pose.type': 'odometry'})
