# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Hyperparameters are sound or they do not exist."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.config import ModelConfig
from bo_explorer.core.gp.hyperparameters import (
    Hyperparameters,
    initial_hyperparameters,
    location_and_scale,
)
from bo_explorer.core.types import Samples

GOOD = {
    'kernel': 'matern52',
    'lengthscales': (10.0, 20.0),
    'signal_std': 2.0,
    'noise_std': 0.1,
    'mean': -3.0,
}


def samples(values):
    values = np.asarray(values, dtype=float)
    points = np.column_stack([np.arange(len(values)), np.zeros(len(values))])
    return Samples(points, values, np.ones(len(values)))


def test_good_ones_keep_their_values_and_go_through_json():
    h = Hyperparameters(**GOOD)
    assert h.dimension == 2
    plain = json.loads(json.dumps(h.to_dict()))
    plain['lengthscales'] = tuple(plain['lengthscales'])
    assert Hyperparameters(**plain) == h


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('kernel', 'cubic'),
        ('lengthscales', ()),
        ('lengthscales', (1.0, 0.0)),
        ('lengthscales', (1.0, math.nan)),
        ('signal_std', 0.0),
        ('signal_std', math.inf),
        ('noise_std', -1.0),
        ('noise_std', math.nan),
        ('mean', math.nan),
        ('mean', math.inf),
    ],
)
def test_a_bad_value_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"'{name}' must"):
        Hyperparameters(**{**GOOD, name: value})


def test_the_guess_takes_lengths_from_the_area_and_values_from_the_samples():
    h = initial_hyperparameters(ModelConfig(), 100.0, 3, samples([1.0, 3.0, 5.0]))
    assert h.lengthscales == (20.0, 20.0, 20.0)
    assert h.mean == pytest.approx(3.0)
    assert h.signal_std == pytest.approx(math.sqrt(8.0 / 3.0))
    assert h.noise_std == pytest.approx(0.1 * h.signal_std)


def test_the_guess_keeps_what_the_user_knows():
    config = ModelConfig(kernel='matern32', lengthscale_m=7.0, noise_std=0.25)
    h = initial_hyperparameters(config, 100.0, 2, samples([1.0, 3.0]))
    assert (h.kernel, h.lengthscales, h.noise_std) == ('matern32', (7.0, 7.0), 0.25)


@pytest.mark.parametrize('known', [None, samples([])])
def test_without_samples_the_guess_is_a_standard_field(known):
    h = initial_hyperparameters(ModelConfig(), 100.0, 2, known)
    assert (h.mean, h.signal_std) == (0.0, 1.0)


@pytest.mark.parametrize('values', [[0.0, 0.0, 0.0], [5.0], [412.1] * 7, [0.1 + 0.2, 0.3]])
def test_h1_values_that_do_not_spread_fall_back_to_a_scale_of_one(values):
    h = initial_hyperparameters(ModelConfig(), 100.0, 2, samples(values))
    assert h.signal_std == 1.0
    assert h.mean == pytest.approx(np.mean(values))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e300, 1e300), max_size=20))
def test_location_and_scale_are_finite_for_any_finite_values(values):
    mean, scale = location_and_scale(np.array(values))
    assert math.isfinite(mean)
    assert math.isfinite(scale)
    assert scale > 0.0


@settings(derandomize=True, max_examples=100, deadline=None)
@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=20, unique=True),
    st.sampled_from([1e-9, 1.0, 1e9]),
)
def test_location_and_scale_follow_the_unit(values, unit):
    mean, scale = location_and_scale(np.array(values, dtype=float))
    other_mean, other_scale = location_and_scale(unit * np.array(values, dtype=float))
    assert other_mean == pytest.approx(unit * mean, rel=1e-9, abs=1e-9 * unit)
    assert other_scale == pytest.approx(unit * scale, rel=1e-9)
