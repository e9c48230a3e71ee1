# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the search that pays, and of the policies on it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from bo_explorer.core.acquisition.expected_improvement_per_cost import ExpectedImprovementPerCost
from bo_explorer.core.acquisition.log_expected_improvement import log_expected_improvement
from bo_explorer.core.acquisition.pandora import gittins_index
from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.lookahead.gp_tree import PresentBelief
from bo_explorer.core.lookahead.one_shot import OneShotTree
from bo_explorer.study.gittins import search as search_module
from bo_explorer.study.gittins.lookahead import EntropyOfMaximum, PosteriorDraw, drawn_maxima
from bo_explorer.study.gittins.policies import (
    DECAY,
    INITIAL_PRICE,
    POLICIES,
    calibrated_price,
    price_in_force,
    priced,
)
from bo_explorer.study.gittins.search import Effort, Search
from bo_explorer.study.gittins.uncertain_costs import UncertainCostTree
from bo_explorer.study.problems.base import Evaluation, Problem
from bo_explorer.study.problems.synthetic import SCALED, boxed_problem, mean_cost

KNOWN = Hyperparameters('matern52', (0.4, 0.4), 1.0, 0.01, 0.0)
EFFORT = Effort(n_raw=16, n_starts=2)


def hill(point: np.ndarray) -> float:
    return -float(((point - 0.6) ** 2).sum())


def search_on(
    problem: Problem, budget: float = 20.0, known: Hyperparameters | None = None
) -> Search:
    search = Search(problem, budget, known, np.random.default_rng(0), EFFORT)
    search.start(np.random.default_rng(1).random((8, problem.dimension)))
    return search


def known_cost_problem() -> Problem:
    return boxed_problem(SCALED['ackley'], 2, mean_cost)


def unknown_cost_problem() -> Problem:
    return Problem(2, lambda p: Evaluation(hill(p), math.exp(2.0 * float(p[0]))))


def uncertain_cost_problem() -> Problem:
    """Costs whose logarithm is rough, so that eight evaluations leave much open."""
    return Problem(
        2, lambda p: Evaluation(hill(p), math.exp(1.0 + math.sin(9.0 * float(p[0] + 2.0 * p[1]))))
    )


def costs_drawn_at(search: Search, points: torch.Tensor) -> np.ndarray:
    """Draw many times from the belief about the cost of each point, shape ``(n, M)``."""
    h = search.log_cost.hyperparameters
    belief = search.log_cost.posterior_at(points)
    mean = h.mean + h.signal_std * belief.mean.numpy()
    std = h.signal_std * belief.std.numpy()
    normal = np.random.default_rng(7).standard_normal((200_000, 1))
    return np.exp(mean + std * normal)


@pytest.mark.parametrize('name', list(POLICIES))
@pytest.mark.parametrize('make', [known_cost_problem, unknown_cost_problem])
def test_every_policy_proposes_a_point_of_the_cube(name: str, make) -> None:
    search = search_on(make())
    point = POLICIES[name](search)
    assert point.shape == (2,)
    assert ((point >= 0.0) & (point <= 1.0)).all()
    search.pay_for(point)
    assert search.spent == pytest.approx(search.history.costs[-1])
    assert search.remaining == pytest.approx(20.0 - search.spent)


@pytest.mark.parametrize('name', ['ei', 'pbgi_1e-4', 'pbgi_d', 'knowledge_gradient'])
def test_guided_searches_find_a_hill(name: str) -> None:
    search = search_on(Problem(2, lambda p: Evaluation(hill(p), 1.0), known_cost=None))
    for _ in range(8):
        search.pay_for(POLICIES[name](search))
    assert max(search.history.values) > -5e-3


def test_a_learned_cost_is_log_normal() -> None:
    search = search_on(unknown_cost_problem())
    for point in np.random.default_rng(2).random((20, 2)):
        search.pay_for(point)
    points = torch.from_numpy(np.random.default_rng(3).uniform(0.2, 0.8, (10, 2)))
    mean, harmonic = search.cost(points), search.cost(points, power=-1.0)
    np.testing.assert_allclose(mean, torch.exp(2.0 * points[:, 0]), rtol=0.05)
    assert bool((harmonic <= mean).all())
    assert search.cost(points.reshape(5, 2, 2)).shape == (5, 2)


@pytest.mark.parametrize('power', [1.0, -1.0, -0.3])
def test_a_sure_cost_stands_for_the_mean_of_a_power_of_an_unknown_one(power: float) -> None:
    """Found by review: EI cooled took ``E[1 / c]^a`` for ``E[c^-a]``."""
    search = search_on(uncertain_cost_problem())
    points = torch.tensor([[0.05, 0.95], [0.5, 0.5]], dtype=torch.float64)
    expected = (costs_drawn_at(search, points) ** power).mean(0)
    np.testing.assert_allclose(search.cost(points, power=power) ** power, expected, rtol=0.02)


def test_cost_cooling_divides_by_the_power_of_the_cost_in_force() -> None:
    search = search_on(uncertain_cost_problem(), budget=20.0)
    search.spent = 14.0
    cooled = ExpectedImprovementPerCost(cooled=True)
    choice, other = POLICIES['ei_cooled'](search), search.maximise(cooled, power=-1.0)[0]
    places = torch.from_numpy(np.array([choice, other]))
    improvement = log_expected_improvement(search.belief.posterior_at(places), search.incumbent)
    inverse = (costs_drawn_at(search, places) ** -0.3).mean(0)
    chosen, missed = improvement.exp().numpy() * inverse
    assert chosen > missed


def test_a_gain_counts_by_the_chance_that_the_budget_pays_for_it() -> None:
    search = search_on(uncertain_cost_problem())
    belief = PresentBelief(search.belief.samples, search.belief.hyperparameters)
    log_cost = PresentBelief(search.log_cost.samples, search.log_cost.hyperparameters)
    points = torch.tensor([[0.05, 0.95], [0.5, 0.5]], dtype=torch.float64)
    tree = UncertainCostTree((), 'improvement', log_cost=log_cost, allowed=2.0)
    plain = OneShotTree((), 'improvement').values(belief, points.unsqueeze(1), ())
    chance = (costs_drawn_at(search, points) < 2.0).mean(0)
    assert ((chance > 0.02) & (chance < 0.98)).all()
    weighted = tree.values(belief, points.unsqueeze(1), ())
    np.testing.assert_allclose(weighted, plain * torch.from_numpy(chance), rtol=0.05)


def test_what_the_decisions_before_have_spent_is_gone() -> None:
    search = search_on(uncertain_cost_problem())
    belief = PresentBelief(search.belief.samples, search.belief.hyperparameters)
    log_cost = PresentBelief(search.log_cost.samples, search.log_cost.hyperparameters)
    dear, cheap = [0.9, 0.5], [0.1, 0.5]
    trees = torch.tensor([[dear, cheap], [cheap, dear]], dtype=torch.float64)
    for allowed, both in ((1e6, 1.0), (float(search.cost(trees[0]).min()), 0.99)):
        tree = UncertainCostTree((1,), 'improvement', log_cost=log_cost, allowed=allowed)
        readings = tree.readings(np.random.default_rng(0))
        plain = OneShotTree((1,), 'improvement').values(belief, trees, readings)
        share = tree.values(belief, trees, readings) / plain
        assert bool((share <= both + 1e-9).all())
        assert bool((share > 0.999).all()) is (both == 1.0)


@pytest.mark.parametrize('known', [None, KNOWN])
def test_prices_are_meant_in_the_unit_of_the_values(known: Hyperparameters | None) -> None:
    search = search_on(known_cost_problem(), known=known)
    assert search.unit * search.belief.hyperparameters.signal_std == pytest.approx(1.0)


def test_values_ten_times_as_great_are_a_price_a_tenth_as_great() -> None:
    levy = SCALED['levy']

    def choice(price: float, times: float) -> np.ndarray:
        problem = boxed_problem(replace(levy, scale=levy.scale / times), 2, mean_cost)
        search = Search(problem, 20.0, None, np.random.default_rng(0), EFFORT)
        search.start(np.random.default_rng(1).random((25, 2)))
        return priced(price)(search)

    np.testing.assert_allclose(choice(1e-2, 10.0), choice(1e-3, 1.0), atol=1e-3)
    assert np.linalg.norm(choice(1e-2, 1.0) - choice(1e-3, 1.0)) > 0.1


def test_the_price_falls_after_a_value_above_the_index_that_led_to_it_and_only_then() -> None:
    """As in the paper's code: before the first evaluation that is paid for nothing has."""
    search = search_on(known_cost_problem())
    assert price_in_force(search) == INITIAL_PRICE * search.unit
    due = [False]
    for _ in range(12):
        before = search.n_decays
        point = POLICIES['pbgi_d'](search)
        assert search.n_decays - before == due[-1]
        h = search.belief.hyperparameters
        at = torch.from_numpy(point).unsqueeze(0)
        index = gittins_index(
            search.belief.posterior_at(at), search.cost(at), price_in_force(search)
        )
        search.pay_for(point)
        due.append(h.mean + h.signal_std * float(index) < max(search.history.values))
    assert 0 < sum(due) < 12
    search.n_decays = 3
    assert price_in_force(search) == pytest.approx(INITIAL_PRICE * DECAY**3 * search.unit)


def test_the_calibrated_price_is_the_expected_gain_by_the_budget() -> None:
    search = search_on(known_cost_problem(), budget=200.0, known=KNOWN)
    price = calibrated_price(search, n_draws=40)
    gain = float(drawn_maxima(search, 40).mean() - search.incumbent)
    mean_cost_seen = float(np.mean(search.history.costs))
    assert price == pytest.approx(gain / (200.0 - mean_cost_seen), rel=0.25)


def test_draws_of_the_posterior_have_its_mean_and_spread() -> None:
    search = search_on(known_cost_problem(), known=KNOWN)
    points = torch.from_numpy(np.random.default_rng(5).random((5, 2)))
    draws = torch.stack([PosteriorDraw(search)(points) for _ in range(800)])
    posterior = search.belief.posterior_at(points)
    np.testing.assert_allclose(draws.mean(0), posterior.mean, atol=0.2)
    np.testing.assert_allclose(draws.std(0), posterior.std, rtol=0.2, atol=0.02)


def test_the_greatest_value_is_looked_for_at_a_thousand_places_for_each_axis(monkeypatch) -> None:
    search = search_on(known_cost_problem(), known=KNOWN)
    asked = []
    look = search.belief.posterior_at

    def watched(points: torch.Tensor):
        asked.append(len(points))
        return look(points)

    monkeypatch.setattr(search.belief, 'posterior_at', watched)
    POLICIES['max_value_entropy'](search)
    assert asked[0] == 2000


def test_entropy_by_cost_prefers_the_cheap_of_two_alike() -> None:
    search = search_on(known_cost_problem(), known=KNOWN)
    posterior = search.belief.posterior_at(torch.tensor([[0.1, 0.9]], dtype=torch.float64))
    twice = type(posterior)(posterior.mean.repeat(2), posterior.std.repeat(2))
    context = search.context()(torch.tensor([[0.1, 0.1], [0.9, 0.9]], dtype=torch.float64))
    scores = EntropyOfMaximum(torch.tensor([2.0, 3.0], dtype=torch.float64))(twice, context)
    assert scores[0] > scores[1]
    assert float((scores[0] - scores[1]).exp()) == pytest.approx(19.0 / 3.0)


def test_many_evaluations_are_all_believed_though_not_each_is_fitted(monkeypatch) -> None:
    monkeypatch.setattr(search_module, '_ALWAYS_FITTED', 20)
    search = search_on(uncertain_cost_problem(), budget=1e3)
    fitted = []
    for point in np.random.default_rng(2).random((90, 2)):
        before = search.belief.hyperparameters, search.log_cost.hyperparameters
        search.pay_for(point)
        after = search.belief.hyperparameters, search.log_cost.hyperparameters
        fitted.append(before != after)
        assert len(search.belief.samples) == len(search.log_cost.samples)
    n = np.arange(9, 99)[fitted]
    assert n[:12].tolist() == list(range(9, 21))
    assert 1 < np.diff(n).max() <= 1 + 78 // 20
    anew = search.history.belief(search.belief.hyperparameters, np.empty((0, 2)))
    places = torch.from_numpy(np.random.default_rng(3).random((50, 2)))
    np.testing.assert_allclose(
        search.belief.posterior_at(places).mean, anew.posterior_at(places).mean, atol=1e-6
    )
    cost = search.cost(torch.from_numpy(search.history.points))
    np.testing.assert_allclose(cost, search.history.costs, rtol=0.05)
