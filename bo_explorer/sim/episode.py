# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One mission in the pretend world, without ROS: the real mission, a pretend vehicle, no waiting."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.config import ExplorerConfig
from ..core.explorer import MapSnapshot
from ..core.mission import Mission, MissionState
from ..core.policy import Policy
from ..core.record import MissionRecord
from ..core.types import FloatArray, Pose
from .audit import FlightAudit
from .battery import Battery
from .config import SimulatorConfig
from .fields import Field
from .sensor import Sensor
from .vehicle import PointVehicle

# A mission flies its budget at some speed and stops now and then; many times that is a hang.
_PATIENCE = 20.0
_STEP_S = 0.1

Progress = Callable[[Mission, float], None]
"""Called after every step with the mission and the simulated time in seconds."""


@dataclass(frozen=True)
class EpisodeResult:
    """
    What came of an episode.

    :param record: the mission as the planner saw it.
    :param audit: the flight as it really was.
    :param map: belief at the end, or ``None`` if no reading was accepted.
    :param simulated_s: simulated time, seconds.
    :param is_timed_out: whether the mission had to be broken off.
    """

    record: MissionRecord
    audit: FlightAudit
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
    """
    mission = Mission(config, policy)
    vehicle = PointVehicle.from_config(simulator.vehicle)
    battery = Battery.from_config(simulator.battery)
    sensor = Sensor(simulator.sensor, np.random.default_rng(simulator.seed))
    audit = FlightAudit(mission.explorer.area)
    limit_s = _time_limit(config, simulator)
    now = 0.0
    mission.start(now)
    while mission.state not in (MissionState.DONE, MissionState.HOLD) and now < limit_s:
        audit.add(vehicle.position)
        mission.update_pose(_pose(vehicle, simulator.vehicle.altitude_m, now), now)
        for value, stamp in sensor.read(field, vehicle.position, now):
            mission.add_reading(value, stamp)
        if simulator.battery.report:
            mission.update_battery(battery.fraction, now)
        _work(mission, now)
        if progress is not None:
            progress(mission, now)
        _advance(vehicle, battery, mission, step_s)
        now += step_s
    _work(mission, now + 2.0)
    return EpisodeResult(
        record=mission.record(),
        audit=audit,
        map=mission.map(),
        simulated_s=now,
        is_timed_out=not now < limit_s,
    )


def _work(mission: Mission, now: float) -> None:
    """Do all the work that is due; the pretend world waits for it."""
    while (job := mission.begin(now)) is not None:
        started = time.perf_counter()
        job.run()
        mission.finish(job, time.perf_counter() - started)


def _advance(vehicle: PointVehicle, battery: Battery, mission: Mission, step_s: float) -> None:
    waypoint = mission.setpoint()
    setpoint: FloatArray | None = None
    if waypoint is not None and not battery.is_empty:
        setpoint = np.array([waypoint.x, waypoint.y])
    before = vehicle.flown_m
    vehicle.step(setpoint, step_s)
    flown = vehicle.flown_m - before
    battery.drain(flown_m=flown, hover_s=0.0 if flown > 0.0 else step_s)


def _pose(vehicle: PointVehicle, altitude_m: float, now: float) -> Pose:
    x, y = vehicle.position
    return Pose(float(x), float(y), altitude_m, stamp=now)


def _time_limit(config: ExplorerConfig, simulator: SimulatorConfig) -> float:
    """Return a time no sound mission needs, seconds."""
    flying = config.budget.total_m / simulator.vehicle.speed_mps
    stops = config.budget.total_m / config.budget.stop_cost_m
    stopping = stops * (
        config.vehicle.dwell_s + simulator.vehicle.speed_mps / simulator.vehicle.acceleration_mps2
    )
    return 60.0 + _PATIENCE * flying + 2.0 * stopping
