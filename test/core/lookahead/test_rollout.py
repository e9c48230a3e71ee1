# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Rollouts against missions simulated one by one, and against the myopic policies they rest on."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.acquisition import ACQUISITIONS, make_acquisition
from bo_explorer.core.acquisition.expected_improvement import ExpectedImprovement
from bo_explorer.core.lookahead.rollout import MAX_STEPS, MeanPath, Rollout
from bo_explorer.core.policy import make_policy

from .reference import rollout_values
from .states import ZONE, lattice, planning_state, scattered_places

POSITION, HOME = (20.0, 30.0), (5.0, 5.0)


def state(available=220.0, n=30, **kwargs):
    return planning_state(
        scattered_places(n), available=available, position=POSITION, home=HOME, **kwargs
    )


def value_of(rewards, name):
    acquired, improved, spent = rewards
    return {
        'acquisition': acquired,
        'improvement': improved,
        'improvement_per_cost': improved / spent,
    }[name]


@pytest.mark.parametrize('n_along', [0, 1, 2])
@pytest.mark.parametrize('base', ['ei_per_cost', 'dist_ucb', 'pbgi'])
@pytest.mark.parametrize('reward', ['acquisition', 'improvement', 'improvement_per_cost'])
def test_values_equal_those_of_missions_simulated_one_by_one(base, reward, n_along):
    policy = Rollout(
        base=base,
        reward=reward,
        horizon=2,
        n_samples=4,
        n_first=5,
        n_inner=30,
        along=n_along > 0,
        n_along=max(n_along, 1),
    )
    now = state()
    scores = policy.scores(now)
    moves = np.flatnonzero(np.isfinite(scores))
    expected = rollout_values(
        now,
        moves,
        [make_acquisition(base)] * 2,
        policy.normals(4),
        position=POSITION,
        home=HOME,
        n_along=n_along,
    )
    assert len(moves) == 5
    np.testing.assert_allclose(scores[moves], value_of(expected, reward), rtol=1e-8, atol=1e-10)


def test_missions_that_end_early_are_worth_what_they_brought():
    now = state(available=75.0)
    policy = Rollout(base='ucb', reward='improvement', horizon=-1, n_samples=4, n_inner=30)
    scores = policy.scores(now)
    moves = np.flatnonzero(now.legal)
    expected = rollout_values(
        now,
        moves,
        [make_acquisition('ucb')] * MAX_STEPS,
        policy.normals(4),
        position=POSITION,
        home=HOME,
        n_along=1,
    )
    assert 2 <= len(moves) < 30
    np.testing.assert_allclose(scores[moves], expected[1], rtol=1e-8)


def test_the_published_rollout_by_cost_takes_plain_improvement_last():
    now = state()
    policy = make_policy('ei_per_cost_rollout', {'policy.ei_per_cost_rollout.n_samples': 4})
    scores = policy.scores(now)
    moves = np.flatnonzero(np.isfinite(scores))[:6]
    expected = rollout_values(
        now,
        moves,
        [make_acquisition('ei_per_cost'), ExpectedImprovement()],
        policy.normals(4),
        position=POSITION,
        home=HOME,
        n_along=0,
    )
    np.testing.assert_allclose(scores[moves], expected[1], rtol=1e-8)


def test_the_mean_path_imagines_each_reading_as_expected():
    now = state()
    scores = MeanPath(base='ei', reward='improvement', horizon=2, along=False).scores(now)
    moves = np.flatnonzero(np.isfinite(scores))[:6]
    expected = rollout_values(
        now,
        moves,
        [make_acquisition('ei')] * 2,
        np.zeros((1, 3)),
        position=POSITION,
        home=HOME,
        n_along=0,
    )
    np.testing.assert_allclose(scores[moves], expected[1], rtol=1e-8)


@pytest.mark.parametrize('base', sorted(ACQUISITIONS))
def test_without_a_horizon_a_rollout_is_its_base_to_the_bit(base):
    now = state(available=120.0)
    scores = Rollout(base=base, horizon=0).scores(now)
    myopic = make_policy(base).scores(now)
    assert np.array_equal(scores[now.legal], myopic[now.legal])
    assert np.all(scores[~now.legal] == -np.inf)


@pytest.mark.parametrize(
    ('name', 'base'),
    [
        ('dist_ucb_rollout', 'dist_ucb'),
        ('ei_per_cost_rollout', 'ei_per_cost'),
        ('ei_rollout', 'ei'),
        ('pbgi_rollout', 'pbgi'),
        ('ucb_rollout', 'ucb'),
    ],
)
def test_a_published_rollout_without_a_horizon_is_its_base_to_the_bit(name, base):
    now = state()
    scores = make_policy(name, {f'policy.{name}.horizon': 0}).scores(now)
    assert np.array_equal(scores[now.legal], make_policy(base).scores(now)[now.legal])


def test_a_base_followed_by_name_has_its_own_options():
    now = state()
    options = {'policy.rollout.base': 'ucb', 'policy.rollout.horizon': 0, 'policy.ucb.beta': 9.0}
    scores = make_policy('rollout', options).scores(now)
    wide = make_policy('ucb', {'policy.ucb.beta': 9.0}).scores(now)
    assert np.array_equal(scores[now.legal], wide[now.legal])


def test_a_published_rollout_has_options_of_a_base_of_its_own():
    name = 'dist_ucb_rollout'
    now = state()
    options = {f'policy.{name}.horizon': 0, f'policy.{name}.dist_ucb.scaling': 'shift'}
    scores = make_policy(name, options).scores(now)
    base = make_policy('dist_ucb', {'policy.dist_ucb.scaling': 'shift'})
    assert np.array_equal(scores[now.legal], base.scores(now)[now.legal])


def test_a_rollout_bets_with_the_price_of_its_base():
    now = state()
    options = {'policy.rollout.base': 'pbgi', 'policy.pbgi.price': 0.25}
    assert make_policy('rollout', options).price(now.context) == 0.25
    assert make_policy('pbgi_rollout').price(now.context) == 0.1
    assert make_policy('ei_rollout').price(now.context) is None


def test_the_best_of_the_base_is_always_looked_into():
    now = state(n=200)
    for n_first in (1, 2, 7):
        scores = Rollout(base='ucb', n_first=n_first, n_samples=2).scores(now)
        best = np.argmax(np.where(now.legal, make_policy('ucb').scores(now), -np.inf))
        assert np.isfinite(scores[best])
        assert np.isfinite(scores).sum() == n_first


def test_more_samples_agree_on_the_value():
    now = state()
    few = Rollout(horizon=2, n_samples=64, n_inner=30).scores(now)
    many = Rollout(horizon=2, n_samples=1024, n_inner=30, seed=1).scores(now)
    np.testing.assert_allclose(few[now.legal], many[now.legal], rtol=0.05)


def test_a_part_of_the_grid_ranks_first_moves_nearly_as_all_of_it():
    now = planning_state(lattice(16), available=220.0)
    common = dict(horizon=2, n_samples=8, n_first=24)
    part = Rollout(n_inner=96, **common).scores(now)
    whole = Rollout(n_inner=256, **common).scores(now)
    looked = np.isfinite(part)
    assert np.array_equal(looked, np.isfinite(whole))
    assert np.corrcoef(part[looked], whole[looked])[0, 1] > 0.9
    assert whole[np.argmax(part)] >= 0.9 * whole.max()


def test_zones_and_wind_are_flown_round_in_the_simulation():
    places = lattice(8)
    free = planning_state(places, available=260.0, wind=(0.3, 0.1))
    inside = (places > 30.0).all(1) & (places[:, 0] < 60.0) & (places[:, 1] < 80.0)
    blocked = planning_state(places, available=260.0, wind=(0.3, 0.1), zones=[ZONE])
    scores = Rollout(horizon=2, n_samples=4, n_inner=64).scores(blocked)
    assert np.isfinite(scores[blocked.legal]).all()
    assert not np.isfinite(scores[~blocked.legal]).any()
    assert inside.any() and not blocked.legal[inside & (places[:, 1] > 20.0)].any()
    assert free.legal.sum() > blocked.legal.sum()
