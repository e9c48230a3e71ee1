# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One-shot trees against brute force, refits and another library."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from bo_explorer.core.acquisition.log_expected_improvement import log_expected_improvement
from bo_explorer.core.lookahead.journey import Journey
from bo_explorer.core.lookahead.one_shot import OneShotTree

from .beliefs import ORIGIN, after_reading, belief_of, field_map, journey, leg


def optimise(tree, model, dimension=2, *, seed=0, n_raw=32, n_starts=3, **changes):
    return tree.optimise(
        model,
        np.zeros(dimension),
        np.full(dimension, 100.0),
        generator=np.random.default_rng(seed),
        n_raw=n_raw,
        n_starts=n_starts,
        **changes,
    )


def random_trees(tree, n, dimension=2, seed=3):
    generator = torch.Generator().manual_seed(seed)
    return 100.0 * torch.rand(n, tree.size, dimension, generator=generator, dtype=torch.float64)


def improvement(model, points):
    """Return the expected improvement of a map at points ``(M, D)``."""
    posterior = model.posterior_at(torch.as_tensor(points, dtype=torch.float64))
    incumbent = model.sample_posterior().mean.max()
    return log_expected_improvement(posterior, incumbent).exp().numpy()


def reading(model, point, z):
    posterior = model.posterior_at(torch.as_tensor(point, dtype=torch.float64)[None])
    scale = math.sqrt(float(posterior.std) ** 2 + model.noise_variance)
    h = model.hyperparameters
    return h.mean + h.signal_std * (float(posterior.mean) + z * scale)


def value_by_refits(model, tree, points, readings, travel=None, softness=0.02):
    """Return the expected improvement and cost of a tree, one refit a node."""
    offsets = np.concatenate([[0], np.cumsum(tree.widths)])

    def follow(belief, stage, index, place, spent):
        point = points[offsets[stage] + index]
        gain, leg_cost = float(improvement(belief, point[None])[0]), 1.0
        if travel is not None:
            leg_cost = float(travel.leg(torch.as_tensor(place), torch.as_tensor(point)))
            left = travel.remaining - spent - leg_cost - float(travel.home(torch.as_tensor(point)))
            gain /= 1.0 + math.exp(-left / (softness * travel.remaining))
        cost = leg_cost
        if stage < len(readings):
            draws = readings[stage]
            for j, (z, weight) in enumerate(zip(draws.z.tolist(), draws.weight.tolist())):
                after = after_reading(belief, point, reading(belief, point, z))
                below = follow(after, stage + 1, index * len(draws.z) + j, point, spent + leg_cost)
                gain, cost = gain + weight * below[0], cost + weight * below[1]
        return gain, cost

    return follow(model, 0, 0, np.full(points.shape[1], ORIGIN), 0.0)


@pytest.mark.parametrize('dimension', [1, 2, 6])
@pytest.mark.parametrize('fantasies', [(), (1,), (1, 1, 1), (3, 2)])
@pytest.mark.parametrize('draws', ['sobol', 'gauss_hermite'])
def test_the_value_of_a_tree_is_that_of_a_refit_at_every_node(dimension, fantasies, draws):
    model, travel = field_map(10, dimension), journey(dimension)
    tree = OneShotTree(fantasies, draws=draws)
    readings = tree.readings(np.random.default_rng(8))
    points = random_trees(tree, 2, dimension)
    values = tree.values(belief_of(model), points, readings, travel)
    for value, nodes in zip(values, points):
        gain, cost = value_by_refits(model, tree, nodes.numpy(), readings, travel)
        assert float(value) == pytest.approx(gain, rel=1e-8)
        for reward, expected in (('per_cost', gain / cost), ('priced', gain - 0.1 * cost)):
            other = OneShotTree(fantasies, reward=reward, price=0.1, draws=draws)
            found = other.values(belief_of(model), nodes[None], readings, travel)
            assert float(found) == pytest.approx(expected, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize('reward', ['improvement', 'per_cost', 'priced'])
@pytest.mark.parametrize('dimension', [1, 2, 6])
def test_the_gradient_of_a_tree_is_that_of_finite_differences(reward, dimension):
    tree = OneShotTree((2, 2), reward=reward)
    belief, travel = belief_of(field_map(6, dimension)), journey(dimension)
    readings = tree.readings(np.random.default_rng(8))
    points = random_trees(tree, 1, dimension).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda x: tree.values(belief, x, readings, travel), points, eps=1e-4, atol=1e-8, rtol=1e-4
    )


@pytest.mark.parametrize('priced', [False, True])
def test_two_decisions_match_a_dense_search(priced):
    """On the line, the second decision after each reading can be listed, and so can the first."""
    model = field_map(5, 1, lengthscale=15.0, seed=2)
    axis = np.linspace(0.0, 100.0, 101)[:, None]
    travel = Journey.starting_at(np.array([40.0]), leg) if priced else None
    price = 0.1

    def price_from(place):
        if not priced:
            return np.zeros(len(axis))
        return price * leg(torch.as_tensor(place), torch.from_numpy(axis)).numpy()

    z, weights = np.polynomial.hermite_e.hermegauss(3)
    totals = improvement(model, axis) - price_from([40.0])
    for i, first in enumerate(axis):
        for draw, weight in zip(z, weights / weights.sum()):
            after = after_reading(model, first, reading(model, first, draw))
            totals[i] += weight * (improvement(after, axis) - price_from(first)).max()
    tree = OneShotTree((3,), reward='priced' if priced else 'improvement', price=price)
    plan = optimise(tree, model, 1, journey=travel)
    # The box holds the grid, and 1 m is a fifteenth of the lengthscale.
    assert plan.value == pytest.approx(totals.max(), rel=3e-3)
    assert plan.value >= totals.max() - 1e-6
    assert abs(plan.first_point[0] - axis[totals.argmax(), 0]) < 1.5


def test_without_fantasies_the_plan_maximises_the_expected_improvement():
    model = field_map(12)
    plan = optimise(OneShotTree(()), model)
    axis = np.linspace(0.0, 100.0, 101)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    best = improvement(model, grid).max()
    assert plan.value >= best
    assert plan.value == pytest.approx(best, rel=5e-3)


def test_another_stage_never_lowers_the_improvement():
    model = field_map(12)
    values = [optimise(OneShotTree(f), model).value for f in ((), (3,), (3, 1))]
    assert values == sorted(values)


@pytest.mark.parametrize('dimension', [1, 2, 6])
def test_no_random_tree_beats_the_plan(dimension):
    model, travel = field_map(14, dimension, lengthscale=40.0), journey(dimension)
    tree = OneShotTree((2,), reward='per_cost')
    plan = optimise(tree, model, dimension, journey=travel)
    readings = tree.readings(np.random.default_rng(0))
    others = tree.values(
        belief_of(model), random_trees(tree, 500, dimension), readings, travel
    )
    assert plan.value > float(others.max())
    assert plan.value == plan.values[0] == plan.values.max()
    found = tree.values(belief_of(model), torch.from_numpy(plan.trees), readings, travel)
    assert found.numpy() == pytest.approx(plan.values)
    assert (plan.trees >= 0.0).all() and (plan.trees <= 100.0).all()
    assert plan.first_point.tolist() == plan.trees[0, 0].tolist()


@pytest.mark.parametrize('draws', ['sobol', 'gauss_hermite'])
def test_the_same_generator_gives_the_same_plan(draws):
    model, tree = field_map(), OneShotTree((2,), draws=draws)
    first, again = (optimise(tree, model, seed=5, n_starts=2) for _ in range(2))
    assert first.value == again.value
    assert first.trees.tolist() == again.trees.tolist()


def test_a_previous_tree_never_makes_the_plan_worse():
    model, tree = field_map(9), OneShotTree((2, 1))
    before = optimise(tree, model, seed=1, journey=journey())
    point = before.first_point
    model = after_reading(model, point, reading(model, point, 1.2))
    cold = optimise(tree, model, seed=2, journey=journey(), n_starts=2)
    warm = optimise(tree, model, seed=2, journey=journey(), n_starts=2, previous=before.tree)
    assert warm.value >= cold.value - 1e-9
    assert len(warm.values) == len(cold.values) + 2


def test_the_branch_that_came_true_is_continued():
    model, tree = field_map(9), OneShotTree((3, 2))
    before = optimise(tree, model, seed=1, n_starts=1)
    z = np.polynomial.hermite_e.hermegauss(3)[0]
    for branch in range(3):
        value = reading(model, before.first_point, z[branch])
        after = after_reading(model, before.first_point, value)
        starts = tree._continued(
            belief_of(after),
            before.tree,
            torch.rand(16, 2, dtype=torch.float64) * 100.0,
            tree.readings(np.random.default_rng(0)),
            None,
        )
        assert starts[0, 0].tolist() == before.tree.points[1 + branch].tolist()
        assert starts[1].tolist() == before.tree.points.tolist()


def test_a_tree_of_another_shape_is_refused():
    model = field_map()
    old = optimise(OneShotTree((2,)), model).tree
    with pytest.raises(ValueError, match="'previous' must have the fantasies"):
        optimise(OneShotTree((3,)), model, previous=old)


def test_the_first_decision_is_affordable_and_a_smaller_budget_is_worth_less():
    model, values = field_map(12), []
    for remaining in (0.2, 0.5, 3.0):
        travel = journey(remaining=remaining)
        plan = optimise(OneShotTree((1, 1)), model, journey=travel)
        first = torch.from_numpy(plan.first_point.copy())
        needed = float(travel.first(first)) + float(travel.home(first))
        # The edge of the budget is soft, and this is one width of it.
        assert needed <= remaining * 1.02
        values.append(plan.value)
    assert values == sorted(values)


def test_a_high_price_keeps_the_plan_near():
    model = field_map(12, lengthscale=15.0)
    travel = journey(remaining=math.inf, home=False)
    lengths = [
        np.linalg.norm(
            optimise(
                OneShotTree((1,), reward='priced', price=price), model, journey=travel
            ).first_point
            - ORIGIN
        )
        for price in (1e-6, 1e2)
    ]
    assert lengths[1] < 1.0 < lengths[0]


def test_quadrature_of_few_readings_is_nearer_to_many_than_random_ones():
    model = field_map(8)
    belief, point = belief_of(model), torch.tensor([50.0, 50.0], dtype=torch.float64)

    def value(count, draws, seed=0):
        tree = OneShotTree((count,), draws=draws)
        readings = tree.readings(np.random.default_rng(seed))
        return float(tree.values(belief, point.expand(1, tree.size, 2), readings))

    exact = value(64, 'gauss_hermite')
    sobol = np.mean([abs(value(4, 'sobol', seed) - exact) for seed in range(20)])
    assert abs(value(4, 'gauss_hermite') - exact) < 0.5 * sobol


@pytest.mark.parametrize(
    ('changes', 'message'),
    [
        ({'fantasies': (2, 0)}, "'fantasies' must each be at least 1"),
        ({'reward': 'gold'}, "'reward' must be one of"),
        ({'draws': 'dice'}, "'draws' must be one of"),
        ({'price': 0.0}, "'price' must be a finite number above 0, got 0.0"),
        ({'softness': math.nan}, "'softness' must be a finite number above 0, got nan"),
    ],
)
def test_an_invalid_tree_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        OneShotTree(**changes)


@pytest.mark.parametrize('name', ['n_raw', 'n_starts'])
def test_an_invalid_count_is_refused(name):
    with pytest.raises(ValueError, match=f"'{name}' must be at least 1, got 0"):
        optimise(OneShotTree(()), field_map(), **{name: 0})


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('fantasies', [(1,), (3,), (3, 2)])
def test_botorch_gives_the_same_value_to_a_tree(fantasies):
    """Without noise the best reading and the best mean are one, and both objectives agree."""
    pytest.importorskip('botorch')
    from botorch.acquisition import ExpectedImprovement
    from botorch.acquisition.multi_step_lookahead import qMultiStepLookahead
    from botorch.models import SingleTaskGP
    from botorch.sampling.normal import SobolQMCNormalSampler
    from gpytorch.kernels import MaternKernel, ScaleKernel
    from gpytorch.means import ZeroMean

    model = field_map(8, noise=4e-3)
    h, s = model.hyperparameters, model.samples
    values = torch.from_numpy((s.values - h.mean) / h.signal_std)[:, None]
    kernel = ScaleKernel(MaternKernel(nu=2.5))
    kernel.base_kernel.lengthscale, kernel.outputscale = h.lengthscales[0], 1.0
    noise = torch.full_like(values, model.noise_variance)
    noise /= torch.from_numpy(s.counts.copy())[:, None]
    other = SingleTaskGP(
        torch.from_numpy(s.points.copy()),
        values,
        noise,
        mean_module=ZeroMean(),
        covar_module=kernel.double(),
        outcome_transform=None,
    )
    tree = OneShotTree(fantasies, draws='sobol')
    readings = tree.readings(np.random.default_rng(3))
    samplers = []
    for stage, draws in enumerate(readings):
        sampler = SobolQMCNormalSampler(torch.Size([len(draws.z)]))
        shape = (len(draws.z), *[1] * (stage + 2))
        sampler.register_buffer('base_samples', draws.z.reshape(shape))
        sampler._construct_base_samples = lambda posterior: None
        samplers.append(sampler)

    def best_reading(model, X):  # noqa: N803
        return {'best_f': model.train_targets.amax(dim=-1, keepdim=True)}

    acquisition = qMultiStepLookahead(
        other,
        batch_sizes=[1] * len(fantasies),
        samplers=samplers,
        valfunc_cls=[ExpectedImprovement] * (len(fantasies) + 1),
        valfunc_argfacs=[best_reading] * (len(fantasies) + 1),
    )
    points = random_trees(tree, 3)
    theirs = acquisition(_botorch_order(points, fantasies))
    ours = tree.values(belief_of(model), points, readings)
    assert ours.numpy() == pytest.approx(theirs.detach().numpy(), rel=2e-3)


def _botorch_order(points, fantasies):
    """Put a later fantasy before the earlier ones, as the other library's batches have it."""
    order, offset = [0], 1
    for stage in range(1, len(fantasies) + 1):
        shape = fantasies[:stage]
        index = np.arange(math.prod(shape)).reshape(shape)
        order += (offset + index.transpose().ravel()).tolist()
        offset += index.size
    return points[:, order]
