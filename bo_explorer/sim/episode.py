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

Meddle = Callable[['PretendWorld', float], bool]
"""Called before every step with the world and the simulated time; tells whether more will come."""

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
    meddle: Meddle | None = None,
) -> EpisodeResult:
    """
    Fly one mission to its end.

    :param config: settings of the planner.
    :param policy: scores the candidates.
    :param field: the ground truth.
    :param simulator: settings of vehicle, battery and sensor.
    :param step_s: simulated time between two poses, seconds.
    :param progress: called after every step.
    :param meddle: called before every step.
    :return: the record, the audit and the final map.
    :raises GeometryError: if the search area or a zone cannot be used.
    :raises RuntimeError: if the mission finds no end of work to do at one moment.
    """
    world = PretendWorld(Mission(config, policy), field, simulator)
    limit_s = _time_limit(config, simulator)
    now, is_more_to_come = 0.0, False
    world.mission.start(now)
    while not world.is_over(is_more_to_come) and now < limit_s:
        if meddle is not None:
            is_more_to_come = meddle(world, now)
        world.tell(now)
        world.work(now)
        if progress is not None:
            progress(world.mission, world.clock_s(now))
        world.fly(step_s, now)
        now += step_s
    world.work(now + 2.0)
    mission = world.mission
    is_timed_out = not now < limit_s
    landed_at = now
    while not world.vehicle.is_at_rest and now < landed_at + _LANDING_S:
        world.tell(now)
        world.fly(step_s, now)
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


class PretendWorld:
    """
    The pretend world round one mission, which it steps and judges.

    :param mission: to be flown; another one may take its place.
    :param field: the ground truth.
    :param simulator: settings of vehicle, battery and sensor.
    """

    def __init__(self, mission: Mission, field: Field, simulator: SimulatorConfig) -> None:
        self.mission = mission
        self.vehicle = PointVehicle.from_config(simulator.vehicle)
        self.audit = FlightAudit(mission.explorer.area)
        self.cost_m = 0.0
        self.pose_silent_until = self.sensor_silent_until = self.down_until = -math.inf
        """Times until which there is no pose, no reading, no process, seconds."""
        self.clock_ahead_s = 0.0
        """How far the clock of mission and messages is ahead of the simulated time, seconds."""
        self._travel = mission.explorer.travel
        self._field = field
        self._simulator = simulator
        self.battery = Battery.from_config(simulator.battery, simulator.vehicle.speed_mps)
        self._sensor = Sensor(simulator.sensor, random_streams(simulator.seed).sensor)
        self.audit.add(self.vehicle.position)

    def is_over(self, is_more_to_come: bool) -> bool:
        """Tell whether the mission has ended; a hold may end where there is more to come."""
        state = self.mission.state
        is_held = state is MissionState.HOLD and not is_more_to_come
        return state is MissionState.DONE or is_held

    def clock_s(self, now: float) -> float:
        """Return what the clock shows, seconds."""
        return now + self.clock_ahead_s

    def pose(self, now: float) -> Pose:
        """Return the pose as the localisation tells it."""
        x, y = self.vehicle.position
        height = self._simulator.vehicle.altitude_m
        return Pose(float(x), float(y), height, stamp=self.clock_s(now))

    def tell(self, now: float) -> None:
        """Let the mission know what pose, sensor and battery say."""
        if now < self.down_until:
            return
        clock, mission = self.clock_s(now), self.mission
        if now >= self.pose_silent_until:
            mission.update_pose(self.pose(now), clock)
        for value, stamp in self._sensor.read(self._field, self.vehicle.position, now):
            if now >= self.sensor_silent_until:
                mission.add_reading(value, self.clock_s(stamp))
        if self._simulator.battery.report:
            mission.update_battery(self.battery.reported, clock)

    def work(self, now: float) -> None:
        """Let the mission do all the work that is due."""
        if now >= self.down_until:
            _work(self.mission, self.clock_s(now))

    def fly(self, step_s: float, now: float) -> None:
        """Move the vehicle; the setpoint stays what it is for the whole step."""
        waypoint = self.mission.setpoint()
        setpoint: FloatArray | None = None
        is_led = now >= self.down_until and not self.battery.is_empty
        if waypoint is not None and is_led:
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
            self.cost_m += self._travel.path_cost(np.stack([before, after]))


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
