# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One mission in the pretend world, without ROS: a real mission, a pretend vehicle, no waiting."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.config import ExplorerConfig
from ..core.mission import Mission, MissionState
from ..core.policy import Policy
from ..core.record import MissionRecord
from ..core.types import FloatArray, MapSnapshot, Pose
from .audit import FlightAudit
from .battery import Battery
from .config import SimulatorConfig
from .fields import Field
from .sensor import Sensor
from .streams import random_streams
from .vehicle import PointVehicle

# A mission flies its budget at some speed and stops now and then; many times that is a hang.
_PATIENCE = 20.0
_STEP_S = 0.1

# Places of the audit are this close in time, however rarely the planner hears of one.
_AUDIT_S = 0.1

# Jobs at one moment: a target within the arrival radius makes a few, a fault no end of them.
_MOST_JOBS = 1000

# Time to come to rest once the mission is over.
_LANDING_S = 60.0

Progress = Callable[[Mission, float], None]
"""Called after every step with the mission and the simulated time in seconds."""


@dataclass(frozen=True)
class EpisodeResult:
    """
    What came of an episode.

    :param record: the mission as the planner saw it.
    :param audit: the flight as it really was.
    :param cost_m: what that flight has cost, without stops, metres-equivalent.
    :param position: where the vehicle came to rest, shape ``(2,)``, metres.
    :param charge: of the battery in the end, 1 (full) to 0 (empty).
    :param map: belief at the end, or ``None`` if no reading was accepted.
    :param simulated_s: simulated time, seconds.
    :param is_timed_out: whether the mission had to be broken off.
    """

    record: MissionRecord
    audit: FlightAudit
    cost_m: float
    position: FloatArray
    charge: float
    map: MapSnapshot | None
    simulated_s: float
    is_timed_out: bool


def run_episode(
    config: ExplorerConfig,
    policy: Policy,
    field: Field,
    simulator: SimulatorConfig,
    *,
    step_s: float = _STEP_S,
    progress: Progress | None = None,
) -> EpisodeResult:
    """
    Fly one mission to its end.

    :param config: settings of the planner.
    :param policy: scores the candidates.
    :param field: the ground truth.
    :param simulator: settings of vehicle, battery and sensor.
    :param step_s: simulated time between two poses, seconds.
    :param progress: called after every step.
    :return: the record, the audit and the final map.
    :raises GeometryError: if the search area or a zone cannot be used.
    :raises RuntimeError: if the mission finds no end of work to do at one moment.
    """
    world = _World(Mission(config, policy), field, simulator)
    mission = world.mission
    limit_s = _time_limit(config, simulator)
    now = 0.0
    mission.start(now)
    while mission.state not in (MissionState.DONE, MissionState.HOLD) and now < limit_s:
        world.tell(now)
        _work(mission, now)
        if progress is not None:
            progress(mission, now)
        world.fly(step_s)
        now += step_s
    _work(mission, now + 2.0)
    is_timed_out = not now < limit_s
    landed_at = now
    while not world.vehicle.is_at_rest and now < landed_at + _LANDING_S:
        world.tell(now)
        world.fly(step_s)
        now += step_s
    return EpisodeResult(
        record=mission.record(),
        audit=world.audit,
        cost_m=world.cost_m,
        position=world.vehicle.position,
        charge=world.battery.fraction,
        map=mission.map(),
        simulated_s=landed_at,
        is_timed_out=is_timed_out,
    )


class _World:
    """The pretend world round one mission, which it steps and judges."""

    def __init__(self, mission: Mission, field: Field, simulator: SimulatorConfig) -> None:
        self.mission = mission
        self.vehicle = PointVehicle.from_config(simulator.vehicle)
        self.audit = FlightAudit(mission.explorer.area)
        self.cost_m = 0.0
        self._field = field
        self._simulator = simulator
        self.battery = Battery.from_config(simulator.battery, simulator.vehicle.speed_mps)
        self._sensor = Sensor(simulator.sensor, random_streams(simulator.seed).sensor)
        self.audit.add(self.vehicle.position)

    def tell(self, now: float) -> None:
        """Let the mission know what pose, sensor and battery say."""
        position = self.vehicle.position
        x, y = position
        pose = Pose(float(x), float(y), self._simulator.vehicle.altitude_m, stamp=now)
        self.mission.update_pose(pose, now)
        for value, stamp in self._sensor.read(self._field, position, now):
            self.mission.add_reading(value, stamp)
        if self._simulator.battery.report:
            self.mission.update_battery(self.battery.reported, now)

    def fly(self, step_s: float) -> None:
        """Move the vehicle; the setpoint stays what it is for the whole step."""
        waypoint = self.mission.setpoint()
        setpoint: FloatArray | None = None
        if waypoint is not None and not self.battery.is_empty:
            setpoint = np.array([waypoint.x, waypoint.y])
        n_parts = math.ceil(step_s / _AUDIT_S)
        for _ in range(n_parts):
            self._fly_part(setpoint, step_s / n_parts)

    def _fly_part(self, setpoint: FloatArray | None, part_s: float) -> None:
        vehicle = self.vehicle
        before, flown_before = vehicle.position, vehicle.flown_m
        vehicle.step(setpoint, part_s)
        flown = vehicle.flown_m - flown_before
        after = vehicle.position
        self.battery.fly(after - before, part_s)
        if flown > 0.0:
            self.audit.add(after)
            self.cost_m += self.mission.explorer.travel.path_cost(np.stack([before, after]))


def _work(mission: Mission, now: float) -> None:
    """Do all the work that is due; the pretend world waits for it."""
    for _ in range(_MOST_JOBS):
        job = mission.begin(now)
        if job is None:
            return
        started = time.perf_counter()
        job.run()
        mission.finish(job, time.perf_counter() - started)
    raise RuntimeError(f'{_MOST_JOBS} jobs at {now!r} s left the mission {mission.state.value}.')


def _time_limit(config: ExplorerConfig, simulator: SimulatorConfig) -> float:
    """Return a time no sound mission needs, seconds."""
    flying = config.total_m / simulator.vehicle.speed_mps
    stops = config.total_m / config.budget.stop_cost_m
    stopping = stops * (
        config.vehicle.dwell_s + simulator.vehicle.speed_mps / simulator.vehicle.acceleration_mps2
    )
    return 60.0 + _PATIENCE * flying + 2.0 * stopping
