# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Expected improvement per cost ranks by the quotient and cools with the budget."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import belief, context, random_belief, random_distance, tensor


@pytest.mark.parametrize(
    ('options', 'remaining', 'exponent'),
    [
        ({}, 0.5, 1.0),
        ({'cooled': True}, 3.0, 1.0),
        ({'cooled': True}, 1.5, 0.5),
        ({'cooled': True}, 0.0, 0.0),
        ({'cooled': True}, 9.0, 1.0),
        ({'cooled': True}, -1.0, 0.0),
    ],
)
def test_the_exponential_of_the_score_is_the_improvement_over_the_power_of_the_cost(
    options, remaining, exponent
):
    posterior, state = random_belief(50), context(random_distance(50), 0.5, remaining=remaining)
    scores = make_acquisition('ei_per_cost', options)(posterior, state)
    quotient = make_acquisition('ei')(posterior, state) / state.cost**exponent
    torch.testing.assert_close(scores.exp(), quotient, rtol=1e-11, atol=0.0)


def test_a_mission_without_a_budget_is_indifferent_to_cost_when_cooled():
    posterior, state = random_belief(5), context(random_distance(5), total=0.0, remaining=0.0)
    cooled = make_acquisition('ei_per_cost', {'cooled': True})(posterior, state)
    assert torch.equal(cooled, make_acquisition('log_ei')(posterior, state))


def test_of_two_equal_hopeless_places_the_cheaper_wins():
    scores = make_acquisition('ei_per_cost')(belief([-80.0, -80.0], [0.1, 0.1]), context([1, 0.5]))
    assert scores[1] > scores[0]


def test_a_cost_of_nothing_keeps_the_score_finite():
    state = dataclasses.replace(context([0.0]), cost=tensor(0.0))
    assert torch.isfinite(make_acquisition('ei_per_cost')(belief([0.0], [1.0]), state)).all()
