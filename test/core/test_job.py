# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A job keeps what goes wrong to itself, and the way home does not depend on the map."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.errors import ModelError
from bo_explorer.core.explorer import Explorer
from bo_explorer.core.job import Job, Task
from bo_explorer.core.policy import make_policy
from bo_explorer.core.types import Reading

from .missions import CONFIG

HOME = np.array([4.0, 4.0])
READINGS = [Reading(1.0, 8.0, 8.0, 0.0)]


def job(task, readings=READINGS, explorer=None):
    return Job(
        explorer=explorer or Explorer(CONFIG, make_policy('ucb')),
        task=task,
        readings=list(readings),
        lead_in=np.array([[20.0, 4.0], [24.0, 4.0]]),
        home=HOME,
        available_m=200.0,
        total_m=300.0,
        started_at=0.0,
        elapsed_s=0.0,
    )


def test_a_decision_starts_at_the_end_of_the_lead_in():
    work = job(Task.DECIDE)
    work.run()
    assert work.is_decision
    assert work.error is None
    assert work.path[0].tolist() == [24.0, 4.0]
    assert work.map is not None


def test_readings_alone_make_a_map_and_no_decision():
    work = job(Task.TELL)
    work.run()
    assert not work.is_decision
    assert work.path is None
    assert work.map is not None


def test_the_way_home_is_found_though_the_readings_cannot_be_used(monkeypatch):
    def fail(self, readings):
        raise ModelError('no factor')

    monkeypatch.setattr(Explorer, 'tell', fail)
    work = job(Task.RETURN)
    work.run()
    np.testing.assert_array_equal(work.path, [[24.0, 4.0], HOME])
    assert 'planning the way home failed: no factor' == work.error


@pytest.mark.parametrize('error', [ModelError('x'), ValueError('x'), ZeroDivisionError('x')])
def test_what_goes_wrong_is_kept(monkeypatch, error):
    def fail(self, *rest, **more):
        raise error

    monkeypatch.setattr(Explorer, 'ask', fail)
    work = job(Task.DECIDE)
    work.run()
    assert work.error == 'choosing the next target failed: x'
    assert work.decision is None


def test_a_fit_before_the_first_sample_is_an_error_and_no_crash():
    work = job(Task.FIT, readings=[])
    work.run()
    assert 'fitting the model failed' in work.error


def test_which_tasks_end_with_a_path():
    assert {task for task in Task if task.plans_path} == {Task.DECIDE, Task.RETURN}
