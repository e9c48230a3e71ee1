# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the explorer says."""

from __future__ import annotations

import math
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PointStamped, PoseStamped
from nav_msgs.msg import OccupancyGrid, Path
from rclpy.lifecycle import LifecycleNode
from rclpy.qos import QoSProfile
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String
from visualization_msgs.msg import MarkerArray

from ..core.mission import Mission, MissionState
from ..core.plane import SearchPlane
from ..core.types import MapSnapshot
from ..core.watchdog import Fault
from . import conversions, markers, qos
from .inputs import MissionInputs
from .recorder import MissionRecorder

# Time between two messages of a map that stays the same, seconds.
_REPEAT_S = 5.0


class MissionPublishers:
    """
    Owns every output of the explorer node.

    :param node: owns the publishers, which are silent while it is not active.
    :param frame_id: the map frame.
    :param plane: the one that is searched.
    :param recorder: records what is said.
    """

    def __init__(
        self, node: LifecycleNode, frame_id: str, plane: SearchPlane, recorder: MissionRecorder
    ) -> None:
        self._node = node
        self._frame = frame_id
        self._plane = plane
        self._recorder = recorder
        self._publishers: list[Any] = []
        self._last_map: MapSnapshot | None = None
        self._mapped_at = -math.inf
        self._waypoint = self._create(PoseStamped, qos.WAYPOINT, qos.STREAM)
        self._path = self._create(Path, qos.PATH, qos.LATCHED)
        self._map = self._create(PointCloud2, qos.MAP, qos.LATCHED)
        self._mean_grid = self._create(OccupancyGrid, qos.MEAN_GRID, qos.LATCHED)
        self._std_grid = self._create(OccupancyGrid, qos.STD_GRID, qos.LATCHED)
        self._markers = self._create(MarkerArray, qos.MARKERS, qos.LATCHED)
        self._best = self._create(PointStamped, qos.BEST_ESTIMATE, qos.LATCHED)
        self._record = self._create(String, qos.RECORD, qos.LATCHED)
        self._diagnostics = self._create(DiagnosticArray, qos.DIAGNOSTICS, qos.EVENTS)

    def destroy(self) -> None:
        """Remove the publishers."""
        for publisher in self._publishers:
            self._node.destroy_lifecycle_publisher(publisher)
        self._publishers.clear()

    def waypoint(self, mission: Mission, stamp: float) -> None:
        """Publish where the vehicle should fly now, if there is anything to say."""
        setpoint = mission.setpoint()
        if setpoint is not None:
            waypoint = self._plane.waypoint(setpoint)
            self._waypoint.publish(conversions.to_pose_stamped(waypoint, stamp, self._frame))

    def record(self, mission: Mission) -> None:
        """Publish the record of the mission as JSON."""
        self._record.publish(String(data=conversions.to_json(mission.record().to_dict())))

    def plan(self, mission: Mission, stamp: float) -> None:
        """Publish the path still to fly, the best estimate and the markers."""
        record = mission.record()
        self._path.publish(conversions.to_path(mission.path(), self._plane, stamp, self._frame))
        if record.best is not None:
            self._best.publish(
                conversions.to_point_stamped(
                    record.best.x, record.best.y, stamp, self._frame, self._plane
                )
            )
        self._markers.publish(
            markers.mission_markers(
                record,
                mission.target,
                size_m=0.5 * mission.explorer.spacing_m,
                stamp=stamp,
                frame_id=self._frame,
                plane=self._plane,
            )
        )

    def map(self, mission: Mission, stamp: float) -> None:
        """Publish the map and the grids if the map is new, or some seconds old."""
        snapshot, now = mission.map(), time.monotonic()
        # Who joins late and does not ask for kept messages still gets a map.
        is_due = snapshot is not self._last_map or now - self._mapped_at >= _REPEAT_S
        if snapshot is None or not is_due:
            return
        self._mapped_at = now
        self._last_map = snapshot
        fields = {'mean': snapshot.mean, 'std': snapshot.std}
        self._map.publish(
            conversions.to_point_cloud(snapshot.points, fields, stamp, self._frame, self._plane)
        )
        for publisher, values in (
            (self._mean_grid, snapshot.mean),
            (self._std_grid, snapshot.std),
        ):
            grid = conversions.to_grid(
                snapshot.points, values, snapshot.spacing_m, stamp, self._frame, self._plane
            )
            if grid is not None:
                publisher.publish(grid)

    def clear(self, stamp: float) -> None:
        """Remove every marker on the screen: the mission begins anew."""
        self._last_map = None
        self._markers.publish(markers.clear_all(stamp, self._frame))

    def diagnostics(
        self, mission: Mission, inputs: MissionInputs, stamp: float, memory_problem: str = ''
    ) -> None:
        """Publish what the mission does and what the inputs are like (REP 107)."""
        name = self._node.get_fully_qualified_name()
        message = DiagnosticArray(header=conversions.header(stamp, self._frame))
        message.status = [
            _mission_status(f'{name}: mission', mission),
            _input_status(f'{name}: inputs', inputs),
            _watchdog_status(f'{name}: watchdogs', mission, memory_problem),
            *self._recorder.status(name),
        ]
        self._diagnostics.publish(message)

    def _create(self, message_type: type, topic: str, profile: QoSProfile) -> Any:
        events = qos.publisher_events(topic, self._node.get_logger().error)
        publisher = self._node.create_lifecycle_publisher(
            message_type, topic, profile, event_callbacks=events
        )
        self._publishers.append(publisher)
        return self._recorder.tap_output(publisher, message_type, topic, profile)


def _mission_status(name: str, mission: Mission) -> DiagnosticStatus:
    record, ledger = mission.record(), mission.ledger
    values: dict[str, Any] = {
        'state': record.state,
        'outcome': record.outcome,
        'budget_total_m': ledger.total,
        'budget_spent_m': ledger.spent,
        'budget_committed_m': ledger.committed,
        'budget_remaining_m': ledger.remaining,
        'budget_reserve_m': ledger.reserve,
        **mission.energy.summary(),
        'flown_m': record.flown_m,
        'targets': len(record.waypoints),
        'readings': record.n_readings,
        'samples': len(record.samples),
        'decisions': len(record.decision_ms),
    }
    if record.decision_ms:
        values['decision_ms'] = record.decision_ms[-1]
        values['decision_ms_max'] = max(record.decision_ms)
    values.update({f'rejected_{reason}': n for reason, n in sorted(record.rejections.items())})
    snapshot = mission.map()
    # Zones may cover every place there was.
    if snapshot is not None and len(snapshot.points):
        for key, layer in (('mean_grid', snapshot.mean), ('std_grid', snapshot.std)):
            values[f'{key}_min'], values[f'{key}_max'] = float(layer.min()), float(layer.max())
    is_held = mission.state is MissionState.HOLD
    level = DiagnosticStatus.ERROR if is_held else DiagnosticStatus.OK
    return conversions.to_status(level, name, f'{record.state}: {record.reason}', values)


def _watchdog_status(name: str, mission: Mission, memory_problem: str) -> DiagnosticStatus:
    values: dict[str, Any] = {fault.value: mission.faults.get(fault, 'ok') for fault in Fault}
    values.update({f'rejected_pose_{reason}': n for reason, n in mission.pose_rejections.items()})
    values['memory'] = memory_problem or 'ok'
    is_well = not mission.faults and not memory_problem
    level = DiagnosticStatus.OK if is_well else DiagnosticStatus.WARN
    if mission.state is MissionState.SUSPENDED:
        level = DiagnosticStatus.ERROR
    problems = [f'{fault.value}: {text}' for fault, text in mission.faults.items()]
    problems += [memory_problem] * bool(memory_problem)
    return conversions.to_status(level, name, '; '.join(problems) or 'ok', values)


def _input_status(name: str, inputs: MissionInputs) -> DiagnosticStatus:
    problem, age = inputs.pose_problem(), inputs.pose_age_s
    values: dict[str, Any] = {
        'pose_age_s': 'never' if age is None else age,
        'battery': 'unknown' if inputs.battery is None else inputs.battery,
    }
    values.update({f'rejected_{reason}': n for reason, n in sorted(inputs.rejections.items())})
    level = DiagnosticStatus.WARN if problem else DiagnosticStatus.OK
    return conversions.to_status(level, name, problem or 'ok', values)
