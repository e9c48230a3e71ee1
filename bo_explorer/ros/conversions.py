# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Between messages and value objects: stateless and total.

Nothing here raises on the content of a message, and every outgoing field is cast, since message
classes refuse numpy scalars and whole numbers in float fields. Poses and waypoints pass unchanged:
ROS and the planner share REP 103. What lies on the searched plane is lifted into the map. What is
not finite goes out only where the message says so (the unknown cells of a grid are -1); path,
markers and waypoint are always finite.
"""

from __future__ import annotations

import array
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from geometry_msgs.msg import Point, PointStamped, PoseStamped, Quaternion
from nav_msgs.msg import OccupancyGrid, Odometry, Path
from sensor_msgs.msg import BatteryState, PointCloud2, PointField
from std_msgs.msg import Header

from ..core.plane import GROUND, SearchPlane
from ..core.types import FloatArray, Pose, Waypoint

_UNIT_TOLERANCE = 0.1
_MAX_GRID_CELLS = 4_000_000


def seconds(stamp: Time, receipt: float) -> float:
    """
    Return a stamp in seconds; a stamp of zero means "not set" and gives the receipt time.

    :param stamp: of the message.
    :param receipt: when the message came in, seconds.
    """
    if stamp.sec == 0 and stamp.nanosec == 0:
        return receipt
    return float(stamp.sec) + 1e-9 * float(stamp.nanosec)


def to_time(stamp: float) -> Time:
    """Return seconds as a message; negative times become zero."""
    nanoseconds = max(round(stamp * 1e9), 0)
    return Time(sec=int(nanoseconds // 1_000_000_000), nanosec=int(nanoseconds % 1_000_000_000))


def header(stamp: float, frame_id: str) -> Header:
    """Return a header; the stamp is in seconds."""
    return Header(stamp=to_time(stamp), frame_id=frame_id)


def yaw_of(quaternion: Quaternion) -> float | None:
    """
    Return the yaw of an orientation, or ``None`` where it holds none.

    A quaternion within 0.1 of unit length is renormalised, since people type them by hand; one
    further off, all zeros or not finite says nothing.

    :param quaternion: orientation of the body in the map.
    :return: radians, counter-clockwise from x.
    """
    q = (quaternion.w, quaternion.x, quaternion.y, quaternion.z)
    norm = math.sqrt(sum(part * part for part in q))
    if not abs(norm - 1.0) <= _UNIT_TOLERANCE:
        return None
    w, x, y, z = (part / norm for part in q)
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def yaw_quaternion(yaw: float | None) -> Quaternion:
    """Return the orientation with this yaw; ``None`` gives the identity."""
    half = 0.5 * (yaw if yaw is not None and math.isfinite(yaw) else 0.0)
    return Quaternion(x=0.0, y=0.0, z=float(math.sin(half)), w=float(math.cos(half)))


def plane_quaternion(plane: SearchPlane) -> Quaternion:
    """Return the orientation of the axes of a plane in the map."""
    x, y, z, w = plane.orientation
    return Quaternion(x=x, y=y, z=z, w=w)


def to_pose(message: PoseStamped | Odometry, receipt: float) -> Pose | str:
    """
    Return the pose, or the reason why there is none.

    :param message: pose in the map frame.
    :param receipt: when it came in, seconds; used where the stamp is zero.
    """
    inner = message.pose.pose if isinstance(message, Odometry) else message.pose
    place = inner.position
    for axis in ('x', 'y', 'z'):
        if not math.isfinite(getattr(place, axis)):
            return f'position.{axis} is {getattr(place, axis)}'
    stamp = seconds(message.header.stamp, receipt)
    return Pose(place.x, place.y, place.z, yaw_of(inner.orientation), stamp)


def to_fraction(message: BatteryState, scale: float) -> float | None | str:
    """
    Return the state of charge, ``None`` where it is unknown, or the reason why it makes no sense.

    Unknown is NaN or negative: MAVROS turns the -1 of MAVLink into -0.01. Where the percentage is
    unknown, charge over capacity says it.

    :param message: with ``percentage`` from 0 to 1 by its own definition.
    :param scale: turns ``percentage`` into 0 to 1.
    """
    if not message.percentage >= 0.0:
        if not (message.charge >= 0.0 and 0.0 < message.capacity < math.inf):
            return None
        return min(message.charge / message.capacity, 1.0)
    fraction = message.percentage * scale
    if not fraction <= 1.01:
        return (
            f'percentage {message.percentage:g} times battery.scale {scale:g} is above 1; '
            'set battery.scale to 0.01 for a source that publishes 0 to 100'
        )
    return min(fraction, 1.0)


def to_pose_stamped(waypoint: Waypoint, stamp: float, frame_id: str) -> PoseStamped:
    """Return a waypoint in the map as a message; an unknown yaw becomes 0."""
    message = PoseStamped(header=header(stamp, frame_id))
    message.pose.position = to_point(waypoint.x, waypoint.y, waypoint.z)
    message.pose.orientation = yaw_quaternion(waypoint.yaw)
    if waypoint.orientation is not None:
        x, y, z, w = waypoint.orientation
        message.pose.orientation = Quaternion(x=float(x), y=float(y), z=float(z), w=float(w))
    return message


def to_path(vertices: FloatArray, plane: SearchPlane, stamp: float, frame_id: str) -> Path:
    """
    Return a polyline as a message, at the stand-off.

    Over the ground each orientation points along its leg, elsewhere at the plane.

    :param vertices: on the plane, shape ``(Q, 2)``, metres.
    :param plane: the one that is searched.
    """
    finite = vertices[np.isfinite(vertices).all(axis=1)]
    path = Path(header=header(stamp, frame_id))
    for index, (x, y) in enumerate(finite):
        leg = max(min(index, len(finite) - 2), 0)
        ahead = finite[min(leg + 1, len(finite) - 1)] - finite[leg]
        along = plane.lift(ahead[np.newaxis])[0] - plane.origin
        waypoint = plane.waypoint(Waypoint(x, y, yaw=math.atan2(along[1], along[0])))
        path.poses.append(to_pose_stamped(waypoint, stamp, frame_id))
    return path


def to_point_stamped(
    x: float, y: float, stamp: float, frame_id: str, plane: SearchPlane = GROUND
) -> PointStamped:
    """Return a place on the plane as a message."""
    point = to_point(*plane.lift(np.array([[x, y]]))[0])
    return PointStamped(header=header(stamp, frame_id), point=point)


def to_point_cloud(
    points: FloatArray,
    fields: Mapping[str, FloatArray],
    stamp: float,
    frame_id: str,
    plane: SearchPlane = GROUND,
) -> PointCloud2:
    """
    Return values at places as a cloud with float32 fields x, y, z and one for each entry.

    :param points: on the plane, shape ``(M, 2)``, metres.
    :param fields: values by name, each of shape ``(M,)``.
    :param plane: the one that is searched.
    """
    names = ['x', 'y', 'z', *fields]
    rows = np.column_stack([plane.lift(points), *fields.values()]).astype('<f4')  # (M, 3 + F)
    cloud = PointCloud2(header=header(stamp, frame_id), height=1, width=len(rows))
    cloud.fields = [
        PointField(name=name, offset=4 * i, datatype=PointField.FLOAT32, count=1)
        for i, name in enumerate(names)
    ]
    cloud.is_bigendian = False
    cloud.point_step = 4 * len(names)
    cloud.row_step = cloud.point_step * len(rows)
    cloud.is_dense = bool(np.isfinite(rows).all())
    # The setter checks a list or bytes byte by byte; an array.array passes at once.
    data = array.array('B')
    data.frombytes(rows.tobytes())
    cloud.data = data
    return cloud


def to_grid(
    points: FloatArray,
    values: FloatArray,
    spacing_m: float,
    stamp: float,
    frame_id: str,
    plane: SearchPlane = GROUND,
) -> OccupancyGrid | None:
    """
    Return values on a lattice as 0 (the least) to 100 (the greatest), -1 where there is none.

    The origin is the lower left corner of the cell (0, 0), half a spacing from its centre; its
    orientation is that of the plane.

    :param points: centres of cells on the plane, shape ``(M, 2)``, metres.
    :param values: shape ``(M,)``.
    :param spacing_m: size of a cell, metres.
    :param plane: the one that is searched.
    :return: the grid, or ``None`` without points or where it would be absurdly large.
    """
    if len(points) == 0:
        return None
    low = points.min(axis=0)
    columns, rows = np.rint((points - low) / spacing_m).astype(np.int64).T
    width, height = int(columns.max()) + 1, int(rows.max()) + 1
    if width * height > _MAX_GRID_CELLS:
        return None
    cells = np.full((height, width), -1, dtype=np.int8)
    known = np.isfinite(values)
    if known.any():
        least, greatest = values[known].min(), values[known].max()
        span = greatest - least
        scaled = (values[known] - least) / span if span > 0.0 else np.zeros(int(known.sum()))
        cells[rows[known], columns[known]] = np.rint(100.0 * scaled).astype(np.int8)
    grid = OccupancyGrid(header=header(stamp, frame_id))
    grid.info.map_load_time = to_time(stamp)
    grid.info.resolution = float(spacing_m)
    grid.info.width, grid.info.height = width, height
    corner = low - 0.5 * spacing_m
    grid.info.origin.position = to_point(*plane.lift(corner[np.newaxis])[0])
    grid.info.origin.orientation = plane_quaternion(plane)
    grid.data = array.array('b', cells.tobytes())
    return grid


def to_status(
    level: bytes, name: str, message: str, values: Mapping[str, Any]
) -> DiagnosticStatus:
    """Return one diagnostic; every value becomes text."""
    return DiagnosticStatus(
        level=level,
        name=name,
        message=message,
        hardware_id='',
        values=[KeyValue(key=str(k), value=_text(v)) for k, v in values.items()],
    )


def to_json(values: Mapping[str, Any]) -> str:
    """Return standard JSON: what is not a finite number becomes null."""
    try:
        return json.dumps(values, allow_nan=False)
    except ValueError:
        return json.dumps(_without_nan(values), allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(inner) for inner in value]
    return value


def _text(value: Any) -> str:
    return f'{value:.6g}' if isinstance(value, float) else str(value)


def to_point(x: float, y: float, z: float) -> Point:
    """Return a place in the map as a message."""
    return Point(x=float(x), y=float(y), z=float(z))
