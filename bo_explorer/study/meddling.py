# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What operator, battery and bad luck do to a simulated mission, carried out."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence

import shapely

from ..core.config import ExplorerConfig
from ..core.errors import BoExplorerError
from ..core.memory import MissionMemory, resumed
from ..core.mission import Mission, MissionState
from ..core.mission_flow import area_of
from ..core.policy import Policy
from ..core.types import Pose
from ..sim.episode import PretendWorld
from .world_generator import Command

# A zone comes no nearer to a moving vehicle than this many of its braking distances: what momentum
# carries it into is nobody's fault.
_BRAKING = 2.0


class Meddler:
    """
    Gives the commands of a world when their time has come.

    :param commands: in the order of their times.
    :param policy: of the mission, for the one that takes its place.
    """

    def __init__(self, commands: Sequence[Command], policy: Policy) -> None:
        self._waiting = list(commands)
        self._policy = policy

    def __call__(self, world: PretendWorld, now: float) -> bool:
        """Give the commands that are due; return whether there are more."""
        while self._waiting and self._waiting[0].time_s <= now:
            self._obey(world, self._waiting.pop(0), now)
        return bool(self._waiting)

    def _obey(self, world: PretendWorld, command: Command, now: float) -> None:
        mission, clock, amount = world.mission, world.clock_s(now), command.amount
        if command.action == 'pause':
            mission.pause(clock)
        elif command.action == 'resume':
            mission.resume(clock)
        elif command.action == 'return_home':
            mission.return_home(clock)
        elif command.action == 'low_battery':
            mission.update_battery(0.5 * mission.config.budget.battery_low, clock)
        elif command.action == 'pose_gap':
            world.pose_silent_until = now + amount
        elif command.action == 'sensor_gap':
            world.sensor_silent_until = now + amount
        elif command.action == 'wild_pose':
            x, y = command.place
            mission.update_pose(Pose(x + amount, y - amount, stamp=clock + 1e-3), clock)
        elif command.action == 'clock_jump':
            world.clock_ahead_s += amount
        elif command.action == 'kill':
            self._kill(world, now, amount)
        else:
            self._change(world, command)

    def _kill(self, world: PretendWorld, now: float, down_s: float) -> None:
        """End the process and start another one after a while."""
        config, before = world.mission.config, world.mission.memory
        clock = world.clock_s(now)
        if before is None:
            world.mission = Mission(config, self._policy)
            world.mission.start(clock)
            return
        values = json.loads(json.dumps(before.to_dict(), allow_nan=False))
        config = resumed(config, MissionMemory.from_dict(values))
        world.mission = Mission(config, self._policy)
        world.mission.restore(values, clock)
        world.down_until = now + down_s

    def _change(self, world: PretendWorld, command: Command) -> None:
        mission = world.mission
        config = mission.config
        if command.action == 'move_home':
            x, y = command.place
            home = dataclasses.replace(config.home, mode='fixed', x=x, y=y)
            config = dataclasses.replace(config, home=home)
        else:
            zones = () if command.action == 'clear_zones' else config.no_fly.polygons
            if command.action == 'add_zone':
                x, y = command.place
                half = 0.5 * command.amount
                box = shapely.box(x - half, y - half, x + half, y + half)
                if not _is_fair(world, config, box):
                    return
                corners = shapely.get_coordinates(box)[:-1]
                zones = (*zones, '; '.join(f'{float(x)!r},{float(y)!r}' for x, y in corners))
            no_fly = dataclasses.replace(config.no_fly, polygons=zones)
            config = dataclasses.replace(config, no_fly=no_fly)
        try:
            is_done = mission.reconfigure(config, self._policy)
        except BoExplorerError:
            return
        if is_done and mission.state is not MissionState.IDLE:
            world.audit.change(area_of(config))


def _is_fair(world: PretendWorld, config: ExplorerConfig, box: shapely.Geometry) -> bool:
    """Tell whether the vehicle can keep out of a zone, or rests inside it and can leave."""
    vehicle = world.vehicle
    margin = config.no_fly.margin_m
    away = float(shapely.distance(box, shapely.Point(vehicle.position))) - margin
    if vehicle.is_at_rest:
        return away <= -margin or away > 0.0
    braking = config.vehicle.speed_mps**2 / (2.0 * config.vehicle.acceleration_mps2)
    return away > _BRAKING * braking + math.sqrt(2.0) * config.vehicle.speed_mps
