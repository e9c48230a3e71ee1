# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Public failures of this field's software that concern the planner, by the id of their case."""

from __future__ import annotations

import numpy as np

from bo_explorer.core.mission import MissionState
from bo_explorer.core.policy import make_policy

from .missions import Flown, config


def test_case_f2_without_reconsidering_a_target_is_kept_until_it_is_reached():
    flown = Flown(config(policy={'replan_period_s': 0.0}, budget={'total_m': 120.0})).begin()
    while flown.mission.state is not MissionState.DONE:
        target = flown.mission.target
        if flown.mission.state is MissionState.MOVING:
            while flown.mission.state is MissionState.MOVING:
                np.testing.assert_array_equal(flown.mission.target, target)
                flown.step()
            if flown.mission.state is MissionState.MEASURING:
                assert np.linalg.norm(flown.place - target) <= 1.0
        else:
            flown.step()


def mean_leg(policy, options):
    """Return the mean distance between targets over some fields, metres."""
    lengths = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        x, y = rng.uniform(5.0, 35.0, size=2)
        flown = Flown(
            config(policy={'name': policy, 'replan_period_s': 0.0}, budget={'total_m': 150.0}),
            field=lambda a, b, x=x, y=y: -((a - x) ** 2 + (b - y) ** 2) / 100.0,
            policy=make_policy(policy, options),
        )
        flown.begin().until(MissionState.DONE)
        places = np.array([[4.0, 4.0], *flown.mission.record().waypoints])
        lengths.extend(np.linalg.norm(np.diff(places, axis=0), axis=1))
    return float(np.mean(lengths))


def test_case_f6_legs_get_shorter_as_their_price_rises():
    free, dear = (
        mean_leg('ducb', {'policy.ducb.gamma': gamma}) for gamma in (0.0, 10.0)
    )
    assert dear < 0.8 * free
