# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""distUCB discounts the uncertainty by the distance and is finite where the paper is not."""

from __future__ import annotations

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import belief, context, random_belief, random_distance


def scores(distance, **options):
    """Scores of equal places, mean 1 and deviation 0.5, with two deviations at scale 1."""
    distance = torch.as_tensor(distance, dtype=torch.float64)
    posterior = belief(torch.ones_like(distance), torch.full_like(distance, 0.5))
    return make_acquisition('dist_ucb', options)(posterior, context(distance))


def test_the_floor_keeps_near_places_alike_and_discounts_the_far():
    values = scores([0.0, 0.1, 0.2, 1.0, 4.0], scaling='floor', floor=0.1)
    assert values.tolist() == pytest.approx([11.0, 11.0, 6.0, 2.0, 1.25], rel=1e-14)


def test_the_length_sets_where_the_discount_is_one():
    values = scores([2.0, 4.0], scaling='floor', length=2.0)
    assert values.tolist() == pytest.approx([2.0, 1.5], rel=1e-14)


def test_the_shift_leaves_the_bound_here_and_halves_its_bonus_a_length_away():
    values = scores([0.0, 0.5], length=0.5)
    assert values.tolist() == pytest.approx([2.0, 1.5], rel=1e-14)


def test_the_paper_form_divides_by_the_distance_and_is_huge_but_finite_here():
    values = scores([0.0, 1e-3, 0.5], scaling='paper')
    assert values.tolist() == pytest.approx([1e9, 1001.0, 3.0], rel=1e-8)


@pytest.mark.parametrize('scaling', ['shift', 'floor'])
def test_the_paper_form_never_leaves_a_noisy_place_where_the_others_do(scaling):
    """With noise the deviation here is not 0: the flaw the default repairs."""
    posterior, state = belief([0.0, 0.3], [0.1, 0.9]), context([0.0, 0.2])
    paper = make_acquisition('dist_ucb', {'scaling': 'paper'})(posterior, state)
    other = make_acquisition('dist_ucb', {'scaling': scaling})(posterior, state)
    assert paper.argmax() == 0
    assert other.argmax() == 1


@pytest.mark.parametrize('scaling', ['floor', 'shift', 'paper'])
def test_a_beta_of_zero_leaves_the_mean(scaling):
    posterior = random_belief(9)
    options = {'beta': 0.0, 'scaling': scaling}
    values = make_acquisition('dist_ucb', options)(posterior, context(random_distance(9)))
    assert torch.equal(values, posterior.mean)


def test_a_floor_beyond_every_distance_ranks_like_the_upper_confidence_bound():
    posterior, state = random_belief(9), context(random_distance(9))
    options = {'scaling': 'floor', 'floor': 2.0, 'length': 2.0}
    values = make_acquisition('dist_ucb', options)(posterior, state)
    torch.testing.assert_close(values, make_acquisition('ucb')(posterior, state))
