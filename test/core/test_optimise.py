# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The best candidate is found with ties broken the same way everywhere; boxes are climbed."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from bo_explorer.core.acquisition import AcquisitionContext, make_acquisition
from bo_explorer.core.optimise import best_candidate, maximise, top_candidates
from bo_explorer.core.types import Posterior

score_arrays = npst.arrays(
    np.float64, st.integers(1, 30), elements=st.floats(allow_nan=True, allow_infinity=True)
)


def legal(scores):
    return np.ones(len(scores), dtype=np.bool_)


def best(*scores, only=None):
    scores = np.array(scores)
    mask = legal(scores) if only is None else np.isin(np.arange(len(scores)), only)
    return best_candidate(scores, mask)


def test_the_greatest_score_wins():
    assert best(1.0, 3.0, 2.0) == 1
    assert best(-3.0, -1.0, -2.0) == 1


def test_an_illegal_candidate_never_wins():
    assert best(1.0, 3.0, 2.0, only=[0, 2]) == 2


def test_without_a_legal_candidate_there_is_none():
    assert best(1.0, 3.0, only=[]) is None


def test_a_score_that_is_not_finite_never_wins():
    assert best(math.nan, 1.0, math.inf, -math.inf) == 1
    assert best(math.nan, -math.inf) is None


def test_the_lowest_index_wins_a_tie():
    assert best(1.0, 2.0, 2.0) == 1
    assert best(0.0, 0.0) == 0


@pytest.mark.parametrize('scale', [1e-300, -1.0, 1.0, 1e30])
def test_scores_that_differ_by_rounding_tie(scale):
    noise = 1e-12 * abs(scale)
    assert best(scale - noise, scale, scale + noise) == 0
    assert best(scale - 1e-6 * abs(scale), scale, scale + noise) == 1


@settings(derandomize=True, deadline=None)
@given(scores=score_arrays, data=st.data())
def test_the_winner_is_legal_finite_and_within_the_tolerance_of_the_maximum(scores, data):
    mask = data.draw(npst.arrays(np.bool_, len(scores)))
    before = scores.copy(), mask.copy()
    index = best_candidate(scores, mask)
    eligible = scores[mask & np.isfinite(scores)]
    if index is None:
        assert eligible.size == 0
    else:
        assert mask[index]
        assert scores[index] >= eligible.max() - 1e-9 * abs(eligible.max())
    assert np.array_equal(scores, before[0], equal_nan=True)
    assert np.array_equal(mask, before[1])


@settings(derandomize=True, deadline=None)
@given(scores=score_arrays, k=st.integers(0, 40))
def test_the_top_candidates_start_with_the_best_and_fall(scores, k):
    chosen = top_candidates(scores, legal(scores), k)
    assert len(chosen) == len(set(chosen)) == min(k, int(np.isfinite(scores).sum()))
    if chosen:
        assert chosen[0] == best_candidate(scores, legal(scores))
        values = scores[chosen]
        assert (values[1:] <= values[:-1] + 1e-9 * np.abs(values[:-1])).all()


def test_the_top_candidates_are_those_sorting_gives():
    scores = np.random.default_rng(0).normal(size=200)
    assert top_candidates(scores, legal(scores), 10) == np.argsort(-scores)[:10].tolist()


def run(function, lower, upper, *, seed=0, n_raw=256, n_starts=8):
    return maximise(
        function,
        np.array(lower, dtype=np.float64),
        np.array(upper, dtype=np.float64),
        n_raw=n_raw,
        n_starts=n_starts,
        generator=np.random.default_rng(seed),
    )


@pytest.mark.parametrize('dimension', range(1, 7))
def test_a_concave_function_is_maximised_to_the_last_digits(dimension):
    peak = torch.linspace(-1.3, 2.1, dimension, dtype=torch.float64)
    weight = torch.linspace(1.0, 9.0, dimension, dtype=torch.float64)

    def bowl(x):
        return 4.0 - (weight * (x - peak) ** 2).sum(dim=-1)

    point, value = run(bowl, [-3.0] * dimension, [4.0] * dimension)
    assert point == pytest.approx(peak.numpy(), abs=1e-6)
    assert value == pytest.approx(4.0, abs=1e-11)


@pytest.mark.parametrize('dimension', range(1, 7))
def test_a_slope_is_climbed_to_the_corner_exactly(dimension):
    upper = [0.1 * (i + 1) for i in range(dimension)]
    point, value = run(lambda x: x.sum(dim=-1), [-1.0] * dimension, upper)
    assert point.tolist() == upper
    assert value == pytest.approx(sum(upper), rel=1e-14)


def test_the_deepest_of_many_valleys_is_found():
    """Branin has three equal minima, 0.397887 deep."""

    def branin(x):
        a, b = x[:, 0], x[:, 1]
        bowl = b - 5.1 / (4.0 * math.pi**2) * a**2 + 5.0 / math.pi * a - 6.0
        return -(bowl**2 + 10.0 * (1.0 - 1.0 / (8.0 * math.pi)) * torch.cos(a) + 10.0)

    point, value = run(branin, [-5.0, 0.0], [10.0, 15.0])
    assert value == pytest.approx(-0.397887357729, abs=1e-9)
    assert min(abs(point[0] - p) for p in (-math.pi, math.pi, 3.0 * math.pi)) < 1e-4


def test_hartmann_is_maximised_in_six_dimensions():
    alpha = torch.tensor([1.0, 1.2, 3.0, 3.2], dtype=torch.float64)
    a = torch.tensor(
        [
            [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
            [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
            [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
            [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
        ],
        dtype=torch.float64,
    )
    p = 1e-4 * torch.tensor(
        [
            [1312.0, 1696.0, 5569.0, 124.0, 8283.0, 5886.0],
            [2329.0, 4135.0, 8307.0, 3736.0, 1004.0, 9991.0],
            [2348.0, 1451.0, 3522.0, 2883.0, 3047.0, 6650.0],
            [4047.0, 8828.0, 8732.0, 5743.0, 1091.0, 381.0],
        ],
        dtype=torch.float64,
    )

    def hartmann(x):
        return (alpha * torch.exp(-(a * (x[:, None, :] - p) ** 2).sum(dim=-1))).sum(dim=-1)

    _, value = run(hartmann, [0.0] * 6, [1.0] * 6, n_raw=512, n_starts=12)
    assert value == pytest.approx(3.32236801, abs=1e-6)


@pytest.mark.parametrize('dimension', [1, 2, 3])
def test_the_log_expected_improvement_of_a_gaussian_process_is_maximised_off_the_grid(dimension):
    x, posterior, incumbent = toy_process(dimension)
    log_ei = make_acquisition('log_ei')

    def score(points):
        zero = torch.zeros(len(points), dtype=torch.float64)
        state = AcquisitionContext(incumbent, zero, zero + 0.02, 1.0, 1.0, len(x))
        return log_ei(posterior(points), state)

    point, value = run(score, [0.0] * dimension, [1.0] * dimension)
    axis = torch.linspace(0.0, 1.0, {1: 2001, 2: 81, 3: 21}[dimension], dtype=torch.float64)
    grid = torch.cartesian_prod(*[axis] * dimension).reshape(-1, dimension)
    assert value >= float(score(grid).max())
    assert value == pytest.approx(float(score(torch.from_numpy(point)[None])), rel=1e-12)
    # Stationary: no small step inside the box gains anything.
    steps = np.vstack([np.eye(dimension), -np.eye(dimension)]) * 1e-3
    around = torch.from_numpy(np.clip(point + steps, 0.0, 1.0))
    assert (score(around) <= value + 1e-9).all()


def toy_process(dimension):
    """Closed-form Gaussian process on 8 points: squared exponential, lengthscale 0.3."""
    x = torch.quasirandom.SobolEngine(dimension, scramble=True, seed=4).draw(8).double()
    y = torch.sin(6.0 * x).sum(dim=-1)

    def kernel(a, b):
        return torch.exp(-((a[:, None] - b[None]) ** 2).sum(dim=-1) / (2.0 * 0.3**2))

    inverse = torch.linalg.inv(kernel(x, x) + 1e-2 * torch.eye(8, dtype=torch.float64))

    def posterior(points):
        cross = kernel(points, x)
        variance = 1.0 - ((cross @ inverse) * cross).sum(dim=-1)
        return Posterior(cross @ inverse @ y, variance.clamp_min(1e-12).sqrt())

    return x, posterior, posterior(x).mean.max()


def test_the_same_seed_gives_the_same_answer():
    def waves(x):
        return torch.sin(9.0 * x).sum(dim=-1) + 0.1 * x.sum(dim=-1)

    first, again = (run(waves, [0.0] * 3, [3.0] * 3, seed=7) for _ in range(2))
    assert first[0].tolist() == again[0].tolist()
    assert first[1] == again[1]


def test_the_result_stays_inside_the_box_and_a_flat_axis_at_its_value():
    point, _ = run(lambda x: x[:, 0] - x[:, 1] ** 2, [0.1, 0.3], [0.7, 0.3])
    assert point.tolist() == [0.7, 0.3]


def test_the_function_sees_all_raw_points_at_once():
    batches = []

    def function(x):
        batches.append(len(x))
        return -(x**2).sum(dim=-1)

    run(function, [-1.0], [1.0], n_raw=64, n_starts=2)
    assert batches[0] == 64


def test_holes_in_the_function_are_kept_out_of():
    """A root of a negative number is not a number; the peak lies on the edge of the hole."""
    _, value = run(lambda x: torch.sqrt(0.5 - x[:, 0]) + 2.0 * x[:, 0], [0.0], [1.0])
    assert value == pytest.approx(0.25**2 * 2.0 + 1.0, abs=1e-6)


def test_a_function_without_a_finite_value_is_refused():
    with pytest.raises(ValueError, match="'function' must be finite in the box"):
        run(lambda x: x[:, 0] * math.nan, [0.0], [1.0])


@pytest.mark.parametrize(
    ('lower', 'upper', 'changes', 'message'),
    [
        ([0.0, 1.0], [1.0, 0.0], {}, "'upper' must be at least lower"),
        ([0.0], [math.inf], {}, "'upper' must be finite"),
        ([0.0], [1.0, 2.0], {}, "'upper' must have shape"),
        ([], [], {}, "'lower' must have at least one axis"),
        ([0.0], [1.0], {'n_raw': 0}, "'n_raw' must be at least 1, got 0"),
        ([0.0], [1.0], {'n_starts': 0}, "'n_starts' must be at least 1, got 0"),
    ],
)
def test_an_invalid_box_or_count_is_refused(lower, upper, changes, message):
    with pytest.raises(ValueError, match=message):
        run(lambda x: x.sum(dim=-1), lower, upper, **changes)
