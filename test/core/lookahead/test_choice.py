# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The same places are chosen with and without screening."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch

from bo_explorer.core.acquisition import ACQUISITIONS, make_acquisition
from bo_explorer.core.acquisition.base import Acquisition, AcquisitionContext
from bo_explorer.core.acquisition.screening import Screening
from bo_explorer.core.lookahead.choice import choose
from bo_explorer.core.lookahead.rollout import Rollout, rollout_scores
from bo_explorer.core.optimise import best_candidate
from bo_explorer.core.types import Posterior

from .states import lattice, planning_state

every_acquisition = pytest.mark.parametrize('name', sorted(ACQUISITIONS))


@dataclass(frozen=True)
class Unscreened:
    """The same scores, all of them computed."""

    acquisition: Acquisition

    def __call__(self, posterior, context):
        return self.acquisition(posterior, context)


def futures(rng, k=6, s=5, j=30):
    posterior = Posterior(
        torch.from_numpy(rng.normal(0.0, 1.0, (k, s, j))),
        torch.from_numpy(rng.uniform(0.01, 1.0, (k, 1, j))),
    )
    distance = torch.from_numpy(rng.uniform(0.0, 2.0, (k, 1, j)))
    context = AcquisitionContext(
        incumbent=torch.from_numpy(rng.normal(1.0, 1.0, (k, s))),
        distance=distance,
        cost=distance + 0.02,
        remaining=2.0,
        total=5.0,
        n_samples=30,
    )
    legal = torch.from_numpy(rng.random((k, s, j)) < 0.5)
    legal[2] = False
    return posterior, context, legal


@every_acquisition
def test_every_future_takes_its_best_candidate(name):
    acquisition = make_acquisition(name)
    posterior, context, legal = futures(np.random.default_rng(0))
    place, value = choose(acquisition, posterior, context, legal)
    scores = acquisition(posterior, context).expand(legal.shape).numpy()
    for index in np.ndindex(*place.shape):
        best = best_candidate(scores[index], legal[index].numpy())
        if best is None:
            assert value[index] == -torch.inf
        else:
            assert place[index] == best
            assert value[index] == pytest.approx(scores[index][best], rel=1e-12)


@every_acquisition
def test_of_equal_places_the_first_is_taken(name):
    posterior, context, legal = futures(np.random.default_rng(1))
    flat = Posterior(torch.zeros_like(posterior.mean), torch.ones_like(posterior.std))
    level = AcquisitionContext(
        incumbent=context.incumbent,
        distance=torch.ones_like(context.distance),
        cost=torch.ones_like(context.cost),
        remaining=2.0,
        total=5.0,
        n_samples=30,
    )
    place, value = choose(make_acquisition(name), flat, level, legal)
    assert torch.equal(place, legal.to(torch.uint8).argmax(-1))
    assert torch.equal(value > -torch.inf, legal.any(-1))


@pytest.mark.parametrize(
    'name', [n for n in ACQUISITIONS if isinstance(make_acquisition(n), Screening)]
)
@pytest.mark.parametrize('reward', ['acquisition', 'improvement_per_cost'])
def test_a_rollout_is_worth_the_same_with_and_without_screening(name, reward):
    now = planning_state(lattice(14), available=200.0)
    options = Rollout(base=name, reward=reward, horizon=3, n_samples=16, n_first=40, n_inner=120)
    base = make_acquisition(name)
    assert not isinstance(Unscreened(base), Screening)
    screened = rollout_scores(options, now, base, 16)
    plain = rollout_scores(options, now, Unscreened(base), 16)
    np.testing.assert_allclose(screened, plain, rtol=1e-9)
    assert np.argmax(screened) == np.argmax(plain)
