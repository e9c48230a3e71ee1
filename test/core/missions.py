# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Missions for tests: a vehicle that is wherever it is led, and a field that is a function."""

from __future__ import annotations

import dataclasses

import numpy as np

from bo_explorer.core.config import (
    AreaConfig,
    BudgetConfig,
    ExplorerConfig,
    ModelConfig,
    PolicyConfig,
    VehicleConfig,
)
from bo_explorer.core.mission import Mission
from bo_explorer.core.policy import make_policy
from bo_explorer.core.pose_gate import CONFIRMATIONS
from bo_explorer.core.types import Pose

SQUARE = (0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0)
CONFIG = ExplorerConfig(
    area=AreaConfig(polygon=SQUARE, resolution_m=4.0),
    budget=BudgetConfig(total_m=300.0),
    vehicle=VehicleConfig(dwell_s=0.5),
    model=ModelConfig(fit=False, lengthscale_m=10.0, noise_std=0.1),
    policy=PolicyConfig(name='ucb', replan_period_s=0.0),
)


def config(**groups):
    """Return the settings with some options of some groups replaced."""
    changed = {
        name: dataclasses.replace(getattr(CONFIG, name), **options)
        for name, options in groups.items()
    }
    return dataclasses.replace(CONFIG, **changed)


def bowl(x, y):
    """Return a field with one summit at (30, 10)."""
    return -((x - 30.0) ** 2 + (y - 10.0) ** 2) / 100.0


class Flown:
    """
    A mission and the vehicle under it, which flies straight at the setpoint at 4 m/s.

    :param settings: of the planner.
    :param start: of the vehicle.
    """

    def __init__(self, settings=CONFIG, *, start=(4.0, 4.0), field=bowl, policy=None):
        self.mission = Mission(settings, policy or make_policy(settings.policy.name))
        self.place = np.array(start, dtype=np.float64)
        self.now = 0.0
        self.states = []
        self._field = field

    def work(self, *, finish=True):
        """Do one piece of work; return it."""
        job = self.mission.begin(self.now)
        self.note_state()
        if job is not None:
            job.run()
            if finish:
                self.mission.finish(job, 0.0)
        return job

    def tell(self):
        if self.mission.pose_rejections.get('unsure', 0) < CONFIRMATIONS - 1:
            self._introduce()
        pose = Pose(float(self.place[0]), float(self.place[1]), stamp=self.now)
        self.mission.update_pose(pose, self.now)
        self.mission.add_reading(float(self._field(*self.place)), self.now)
        self.note_state()

    def _introduce(self):
        """Let the localisation say where the vehicle is until it is believed."""
        for k in range(CONFIRMATIONS - 1, 0, -1):
            stamp = self.now - 1e-3 * k
            pose = Pose(float(self.place[0]), float(self.place[1]), stamp=stamp)
            self.mission.update_pose(pose, self.now)

    def step(self, seconds=0.1):
        """Fly on for a moment and do all the work."""
        self.fly(seconds)
        while self.work() is not None:
            self.note_state()

    def fly(self, seconds=0.1):
        """Fly on for a moment."""
        self.now += seconds
        goal = self.mission.setpoint()
        if goal is not None:
            ahead = np.array([goal.x, goal.y]) - self.place
            distance = float(np.linalg.norm(ahead))
            if distance > 0.0:
                self.place = self.place + ahead * min(4.0 * seconds / distance, 1.0)
        self.tell()

    def wait(self, seconds):
        """Let time pass, as clocks do: in steps."""
        end = self.now + seconds
        while self.now < end:
            self.fly(min(5.0, end - self.now))

    def jump(self, x, y):
        """Put the localisation elsewhere, until it is believed."""
        self.place = np.array([x, y], dtype=np.float64)
        for _ in range(CONFIRMATIONS):
            self.now += 0.1
            self.tell()

    def note_state(self):
        if not self.states or self.states[-1] is not self.mission.state:
            self.states.append(self.mission.state)

    def begin(self):
        """Start and choose the first target."""
        self.tell()
        self.mission.start(self.now)
        self.step()
        return self

    def until(self, *states, seconds=600.0):
        """Fly on until the mission is in one of the states."""
        end = self.now + seconds
        while self.mission.state not in states:
            assert self.now < end, f'{self.mission.state} {self.mission.reason}'
            self.step()
        return self
