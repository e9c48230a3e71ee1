# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The map against a dense solve, against GPyTorch, and against itself after any history."""

from __future__ import annotations

import gpytorch
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.errors import ModelError
from bo_explorer.core.gp import field_map as field_map_module
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.gp.kernels import KERNELS
from bo_explorer.core.types import Samples

CANDIDATES = np.mgrid[0:100:10.0, 0:80:10.0].reshape(2, -1).T.copy()
MODEL = Hyperparameters('matern52', (25.0, 15.0), 3.0, 0.4, 7.0)

every_kernel = pytest.mark.parametrize('name', sorted(KERNELS))


def random_samples(n, seed=0, dimension=2):
    rng = np.random.default_rng(seed)
    return Samples(
        rng.uniform(0.0, 100.0, (n, dimension)), rng.normal(7.0, 3.0, n), rng.integers(1, 30, n)
    )


def take(samples, n):
    return Samples(samples.points[:n], samples.values[:n], samples.counts[:n])


def filled(samples, model=MODEL, candidates=CANDIDATES):
    field_map = FieldMap(candidates, model)
    field_map.update(samples)
    return field_map


def dense(samples, model, queries):
    """Return standardised mean and covariance at ``queries`` by the textbook formula."""

    def k(x, y):
        lengthscales = torch.tensor(model.lengthscales, dtype=torch.float64)
        return KERNELS[model.kernel](torch.tensor(x), torch.tensor(y), lengthscales).numpy()

    noise = np.diag((model.noise_std / model.signal_std) ** 2 / samples.counts)
    gain = np.linalg.solve(k(samples.points, samples.points) + noise, k(samples.points, queries)).T
    mean = gain @ ((samples.values - model.mean) / model.signal_std)
    return mean, k(queries, queries) - gain @ k(samples.points, queries)


def assert_same(one, two, tolerance=1e-8):
    np.testing.assert_allclose(one.mean.numpy(), two.mean.numpy(), atol=tolerance)
    np.testing.assert_allclose(one.std.numpy(), two.std.numpy(), atol=tolerance)


class GPyTorchModel(gpytorch.models.ExactGP):
    """The same model, written the way GPyTorch wants it."""

    def __init__(self, samples, model):
        points, values = torch.tensor(samples.points), torch.tensor(samples.values)
        noise = model.noise_std**2 / torch.tensor(samples.counts)
        likelihood = gpytorch.likelihoods.FixedNoiseGaussianLikelihood(noise)
        super().__init__(points, values, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        base = {
            'matern32': lambda: gpytorch.kernels.MaternKernel(1.5, ard_num_dims=2),
            'matern52': lambda: gpytorch.kernels.MaternKernel(2.5, ard_num_dims=2),
            'squared_exponential': lambda: gpytorch.kernels.RBFKernel(ard_num_dims=2),
        }[model.kernel]()
        self.covar_module = gpytorch.kernels.ScaleKernel(base)
        self.double()
        base.lengthscale = torch.tensor(model.lengthscales, dtype=torch.float64)
        self.covar_module.outputscale = model.signal_std**2
        self.mean_module.constant = model.mean
        self.eval()

    def forward(self, points):
        return gpytorch.distributions.MultivariateNormal(
            self.mean_module(points), self.covar_module(points)
        )


@every_kernel
def test_the_posterior_is_that_of_gpytorch(name):
    model = Hyperparameters(name, (25.0, 15.0), 3.0, 0.4, 7.0)
    samples = random_samples(60)
    with torch.no_grad(), gpytorch.settings.fast_computations(False, False, False):
        reference = GPyTorchModel(samples, model)(torch.tensor(CANDIDATES))
        mean, covariance = reference.mean.numpy(), reference.covariance_matrix.numpy()
    field_map = filled(samples, model)
    have = field_map.posterior()
    np.testing.assert_allclose(7.0 + 3.0 * have.mean.numpy(), mean, atol=1e-8)
    np.testing.assert_allclose(3.0 * have.std.numpy(), np.sqrt(np.diag(covariance)), atol=1e-8)
    rows = [0, 17, 42]
    np.testing.assert_allclose(
        9.0 * field_map.covariance(rows).numpy(), covariance[rows], atol=1e-8
    )


@every_kernel
@pytest.mark.parametrize('dimension', [1, 2, 3])
def test_the_posterior_is_that_of_the_textbook_in_any_dimension(name, dimension):
    rng = np.random.default_rng(dimension)
    model = Hyperparameters(name, (30.0,) * dimension, 2.0, 0.5, 6.0)
    queries = rng.uniform(0.0, 100.0, (25, dimension))
    samples = random_samples(40, dimension=dimension)
    mean, covariance = dense(samples, model, queries)
    have = filled(samples, model, queries).posterior()
    np.testing.assert_allclose(have.mean.numpy(), mean, atol=1e-8)
    np.testing.assert_allclose(have.std.numpy() ** 2, np.diag(covariance), atol=1e-8)


def test_without_samples_the_map_is_the_prior():
    field_map = FieldMap(CANDIDATES, MODEL)
    posterior = field_map.posterior()
    assert (posterior.mean == 0.0).all()
    assert (posterior.std == 1.0).all()
    assert field_map.sample_posterior().mean.shape == (0,)
    mean, std = field_map.predict(CANDIDATES[:3])
    assert mean.tolist() == [7.0] * 3
    assert std.tolist() == [3.0] * 3
    covariance = field_map.covariance([0, 1])
    assert covariance.shape == (2, len(CANDIDATES))
    assert covariance[0, 0] == 1.0


def test_appending_equals_starting_anew():
    samples = random_samples(120)
    grown = FieldMap(CANDIDATES, MODEL)
    for n in (1, 2, 3, 10, 33, 34, 80, 120):
        grown.update(take(samples, n))
    assert_same(grown.posterior(), filled(samples).posterior())
    assert_same(grown.sample_posterior(), filled(samples).sample_posterior())


def test_samples_may_go_altogether():
    field_map = filled(random_samples(10))
    field_map.update(take(random_samples(10), 0))
    assert_same(field_map.posterior(), FieldMap(CANDIDATES, MODEL).posterior())


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1000),
    steps=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=8
    ),
)
def test_any_history_of_changed_and_new_samples_equals_starting_anew(seed, steps):
    rng = np.random.default_rng(seed)
    points, values, counts = np.empty((0, 2)), np.empty(0), np.empty(0)
    field_map = FieldMap(CANDIDATES, MODEL)
    for changed, new in steps:
        points = np.vstack([points, rng.uniform(0.0, 100.0, (new, 2))])
        values = np.append(values, rng.normal(7.0, 3.0, new))
        counts = np.append(counts, np.ones(new))
        last = rng.integers(0, 3)
        tail = slice(max(len(values) - changed, 0), max(len(values) - last, 0))
        points[tail] += rng.normal(0.0, 0.1, points[tail].shape)
        values[tail] += rng.normal(0.0, 0.1, values[tail].shape)
        counts[tail] += 1
        samples = Samples(points, values, counts)
        field_map.update(samples)
        assert field_map.samples is samples
    assert_same(field_map.posterior(), filled(samples).posterior())
    assert_same(field_map.sample_posterior(), field_map.posterior_at(torch.tensor(points)))


def test_rows_of_samples_that_stay_are_not_computed_again(monkeypatch):
    sizes = []
    plain = field_map_module._cholesky

    def watched(matrix):
        sizes.append(len(matrix))
        return plain(matrix)

    monkeypatch.setattr(field_map_module, '_cholesky', watched)
    samples = random_samples(50)
    field_map = filled(take(samples, 40))
    field_map.update(samples)
    field_map.update(samples)
    values = samples.values.copy()
    values[47] += 1.0
    field_map.update(Samples(samples.points, values, samples.counts))
    assert sizes == [40, 10, 3]


def test_new_hyperparameters_rebuild_the_map():
    samples = random_samples(50)
    other = Hyperparameters('matern32', (40.0, 12.0), 5.0, 1.0, 2.0)
    field_map = filled(samples)
    field_map.set_hyperparameters(other)
    assert field_map.hyperparameters == other
    assert field_map.samples is samples
    assert_same(field_map.posterior(), filled(samples, other).posterior(), 0.0)


def test_a_posterior_given_out_does_not_change_with_the_map():
    samples = random_samples(20)
    field_map = filled(take(samples, 10))
    posterior, at_samples = field_map.posterior(), field_map.sample_posterior()
    mean, sample_mean = posterior.mean.clone(), at_samples.mean.clone()
    field_map.update(samples)
    assert torch.equal(posterior.mean, mean)
    assert torch.equal(at_samples.mean, sample_mean)
    assert len(field_map.sample_posterior().mean) == 20


def test_predictions_agree_with_the_map_in_the_unit_of_the_sensor(monkeypatch):
    monkeypatch.setattr(field_map_module, '_CHUNK', 7)
    field_map = filled(random_samples(30))
    mean, std = field_map.predict(CANDIDATES)
    posterior = field_map.posterior()
    np.testing.assert_allclose(mean, 7.0 + 3.0 * posterior.mean.numpy(), atol=1e-9)
    np.testing.assert_allclose(std, 3.0 * posterior.std.numpy(), atol=1e-9)


def test_the_posterior_anywhere_is_differentiable_at_samples_too():
    samples = random_samples(12)
    field_map = filled(samples)
    points = torch.tensor(CANDIDATES[:4] + 0.3).requires_grad_()
    assert torch.autograd.gradcheck(lambda p: field_map.posterior_at(p).mean, points)
    assert torch.autograd.gradcheck(lambda p: field_map.posterior_at(p).std, points)
    at_samples = torch.tensor(samples.points).requires_grad_()
    posterior = field_map.posterior_at(at_samples)
    (posterior.mean.sum() + posterior.std.sum()).backward()
    assert torch.isfinite(at_samples.grad).all()


def test_points_come_in_batches():
    """Field case H12."""
    field_map = filled(random_samples(12))
    batch = torch.tensor(CANDIDATES[:12]).reshape(3, 4, 2)
    posterior = field_map.posterior_at(batch)
    assert posterior.mean.shape == posterior.std.shape == (3, 4)
    one = field_map.posterior_at(batch.reshape(-1, 2))
    torch.testing.assert_close(posterior.mean.reshape(-1), one.mean)


def test_an_imagined_reading_moves_the_map_like_a_real_one():
    samples, index, value = random_samples(25), 33, 1.7
    field_map = filled(samples)
    before, row = field_map.posterior(), field_map.covariance([index])[0]
    gain = row / (row[index] + field_map.noise_variance)
    mean = before.mean + gain * (value - before.mean[index])
    std = (before.std**2 - gain * row).sqrt()
    field_map.update(
        Samples(
            np.vstack([samples.points, CANDIDATES[index]]),
            np.append(samples.values, MODEL.mean + MODEL.signal_std * value),
            np.append(samples.counts, 1.0),
        )
    )
    after = field_map.posterior()
    np.testing.assert_allclose(after.mean.numpy(), mean.numpy(), atol=1e-9)
    np.testing.assert_allclose(after.std.numpy(), std.numpy(), atol=1e-9)


def test_h1_one_sample_and_equal_samples_give_finite_maps():
    for n in (1, 5):
        samples = Samples(np.full((n, 2), 50.0), np.zeros(n), np.ones(n))
        posterior = filled(samples).posterior()
        assert torch.isfinite(posterior.mean).all()
        assert (posterior.std > 0.0).all()


@every_kernel
def test_h2_h4_many_samples_at_one_place_without_noise_stay_finite(name):
    model = Hyperparameters(name, (25.0, 25.0), 1.0, 1e-12, 0.0)
    n = 500
    rng = np.random.default_rng(5)
    samples = Samples(np.full((n, 2), 50.0), rng.normal(0.0, 1e-3, n), np.ones(n))
    whole, grown = filled(samples, model), FieldMap(CANDIDATES, model)
    for k in range(0, n + 1, 50):
        grown.update(take(samples, k))
    for field_map in (whole, grown):
        posterior = field_map.posterior()
        assert torch.isfinite(posterior.mean).all()
        assert (posterior.std >= 0.0).all()
        assert posterior.mean.abs().max() < 1.0
    assert_same(whole.posterior(), grown.posterior(), 1e-5)


def test_h4_near_duplicates_of_a_very_smooth_field_have_no_negative_variance():
    model = Hyperparameters('squared_exponential', (300.0, 300.0), 1.0, 1e-9, 0.0)
    samples = random_samples(300)
    smooth = Samples(samples.points, np.sin(samples.points[:, 0] / 100.0), samples.counts)
    field_map = filled(smooth, model)
    for posterior in (field_map.posterior(), field_map.sample_posterior()):
        assert torch.isfinite(posterior.mean).all()
        assert (posterior.std >= 0.0).all()
        assert (posterior.std < 1e-2).all()


def test_h10_values_at_the_edge_of_what_ingest_lets_through_stay_finite():
    samples = Samples([[10.0, 10.0], [10.0, 10.0], [50.0, 50.0]], [1e12, -1e12, 3.0], [1, 1, 1])
    mean, std = filled(samples).predict(CANDIDATES)
    assert np.isfinite(mean).all()
    assert np.isfinite(std).all()


def test_a_matrix_that_only_jitter_makes_positive_is_factorised():
    matrix = torch.ones(3, 3, dtype=torch.float64)
    factor = field_map_module._cholesky(matrix - 1e-6 * torch.eye(3, dtype=torch.float64))
    torch.testing.assert_close(factor @ factor.T, matrix, atol=1e-4, rtol=0.0)


@pytest.mark.parametrize('bad', [-1.0, float('nan')])
def test_a_matrix_no_jitter_can_help_is_a_model_error(bad):
    with pytest.raises(ModelError, match='no Cholesky factor'):
        field_map_module._cholesky(torch.full((2, 2), bad, dtype=torch.float64))


def test_a_failed_update_leaves_the_map_of_the_common_prefix(monkeypatch):
    samples = random_samples(20)
    field_map = filled(take(samples, 15))
    changed = samples.values.copy()
    changed[10] += 1.0

    def fails(matrix):
        raise ModelError('no factor')

    with monkeypatch.context() as patch:
        patch.setattr(field_map_module, '_cholesky', fails)
        with pytest.raises(ModelError):
            field_map.update(Samples(samples.points, changed, samples.counts))
    assert len(field_map.samples) == 10
    assert_same(field_map.posterior(), filled(take(samples, 10)).posterior())
    field_map.update(samples)
    assert_same(field_map.posterior(), filled(samples).posterior())


def test_shapes_that_do_not_agree_are_refused():
    with pytest.raises(ValueError, match="'hyperparameters' must have 3 lengthscales, got 2"):
        FieldMap(np.zeros((4, 3)), MODEL)
    with pytest.raises(ValueError, match="'candidates' must be finite"):
        FieldMap(np.full((4, 2), np.nan), MODEL)
    with pytest.raises(ValueError, match="'samples' must have 2 axes, got 3"):
        FieldMap(CANDIDATES, MODEL).update(random_samples(3, dimension=3))


def test_maps_of_many_samples_equal_those_started_anew_wherever_the_last_ones_change():
    samples = random_samples(200)
    field_map = FieldMap(CANDIDATES, MODEL)
    for n, changed in ((63, 0), (64, 5), (65, 2), (128, 70), (127, 0), (200, 16), (129, 1)):
        values = samples.values.copy()
        values[n - changed : n] += 0.5
        now = take(Samples(samples.points, values, samples.counts), n)
        field_map.update(now)
        assert_same(field_map.posterior(), filled(now).posterior())
        assert_same(field_map.sample_posterior(), filled(now).sample_posterior())


def test_an_update_adds_up_the_latest_rows_only(monkeypatch):
    rows = []
    plain = field_map_module._explained

    def watched(residuals, whitened):
        rows.append(whitened.shape)
        return plain(residuals, whitened)

    samples = random_samples(320)
    grown = filled(take(samples, 300))
    monkeypatch.setattr(field_map_module, '_explained', watched)
    values = samples.values.copy()
    values[290:300] += 1.0
    grown.update(Samples(samples.points, values, samples.counts))
    assert {columns for _, columns in rows} == {len(CANDIDATES)}
    assert sum(count for count, _ in rows) < 3 * field_map_module._BLOCK
