# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The shipped parameter file says what the node declares."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')
yaml = pytest.importorskip('yaml')

import rclpy

from bo_explorer.ros.explorer_node import ExplorerNode
from bo_explorer.ros.parameter_file import parameter_file
from bo_explorer.ros.settings import Settings, explorer_specs

from ..ros_isolation import next_domain_id

FILE = Path(__file__).parents[2] / 'config' / 'explorer.yaml'


def flattened(tree, prefix=''):
    flat = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(flattened(value, f'{prefix}{key}.'))
        else:
            flat[prefix + key] = value
    return flat


def test_the_shipped_file_is_the_written_one():
    assert FILE.read_text() == parameter_file()


def test_the_file_holds_every_parameter_with_its_default_under_one_wildcard():
    """Field case J4."""
    tree = yaml.safe_load(FILE.read_text())
    assert list(tree) == ['/**'] and list(tree['/**']) == ['ros__parameters']
    given = flattened(tree['/**']['ros__parameters'])
    for spec in explorer_specs():
        if spec.default == () and not spec.required:
            assert spec.key not in given
            assert f'# {spec.key.split(".")[-1]}: []' in FILE.read_text()
        elif not spec.required:
            value = given[spec.key]
            value = tuple(value) if isinstance(value, list) else value
            both_nan = value != value and math.isnan(spec.default)
            assert both_nan or value == spec.default, spec.key
    assert set(given) <= {spec.key for spec in explorer_specs()}


def test_the_node_reads_the_file_and_could_fly_with_it():
    context = rclpy.Context()
    rclpy.init(
        args=['--ros-args', '--params-file', str(FILE)],
        context=context,
        domain_id=next_domain_id(),
    )
    node = ExplorerNode(context=context)
    settings = Settings.from_values(node._store.values())
    node.close()
    node.destroy_node()
    context.try_shutdown()
    assert settings.explorer.budget.total_m == 600.0
    assert settings.explorer.area.polygon[2:4] == (100.0, 0.0)
