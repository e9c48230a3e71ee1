# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The logarithm of the expected improvement ranks what the plain value cannot."""

from __future__ import annotations

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.acquisition.log_expected_improvement import log_expected_improvement

from .beliefs import belief, context, random_belief, random_distance, tensor


def test_it_is_the_logarithm_of_the_plain_value_where_that_has_digits():
    posterior, state = random_belief(200), context(random_distance(200), 1.0)
    plain, log = make_acquisition('ei'), make_acquisition('log_ei')
    values = plain(posterior, state)
    has_digits = values > 1e-290
    assert has_digits.sum() > 150
    torch.testing.assert_close(
        log(posterior, state)[has_digits], values[has_digits].log(), rtol=1e-12, atol=1e-12
    )


def test_it_agrees_with_arbitrary_precision_where_the_plain_value_is_zero():
    mpmath = pytest.importorskip('mpmath')
    posterior, state = belief([-30.0], [0.5]), context(0.1)
    assert float(make_acquisition('ei')(posterior, state)) == 0.0
    with mpmath.workdps(900):
        u = mpmath.mpf(-60)
        h = mpmath.npdf(u) + u * mpmath.erfc(-u / mpmath.sqrt(2)) / 2
        expected = float(mpmath.log(h / 2))
    score = make_acquisition('log_ei')(posterior, state)
    assert float(score) == pytest.approx(expected, rel=1e-14)


def test_it_ranks_hopeless_places_by_mean_and_by_deviation():
    scores = make_acquisition('log_ei')(
        belief([-90.0, -80.0, -80.0, -80.0], [0.1, 0.1, 0.2, 0.0]), context(0.1)
    )
    assert scores.argsort(descending=True).tolist() == [2, 1, 0, 3]


def test_the_helper_takes_an_incumbent_for_each_belief_of_a_batch():
    scores = log_expected_improvement(belief([[1.0], [1.0]], [[1.0], [1.0]]), tensor(1.0, 2.0))
    assert scores.shape == (2, 1)
    assert scores[0] > scores[1]
