# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the tuning tasks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bo_explorer.study.problems.tuning import (
    SPAM_FILE,
    TrainingOptions,
    breast_cancer,
    error_of_test,
    options_at,
    spam,
    split,
    tuning_problem,
)

DATA = Path(__file__).resolve().parents[4] / 'shared' / 'data'


def two_clouds(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = (np.arange(n) % 2).astype(float)
    return rng.standard_normal((n, 3)) + 4.0 * y[:, np.newaxis], y


def test_the_corners_of_the_cube_are_the_ranges_of_the_paper() -> None:
    assert options_at(np.zeros(4), 30) == TrainingOptions(32, 1e-6, 1e-6, 15)
    assert options_at(np.ones(4), 30) == TrainingOptions(128, 1.0, 1.0, 120)


def test_seventy_percent_are_for_training_and_set_the_scale() -> None:
    task = split(*two_clouds(200), np.random.default_rng(1))
    assert len(task.train_y) == 140 and len(task.test_y) == 60
    np.testing.assert_allclose(task.train_x.mean(0), 0.0, atol=1e-12)
    np.testing.assert_allclose(task.train_x.std(0, correction=0), 1.0)


def test_a_feature_that_never_varies_does_no_harm() -> None:
    x, y = two_clouds(50)
    x[:, 1] = 7.0
    assert bool(split(x, y, np.random.default_rng(0)).train_x.isfinite().all())


def test_a_sensible_rate_separates_two_clouds_and_a_tiny_one_does_not() -> None:
    task = split(*two_clouds(120), np.random.default_rng(1))
    good = error_of_test(task, TrainingOptions(32, 2e-2, 1e-3, 10), 0)
    lame = [error_of_test(task, TrainingOptions(128, 1e-6, 1.0, 10), seed) for seed in range(4)]
    assert good < 0.05
    assert np.mean(lame) > 0.2


def test_the_same_point_gives_the_same_error() -> None:
    problem = tuning_problem(lambda: two_clouds(100), seed=4)
    point = np.array([0.2, 0.5, 0.5, 0.1])
    assert problem.evaluate(point) == problem.evaluate(point)
    assert problem.dimension == 4


def test_breast_cancer_is_the_wisconsin_data() -> None:
    pytest.importorskip('sklearn')
    x, y = breast_cancer()
    assert x.shape == (569, 30)
    assert sorted(np.bincount(y.astype(int))) == [212, 357]


def test_spam_is_the_uci_data() -> None:
    if not (DATA / SPAM_FILE).is_file():
        pytest.skip(f'there is no {DATA / SPAM_FILE}')
    x, y = spam(DATA)
    assert x.shape == (4601, 57)
    assert y.sum() == 1813.0
