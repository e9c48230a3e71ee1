# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What is told of a mission at the edge of what there is to tell."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.core.mission import MissionState
from bo_explorer.ros.publishers import _mission_status

from ..core.missions import Flown, config


def test_a_map_of_which_zones_have_left_nothing_has_a_status():
    """Found by fuzzing: the least value of no places ended the callback of the diagnostics."""
    flown = Flown().begin().until(MissionState.MEASURING)
    known = {item.key for item in _mission_status('m', flown.mission).values}
    assert {'mean_grid_min', 'std_grid_max'} <= known
    everywhere = config(no_fly={'polygons': ('-9,-9; 60,-9; 60,60; -9,60',)})
    assert flown.mission.reconfigure(everywhere, flown.mission._policy)
    for _ in range(30):
        flown.step()
    snapshot = flown.mission.explorer.map()
    assert snapshot is not None and len(snapshot.points) == 0
    flown.mission._map = snapshot
    status = _mission_status('m', flown.mission)
    assert 'mean_grid_min' not in {item.key for item in status.values}
