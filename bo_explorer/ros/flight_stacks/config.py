# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Settings of the node between the explorer and a flight stack. Imports no ROS."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.config import VehicleConfig
from ...core.errors import ConfigError
from ...core.options import Options, group, option
from ...core.plane import PlaneConfig
from ..config import BatteryInputConfig, PoseInputConfig

PREFIX = 'flight_stack.'


@dataclass(frozen=True)
class SharedConfig(Options):
    """What the node and the explorer must agree on: the same keys, the same file."""

    frame_id: str = option('map', 'Frame of every pose in and out.')
    pose: PoseInputConfig = group(PoseInputConfig)
    battery: BatteryInputConfig = group(BatteryInputConfig)
    vehicle: VehicleConfig = group(VehicleConfig)
    plane: PlaneConfig = group(PlaneConfig)

    def check(self) -> None:
        if self.pose.type != 'pose_stamped':
            raise ConfigError(
                'pose.type',
                "'pose.type' must be pose_stamped where a flight_stack node gives the pose, "
                f'got {self.pose.type!r}.',
            )


@dataclass(frozen=True)
class FlightStackConfig(Options):
    """What all stacks share; stands under ``flight_stack.``, next to one group for each stack."""

    stack: str = option(
        '',
        'What flies the vehicle: mavros, px4, ardupilot, nav2, crazyswarm2, aerostack2, mavlink.',
        choices=('mavros', 'px4', 'ardupilot', 'nav2', 'crazyswarm2', 'aerostack2', 'mavlink'),
        required=True,
    )
    may_switch_mode: bool = option(
        False,
        'Whether the node may ask a disarmed vehicle for the mode it needs; else the pilot '
        'switches.',
    )
    may_arm: bool = option(
        False, 'Whether the node may ask the vehicle to arm, once; else the pilot arms.'
    )
    take_off_m: float = option(
        math.nan,
        'Climb that follows the arming, before waypoints count; not set: no take-off, the pilot '
        'brings the vehicle up.',
        unit='m',
        low=0.2,
        high=500.0,
        optional=True,
    )
    drives: bool = option(
        False,
        'Whether the vehicle drives or floats: it needs no take-off and is never on the ground.',
    )
    stream_hz: float = option(20.0, 'Rate of the setpoints.', unit='Hz', low=4.0, high=200.0)
    waypoint_timeout_s: float = option(
        1.0,
        'Without a waypoint for this long the vehicle holds the last setpoint.',
        unit='s',
        low=0.1,
        high=60.0,
    )
    pose_timeout_s: float = option(
        1.0,
        'Without a pose for this long no setpoint is made of it and nothing is asked for.',
        unit='s',
        low=0.1,
        high=60.0,
    )
    warm_up_s: float = option(
        1.5,
        'Setpoints are streamed for this long before the mode is asked for; PX4 needs 1 s.',
        unit='s',
        low=0.0,
        high=60.0,
    )
    give_up_s: float = option(
        20.0,
        'A mode or an arming that is refused for this long is not asked for any more.',
        unit='s',
        low=1.0,
        high=600.0,
    )
    battery_id: str = option(
        '',
        'Battery to watch where the stack reports several, by its number, location or frame; an '
        'empty string: the emptiest.',
    )
    yaw: str = option(
        'waypoint',
        'Take the heading of the waypoint, or leave the heading to the stack.',
        choices=('waypoint', 'free'),
    )
    explorer: str = option(
        'bo_explorer',
        'Node whose mission is paused while the vehicle is in other hands and resumed when it '
        'comes back; an empty string: none.',
    )

    def check(self) -> None:
        if self.drives and not math.isnan(self.take_off_m):
            raise ConfigError(
                'take_off_m',
                "'take_off_m' must not be set for a vehicle that drives, "
                f'got {self.take_off_m!r}.',
            )
