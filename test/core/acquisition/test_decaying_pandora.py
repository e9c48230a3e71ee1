# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The decaying index lowers its price each time nothing is worth it."""

from __future__ import annotations

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import context, random_belief, random_distance


def test_before_any_decay_it_is_the_index_at_its_first_price():
    posterior, state = random_belief(9), context(random_distance(9))
    decaying, fixed = make_acquisition('pbgi_d'), make_acquisition('pbgi')
    assert torch.equal(decaying(posterior, state), fixed(posterior, state))


@pytest.mark.parametrize(('n', 'price'), [(0, 0.1), (1, 0.05), (3, 0.0125)])
def test_each_decay_halves_the_price(n, price):
    state = context(0.1, n_decays=n)
    assert make_acquisition('pbgi_d').price_in(state) == pytest.approx(price, rel=1e-15)


def test_any_number_of_decays_leaves_a_price():
    posterior, state = random_belief(9), context(random_distance(9), n_decays=1_000_000)
    acquisition = make_acquisition('pbgi_d')
    assert acquisition.price_in(state) > 0.0
    assert torch.isfinite(acquisition(posterior, state)).all()


def test_a_lower_price_raises_every_index():
    posterior, distance = random_belief(9), random_distance(9)
    acquisition = make_acquisition('pbgi_d', {'initial_price': 1.0, 'decay': 0.2})
    before = acquisition(posterior, context(distance))
    assert (acquisition(posterior, context(distance, n_decays=1)) > before).all()
