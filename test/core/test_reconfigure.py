# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Live settings change under a flying mission."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from bo_explorer.core.config import (
    AreaConfig,
    BudgetConfig,
    ExplorerConfig,
    ModelConfig,
    NoFlyConfig,
    PolicyConfig,
)
from bo_explorer.core.errors import BoExplorerError
from bo_explorer.core.mission import Mission, MissionState
from bo_explorer.core.policy import make_policy
from bo_explorer.core.types import Pose

CONFIG = ExplorerConfig(
    area=AreaConfig(polygon=(0, 0, 40, 0, 40, 40, 0, 40), resolution_m=4.0),
    budget=BudgetConfig(total_m=300.0),
    model=ModelConfig(fit=False, lengthscale_m=10.0, noise_std=0.1),
    policy=PolicyConfig(name='ucb'),
)


def work(mission, now):
    job = mission.begin(now)
    if job is not None:
        job.run()
        mission.finish(job, 0.0)
    return job


def flying_mission():
    mission = Mission(CONFIG, make_policy('ucb'))
    for stamp in (-0.2, -0.1, 0.0):
        mission.update_pose(Pose(4.0, 4.0, stamp=stamp), 0.0)
    mission.start(0.0)
    mission.add_reading(1.0, 0.0)
    work(mission, 0.1)
    assert mission.state is MissionState.MOVING
    return mission


def with_zone(text):
    return dataclasses.replace(CONFIG, no_fly=NoFlyConfig(polygons=(text,), margin_m=1.0))


def test_a_zone_over_the_target_makes_a_new_plan_that_avoids_it():
    mission = flying_mission()
    x, y = mission.target
    zone = f'{x - 3},{y - 3}; {x + 3},{y - 3}; {x + 3},{y + 3}; {x - 3},{y + 3}'
    assert mission.reconfigure(with_zone(zone), make_policy('ucb'))
    assert mission.state is MissionState.PLANNING
    # It brakes on the path that was checked: 6.25 m from 5 m/s.
    start, stop = np.array([4.0, 4.0]), np.array([mission.setpoint().x, mission.setpoint().y])
    assert np.linalg.norm(stop - start) == pytest.approx(6.25)
    work(mission, 0.2)
    assert mission.state is MissionState.MOVING
    assert mission.explorer.area.path_legal(mission.path())
    assert not (abs(mission.target[0] - x) < 4.0 and abs(mission.target[1] - y) < 4.0)
    assert len(mission.record().zones) == 1
    assert mission.explorer.field_map.samples.values.tolist() == [1.0]


def test_another_policy_takes_over_without_touching_the_path():
    mission = flying_mission()
    path = mission.path()
    config = dataclasses.replace(CONFIG, policy=PolicyConfig(name='max_std'))
    assert mission.reconfigure(config, make_policy('max_std'))
    np.testing.assert_array_equal(mission.path(), path)
    assert mission.record().policy == 'max_std'


def test_while_a_job_runs_a_change_waits_for_its_end():
    mission = flying_mission()
    mission.add_reading(1.0, 0.0)
    job = mission.begin(1.5)
    assert job is not None
    changed = with_zone('1,1; 2,1; 2,2')
    assert not mission.reconfigure(changed, make_policy('ucb'))
    assert mission.config is CONFIG
    job.run()
    mission.finish(job, 0.0)
    assert mission.reconfigure(changed, make_policy('ucb'))
    assert mission.config is changed
    assert len(mission.record().zones) == 1


def test_an_impossible_zone_is_refused_and_nothing_changes():
    mission = flying_mission()
    path = mission.path()
    with pytest.raises(BoExplorerError):
        mission.reconfigure(with_zone('0,0; 10,10; 10,0; 0,10'), make_policy('ucb'))
    assert mission.config is CONFIG
    np.testing.assert_array_equal(mission.path(), path)
