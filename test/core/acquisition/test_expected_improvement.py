# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Expected improvement is the mean of the improvement."""

from __future__ import annotations

import math

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import belief, context, random_belief, random_distance

N_DRAWS = 400_000


def test_at_the_incumbent_it_is_the_deviation_over_root_two_pi():
    scores = make_acquisition('ei')(belief([0.7], [2.0]), context([0.1], 0.7))
    assert float(scores) == pytest.approx(2.0 / math.sqrt(2.0 * math.pi), rel=1e-14)


def test_it_agrees_with_monte_carlo():
    posterior = random_belief(8)
    generator = torch.Generator().manual_seed(5)
    draws = torch.randn(N_DRAWS, 8, generator=generator, dtype=torch.float64)
    improvements = (posterior.mean + posterior.std * draws - 0.2).clamp_min(0.0)
    error = improvements.std(dim=0) / math.sqrt(N_DRAWS)
    scores = make_acquisition('ei')(posterior, context(random_distance(8), 0.2))
    # Where no draw improves, the error is unknown and the value below one draw's share.
    tolerance = 5.0 * error + 1.0 / N_DRAWS
    assert ((scores - improvements.mean(dim=0)).abs() <= tolerance).all()


def test_without_uncertainty_it_is_the_certain_improvement():
    scores = make_acquisition('ei')(belief([-1.0, 0.5, 0.7, 3.0], [0.0] * 4), context(0.1, 0.5))
    # Deviations are floored at 1e-12, which is all that may be left where nothing improves.
    assert scores.tolist() == pytest.approx([0.0, 0.0, 0.2, 2.5], abs=1e-12)


def test_it_scales_with_the_field_and_ignores_its_level():
    ei = make_acquisition('ei')
    scores = ei(belief([0.1, -0.4], [0.3, 0.9]), context(0.1, 0.2))
    other = ei(belief([5.2, 4.2], [0.6, 1.8]), context(0.1, 5.4))
    torch.testing.assert_close(other, 2.0 * scores, rtol=1e-12, atol=0.0)


def test_it_is_blind_to_travel():
    posterior, ei = random_belief(9), make_acquisition('ei')
    near, far = context(random_distance(9), 0.1), context(5.0 + random_distance(9), 0.1)
    assert torch.equal(ei(posterior, near), ei(posterior, far))
