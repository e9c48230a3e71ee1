# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The schedules of beta are those of their sources."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.acquisition.confidence import ConfidenceSchedule

from .beliefs import context


def width(n_samples=20, dimension=2, **options):
    return ConfidenceSchedule(**options).width(
        context(0.1, n_samples=n_samples, dimension=dimension)
    )


def test_a_fixed_beta_gives_its_root_at_any_time():
    assert width(beta=9.0, n_samples=0) == width(beta=9.0, n_samples=10_000) == 3.0


def test_the_srinivas_schedule_is_theorem_2_for_unit_constants():
    # 2 log(2 pi^2 / 0.3) + 4 log(2 sqrt(log 80)), the first sample in the plane.
    beta = 2.0 * 4.186581 + 4.0 * (0.693147 + 0.5 * 1.477511)
    assert width(schedule='srinivas', n_samples=0) ** 2 == pytest.approx(beta, rel=1e-6)
    # Four times the samples: log n^2 enters with weights 2 and 4.
    grown = width(schedule='srinivas', n_samples=3) ** 2
    assert grown - beta == pytest.approx(6.0 * math.log(16.0), rel=1e-6)


def test_the_scaled_schedule_is_a_fifth_of_theorem_1_with_the_dimension_for_the_points():
    beta = 2.0 * math.log(2.0 * 21**2 * math.pi**2 / 0.6) / 5.0
    assert width(schedule='scaled') ** 2 == pytest.approx(beta, rel=1e-12)


@settings(derandomize=True)
@given(
    schedule=st.sampled_from(['srinivas', 'scaled']),
    n=st.integers(0, 10_000),
    dimension=st.integers(1, 20),
    delta=st.floats(1e-12, 1.0),
)
def test_growing_schedules_grow_with_samples_dimension_and_caution(schedule, n, dimension, delta):
    now = width(n, dimension, schedule=schedule, delta=delta)
    assert 0.0 < now < math.inf
    assert width(n + 1, dimension, schedule=schedule, delta=delta) > now
    assert width(n, dimension + 1, schedule=schedule, delta=delta) > now
    assert width(n, dimension, schedule=schedule, delta=0.5 * delta) > now
