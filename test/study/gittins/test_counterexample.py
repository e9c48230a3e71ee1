# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the line of boxes on which improvement by cost goes wrong."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.core.gp.kernels import matern52
from bo_explorer.study.gittins.counterexample import (
    LENGTHSCALE,
    POLICIES,
    LineBelief,
    make_line,
    open_places,
)


def test_costs_and_amplitudes_are_the_published_ones() -> None:
    line = make_line('hard_for_ei_per_cost', 0)
    middle = len(line.places) // 2
    assert line.cost[0] == pytest.approx(0.1) and line.cost[middle] == pytest.approx(10.0)
    assert line.amplitude[0] == pytest.approx(0.01)
    assert line.amplitude[middle] == pytest.approx(1.0)
    assert make_line('hard_for_ei', 0).amplitude[0] == pytest.approx(0.81)


def test_a_drawn_field_has_the_spread_the_model_believes() -> None:
    drawn = make_line('hard_for_ei_per_cost_drawn', 0)
    tame = make_line('hard_for_ei_per_cost', 0)
    assert drawn.values[:4000].std() == pytest.approx(0.1, rel=0.1)
    assert tame.values[:4000].std() == pytest.approx(0.01, rel=0.1)


def test_the_belief_is_the_exact_posterior() -> None:
    line = make_line('hard_for_ei_per_cost_drawn', 1, n=401)
    line = type(line)(line.places * 0.04, line.amplitude, line.cost, line.values)
    belief = LineBelief(line)
    opened = [0, 200, 201, 100, 202]
    for index in opened:
        assert belief.read(index) == line.values[index]
    points = torch.from_numpy(line.places).unsqueeze(1)
    gram = matern52(points, points, torch.tensor([LENGTHSCALE]).double()).numpy()
    root = np.sqrt(line.amplitude)
    gram = gram * root[:, np.newaxis] * root
    inner = gram[np.ix_(opened, opened)] + 1e-8 * np.eye(5)
    weights = np.linalg.solve(inner, gram[opened])
    np.testing.assert_allclose(
        belief.posterior.mean, weights.T @ line.values[opened], atol=1e-7
    )
    variance = line.amplitude - (gram[opened] * weights).sum(axis=0)
    np.testing.assert_allclose(belief.posterior.std**2, variance, atol=1e-7)


@pytest.mark.parametrize('policy', list(POLICIES))
def test_no_policy_spends_more_than_the_budget(policy: str) -> None:
    spent, best = open_places(make_line('hard_for_ei', 0), policy, 5.0)
    assert spent[-1] <= 5.0
    assert (np.diff(best) >= 0.0).all()


def test_improvement_by_cost_never_opens_the_middle_and_the_index_does_at_once() -> None:
    greedy, bold = [], []
    for seed in range(6):
        line = make_line('hard_for_ei_per_cost', seed)
        spent, best = open_places(line, 'ei_per_cost', 5.0)
        assert max(np.diff(spent)) < 1.0
        greedy.append(best[-1])
        spent, best = open_places(line, 'pbgi_1e-4', 40.0)
        assert spent[1] > 5.0
        bold.append(best[-1])
    assert np.mean(bold) > 3.0 * np.mean(greedy)
