# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The fit against the textbook likelihood, against known fields and against bad data."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.config import ModelConfig
from bo_explorer.core.gp import model as model_module
from bo_explorer.core.gp.hyperparameters import Hyperparameters, initial_hyperparameters
from bo_explorer.core.gp.kernels import KERNELS
from bo_explorer.core.gp.model import MAX_FIT_SAMPLES, fit
from bo_explorer.core.types import Samples

from .drawn_field import SIDE_M, drawn, log_posterior

SPACING_M = 2.0

every_kernel = pytest.mark.parametrize('name', sorted(KERNELS))


def run(samples, start=None, **options):
    config = ModelConfig(**options)
    if start is None:
        dimension = samples.points.shape[1]
        start = initial_hyperparameters(config, SIDE_M, dimension, samples)
    return fit(samples, config, start, side_m=SIDE_M, spacing_m=SPACING_M)


@every_kernel
def test_a_field_drawn_from_the_model_gives_its_hyperparameters_back(name):
    report = run(drawn(150, name=name), kernel=name)
    h = report.hyperparameters
    assert report.is_fitted
    assert h.kernel == name
    assert h.lengthscales[0] == h.lengthscales[1] == pytest.approx(20.0, rel=0.4)
    assert h.signal_std == pytest.approx(4.0, rel=0.5)
    assert h.noise_std == pytest.approx(0.4, rel=0.5)
    assert h.mean == pytest.approx(30.0, abs=4.0)


def test_ard_tells_the_long_axis_from_the_short_one():
    h = run(drawn(150, lengthscales=(50.0, 10.0)), ard=True).hyperparameters
    assert h.lengthscales[0] > 2.0 * h.lengthscales[1]


@pytest.mark.parametrize('dimension', [1, 3])
def test_fields_of_other_dimensions_are_fitted_too(dimension):
    report = run(drawn(40, lengthscales=(30.0,) * dimension), ard=dimension == 3)
    assert report.is_fitted
    assert report.hyperparameters.dimension == dimension


def test_the_fit_is_not_worse_than_where_it_started():
    samples = drawn(60)
    config = ModelConfig()
    start = initial_hyperparameters(config, SIDE_M, 2, samples)
    report = run(samples, start)
    density = log_posterior(samples, 'matern52', False)

    def value(h):
        # In the sensor's unit and without priors, for which the guess is the centre anyway.
        theta = [math.log(h.lengthscales[0] / SIDE_M), math.log(h.signal_std)]
        return density.log_likelihood(np.array([*theta, math.log(h.noise_std), h.mean]))

    assert report.log_likelihood == pytest.approx(value(report.hyperparameters), abs=1e-6)
    assert report.log_likelihood > value(start)


def test_a_known_noise_is_kept_to_the_last_digit():
    report = run(drawn(40), noise_std=0.73)
    assert report.is_fitted
    assert report.hyperparameters.noise_std == 0.73


def test_the_same_samples_give_the_same_fit_and_a_warm_start_stays_there():
    samples = drawn(80)
    first, second = run(samples), run(samples)
    assert first.hyperparameters == second.hyperparameters
    warm = run(samples, first.hyperparameters).hyperparameters
    assert warm.lengthscales[0] == pytest.approx(first.hyperparameters.lengthscales[0], rel=0.02)


@settings(derandomize=True, max_examples=8, deadline=None)
@given(unit=st.sampled_from([1e-9, 1e-3, 1e6]), shift=st.sampled_from([0.0, -5.0, 1e3]))
def test_the_fit_follows_the_unit_of_the_sensor(unit, shift):
    samples = drawn(30)
    other = Samples(samples.points, unit * (samples.values + shift), samples.counts)
    h, g = run(samples).hyperparameters, run(other).hyperparameters
    np.testing.assert_allclose(g.lengthscales, h.lengthscales, rtol=1e-2)
    assert g.signal_std == pytest.approx(unit * h.signal_std, rel=1e-2)
    assert g.noise_std == pytest.approx(unit * h.noise_std, rel=1e-2)


@pytest.mark.parametrize('seed', range(5))
def test_h5_nothing_but_noise_is_not_taken_for_a_field_of_tiny_details(seed):
    rng = np.random.default_rng(seed)
    samples = Samples(rng.uniform(0.0, 30.0, (12, 2)), rng.normal(0.0, 0.1, 12), np.full(12, 5.0))
    assert run(samples).hyperparameters.lengthscales[0] > 0.05 * SIDE_M


@pytest.mark.parametrize('values', [[0.0], [5.0, 5.0], [0.0] * 3, [412.1] * 20, [1.0, 2.0]])
def test_h1_h9_too_little_or_equal_data_keep_the_hyperparameters(values):
    n = len(values)
    points = np.column_stack([np.linspace(0.0, 90.0, n), np.zeros(n)])
    start = Hyperparameters('matern52', (10.0, 10.0), 1.0, 0.1, 0.0)
    report = run(Samples(points, values, np.ones(n)), start)
    assert not report.is_fitted
    assert report.hyperparameters is start
    assert report.message


def test_h9_no_samples_at_all_keep_the_hyperparameters():
    start = Hyperparameters('matern52', (10.0, 10.0), 1.0, 0.1, 0.0)
    report = run(Samples(np.empty((0, 2)), [], []), start)
    assert not report.is_fitted
    assert report.hyperparameters is start


@every_kernel
def test_h2_five_hundred_samples_at_one_place_give_a_finite_result(name):
    rng = np.random.default_rng(0)
    samples = Samples(np.full((500, 2), 50.0), rng.normal(0.0, 1.0, 500), np.full(500, 6000.0))
    h = run(samples, kernel=name).hyperparameters
    assert all(math.isfinite(x) and x > 0 for x in (*h.lengthscales, h.signal_std, h.noise_std))


def test_h4_a_fit_that_breaks_keeps_the_hyperparameters(monkeypatch):
    def breaks(*_args, **_kwargs):
        raise torch.linalg.LinAlgError('no factor')

    monkeypatch.setattr(model_module, 'minimize', breaks)
    start = Hyperparameters('matern52', (10.0, 10.0), 1.0, 0.1, 0.0)
    report = run(drawn(20), start)
    assert not report.is_fitted
    assert report.hyperparameters is start
    assert 'no factor' in report.message


@settings(derandomize=True, max_examples=15, deadline=None)
@given(
    values=st.lists(st.integers(-3, 3), min_size=3, max_size=12),
    seed=st.integers(0, 100),
    known=st.sampled_from([math.nan, 1e-9, 1e3]),
)
def test_h5_few_samples_stay_within_bounds(values, seed, known):
    rng = np.random.default_rng(seed)
    n = len(values)
    samples = Samples(rng.uniform(0.0, SIDE_M, (n, 2)), values, np.ones(n))
    report = run(samples, ard=True, noise_std=known)
    h = report.hyperparameters
    if report.is_fitted:
        spread = np.std(values)
        assert all(SPACING_M / 2 <= x * (1 + 1e-9) for x in h.lengthscales)
        assert all(x <= 2.0 * SIDE_M * (1 + 1e-9) for x in h.lengthscales)
        assert 0.1 * spread <= h.signal_std * (1 + 1e-9)
        assert h.signal_std <= 20.0 * spread * (1 + 1e-9)
        assert min(values) - 1e-9 <= h.mean <= max(values) + 1e-9
        if math.isnan(known):
            assert 0.01 * spread <= h.noise_std * (1 + 1e-9)
    else:
        assert np.ptp(values) == 0 or not math.isnan(known)


@pytest.mark.parametrize('values', [[1e300, -1e300, 3.0, 4.0], [1e-300, 2e-300, 3e-300, 0.0]])
def test_h10_values_at_the_ends_of_the_number_line_never_raise(values):
    points = np.column_stack([np.linspace(0.0, 90.0, 4), np.zeros(4)])
    h = run(Samples(points, values, np.ones(4))).hyperparameters
    assert math.isfinite(h.mean)


def test_a_large_fit_looks_at_the_highest_samples_and_a_spread_of_the_others():
    rng = np.random.default_rng(0)
    n = 4 * MAX_FIT_SAMPLES
    values = rng.permutation(n).astype(float)
    samples = Samples(np.column_stack([np.arange(n), np.zeros(n)]), values, np.ones(n))
    taken = model_module._subset(samples)
    assert len(taken) == MAX_FIT_SAMPLES
    assert set(range(n - MAX_FIT_SAMPLES // 4, n)) <= set(taken.values.astype(int))
    assert (np.diff(taken.points[:, 0]) > 0).all()
    assert np.diff(taken.points[:, 0]).max() < 10


def test_a_fit_of_many_samples_is_a_fit():
    report = run(drawn(400))
    assert report.is_fitted
    assert report.hyperparameters.lengthscales[0] == pytest.approx(20.0, rel=0.5)


@pytest.mark.parametrize('values', [[1.0, 2.0, 4.0, 3.0], [1e200, -1e200, 3e200, 0.0]])
def test_a_fit_gives_the_threads_back(values):
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        points = np.random.default_rng(0).uniform(0.0, 10.0, (4, 2))
        samples = Samples(points, np.array(values), np.ones(4))
        start = initial_hyperparameters(ModelConfig(), 10.0, 2, samples)
        fit(samples, ModelConfig(), start, side_m=10.0, spacing_m=1.0)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
