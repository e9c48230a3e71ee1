# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whole trees at once against futures grown reading by reading."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.core.lookahead.draws import make_draws
from bo_explorer.core.lookahead.gp_tree import Futures, PresentBelief
from bo_explorer.core.lookahead.journey import Journey, Ledger
from bo_explorer.core.lookahead.tree_outlook import TreeShape, charges, outlook

from .beliefs import field_map

SHAPES = [(), (1,), (3,), (1, 1), (3, 2), (2, 1, 2)]


def belief():
    known = field_map(12, seed=2)
    return PresentBelief(known.samples, known.hyperparameters)


def readings_of(counts):
    rng = np.random.default_rng(0)
    return tuple(make_draws(count, 'gauss_hermite', rng) for count in counts)


def random_trees(shape, n=4, seed=3):
    size = sum(shape.widths)
    return torch.from_numpy(np.random.default_rng(seed).uniform(0.0, 100.0, (n, size, 2)))


@pytest.mark.parametrize('counts', SHAPES)
def test_every_node_knows_what_its_future_knows(counts):
    present, readings = belief(), readings_of(counts)
    shape = TreeShape.of(readings)
    trees = random_trees(shape)
    posterior, best = outlook(present, trees, shape)
    futures = Futures(present, len(trees))
    for stage, nodes in enumerate(shape.stages):
        there = slice(nodes.start, nodes.stop)
        view = futures.view(trees[:, there].reshape(-1, 1, 2))
        expected = view.posterior.mean[:, 0].reshape(len(trees), -1)
        torch.testing.assert_close(posterior.mean[:, there], expected, atol=1e-10, rtol=0.0)
        expected = view.posterior.std[:, 0].reshape(len(trees), -1)
        torch.testing.assert_close(posterior.std[:, there], expected, atol=1e-8, rtol=0.0)
        expected = futures.incumbent.reshape(len(trees), -1)
        torch.testing.assert_close(best[:, there], expected, atol=1e-10, rtol=0.0)
        if stage < len(readings):
            futures = futures.after(view, readings[stage].z)


@pytest.mark.parametrize('home', [None, lambda points: points.norm(dim=-1) / 100.0])
@pytest.mark.parametrize('counts', SHAPES)
def test_every_node_has_spent_what_its_future_has(counts, home):
    readings = readings_of(counts)
    shape = TreeShape.of(readings)
    trees = random_trees(shape)

    def leg(start, end):
        return ((end - start).square().sum(-1) + 1e-6).sqrt() / 100.0 + 0.02

    journey = Journey.starting_at(np.array([5.0, 5.0]), leg, 1.5, home)
    costs, log_paid = charges(journey, 0.05, trees, shape)
    ledger = Ledger(journey, 0.05, torch.zeros(len(trees), dtype=torch.float64))
    for stage, nodes in enumerate(shape.stages):
        there = slice(nodes.start, nodes.stop)
        points = trees[:, there].reshape(-1, 1, 2)
        cost, paid = ledger.charge(points)
        torch.testing.assert_close(costs[:, there].reshape(-1), cost[:, 0])
        torch.testing.assert_close(log_paid[:, there].reshape(-1), paid[:, 0])
        if stage < len(readings):
            ledger = ledger.after(points[:, 0], cost[:, 0], len(readings[stage].z))


@pytest.mark.parametrize('counts', SHAPES)
def test_the_nodes_of_a_stage_share_all_probability(counts):
    shape = TreeShape.of(readings_of(counts))
    for nodes in shape.stages:
        weights = shape.log_weights[nodes.start : nodes.stop].exp()
        assert float(weights.sum()) == pytest.approx(1.0)
    for child, parent in enumerate(shape.parents.tolist(), start=1):
        assert parent < child


def test_the_outlook_is_differentiable_also_where_nodes_and_samples_meet():
    present = belief()
    shape = TreeShape.of(readings_of((2, 1)))
    trees = random_trees(shape, n=2).requires_grad_()
    assert torch.autograd.gradcheck(lambda t: outlook(present, t, shape)[0].mean, trees)
    assert torch.autograd.gradcheck(lambda t: outlook(present, t, shape)[0].std, trees)
    meeting = trees.detach().clone()
    meeting[:, 1:] = meeting[:, :1]
    meeting[0, 0] = torch.from_numpy(present.samples.points[0].copy())
    meeting.requires_grad_()
    posterior, best = outlook(present, meeting, shape)
    (posterior.mean.sum() + posterior.std.sum() + best.sum()).backward()
    assert torch.isfinite(meeting.grad).all()
