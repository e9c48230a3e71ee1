# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The upper confidence bound adds deviations to the mean."""

from __future__ import annotations

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.acquisition.confidence import ConfidenceSchedule

from .beliefs import belief, context, random_belief, random_distance


def test_a_beta_of_four_adds_two_deviations():
    scores = make_acquisition('ucb', {'beta': 4.0})(belief([1.0, -1.0], [0.5, 2.0]), context(0.1))
    assert scores.tolist() == [2.0, 3.0]


def test_a_beta_of_zero_leaves_the_mean():
    posterior = random_belief(9)
    scores = make_acquisition('ucb', {'beta': 0.0})(posterior, context(random_distance(9)))
    assert torch.equal(scores, posterior.mean)


@pytest.mark.parametrize('schedule', ['srinivas', 'scaled'])
def test_a_schedule_sets_the_width(schedule):
    state = context(0.1, n_samples=50, dimension=3)
    scores = make_acquisition('ucb', {'schedule': schedule})(belief([0.0], [1.0]), state)
    assert float(scores) == ConfidenceSchedule(schedule=schedule).width(state)
