# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The flown side of a mission: where the vehicle is, which path it follows, what that has cost.

Every path begins with the lead-in: the part of the path flown so far up to the place the vehicle
can brake to. So every metre flown lies on a path that was checked, and the triangle inequality
keeps the budget exact: what is left at the stopping point pays for the way home.
"""

from __future__ import annotations

import math
from enum import Enum

import numpy as np

from .area import SearchArea
from .budget import BudgetLedger
from .config import ExplorerConfig
from .follower import PathFollower
from .odometer import Odometer
from .travel import TravelCost
from .types import FloatArray, Pose

_MAX_TRACK_POINTS = 4_000

# Time a new plan may take in flight before the vehicle brakes for it, seconds.
_PLANNING_S = 0.5


class Event(Enum):
    """What a new pose has brought about."""

    NOTHING = 'nothing'
    ARRIVED = 'arrived'
    JUMPED = 'the pose jumped'
    LEFT_PATH = 'the vehicle has left its path'


def flyable_area(config: ExplorerConfig, area: SearchArea) -> SearchArea:
    """
    Return where the vehicle may be: plans keep the whole margin, for position errors half will do.

    :param config: all settings of the planner.
    :param area: where straight legs are legal.
    :raises GeometryError: if its shapes cannot be worked out with half their margins.
    """
    return SearchArea(
        area.polygons,
        area.zones,
        margin_m=0.5 * config.area.margin_m,
        zone_margin_m=0.5 * config.no_fly.margin_m,
    )


class Flight:
    """
    Follows paths and books what they cost.

    :param config: all settings of the planner.
    :param area: where straight legs are legal.
    :param travel: what they cost.
    :param ledger: the account that is charged.
    """

    def __init__(
        self, config: ExplorerConfig, area: SearchArea, travel: TravelCost, ledger: BudgetLedger
    ) -> None:
        self._vehicle = config.vehicle
        self.change_area(config, area)
        self._travel = travel
        self._ledger = ledger
        self._odometer = Odometer(
            lambda start, end: travel.path_cost(np.stack([start, end])),
            0.5 * self._vehicle.arrival_radius_m,
        )
        self._distance = Odometer(
            lambda start, end: math.dist(start, end), 0.5 * self._vehicle.arrival_radius_m
        )
        self._charged_m = 0.0
        wind = math.hypot(self._vehicle.wind_east_mps, self._vehicle.wind_north_mps)
        self._wind_mps = wind
        # A metre against the wind costs the most.
        self.allowance_m = self._vehicle.arrival_radius_m / (1.0 - wind / self._vehicle.speed_mps)
        """What flying one path may cost more than the path itself, metres-equivalent."""
        self._follower: PathFollower | None = None
        self._anchor: FloatArray | None = None
        self.pose: Pose | None = None
        self.track: list[list[float]] = []

    def change_area(self, config: ExplorerConfig, area: SearchArea) -> None:
        """
        Judge legs by another area from now on; the path being flown stays.

        :param config: all settings of the planner.
        :param area: where straight legs are legal.
        """
        self._flyable = flyable_area(config, area)

    @property
    def flown_m(self) -> float:
        """Distance flown so far, metres."""
        return self._distance.total

    @property
    def flown_cost_m(self) -> float:
        """Cost of what was flown so far, stops left out, metres-equivalent."""
        return self._odometer.total

    @property
    def setpoint(self) -> FloatArray | None:
        """Place to fly to now, shape ``(2,)``, or ``None`` before the first pose."""
        return self._anchor if self._follower is None else self._follower.setpoint

    @property
    def target(self) -> FloatArray | None:
        """End of the path being followed, shape ``(2,)``, or ``None`` without one."""
        return None if self._follower is None else self._follower.target

    @property
    def stopping_distance_m(self) -> float:
        """Distance the vehicle needs to brake from cruise speed, metres."""
        return self._vehicle.stopping_distance_m

    @property
    def _lead_m(self) -> float:
        """Distance the vehicle makes while a new plan comes and it brakes for it, metres."""
        return self.stopping_distance_m + _PLANNING_S * self._vehicle.speed_mps

    @property
    def _settle_s(self) -> float:
        """Time to come to rest from the arrival radius, and a second for the wind, seconds."""
        vehicle = self._vehicle
        return 1.0 + math.sqrt(2.0 * vehicle.arrival_radius_m / vehicle.acceleration_mps2)

    def path(self) -> FloatArray:
        """Return the polyline still to fly, first the vehicle's place, shape ``(Q, 2)``."""
        return np.empty((0, 2)) if self._follower is None else self._follower.remaining()

    def path_cost(self) -> float:
        """Return the cost of the polyline still to fly, metres-equivalent."""
        return self.cost(self.path())

    def lead_in(self) -> FloatArray:
        """
        Return the way to the place from which a new path may start, and go no further for now.

        The vehicle waits there until :meth:`fly`, :meth:`go_on` or :meth:`brake`.

        :return: polyline, first the vehicle's place, last the start of a new path, shape
            ``(Q, 2)``.
        :raises ValueError: if there is no pose yet.
        """
        if self.pose is None:
            raise ValueError('a pose is needed before a path.')
        if self._follower is None:
            return self.pose.position[np.newaxis]
        return self._follower.hold_within(self._lead_m)

    def braking_path(self) -> FloatArray:
        """Return the way the vehicle makes before it can turn, shape ``(Q, 2)``, metres."""
        if self.pose is None:
            return np.empty((0, 2))
        if self._follower is None:
            return self.pose.position[np.newaxis]
        return self._follower.remaining_within(self._lead_m)

    def go_on(self) -> None:
        """Follow the present path: no new one has come of :meth:`lead_in`."""
        if self._follower is not None:
            self._follower.go_on()

    def cost(self, path: FloatArray) -> float:
        """Return the cost of a polyline, metres-equivalent; 0 for fewer than two vertices."""
        return self._travel.path_cost(path) if len(path) > 1 else 0.0

    def stay(self, place: FloatArray | None) -> None:
        """Stream a place, shape ``(2,)``, metres, before there is a mission; ``None``: nothing."""
        self._anchor = place

    def place(self, pose: Pose) -> None:
        """Start to count from here: the mission begins."""
        self.pose = pose
        self._anchor = pose.position
        self._odometer.update(pose.position)
        self._distance.update(pose.position)
        self._append_track(pose.position)

    def update(
        self, pose: Pose, now: float, *, has_jumped: bool = False, is_counted: bool = True
    ) -> Event:
        """
        Take over the vehicle's place, count the distance and pass vertices.

        :param pose: finite, in the map frame.
        :param now: seconds.
        :param has_jumped: whether the vehicle cannot have flown here since the last pose.
        :param is_counted: whether the way here belongs to the mission.
        :return: what has happened; the caller must react to a lost path.
        """
        self.pose = pose
        position = pose.position
        if is_counted:
            self._append_track(position)
        if has_jumped or not is_counted:
            self._odometer.jump(position)
            self._distance.jump(position)
        else:
            self._odometer.update(position)
            self._distance.update(position)
        if has_jumped:
            return Event.JUMPED
        event = Event.NOTHING
        follower, limit = self._follower, self._vehicle.deviation_m
        if follower is None:
            # Somebody else flies it: what is streamed must not lead straight back from anywhere.
            if self._anchor is not None and math.dist(position, self._anchor) > limit:
                event = Event.LEFT_PATH
        else:
            had_arrived = follower.has_arrived
            follower.update(position, now)
            self._count_turns(follower)
            if follower.has_arrived and not had_arrived:
                event = Event.ARRIVED
            if follower.deviation_m() > limit or follower.is_stuck(now):
                event = Event.LEFT_PATH
        self._charge()
        return event

    def fly(self, path: FloatArray, now: float) -> bool:
        """
        Follow the lead-in and then a new path.

        :param path: vertices, first the end of the lead-in, shape ``(Q, 2)``.
        :param now: seconds.
        :return: whether the vehicle is at the end of it already.
        """
        if self.pose is None:
            raise ValueError('a pose is needed before a path.')
        lead_in = np.stack([self.pose.position, path[0]])
        if self._follower is not None:
            lead_in = self._follower.remaining_to_gate()
        whole = np.vstack([lead_in, path[1:]])
        moved = np.linalg.norm(np.diff(whole, axis=0), axis=1) > 0.0
        self._follower = PathFollower(
            whole[np.concatenate([[True], moved])],
            arrival_radius_m=self._vehicle.arrival_radius_m,
            clearance_m=self._flyable.leg_clearance_m,
            stopping_distance_m=self.stopping_distance_m,
            settle_s=self._settle_s,
            leg_legal=lambda start, end: bool(self._flyable.legs_legal(start, end)[0]),
        )
        self._odometer.anchor()
        self._distance.anchor()
        self._follower.update(self.pose.position, now)
        self._count_turns(self._follower)
        return self._follower.has_arrived

    def brake(self, blind_s: float = 0.0, within: SearchArea | None = None) -> None:
        """
        End the present path at the place the vehicle can stop at.

        :param blind_s: time since the last pose, seconds: so much further it may be by now.
        :param within: stop before the path leaves this area, as far as momentum allows.
        """
        if self._follower is None:
            return
        fastest = self._vehicle.speed_mps + self._wind_mps
        # What turns back unseen is not booked: leave it time to hear of this.
        unheard_s = min(blind_s, _PLANNING_S)
        distance = self.stopping_distance_m + fastest * (blind_s + unheard_s)
        if within is not None:
            distance = self._legal_part_m(self._follower, distance, within)
        self._follower.stop_within(distance)

    def drop_path(self) -> None:
        """Hold where the vehicle is: the path no longer starts there."""
        self._follower = None
        self._anchor = None if self.pose is None else self.pose.position
        self._odometer.anchor()
        self._distance.anchor()

    def charge_to(self, ledger: BudgetLedger) -> None:
        """Book on another account what is flown from now on."""
        self._ledger = ledger

    def charge_stop(self) -> None:
        """Book one stop."""
        self._ledger.spend(self._travel.stop_cost_m)

    def _legal_part_m(self, follower: PathFollower, most_m: float, area: SearchArea) -> float:
        """Return how far the path may be flown in an area, up to ``most_m`` metres."""
        if area.path_legal(follower.remaining_within(most_m)):
            return most_m
        legal, forbidden = 0.0, most_m
        while forbidden - legal > 0.1 * self._vehicle.arrival_radius_m:
            middle = 0.5 * (legal + forbidden)
            if area.path_legal(follower.remaining_within(middle)):
                legal = middle
            else:
                forbidden = middle
        return legal

    def _count_turns(self, follower: PathFollower) -> None:
        for vertex in follower.turns:
            self._odometer.turn_at(vertex)
            self._distance.turn_at(vertex)

    def _charge(self) -> None:
        """Book what the odometer has counted since the last time."""
        flown = self._odometer.total
        if flown > self._charged_m:
            self._ledger.spend(flown - self._charged_m)
            self._charged_m = flown

    def _append_track(self, position: FloatArray) -> None:
        point = [float(position[0]), float(position[1])]
        spacing = 0.5 * self._vehicle.arrival_radius_m
        if self.track and math.dist(self.track[-1], point) < spacing:
            return
        self.track.append(point)
        if len(self.track) > _MAX_TRACK_POINTS:
            del self.track[1:-1:2]
