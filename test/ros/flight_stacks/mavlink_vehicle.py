# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A vehicle that speaks MAVLink as PX4 or ArduPilot does, written apart from the bridge."""

from __future__ import annotations

import math
import os
import time
from typing import Any

from .vehicles import Vehicle

os.environ['MAVLINK20'] = '1'
COMMANDS = {176: 'DO_SET_MODE', 400: 'ARM', 22: 'TAKEOFF', 511: 'SET_MESSAGE_INTERVAL'}
ACCEPTED, DENIED = 0, 2


class MavlinkVehicle(Vehicle):
    """
    Sends to every address what the vehicle says and obeys whoever commands it.

    :param node: lends its timer.
    :param urls: connections of pymavlink.
    :param autopilot: px4 or ardupilot.
    """

    silence_s = 0.5

    def __init__(self, node: Any, urls: list[str], autopilot: str = 'px4') -> None:
        from pymavlink import mavutil

        self._names = mavutil.mavlink
        self._is_px4 = autopilot == 'px4'
        if not self._is_px4:
            self.silence_s, self.flies_without_take_off = math.inf, False
        self.links = [
            mavutil.mavlink_connection(url, source_system=1, source_component=1) for url in urls
        ]
        self._beat_at = -math.inf
        self._began_at = time.monotonic()
        self.intervals: dict[int, float] = {}
        self.heartbeats: list[Any] = []
        super().__init__(node)

    def close(self) -> None:
        """Close the connections."""
        for link in self.links:
            link.close()

    def step(self) -> None:
        """Listen, then fly and speak."""
        for link in self.links:
            while (message := link.recv_match(blocking=False)) is not None:
                self._obey(link, message)
        super().step()

    def speak(self) -> None:
        """Send position, attitude and, now and then, heartbeat and battery."""
        boot = int(1e3 * (time.monotonic() - self._began_at))
        east, north, up = self.place
        is_beat = time.monotonic() - self._beat_at > 0.25
        if is_beat:
            self._beat_at = time.monotonic()
        for link in self.links:
            send = link.mav
            send.local_position_ned_send(boot, north, east, -up, 0.0, 0.0, 0.0)
            send.attitude_send(boot, 0.0, 0.0, 0.5 * math.pi - self.yaw, 0.0, 0.0, 0.0)
            if is_beat:
                self._beat(send)
                send.extended_sys_state_send(0, 2 if self.is_up else 1)
                unknown = [65535] * 10
                for number, charge in self.charges.items():
                    left = round(100 * charge)
                    send.battery_status_send(number, 0, 0, 32767, unknown, -1, -1, -1, left)

    def _beat(self, send: Any) -> None:
        names = self._names
        base = names.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
        if self.is_armed:
            base |= names.MAV_MODE_FLAG_SAFETY_ARMED
        if self._is_px4:
            kind, mode = names.MAV_AUTOPILOT_PX4, (6 if self.is_following else 3) << 16
        else:
            kind, mode = names.MAV_AUTOPILOT_ARDUPILOTMEGA, 4 if self.is_following else 5
        send.heartbeat_send(names.MAV_TYPE_QUADROTOR, kind, base, mode, 4)

    def _obey(self, link: Any, message: Any) -> None:
        kind = message.get_type()
        if kind == 'HEARTBEAT':
            self.heartbeats.append(message)
        elif kind == 'SET_POSITION_TARGET_LOCAL_NED' and message.target_system == 1:
            if message.coordinate_frame == 1 and not message.type_mask & 7:
                self.hear((message.y, message.x, -message.z), message)
        elif kind == 'COMMAND_LONG' and message.target_system == 1:
            result = ACCEPTED if self._does(message) else DENIED
            link.mav.command_ack_send(message.command, result)

    def _does(self, message: Any) -> bool:
        name = COMMANDS.get(message.command)
        if name == 'DO_SET_MODE':
            return self.ask_for_mode((message.param1, message.param2) == (1.0, self._mode))
        if name == 'ARM':
            return self.ask_to_arm()
        if name == 'TAKEOFF':
            return self.ask_to_take_off(message.param7)
        if name == 'SET_MESSAGE_INTERVAL':
            self.intervals[int(message.param1)] = message.param2
            return True
        return False

    @property
    def _mode(self) -> float:
        return 6.0 if self._is_px4 else 4.0
