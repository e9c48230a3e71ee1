# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""DUCB takes the price of the way off the bound."""

from __future__ import annotations

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import belief, context, random_belief, random_distance


def test_the_way_is_paid_for_side_by_side():
    ducb = make_acquisition('ducb', {'kappa': 2.0, 'gamma': 3.0})
    scores = ducb(belief([1.0, 1.0], [0.5, 0.5]), context([0.0, 0.5]))
    assert scores.tolist() == pytest.approx([2.0, 0.5], rel=1e-14)


def test_free_travel_leaves_the_upper_confidence_bound():
    posterior, state = random_belief(9), context(random_distance(9))
    free = make_acquisition('ducb', {'kappa': 3.0, 'gamma': 0.0})(posterior, state)
    bound = make_acquisition('ucb', {'beta': 9.0})(posterior, state)
    torch.testing.assert_close(free, bound, rtol=1e-15, atol=0.0)
