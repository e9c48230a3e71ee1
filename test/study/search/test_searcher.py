# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A search keeps its budget, comes home, and is judged by the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bo_explorer.study.search.entries import make_entry
from bo_explorer.study.search.measures import SHARES, measure, regret_curve
from bo_explorer.study.search.searcher import Searcher, SearchTrace, _place
from bo_explorer.study.search.suite import SUITE, suite_world
from bo_explorer.study.search.world import Truth

# Average and final regret that the first version of the suite printed, without a way home.
KNOWN = (
    ('ei,replan=0', 'branin', 0, 0.021321202978728363, 0.00469416356459625, 10),
    ('ucb,replan=0.1', 'gp_0.1', 3, 0.14345799581343563, 0.0, 41),
    ('ei_per_cost,replan=0', 'hot_spots', 1, 0.6225341244391219, 0.505429253059866, 27),
    ('pbgi,replan=0.1', 'ackley', 2, 0.11936199022098049, 0.0, 45),
)


def search(label: str, kind: str, seed: int, *, comes_home: bool = True):
    world = suite_world(kind, seed)
    entry = make_entry(label, replan_sides=0.1)
    trace = Searcher(world, seed, comes_home=comes_home).run(entry.policy, entry.replan_sides)
    return trace, measure(trace, world.truth, budget_m=world.budget_m, side_m=1.0)


@pytest.mark.parametrize('label, kind, seed, average, final, decisions', KNOWN)
def test_the_suite_gives_the_numbers_it_always_gave(label, kind, seed, average, final, decisions):
    _, metrics = search(label, kind, seed, comes_home=False)
    assert metrics['average'] == pytest.approx(average, rel=1e-6)
    assert metrics['final'] == pytest.approx(final, abs=1e-9)
    assert metrics['decisions'] == decisions


@pytest.mark.parametrize('kind', SUITE)
def test_the_budget_pays_for_the_way_home(kind):
    trace, metrics = search('log_ei', kind, 1)
    assert trace.spent_m <= 3.0 + 1e-9
    assert trace.spent_m > 2.5
    assert trace.is_home
    assert (metrics['overrun'], metrics['crossings'], metrics['not_home']) == (0, 0, 0)


def test_whoever_has_flown_a_whole_path_is_at_its_end(monkeypatch):
    """Found by the full study: sums of legs round, and home was missed by the last bit."""
    searcher = Searcher(suite_world('gp_0.2', 0), 0, comes_home=True)
    rng = np.random.default_rng(0)
    monkeypatch.setattr(searcher, '_read', lambda place: None)
    lengths = searcher._travel.path_cost
    missed = 0
    for _ in range(300):
        via, target = rng.uniform(0.05, 0.95, (2, 2))
        path = np.array([searcher._position, via, target])
        # As much too short as a sum may round.
        monkeypatch.setattr(searcher._travel, 'path', lambda start, end, path=path: path)
        cost = np.nextafter(lengths(path), 0.0)
        monkeypatch.setattr(searcher._travel, 'path_cost', lambda path, cost=cost: cost)
        missed += bool((_place(path, cost) != target).any())
        searcher._fly(target, np.inf)
        np.testing.assert_array_equal(searcher._position, target)
    assert missed > 50


def test_a_search_follows_from_its_seed():
    (first, _), (second, _) = search('random', 'gp_0.2', 4), search('random', 'gp_0.2', 4)
    np.testing.assert_array_equal(first.places, second.places)
    np.testing.assert_array_equal(first.mean, second.mean)


def test_every_policy_searches_the_same_world():
    first, second = suite_world('gp_0.1', 5), suite_world('gp_0.1', 5)
    places = first.candidates
    np.testing.assert_array_equal(first.truth.value(places), second.truth.value(places))
    assert first.truth.regret(first.truth.peak[np.newaxis])[0] == 0.0
    assert first.truth.regret(places).max() == 1.0


def test_a_vehicle_reads_along_its_legs():
    trace, metrics = search('lawn_mower', 'branin', 0)
    steps = np.diff(trace.distances)
    assert steps.max() <= 0.05 + 1e-9
    assert len(trace.distances) > 3 * metrics['decisions']


class Watched:
    """A policy that notes how often its price had fallen at each decision."""

    def __init__(self, policy):
        self._policy = policy
        self.decays: list[int] = []

    def scores(self, state):
        self.decays.append(state.context.n_decays)
        return self._policy.scores(state)

    def price(self, context):
        return self._policy.price(context)


@pytest.mark.parametrize('price, step', [('1e6', 1), ('1e-200', 0)])
def test_the_price_falls_with_every_decision_that_finds_nothing_worth_it(price, step):
    """Found by review: in the full study PBGI-D was PBGI to the last digit."""
    entry = make_entry(f'pbgi_d,initial_price={price}', replan_sides=0.0)
    watched = Watched(entry.policy)
    world = suite_world('gp_0.2', 0)
    Searcher(world, 0, comes_home=True).run(watched, entry.replan_sides)
    assert watched.decays[:6] == [step * k for k in range(6)]


def fake_trace(**changes) -> SearchTrace:
    values = {
        'distances': np.array([0.0, 1.0, 3.0]),
        'places': np.array([[0.0, 0.0], [4.0, 0.0], [10.0, 0.0]]),
        'points': np.array([[0.0, 0.0], [10.0, 0.0]]),
        'mean': np.array([0.5, 9.0]),
        'std': np.array([1.0, 2.0]),
        'decision_s': np.array([0.01, 0.03]),
        'spent_m': 4.0,
        'crossings': 2,
        'is_home': False,
    }
    return SearchTrace(**{**values, **changes})


RAMP = Truth(
    value=lambda points: points[:, 0],
    peak=np.array([10.0, 0.0]),
    top=10.0,
    bottom=0.0,
    source=np.array([10.0, 3.0]),
)


def test_the_measures_are_what_they_say():
    metrics = measure(fake_trace(), RAMP, budget_m=4.0, side_m=2.0)
    # Regret 1 for one metre, 0.6 for two, 0 for the last.
    assert metrics['average'] == pytest.approx((1.0 * 1.0 + 2.0 * 0.6 + 1.0 * 0.0) / 4.0)
    assert metrics['final'] == 0.0
    assert (metrics['found'], metrics['found_at']) == (1, 1.5)
    assert metrics['source_distance'] == 1.5
    assert metrics['rmse'] == pytest.approx(np.sqrt((0.5**2 + 1.0**2) / 2.0) / 10.0)
    spread = 5.0
    expected = stats.norm.logpdf([0.0, 2.0], [0.1, 1.8], [0.2, 0.4]).mean()
    assert spread == np.std([0.0, 10.0])
    assert metrics['log_likelihood'] == pytest.approx(expected)
    assert metrics['decision_ms'] == pytest.approx(20.0)
    assert (metrics['overrun'], metrics['crossings'], metrics['not_home']) == (0, 2, 1)


def test_an_overrun_is_an_overrun():
    assert measure(fake_trace(spent_m=4.001), RAMP, budget_m=4.0, side_m=1.0)['overrun'] == 1


def test_what_is_never_found_took_the_whole_budget():
    places = np.zeros((3, 2))
    metrics = measure(fake_trace(places=places), RAMP, budget_m=4.0, side_m=2.0)
    assert (metrics['found'], metrics['found_at']) == (0, 2.0)


def test_the_curve_of_regret_is_the_last_one_known():
    curve = regret_curve(np.array([0.0, 1.0, 3.0]), np.array([1.0, 0.6, 0.0]), 4.0)
    expected = [1.0 if 4.0 * s < 1.0 else 0.6 if 4.0 * s < 3.0 else 0.0 for s in SHARES]
    np.testing.assert_array_equal(curve, expected)
