# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Options as ROS parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from rclpy.node import Node
from rclpy.parameter import Parameter

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import Options, from_flat, group, option, walk
from bo_explorer.ros.parameters import ParameterStore, descriptor


@dataclass(frozen=True)
class Inner(Options):
    total_m: float = option(
        math.nan, 'Whole.', unit='m', low=0.0, open_low=True, required=True, optional=True
    )
    share: float = option(0.5, 'Part.', low=0.0, high=1.0, live=True)
    floor_m: float = option(1.0, 'Least.', unit='m', low=0.0)

    def check(self) -> None:
        if self.share == 1.0 and self.floor_m > 5.0:
            raise ConfigError('share', "'share' must be below 1 with this floor_m, got 1.0.")


@dataclass(frozen=True)
class Outer(Options):
    seed: int = option(0, 'Seed.', low=0, high=10)
    mode: str = option('a', 'Mode.', choices=('a', 'b'))
    corners: tuple[float, ...] = option((), 'Corners.', unit='m')
    names: tuple[str, ...] = option((), 'Names.')
    fit: bool = option(True, 'Fit.')
    inner: Inner = group(Inner)


class Locked:
    """A lock a test can turn."""

    def __init__(self):
        self.value = False

    def __call__(self):
        return self.value


@pytest.fixture
def make(context):
    nodes = []

    def build(overrides=None, **arguments):
        parameters = [Parameter(key, value=value) for key, value in (overrides or {}).items()]
        node = Node('probe', context=context, parameter_overrides=parameters)
        nodes.append(node)
        return node, ParameterStore(node, walk(Outer), **arguments)

    yield build
    for node in nodes:
        node.destroy_node()


def set_one(node, key, value):
    return node.set_parameters([Parameter(key, value=value)])[0]


def test_every_option_is_a_parameter_with_its_default(make):
    node, store = make()
    assert store.values()['seed'] == 0
    assert store.values()['corners'] == ()
    assert math.isnan(store.values()['inner.total_m'])
    assert {spec.key for spec in walk(Outer)} <= set(node._parameters)


def test_a_descriptor_tells_description_unit_rule_and_range():
    specs = {spec.key: spec for spec in walk(Outer)}
    share = descriptor(specs['inner.share'])
    assert share.floating_point_range[0].from_value == 0.0
    assert share.floating_point_range[0].to_value == 1.0
    total = descriptor(specs['inner.total_m'])
    assert total.description == 'Whole. [m]'
    assert 'above 0' in total.additional_constraints
    assert 'a, b' in descriptor(specs['mode']).additional_constraints
    assert descriptor(specs['seed']).integer_range[0].to_value == 10


def test_whole_numbers_are_good_for_floats(make):
    """Field case D1."""
    node, store = make({'inner.total_m': 100, 'corners': [0, 0, 50, 50, 0, 50]})
    values = store.values()
    assert values['inner.total_m'] == 100.0 and isinstance(values['inner.total_m'], float)
    assert values['corners'] == (0.0, 0.0, 50.0, 50.0, 0.0, 50.0)
    assert set_one(node, 'inner.floor_m', 3).successful
    assert from_flat(Outer, store.values()).inner.floor_m == 3.0


@pytest.mark.parametrize(
    ('key', 'value'),
    [
        ('inner.total_m', 0.0),
        ('inner.total_m', -1.0),
        ('inner.total_m', 'far'),
        ('inner.share', math.nan),
        ('inner.share', 2),
        ('seed', 11),
        ('mode', 'c'),
        ('fit', 1),
        ('corners', [1.0, math.nan]),
    ],
)
def test_a_bad_value_is_refused_with_a_reason_at_load_and_at_run_time(make, key, value):
    """Field case D3."""
    node, store = make({key: value})
    with pytest.raises(ConfigError, match=f"'{key}' must be") as error:
        store.values()
    assert '\n' not in str(error.value)
    result = set_one(node, key, value)
    assert not result.successful and key in result.reason


def test_a_problem_is_gone_once_the_parameter_is_set_well(make):
    node, store = make({'mode': 'c'})
    with pytest.raises(ConfigError):
        store.values()
    assert set_one(node, 'mode', 'b').successful
    assert store.values()['mode'] == 'b'


def test_a_misspelt_key_is_a_problem_that_names_the_nearest_one(make):
    """Field case D2."""
    _, store = make({'inner.totl_m': 5.0})
    with pytest.raises(ConfigError, match=r'inner\.total_m'):
        store.values()


def test_keys_of_other_nodes_are_left_alone(make):
    _, store = make(
        {'world.field': 'x', 'camera_name': 'front', 'use_sim_time': False},
        is_foreign=lambda key: key.startswith('world.'),
    )
    assert store.values()['seed'] == 0


def test_several_values_are_set_together_or_not_at_all(make):
    node, store = make()
    result = node.set_parameters_atomically(
        [Parameter('inner.share', value=0.9), Parameter('mode', value='c')]
    )
    assert not result.successful and 'mode' in result.reason
    assert store.values()['inner.share'] == 0.5


def test_a_parameter_cannot_be_deleted(make):
    node, store = make()
    assert not node.set_parameters([Parameter('mode')])[0].successful
    assert store.values()['mode'] == 'a'


def test_while_locked_only_live_options_change(make):
    lock = Locked()
    node, store = make({'inner.total_m': 10.0}, is_locked=lock)
    lock.value = True
    refused = set_one(node, 'seed', 3)
    assert not refused.successful
    assert "'seed' cannot change while the node is active" in refused.reason
    assert set_one(node, 'seed', 0).successful
    assert set_one(node, 'inner.share', 0.25).successful
    assert store.values()['inner.share'] == 0.25
    lock.value = False
    assert set_one(node, 'seed', 3).successful


def test_while_locked_a_contradiction_is_refused(make):
    lock = Locked()
    node, _ = make(
        {'inner.total_m': 10.0, 'inner.floor_m': 6.0},
        is_locked=lock,
        check=lambda values: from_flat(Outer, values),
    )
    lock.value = True
    result = set_one(node, 'inner.share', 1.0)
    assert not result.successful and 'share' in result.reason


def test_what_was_set_apart_from_the_defaults_is_listed(make):
    _, store = make({'inner.total_m': 10, 'mode': 'a', 'seed': 2})
    assert store.given() == {'inner.total_m': 10.0, 'seed': 2}
