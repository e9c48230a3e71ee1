# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Settings of the ROS floor: topics, types, rates. Imports no ROS.

They share one flat parameter space with :class:`bo_explorer.core.config.ExplorerConfig`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.errors import ConfigError
from ..core.options import Options, group, option
from ..core.plane import PlaneConfig


@dataclass(frozen=True)
class PoseInputConfig(Options):
    """Where the pose of the vehicle comes from."""

    topic: str = option('pose', 'Topic of the pose; relative names live in the namespace.')
    type: str = option(
        'pose_stamped',
        'Message: geometry_msgs/PoseStamped or nav_msgs/Odometry.',
        choices=('pose_stamped', 'odometry'),
    )

    def check(self) -> None:
        _require_name('topic', self.topic)


@dataclass(frozen=True)
class SensorInputConfig(Options):
    """Where the readings come from."""

    topic: str = option('reading', 'Topic of the sensor.')
    type: str = option(
        'std_msgs/msg/Float64', 'Message of the sensor, any importable package/msg/Type.'
    )
    field: str = option(
        'data',
        'Field of the message that holds the value; dots lead into nested messages, a number '
        'picks an element of an array (ranges.0).',
    )

    def check(self) -> None:
        for key in ('topic', 'type', 'field'):
            _require_name(key, getattr(self, key))


@dataclass(frozen=True)
class BatteryInputConfig(Options):
    """Where the state of charge comes from."""

    topic: str = option(
        'battery', 'Topic of the sensor_msgs/BatteryState; an empty string: no battery is heard.'
    )
    scale: float = option(
        1.0,
        'The percentage field times this is 0 to 1; 0.01 for sources that publish 0 to 100.',
        low=0.0,
        open_low=True,
        high=1e6,
    )


@dataclass(frozen=True)
class OutputConfig(Options):
    """What is published how often, on the wall clock."""

    stream_hz: float = option(
        20.0, 'Rate of the waypoint stream.', unit='Hz', low=10.0, high=200.0
    )
    map_period_s: float = option(
        1.0,
        'Least time between two maps, grids and marker sets.',
        unit='s',
        low=0.1,
        high=3600.0,
    )
    record_period_s: float = option(
        1.0, 'Time between two mission records.', unit='s', low=0.1, high=3600.0
    )
    planning_threads: int = option(
        1,
        'Processor threads one plan may use; more shorten the plan and crowd the stream.',
        low=1,
        high=256,
    )


@dataclass(frozen=True)
class RecordingConfig(Options):
    """What is recorded, and where."""

    folder: str = option(
        '',
        'Folder that gets a recording (rosbag2 MCAP) of each time the node is configured; an '
        'empty string: none.',
    )
    map_period_s: float = option(
        2.0,
        'Least time between two recorded maps, grids and marker sets, on the wall clock; mission '
        'records come a fifth as often, everything else whenever it is heard or said.',
        unit='s',
        low=0.0,
        high=3600.0,
    )


@dataclass(frozen=True)
class MemoryConfig(Options):
    """Where a mission is remembered."""

    folder: str = option(
        '',
        'Folder the mission is saved in as it goes, so that a node that is started again goes on '
        'with it; an empty string: nothing is saved.',
    )


@dataclass(frozen=True)
class NodeConfig(Options):
    """Everything the explorer node needs to know besides the planner's settings."""

    frame_id: str = option(
        'map', 'Frame of every pose in and out; x east, y north, z up (REP 103).'
    )
    autostart: bool = option(True, 'The node configures and activates itself.')
    autostart_mission: bool = option(
        True, 'The mission starts when the node becomes active; else it waits for ~/start.'
    )
    pose: PoseInputConfig = group(PoseInputConfig)
    sensor: SensorInputConfig = group(SensorInputConfig)
    battery: BatteryInputConfig = group(BatteryInputConfig)
    output: OutputConfig = group(OutputConfig)
    memory: MemoryConfig = group(MemoryConfig)
    recording: RecordingConfig = group(RecordingConfig)

    def check(self) -> None:
        _require_name('frame_id', self.frame_id)


@dataclass(frozen=True)
class SimulatorTopicsConfig(Options):
    """How the simulator node meets the explorer: the same keys, the same file."""

    frame_id: str = option('map', 'Frame of every pose in and out.')
    plane: PlaneConfig = group(PlaneConfig)
    pose: PoseInputConfig = group(PoseInputConfig)
    sensor: SensorInputConfig = group(SensorInputConfig)
    battery: BatteryInputConfig = group(BatteryInputConfig)

    def check(self) -> None:
        _require_name('frame_id', self.frame_id)


@dataclass(frozen=True)
class SimulatorNodeConfig(Options):
    """Time and rates of the simulator node; stands under ``simulator.node.``."""

    step_s: float = option(0.02, 'Step of the simulated world.', unit='s', low=0.001, high=0.2)
    pose_hz: float = option(20.0, 'Poses per simulated second.', unit='Hz', low=1.0, high=200.0)
    waypoint_timeout_s: float = option(
        1.0,
        'Without a waypoint for this long the vehicle stops where it is.',
        unit='s',
        low=0.0,
        open_low=True,
        high=3600.0,
    )
    publish_clock: bool = option(False, 'Publish /clock, for nodes that run with use_sim_time.')
    speed_factor: float = option(
        1.0,
        'Simulated seconds per second; other than 1 only with publish_clock.',
        low=0.1,
        high=50.0,
    )

    def check(self) -> None:
        if self.speed_factor != 1.0 and not self.publish_clock:
            raise ConfigError(
                'speed_factor',
                "'speed_factor' must be 1 unless publish_clock is true, "
                f'got {self.speed_factor!r}.',
            )


def _require_name(key: str, value: str) -> None:
    if not value.strip():
        raise ConfigError(key, f"'{key}' must be a name, got {value!r}.")
