# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A hundred thousand readings in one mission leave work and memory as a thousand do."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from bo_explorer.core.explorer import Explorer
from bo_explorer.core.gp import field_map as field_map_module
from bo_explorer.core.policy import make_policy
from bo_explorer.core.types import Outcome, Reading

from .missions import bowl, config

MAX_SAMPLES = 64
HOME = np.array([4.0, 4.0])
EARLY, LATE = 1_000, 100_000
BATCH = 250


class Work(TorchDispatchMode):
    """Counts the numbers that all tensor operations within put out."""

    def __init__(self):
        super().__init__()
        self.numbers = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        leaves = tree_leaves(result)
        self.numbers += sum(x.numel() for x in leaves if isinstance(x, torch.Tensor))
        return result


def planner(name):
    options = {'policy.rollout.n_samples': 4, 'policy.rollout.n_first': 8}
    settings = config(ingest={'max_samples': MAX_SAMPLES}, policy={'name': name})
    return Explorer(settings, make_policy(name, options))


def stream(begin, end, rng):
    """Return readings along a wandering flight, ten a second."""
    places = rng.uniform(0.5, 39.5, (end - begin, 2))
    noise = 0.1 * rng.standard_normal(end - begin)
    return [
        Reading(bowl(x, y) + e, x, y, 0.1 * k)
        for k, (x, y), e in zip(range(begin, end), places.tolist(), noise.tolist())
    ]


def fed(explorer, begin, end, rng):
    for first in range(begin, end, BATCH):
        explorer.tell(stream(first, min(first + BATCH, end), rng))


def decide(explorer):
    decision = explorer.ask(np.array([20.0, 21.0]), home=HOME, available_m=200.0, total_m=300.0)
    assert decision.outcome is Outcome.WAYPOINT


def work_of_a_decision(explorer):
    decide(explorer)
    with Work() as work:
        decide(explorer)
    return work.numbers


def traced():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize('name', ['log_ei', 'rollout'])
def test_a_decision_after_all_readings_is_the_work_of_one_after_few(name):
    rng = np.random.default_rng(0)
    explorer = planner(name)
    fed(explorer, 0, EARLY, rng)
    assert len(explorer.field_map.samples) <= MAX_SAMPLES
    early = work_of_a_decision(explorer)
    fed(explorer, EARLY, LATE, rng)
    assert explorer.ingest.n_accepted == LATE
    assert len(explorer.field_map.samples) <= MAX_SAMPLES
    assert work_of_a_decision(explorer) < 1.5 * early


def test_an_update_late_in_a_mission_is_no_larger_than_an_early_one(monkeypatch):
    sizes = []
    plain = field_map_module._cholesky

    def watched(matrix):
        sizes.append(len(matrix))
        return plain(matrix)

    monkeypatch.setattr(field_map_module, '_cholesky', watched)
    rng = np.random.default_rng(1)
    explorer = planner('log_ei')
    fed(explorer, 0, 4 * EARLY, rng)
    early = max(sizes)
    del sizes[:]
    fed(explorer, 4 * EARLY, 20 * EARLY, rng)
    assert max(sizes) <= max(early, MAX_SAMPLES)


def test_memory_is_flat_over_the_readings_of_a_day():
    rng = np.random.default_rng(2)
    explorer = planner('log_ei')
    tracemalloc.start()
    try:
        fed(explorer, 0, 10 * EARLY, rng)
        decide(explorer)
        before = traced()
        fed(explorer, 10 * EARLY, 30 * EARLY, rng)
        decide(explorer)
        growth = traced() - before
    finally:
        tracemalloc.stop()
    # Twenty thousand readings kept would be megabytes.
    assert growth < 300_000


def test_stops_of_a_long_mission_are_not_looked_at_again():
    explorer = planner('log_ei')
    fed(explorer, 0, EARLY, np.random.default_rng(3))
    for k in range(2_000):
        explorer.stopped_at(np.array([1.0 + 0.01 * (k % 100), 1.0]))
    decide(explorer)
    with Work() as work:
        decide(explorer)
    assert work.numbers < 1e6
