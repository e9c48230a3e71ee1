# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The planner: what it learns, when it fits, what it chooses and what it never chooses."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.errors import ModelError
from bo_explorer.core.explorer import Explorer
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.model import FitReport
from bo_explorer.core.policy import make_policy
from bo_explorer.core.types import Outcome, Reading

from .missions import CONFIG, config

HOME = np.array([4.0, 4.0])


class Scored:
    """A policy with given scores; what is not given is 0."""

    def __init__(self, scores, otherwise=0.0):
        self._scores = scores
        self._otherwise = otherwise

    def scores(self, state):
        scores = np.full(len(state.legal), self._otherwise)
        for index, score in self._scores.items():
            scores[index] = score
        return scores

    def price(self, context):
        return None


class Dear:
    """A policy that bets with a price and notes how often it had fallen."""

    def __init__(self, price):
        self._price = price
        self.decays = []

    def scores(self, state):
        self.decays.append(state.context.n_decays)
        return np.zeros(len(state.legal))

    def price(self, context):
        return self._price


def explorer(settings=CONFIG, policy=None):
    return Explorer(settings, policy or make_policy('ucb'))


def readings(values, *, start=0):
    """Return readings, each in a cell of its own."""
    cells = range(start, start + len(values))
    places = [(1.0 + 4.0 * (k % 10), 1.0 + 4.0 * (k // 10)) for k in cells]
    return [Reading(float(v), x, y, float(k)) for k, (v, (x, y)) in enumerate(zip(values, places))]


def ask(planner, position=HOME, *, available=200.0, **more):
    return planner.ask(
        np.asarray(position, dtype=np.float64),
        home=HOME,
        available_m=available,
        total_m=300.0,
        **more,
    )


# Learning


def test_without_a_sample_there_is_an_answer():
    """Field case H9: 0, 1 and n samples."""
    planner = explorer()
    assert ask(planner).outcome is Outcome.NOT_ENOUGH_DATA
    assert planner.best is None
    assert planner.map() is None
    planner.tell(readings([1.0]))
    assert ask(planner).outcome is Outcome.WAYPOINT
    planner.tell(readings([2.0, 3.0, 5.0], start=1))
    assert ask(planner).outcome is Outcome.WAYPOINT


@pytest.mark.parametrize('values', [[0.0], [7.0, 7.0, 7.0], [-3.0]])
def test_constant_data_give_a_finite_belief(values):
    """Field case H1."""
    planner = explorer()
    planner.tell(readings(values))
    belief = planner.map()
    assert np.isfinite(belief.mean).all()
    assert np.isfinite(belief.std).all()
    assert planner.best.mean == pytest.approx(values[0], abs=0.1)


def test_without_fits_the_scale_follows_all_the_data():
    planner = explorer()
    planner.tell(readings([0.0, 1.0]))
    values = np.linspace(100.0, 200.0, 30)
    planner.tell(readings(values, start=2))
    learned = planner.field_map.hyperparameters
    everything = np.concatenate([[0.0, 1.0], values])
    assert learned.mean == pytest.approx(everything.mean())
    assert learned.signal_std == pytest.approx(everything.std())


def test_while_fits_fail_the_scale_follows_all_the_data(monkeypatch):
    def fail(samples, model, start, **more):
        return FitReport(start, np.nan, False, 'no luck')

    monkeypatch.setattr('bo_explorer.core.explorer.fit', fail)
    planner = explorer(config(model={'fit': True}))
    planner.tell(readings(np.arange(10.0)))
    assert not planner.fit().is_fitted
    planner.tell(readings(np.arange(50.0, 60.0), start=10))
    assert planner.field_map.hyperparameters.mean == pytest.approx(29.5)


def test_a_fit_that_succeeded_stays_until_the_next_one():
    planner = explorer(config(model={'fit': True}))
    rng = np.random.default_rng(0)
    planner.tell(readings(np.sin(np.arange(20.0)) + 0.1 * rng.standard_normal(20)))
    report = planner.fit()
    assert report.is_fitted
    planner.tell(readings([50.0], start=20))
    assert planner.field_map.hyperparameters == report.hyperparameters


def test_fits_are_due_when_the_samples_have_grown():
    planner = explorer(config(model={'fit': True, 'fit_min_samples': 8, 'fit_growth': 1.5}))
    planner.tell(readings(np.arange(7.0)))
    assert not planner.is_fit_due()
    planner.tell(readings([7.0], start=7))
    assert planner.is_fit_due()
    planner.fit()
    assert not planner.is_fit_due()
    planner.tell(readings(np.arange(3.0), start=8))
    assert not planner.is_fit_due()
    planner.tell(readings([1.0], start=11))
    assert planner.is_fit_due()


def test_fits_go_on_after_samples_were_merged():
    planner = explorer(
        config(
            model={'fit': True, 'fit_growth': 1.25},
            ingest={'max_samples': 64, 'cell_m': 0.5},
        )
    )
    rng = np.random.default_rng(0)
    due_after_merge = False
    lengths = []
    for k in range(200):
        x, y = rng.uniform(0.0, 40.0, size=2)
        planner.tell([Reading(float(np.sin(x / 5.0)), x, y, float(k))])
        lengths.append(len(planner.ingest.samples))
        has_merged = max(lengths) > lengths[-1]
        if planner.is_fit_due():
            due_after_merge |= has_merged
            planner.fit()
    assert due_after_merge


def test_a_map_that_cannot_be_extended_is_built_anew(monkeypatch):
    planner = explorer()
    planner.tell(readings(np.arange(5.0)))
    update, failures = FieldMap.update, []

    def fail_once(self, samples):
        if not failures:
            failures.append(len(samples))
            raise ModelError('no factor')
        update(self, samples)

    monkeypatch.setattr(FieldMap, 'update', fail_once)
    planner.tell(readings([5.0], start=5))
    assert failures == [6]
    assert len(planner.field_map.samples) == 6


# Choosing


def test_scores_that_are_no_numbers_are_never_chosen():
    scores = {3: np.nan, 4: np.inf, 5: 1.0, 6: -np.inf}
    planner = explorer(policy=Scored(scores, otherwise=np.nan))
    planner.tell(readings([1.0]))
    decision = ask(planner)
    np.testing.assert_array_equal(decision.target, planner.candidates[5])
    assert np.isfinite([decision.cost_m, decision.home_cost_m, decision.score]).all()
    assert np.isfinite(decision.path).all()


def test_no_number_at_all_is_an_outcome():
    planner = explorer(policy=Scored({}, otherwise=np.nan))
    planner.tell(readings([1.0]))
    assert ask(planner).outcome is Outcome.NO_LEGAL_CANDIDATE


def test_a_target_pays_for_the_way_the_stop_and_the_way_home():
    planner = explorer()
    planner.tell(readings([1.0]))
    for available in np.linspace(0.5, 60.0, 40):
        decision = ask(planner, (20.0, 4.0), available=float(available))
        if decision.outcome is Outcome.WAYPOINT:
            leg = np.linalg.norm(decision.target - (20.0, 4.0))
            home = np.linalg.norm(decision.target - HOME)
            assert leg + 1.0 + home <= available
            assert decision.cost_m == pytest.approx(leg + 1.0)
            assert decision.home_cost_m == pytest.approx(home)
        else:
            assert decision.outcome is Outcome.BUDGET_EXHAUSTED


def test_counts_tell_which_filter_left_nothing():
    """Field case F13."""
    planner = explorer()
    planner.tell(readings([1.0]))
    decision = ask(planner, available=0.5)
    assert decision.counts['candidates'] == decision.counts['reachable'] == 121
    assert decision.counts['fresh'] > 0
    assert decision.counts['affordable'] == 0


@pytest.mark.parametrize('separation', [0.0, np.nan, 8.0])
def test_the_present_place_is_never_the_target(separation):
    """Field case F9: a leg has a length, also where revisits are wanted."""
    settings = config(policy={'min_separation_m': separation})
    planner = explorer(settings)
    planner.tell(readings([1.0]))
    place = planner.candidates[44]
    greedy = Scored({44: 10.0})
    planner.reconfigure(settings, greedy)
    decision = ask(planner, place)
    assert decision.outcome is Outcome.WAYPOINT
    assert np.linalg.norm(decision.target - place) >= (4.0 if separation == 0.0 else 3.99)
    assert decision.cost_m > 1.0


def test_a_separation_of_0_allows_revisits():
    planner = explorer(config(policy={'min_separation_m': 0.0}), Scored({44: 10.0}))
    planner.tell(readings([1.0]))
    planner.stopped_at(planner.candidates[44])
    np.testing.assert_array_equal(ask(planner).target, planner.candidates[44])


def test_places_of_stops_are_left_out():
    """Field case F7."""
    planner = explorer(policy=Scored({44: 10.0, 70: 5.0}))
    planner.tell(readings([1.0]))
    np.testing.assert_array_equal(ask(planner).target, planner.candidates[44])
    planner.stopped_at(planner.candidates[44])
    np.testing.assert_array_equal(ask(planner).target, planner.candidates[70])


def spread_scores(present, other):
    """Return scores of 100 candidates: mostly 0 and tiny logarithms, the best ten 0.1 apart."""
    scores = dict.fromkeys(range(100), -1e5)
    scores.update({k: 9.0 for k in range(60, 70)})
    scores.update({30: other, 44: present})
    return scores


@pytest.mark.parametrize('gain, is_kept', [(0.1, True), (0.19, True), (0.5, False), (2.0, False)])
def test_a_new_target_must_win_by_a_part_of_the_spread_of_the_best(gain, is_kept):
    """Field case F1; the scores of bad places, however bad, do not count."""
    planner = explorer(policy=Scored(spread_scores(10.0 - gain, 10.0)))
    planner.tell(readings([1.0]))
    decision = ask(planner, present_target=planner.candidates[44])
    expected = planner.candidates[44 if is_kept else 30]
    np.testing.assert_array_equal(decision.target, expected)


def test_a_present_target_that_is_illegal_now_is_given_up():
    planner = explorer(policy=Scored({44: np.nan, 30: 1.0}))
    planner.tell(readings([1.0]))
    decision = ask(planner, present_target=planner.candidates[44])
    np.testing.assert_array_equal(decision.target, planner.candidates[30])


@pytest.mark.parametrize('price, decays', [(1e6, [0, 1, 2]), (1e-200, [0, 0, 0]), (None, [0] * 3)])
def test_the_price_falls_for_the_next_decision_where_nothing_is_worth_it(price, decays):
    policy = Dear(price)
    planner = explorer(policy=policy)
    planner.tell(readings([1.0, 2.0, 1.5]))
    for _ in decays:
        assert ask(planner).outcome is Outcome.WAYPOINT
    assert policy.decays == decays
