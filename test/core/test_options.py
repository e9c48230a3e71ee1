# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Declared options validate, convert and explain themselves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import (
    Options,
    from_flat,
    group,
    option,
    to_flat,
    unknown_key,
    walk,
)


@dataclass(frozen=True)
class Inner(Options):
    """A nested group."""

    gain: float = option(1.0, 'A gain.', low=0.0, open_low=True, high=10.0)
    corners: tuple[float, ...] = option((), 'Corners.', unit='m')
    names: tuple[str, ...] = option((), 'Names.')

    def check(self) -> None:
        if len(self.corners) % 2:
            raise ConfigError('corners', f"'corners' must be even, got {len(self.corners)}.")


@dataclass(frozen=True)
class Outer(Options):
    """A configuration with every kind of option."""

    count: int = option(3, 'A count.', low=1, high=5)
    flag: bool = option(False, 'A flag.')
    mode: str = option('a', 'A mode.', choices=('a', 'b'))
    limit: float = option(math.nan, 'A limit.', optional=True)
    needed: float = option(math.nan, 'Needed.', optional=True, required=True, low=0.0)
    inner: Inner = group(Inner)


def test_keys_are_dotted_and_in_order_of_declaration():
    assert [spec.key for spec in walk(Outer)] == [
        'count', 'flag', 'mode', 'limit', 'needed',
        'inner.gain', 'inner.corners', 'inner.names',
    ]  # fmt: skip


def test_whole_numbers_are_taken_for_doubles_as_yaml_writes_them():
    """Field case D1: ints for doubles and for lists of doubles."""
    config = from_flat(Outer, {'needed': 5, 'inner.gain': 2, 'inner.corners': [0, 0, 50, 50]})
    assert config.needed == 5.0 and isinstance(config.needed, float)
    assert config.inner.gain == 2.0 and isinstance(config.inner.gain, float)
    assert config.inner.corners == (0.0, 0.0, 50.0, 50.0)
    assert all(isinstance(v, float) for v in config.inner.corners)


def test_flat_form_round_trips():
    config = from_flat(Outer, {'needed': 1.0, 'limit': 2.0, 'inner.names': ['x', 'y']})
    assert from_flat(Outer, to_flat(config)) == config


@pytest.mark.parametrize(
    ('key', 'value', 'rule'),
    [
        ('count', 0, 'at least 1'),
        ('count', 2.5, 'a whole number'),
        ('count', True, 'a whole number'),
        ('flag', 1, 'true or false'),
        ('mode', 'c', 'one of a, b'),
        ('limit', math.inf, 'a finite number'),
        ('limit', 'x', 'a finite number'),
        ('inner.gain', 0.0, 'above 0'),
        ('inner.gain', math.nan, 'above 0'),
        ('inner.gain', 11, 'at most 10'),
        ('inner.gain', None, 'above 0'),
        ('inner.corners', [1.0, math.nan], 'a list of finite numbers'),
        ('inner.corners', 'ab', 'a list of finite numbers'),
        ('inner.corners', [True], 'a list of finite numbers'),
        ('inner.names', [1], 'a list of strings'),
    ],
)
def test_a_wrong_value_is_refused_with_key_rule_and_value(key, value, rule):
    """Field case D3: no bad value passes, NaN included."""
    with pytest.raises(ConfigError) as caught:
        from_flat(Outer, {'needed': 1.0, key: value})
    assert caught.value.key == key
    text = str(caught.value)
    assert key in text and rule in text and repr(value) in text
    assert '\n' not in text


def test_a_missing_required_value_is_named_with_its_description():
    with pytest.raises(ConfigError, match="'needed' is required: Needed"):
        from_flat(Outer, {})
    with pytest.raises(ConfigError, match="'needed' is required"):
        from_flat(Outer, {'needed': math.nan})


def test_an_unknown_key_names_its_neighbours():
    """Field case D2: a mistyped key is never ignored."""
    with pytest.raises(ConfigError, match=r"'inner.gian' is not a known parameter.*inner.gain"):
        from_flat(Outer, {'needed': 1.0, 'inner.gian': 1.0})
    assert 'Did you mean' not in str(unknown_key('zzz', ['alpha']))


def test_a_rule_over_several_options_names_the_full_key():
    with pytest.raises(ConfigError, match="'inner.corners' must be even") as caught:
        from_flat(Outer, {'needed': 1.0, 'inner.corners': [1.0]})
    assert caught.value.key == 'inner.corners'


def test_construction_validates_as_well():
    with pytest.raises(ConfigError, match="'gain' must be"):
        Inner(gain=-1.0)
    assert Inner(gain=2).gain == 2.0
