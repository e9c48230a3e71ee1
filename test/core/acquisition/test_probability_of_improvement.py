# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Probability of improvement is a probability."""

from __future__ import annotations

import math

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import belief, context, random_belief, random_distance

N_DRAWS = 400_000


def test_it_agrees_with_monte_carlo():
    posterior = random_belief(8)
    generator = torch.Generator().manual_seed(6)
    draws = torch.randn(N_DRAWS, 8, generator=generator, dtype=torch.float64)
    improved = (posterior.mean + posterior.std * draws > 0.2).to(torch.float64).mean(dim=0)
    scores = make_acquisition('pi')(posterior, context(random_distance(8), 0.2))
    assert ((scores - improved).abs() <= 5.0 * 0.5 / math.sqrt(N_DRAWS)).all()


def test_one_deviation_above_the_incumbent_it_is_that_of_the_normal_table():
    scores = make_acquisition('pi')(belief([1.5], [0.5]), context(0.1, 1.0))
    assert float(scores) == pytest.approx(0.8413447460685429, rel=1e-14)


def test_without_uncertainty_it_is_one_or_nothing():
    scores = make_acquisition('pi')(belief([0.0, 2.0], [0.0, 0.0]), context(0.1, 1.0))
    assert scores.tolist() == [0.0, 1.0]


def test_a_margin_counts_like_a_higher_incumbent():
    posterior = random_belief(9)
    with_margin = make_acquisition('pi', {'margin': 0.3})(posterior, context(0.1, 0.2))
    torch.testing.assert_close(with_margin, make_acquisition('pi')(posterior, context(0.1, 0.5)))
