# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Readings become samples, and none is lost or added on the way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.config import IngestConfig
from bo_explorer.core.ingest import MAX_ABSOLUTE_VALUE, OPEN_VISITS, Ingest
from bo_explorer.core.types import Reading


def in_square(points):
    """Return whether points lie in a square of 100 m."""
    return ((points >= 0.0) & (points <= 100.0)).all(axis=1)


def make(cell_m=2.0, contains=in_square, **options):
    return Ingest(IngestConfig(**options), cell_m=cell_m, contains=contains)


def readings(rows):
    """Return readings given as (x, y, value), with a stamp each."""
    return [Reading(value, x, y, 0.1 * k) for k, (x, y, value) in enumerate(rows)]


def totals(samples):
    """Return the number of readings and the mean of them all."""
    return samples.counts.sum(), np.average(samples.values, weights=samples.counts)


def test_without_readings_there_are_no_samples():
    ingest = make()
    assert len(ingest.samples) == 0
    assert ingest.samples.points.shape == (0, 2)
    assert ingest.add([]) == 0
    assert ingest.n_readings == 0
    assert ingest.rejections == {}


def test_readings_in_one_cell_are_averaged_in_place_and_value():
    ingest = make()
    assert ingest.add(readings([(10.2, 10.4, 1.0), (10.6, 10.0, 2.0), (11.2, 10.2, 6.0)])) == 3
    samples = ingest.samples
    np.testing.assert_allclose(samples.points, [[32.0 / 3.0, 10.2]])
    np.testing.assert_allclose(samples.values, [3.0])
    assert samples.counts.tolist() == [3.0]


def test_h2_h7_ten_minutes_of_hovering_make_one_sample():
    """Field case H8."""
    ingest = make()
    rng = np.random.default_rng(0)
    values = rng.normal(20.0, 1.0, 6000)
    ingest.add(readings([(50.5, 50.5, value) for value in values]))
    assert len(ingest.samples) == 1
    assert ingest.samples.counts[0] == 6000
    assert ingest.samples.values[0] == pytest.approx(values.mean(), rel=1e-12)


def test_hovering_on_the_corner_of_four_cells_makes_four_samples_and_no_more():
    ingest = make()
    rng = np.random.default_rng(1)
    places = 50.0 + rng.normal(0.0, 0.3, (2000, 2))
    ingest.add(readings([(x, y, 1.0) for x, y in places]))
    assert len(ingest.samples) == 4
    assert ingest.samples.counts.sum() == 2000


def test_a_late_return_to_a_cell_makes_a_new_sample_and_leaves_the_old_one():
    ingest = make()
    line = [(1.0 + 2.0 * k, 1.0, float(k)) for k in range(OPEN_VISITS + 1)]
    ingest.add(readings(line))
    before = ingest.samples
    ingest.add([Reading(99.0, 1.0, 1.0, 1e3)])
    after = ingest.samples
    assert len(after) == len(before) + 1
    np.testing.assert_array_equal(after.points[:-1], before.points)
    np.testing.assert_array_equal(after.values[:-1], before.values)


def test_an_early_return_to_a_cell_goes_on_in_its_sample():
    ingest = make()
    line = [(1.0 + 2.0 * k, 1.0, float(k)) for k in range(OPEN_VISITS)]
    ingest.add(readings(line))
    ingest.add([Reading(99.0, 1.0, 1.0, 1e3)])
    assert len(ingest.samples) == OPEN_VISITS
    assert ingest.samples.counts[0] == 2


def test_only_the_last_samples_ever_change():
    ingest = make(cell_m=5.0)
    rng = np.random.default_rng(2)
    place = np.array([50.0, 50.0])
    for k in range(400):
        place = np.clip(place + rng.normal(0.0, 2.0, 2), 0.0, 100.0)
        before = ingest.samples
        ingest.add([Reading(float(k), place[0], place[1], float(k))])
        settled = max(len(before) - OPEN_VISITS, 0)
        np.testing.assert_array_equal(ingest.samples.values[:settled], before.values[:settled])
        np.testing.assert_array_equal(ingest.samples.points[:settled], before.points[:settled])


def test_the_samples_are_the_same_object_until_a_reading_changes_them():
    ingest = make()
    ingest.add(readings([(1.0, 1.0, 1.0)]))
    before = ingest.samples
    ingest.add([Reading(math.nan, 1.0, 1.0, 9.0)])
    assert ingest.samples is before
    ingest.add([Reading(5.0, 1.0, 1.0, 9.0)])
    assert ingest.samples is not before
    assert before.values.tolist() == [1.0]


@pytest.mark.parametrize(
    ('reading', 'reason'),
    [
        (Reading(math.nan, 1.0, 1.0, 0.0), 'not_finite'),
        (Reading(math.inf, 1.0, 1.0, 0.0), 'not_finite'),
        (Reading(-math.inf, 1.0, 1.0, 0.0), 'not_finite'),
        (Reading(1.0, math.nan, 1.0, 0.0), 'not_finite'),
        (Reading(1.0, 1.0, 1.0, math.nan), 'not_finite'),
        (Reading(1.0, 101.0, 1.0, 0.0), 'outside_area'),
        (Reading(-5.0, 1.0, 1.0, 0.0), 'below_min'),
        (Reading(11.0, 1.0, 1.0, 0.0), 'above_max'),
    ],
)
def test_h10_a_bad_reading_is_refused_and_counted_by_reason(reading, reason):
    ingest = make(value_min=-4.0, value_max=10.0)
    assert ingest.add([reading, Reading(3.0, 2.5, 2.5, 0.1)]) == 1
    assert ingest.rejections == {reason: 1}
    assert ingest.samples.values.tolist() == [3.0]
    assert ingest.n_readings == 2
    assert ingest.n_accepted == 1


@pytest.mark.parametrize(('value', 'reason'), [(1e30, 'above_max'), (-1e30, 'below_min')])
@pytest.mark.parametrize('options', [{}, {'value_min': -1e300, 'value_max': 1e300}])
def test_h10_an_absurd_value_is_refused_whatever_the_limits(value, reason, options):
    ingest = make(**options)
    ingest.add([Reading(value, 1.0, 1.0, 0.0), Reading(MAX_ABSOLUTE_VALUE, 1.0, 1.0, 0.1)])
    assert ingest.rejections == {reason: 1}


def test_limits_themselves_are_allowed():
    ingest = make(value_min=-4.0, value_max=10.0)
    assert ingest.add(readings([(1.0, 1.0, -4.0), (1.0, 1.0, 10.0)])) == 2


def test_a_reading_delivered_twice_counts_once():
    ingest = make()
    reading = Reading(3.0, 1.0, 1.0, 7.0)
    assert ingest.add([reading, reading]) == 1
    assert ingest.add([reading]) == 0
    assert ingest.rejections == {'duplicate': 2}
    assert ingest.samples.counts.tolist() == [1.0]


@pytest.mark.parametrize(
    'other',
    [Reading(3.0, 1.0, 1.0, 7.1), Reading(3.0, 1.1, 1.0, 7.0), Reading(3.1, 1.0, 1.0, 7.0)],
)
def test_a_reading_that_differs_in_stamp_place_or_value_is_another_one(other):
    assert make().add([Reading(3.0, 1.0, 1.0, 7.0), other]) == 2


def test_the_caller_adds_its_own_reasons():
    ingest = make()
    ingest.reject('no_pose')
    ingest.reject('no_pose', 3)
    assert ingest.rejections == {'no_pose': 4}
    assert ingest.n_readings == 4


def test_places_are_not_asked_about_when_no_reading_is_finite():
    def never(points):
        raise AssertionError('asked about nothing')

    assert make(contains=never).add([Reading(math.nan, 1.0, 1.0, 0.0)]) == 0


@pytest.mark.parametrize('cell_m', [0.0, -1.0, math.nan, math.inf])
def test_a_cell_without_size_is_refused(cell_m):
    with pytest.raises(ValueError, match="'cell_m' must be finite and above 0"):
        make(cell_m=cell_m)


def test_merging_starts_with_samples_of_the_same_cell():
    ingest = make(max_samples=40)
    there_and_back = [(1.0 + 2.0 * (k % 20), 1.0, float(k)) for k in range(41)]
    ingest.add(readings(there_and_back))
    samples = ingest.samples
    assert len(samples) == 21
    assert samples.counts.tolist() == [2.0] * 20 + [1.0]
    np.testing.assert_allclose(samples.values[:20], np.arange(20) + 10.0)


def test_merging_is_settled_by_the_readings_alone():
    rng = np.random.default_rng(3)
    rows = readings([(x, y, x * y) for x, y in rng.uniform(0.0, 100.0, (500, 2))])
    one, two = make(max_samples=50), make(max_samples=50)
    one.add(rows)
    for reading in rows:
        two.add([reading])
    np.testing.assert_array_equal(one.samples.points, two.samples.points)
    np.testing.assert_array_equal(one.samples.values, two.samples.values)


def test_a_hundred_thousand_readings_stay_within_the_most_samples():
    ingest = make(cell_m=0.5, max_samples=200)
    rng = np.random.default_rng(4)
    angle = np.linspace(0.0, 40.0 * math.pi, 100_000)
    spiral = 50.0 + np.column_stack([angle * np.cos(angle), angle * np.sin(angle)]) / 3.0
    values = rng.normal(0.0, 1.0, 100_000)
    ingest.add(Reading(v, x, y, 0.0) for v, (x, y) in zip(values.tolist(), spiral.tolist()))
    count, mean = totals(ingest.samples)
    assert len(ingest.samples) <= 200
    assert count == 100_000
    assert mean == pytest.approx(values.mean(), abs=1e-12)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 300),
    cell_m=st.sampled_from([0.3, 2.0, 30.0]),
    shift=st.sampled_from([0.0, -50.0, 1e5]),
)
def test_number_and_mean_of_all_readings_are_conserved(seed, n, cell_m, shift):
    rng = np.random.default_rng(seed)
    ingest = make(
        cell_m=cell_m, contains=lambda points: np.ones(len(points), dtype=bool), max_samples=16
    )
    places = shift + rng.uniform(0.0, 100.0, (n, 2))
    values = rng.normal(5.0, 2.0, n)
    ingest.add(readings([(x, y, v) for (x, y), v in zip(places, values)]))
    count, mean = totals(ingest.samples)
    centre = np.average(ingest.samples.points, axis=0, weights=ingest.samples.counts)
    assert len(ingest.samples) <= 16
    assert count == n
    assert mean == pytest.approx(values.mean(), rel=1e-12)
    np.testing.assert_allclose(centre, places.mean(axis=0), rtol=1e-12)
