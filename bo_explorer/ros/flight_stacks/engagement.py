# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Who flies the vehicle, and what may be asked of it. Imports no ROS and reads no clock.

The pilot comes first. Nothing is asked for unless the operator's parameters allow it; the mode is
asked for only while the vehicle is disarmed, so never out of a pilot's hands; whoever takes the
vehicle out of the mode, pilot or failsafe, has it until he gives it back himself; and nothing
leaves the ground unless a take-off is allowed.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from dataclasses import dataclass

from ...core.types import Pose
from .config import FlightStackConfig

_RETRY_S = 2.0
_NEARLY_UP = 0.9
_NEARLY_UP_M = 0.5
_LIFTED_M = 0.3


class Phase(enum.Enum):
    """What the node does with the vehicle; the value is a sentence for the operator."""

    ABSENT = 'waiting for the vehicle'
    LOST = 'waiting for a pose'
    READY = 'in other hands: waiting for the mode and the arming'
    ASKING = 'asking the vehicle for its mode or to arm'
    GROUNDED = 'on the ground: waiting to be brought up'
    CLIMBING = 'taking off'
    ENGAGED = 'flying by waypoints'
    RELEASED = 'taken over by the pilot or a failsafe'


class Request(enum.Enum):
    """What is asked of the vehicle."""

    MODE = 'the mode'
    ARM = 'to arm'
    TAKE_OFF = 'to take off'


@dataclass(frozen=True)
class VehicleStatus:
    """
    What the stack says of the vehicle.

    :param is_in_mode: whether the vehicle follows setpoints in its present mode.
    :param is_armed: whether the motors may turn.
    :param mode: name of the mode, for people.
    :param is_flying: whether it is off the ground, or need not be; ``None``: the stack does not
        tell.
    """

    is_in_mode: bool
    is_armed: bool
    mode: str = ''
    is_flying: bool | None = None


class Engagement:
    """
    Follows the vehicle's status and says what may be asked for.

    :param config: the operator's permissions.
    """

    def __init__(self, config: FlightStackConfig) -> None:
        self._config = config
        self.climbs_by_command = False
        """Whether the vehicle takes off by a command; else the setpoints lift it."""
        self.has_pilot = True
        """Whether somebody gives the vehicle back by its mode; else ``~/engage`` alone does."""
        self.refusal = ''
        """Why nothing is asked for any more; empty while that is not so."""
        self.top: Pose | None = None
        """Where the present take-off leads to."""
        self.is_led_up = False
        """Whether setpoints lead there; else a command does."""
        # Until it was seen on the ground, an armed vehicle is taken for flying.
        self._ground_m: float | None = None
        self.reset()

    def reset(self) -> None:
        """Forget who had the vehicle: the operator allows everything anew."""
        self.phase = Phase.ABSENT
        self.refusal = ''
        self._was_in_mode = self._was_armed = self._was_flying = False
        self._is_taken = self._has_landed = False
        self._streaming_since: float | None = None
        self._asked_at = -math.inf
        self._asked_for: Request | None = None
        self._asking_since = -math.inf
        self._end_take_off()

    @property
    def is_engaged(self) -> bool:
        """Whether the vehicle follows the waypoints."""
        return self.phase is Phase.ENGAGED

    def step(self, now: float, status: VehicleStatus | None, pose: Pose | None) -> Request | None:
        """
        Take in the newest status and return what to ask for now, if anything.

        :param now: seconds of a clock that never goes back.
        :param status: of the vehicle, ``None`` where there is none or it is old.
        :param pose: of the vehicle, ``None`` where there is none or it is old.
        """
        if status is None or pose is None:
            self.phase = Phase.ABSENT if status is None else Phase.LOST
            self._streaming_since = None
            return None
        if self._streaming_since is None:
            self._streaming_since = now
        if self._config.drives:
            status = dataclasses.replace(status, is_flying=True)
        self._notice_other_hands(status)
        self._notice_landing(status)
        if not status.is_armed or (status.is_flying is False and self.top is None):
            self._ground_m = pose.z
        is_over = self._has_landed or (self._is_taken and not self.has_pilot)
        if status.is_in_mode and status.is_armed and not is_over:
            return self._fly(now, status, pose)
        self._end_take_off()
        self.phase = Phase.RELEASED if self._is_taken else Phase.READY
        if now - self._streaming_since < self._config.warm_up_s:
            return None
        return self._ask_for_hands(now, status)

    def _notice_other_hands(self, status: VehicleStatus) -> None:
        if status.is_in_mode:
            self._was_in_mode = True
        elif self._was_in_mode:
            self._is_taken = True
            self.refusal = f'the vehicle was taken out of its mode ({status.mode or "unknown"})'
        elif status.is_armed:
            self.refusal = f'a pilot is flying the vehicle ({status.mode or "unknown mode"})'
        if status.is_armed:
            self._was_armed = True
        elif self._was_armed:
            self.refusal = 'the vehicle was disarmed'

    def _notice_landing(self, status: VehicleStatus) -> None:
        if self.has_pilot and not status.is_in_mode:
            self._has_landed = False
        if status.is_flying and status.is_armed:
            self._was_flying = True
        elif status.is_flying is False and self._was_flying:
            self._was_flying = False
            if status.is_in_mode or not self.has_pilot:
                # Somebody has landed it past this node, or it hit the ground: it stays there.
                self._has_landed = self._is_taken = True
                self.refusal = 'the vehicle has landed'

    def _fly(self, now: float, status: VehicleStatus, pose: Pose) -> Request | None:
        wanted = self._config.take_off_m
        is_allowed = not math.isnan(wanted)
        height = math.inf if self._ground_m is None else pose.z - self._ground_m
        lifted_m = min(0.5 * wanted, _LIFTED_M) if is_allowed else _LIFTED_M
        is_up = height > lifted_m if status.is_flying is None else status.is_flying
        high_m = max(_NEARLY_UP * wanted, wanted - _NEARLY_UP_M) if is_allowed else -math.inf
        if is_up and height >= high_m:
            # It comes down again only to land, which is none of this take-off's business.
            self._ground_m, self.phase = None, Phase.ENGAGED
            self._end_take_off()
            return None
        if not is_allowed or self._ground_m is None:
            self.phase = Phase.GROUNDED
            return None
        self.phase = Phase.CLIMBING
        if self.top is None:
            self.top = dataclasses.replace(pose, z=self._ground_m + wanted)
        by_command = self.climbs_by_command
        request = self._ask(now, Request.TAKE_OFF, by_command and not is_up)
        # A command that was not given, or did not lead all the way, leaves the rest to setpoints.
        was_asked = self._asked_for is Request.TAKE_OFF
        is_late = now - self._asked_at > self._config.give_up_s
        self.is_led_up = not by_command or (is_up and (is_late or not was_asked))
        if was_asked and not is_up and now - self._asking_since > self._config.give_up_s:
            self.phase = Phase.GROUNDED
        return request

    def _end_take_off(self) -> None:
        self.top, self.is_led_up = None, False
        if self._asked_for is Request.TAKE_OFF:
            self._asked_for = None

    def _ask_for_hands(self, now: float, status: VehicleStatus) -> Request | None:
        if self.refusal:
            return None
        if not status.is_in_mode:
            return self._ask(now, Request.MODE, self._config.may_switch_mode)
        return self._ask(now, Request.ARM, self._config.may_arm)

    def _ask(self, now: float, request: Request, may: bool) -> Request | None:
        if not may:
            return None
        if self._asked_for is not request:
            self._asked_for, self._asking_since = request, now
            self._asked_at = -math.inf
        if now - self._asking_since > self._config.give_up_s:
            self.refusal = f'the vehicle refused {request.value}'
            return None
        if self.phase is Phase.READY:
            self.phase = Phase.ASKING
        if now - self._asked_at < _RETRY_S:
            return None
        self._asked_at = now
        return request
