# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Imagined readings against maps that have really taken them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.lookahead.trajectories import SimulationGrid
from bo_explorer.core.types import Samples

from .states import lattice, planning_state

N = 25
STATE = planning_state(lattice(5))
GRID = SimulationGrid.of(STATE, np.arange(N))


def refitted(places, normals):
    """Return the map after readings at these places, and the mean at each just after it."""
    field_map, h, after = STATE.field_map, STATE.field_map.hyperparameters, []
    for place, z in zip(places, normals):
        posterior, s = field_map.posterior(), field_map.samples
        std = float((posterior.std[place] ** 2 + field_map.noise_variance).sqrt())
        value = h.mean + h.signal_std * (float(posterior.mean[place]) + std * z)
        samples = Samples(
            np.concatenate([s.points, field_map.candidates[[place]]]),
            np.append(s.values, value),
            np.append(s.counts, 1.0),
        )
        field_map = FieldMap(STATE.field_map.candidates, h)
        field_map.update(samples)
        after.append(float(field_map.posterior().mean[place]))
    return field_map, after


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, N - 1), st.floats(-3.0, 3.0)), min_size=1, max_size=6))
def test_beliefs_after_imagined_readings_equal_those_of_refitted_maps(path):
    places, normals = zip(*path)
    fantasies = GRID.fantasies()
    after = [
        fantasies.read(torch.tensor([[place]]), torch.tensor([[z]], dtype=torch.float64))
        for place, z in path
    ]
    field_map, expected = refitted(places, normals)
    np.testing.assert_allclose(torch.cat(after).squeeze(-1).numpy(), expected, atol=1e-9)
    posterior = fantasies.posterior
    np.testing.assert_allclose(posterior.mean[0, 0], field_map.posterior().mean, atol=1e-9)
    np.testing.assert_allclose(posterior.std[0, 0], field_map.posterior().std, atol=1e-7)


def test_futures_of_a_batch_do_not_mix():
    rng = np.random.default_rng(0)
    places = torch.from_numpy(rng.integers(0, N, size=(3, 4, 3)))
    normals = torch.from_numpy(rng.normal(size=(3, 4, 3)))
    batch = GRID.fantasies()
    for j in range(3):
        batch.read(places[..., j], normals[..., j])
    for k in range(3):
        for s in range(4):
            field_map, _ = refitted(places[k, s].tolist(), normals[k, s].tolist())
            np.testing.assert_allclose(
                batch.posterior.mean[k, s], field_map.posterior().mean, atol=1e-9
            )


def test_samples_share_the_variance_of_a_common_place():
    fantasies = GRID.fantasies()
    fantasies.read(torch.tensor([[3], [9]]), torch.randn(1, 8, dtype=torch.float64))
    assert fantasies.posterior.mean.shape == (2, 8, N)
    assert fantasies.posterior.std.shape == (2, 1, N)


def test_a_reading_that_is_not_taken_changes_nothing():
    fantasies = GRID.fantasies()
    place = torch.tensor([[3, 4]])
    one = torch.ones(1, 2, dtype=torch.float64)
    fantasies.read(place, one, torch.tensor([[True, False]]))
    fantasies.read(torch.tensor([[7, 7]]), one)
    both, _ = refitted([3, 7], [1.0, 1.0])
    second, _ = refitted([7], [1.0])
    np.testing.assert_allclose(fantasies.posterior.mean[0, 0], both.posterior().mean, atol=1e-9)
    np.testing.assert_allclose(fantasies.posterior.mean[0, 1], second.posterior().mean, atol=1e-9)


def test_many_readings_of_one_place_keep_the_variance_above_zero():
    fantasies = GRID.fantasies()
    for _ in range(30):
        fantasies.read(torch.tensor([[12]]), torch.zeros(1, 1, dtype=torch.float64))
    std = fantasies.posterior.std
    assert float(std.min()) >= 0.0
    noise = STATE.field_map.noise_variance
    assert float(std[0, 0, 12]) == pytest.approx((noise / 30) ** 0.5, rel=0.05)


def test_what_is_seen_before_a_reading_is_the_belief_on_the_grid():
    fantasies = GRID.fantasies()
    fantasies.read(torch.tensor([[2], [20]]), torch.randn(1, 3, dtype=torch.float64))
    place = torch.tensor([[5, 6, 7], [8, 9, 10]])
    seen, posterior = fantasies.look(place), fantasies.posterior
    at = place.unsqueeze(-1)
    torch.testing.assert_close(seen.mean, posterior.mean.gather(-1, at).squeeze(-1))
    std = posterior.std.expand(2, 3, N).gather(-1, at).squeeze(-1)
    torch.testing.assert_close(seen.variance, std.square())


def test_covariance_with_some_candidates_is_a_part_of_that_with_all():
    rows, columns = torch.tensor([4, 0]), torch.tensor([1, 2, 24])
    whole = STATE.field_map.covariance(rows)
    part = STATE.field_map.covariance(rows, columns)
    torch.testing.assert_close(part, whole[:, columns], rtol=0.0, atol=1e-14)


def test_the_candidates_of_a_map_cannot_be_written():
    with pytest.raises(ValueError, match='read-only'):
        STATE.field_map.candidates[0, 0] = 1.0
