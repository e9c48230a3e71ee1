# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A whole mission in front of a leaning wall, flown by a vehicle that knows space alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bo_explorer.core.mission import MissionState
from bo_explorer.core.plane import PlaneConfig
from bo_explorer.core.types import Pose

from .missions import Flown, config


class Facade(Flown):
    """Flies in three dimensions; only the plane stands between it and the mission."""

    def __init__(self, settings, *, start):
        super().__init__(settings, start=start)
        self.plane = settings.search_plane()
        self.space = self.plane.lift(np.array([start]), self.plane.stand_off_m)[0]
        self.track = [self.space]
        self.looks = []

    def fly(self, seconds=0.1):
        self.now += seconds
        goal = self.mission.setpoint()
        if goal is not None:
            waypoint = self.plane.waypoint(goal)
            ahead = np.array([waypoint.x, waypoint.y, waypoint.z]) - self.space
            distance = float(np.linalg.norm(ahead))
            if distance > 0.0:
                self.space = self.space + ahead * min(4.0 * seconds / distance, 1.0)
            self.looks.append(waypoint.orientation)
        self.track.append(self.space)
        self.tell()

    def tell(self):
        x, y, z = (float(v) for v in getattr(self, 'space', np.zeros(3)))
        pose = self.plane.pose(Pose(x, y, z, stamp=self.now))
        assert self.plane.is_near(pose.z)
        self.place = pose.position
        self.mission.update_pose(pose, self.now)
        self.mission.add_reading(float(self._field(*self.place)), self.now)
        self.note_state()


@pytest.mark.parametrize('tilt', [60.0, 90.0, 120.0])
def test_a_mission_on_a_wall_keeps_distance_heights_and_budget_in_space(tilt):
    settings = dataclasses.replace(
        config(vehicle={'altitude_m': 2.5}),
        plane=PlaneConfig(
            origin_x=500.0,
            origin_y=-200.0,
            origin_z=3.0,
            yaw_deg=110.0,
            tilt_deg=tilt,
            height_min_m=8.0,
            height_max_m=30.0,
        ),
    )
    flown = Facade(settings, start=(12.0, 15.0)).begin()
    flown.until(MissionState.DONE)
    track, plane = np.array(flown.track), flown.plane
    np.testing.assert_allclose(plane.project(track)[:, 2], 2.5, atol=1e-9)
    assert 8.0 - 1e-6 <= track[:, 2].min() and track[:, 2].max() <= 30.0 + 1e-6
    length = np.linalg.norm(np.diff(track, axis=0), axis=1).sum()
    record = flown.mission.record()
    assert length <= record.spent_m <= 300.0
    assert record.flown_m == pytest.approx(length, rel=0.02)
    assert record.stops >= 3
    # Whatever it does, the camera looks against the normal of the wall.
    views = Rotation.from_quat(flown.looks).apply([1.0, 0.0, 0.0])
    np.testing.assert_allclose(views, np.tile(-plane.axes[2], (len(views), 1)), atol=1e-9)
