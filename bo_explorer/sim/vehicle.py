# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The pretend vehicle: a point with limited speed and acceleration that stops where it is told."""

from __future__ import annotations

import math

import numpy as np

from ..core.types import FloatArray
from .config import VehicleConfig

# Longest time one call may move the vehicle for: a paused process must not make it jump.
_LONGEST_STEP_S = 1.0

_SUBSTEP_S = 0.02

# What rounding may take away from the limits; coordinates of map projections are of 1e7 m.
_ROUNDING = 1e-9
_SLACK_M = 1e-8


class PointVehicle:
    """
    A point mass led by setpoints.

    Within a sub-step the acceleration is constant, so places and speeds follow the equations of
    motion exactly. The speed at the end of each sub-step is the greatest from which the vehicle
    can still brake in time, for steps of any length; from rest it therefore flies straight to
    the setpoint and stops on it.

    :param position: place of the start, shape ``(2,)``, metres.
    :param speed_mps: greatest speed.
    :param acceleration_mps2: greatest acceleration.
    :raises ValueError: if the place is not finite or a limit not above 0.
    """

    def __init__(
        self, position: FloatArray, *, speed_mps: float, acceleration_mps2: float
    ) -> None:
        self._position: FloatArray = np.array(position, dtype=np.float64)
        if self._position.shape != (2,) or not np.isfinite(self._position).all():
            raise ValueError(f"'position' must be two finite numbers, got {position!r}.")
        for name, limit in (('speed_mps', speed_mps), ('acceleration_mps2', acceleration_mps2)):
            if not 0.0 < limit < math.inf:
                raise ValueError(f"'{name}' must be finite and above 0, got {limit!r}.")
        self._speed = speed_mps
        self._acceleration = acceleration_mps2
        self._velocity: FloatArray = np.zeros(2)
        self._flown_m = 0.0

    @classmethod
    def from_config(cls, config: VehicleConfig) -> PointVehicle:
        """Make the vehicle the options ask for, at rest at its start."""
        return cls(
            np.array([config.start_x, config.start_y]),
            speed_mps=config.speed_mps,
            acceleration_mps2=config.acceleration_mps2,
        )

    @property
    def position(self) -> FloatArray:
        """Place, shape ``(2,)``, metres."""
        return np.array(self._position)

    @property
    def velocity(self) -> FloatArray:
        """Velocity, shape ``(2,)``, m/s."""
        return np.array(self._velocity)

    @property
    def speed_mps(self) -> float:
        """Present speed."""
        return float(np.hypot(*self._velocity))

    @property
    def is_at_rest(self) -> bool:
        """Whether the vehicle hovers."""
        return not self._velocity.any()

    @property
    def flown_m(self) -> float:
        """Distance flown so far, metres."""
        return self._flown_m

    def step(self, setpoint: FloatArray | None, dt: float) -> float:
        """
        Fly on.

        :param setpoint: place to fly to and stop at, shape ``(2,)``, metres; ``None``, or one that
            is not finite, means to brake to a stop.
        :param dt: seconds gone by. At most one second is flown: a process that was paused for
            longer finds its vehicle where it was, not where it might have got to. Nothing happens
            unless it is above 0.
        :return: the seconds flown.
        :raises ValueError: if the setpoint is not of two numbers.
        """
        target = None if setpoint is None else np.asarray(setpoint, dtype=np.float64)
        if target is not None and target.shape != (2,):
            raise ValueError(f"'setpoint' must have shape (2,), got {target.shape}.")
        if target is not None and not np.isfinite(target).all():
            target = None
        if not dt > 0.0:
            return 0.0
        flown_s = min(dt, _LONGEST_STEP_S)
        n_substeps = math.ceil(flown_s / _SUBSTEP_S)
        for _ in range(n_substeps):
            self._advance(target, flown_s / n_substeps)
        return flown_s

    def _advance(self, target: FloatArray | None, h: float) -> None:
        """Fly one sub-step of ``h`` seconds."""
        before = self._position
        if target is None:
            self._steer(np.zeros(2), h)
        elif self._can_stop_on(target, h):
            self._position, self._velocity = target.copy(), np.zeros(2)
        else:
            self._steer(self._wanted_velocity(target, h), h)
        self._flown_m += float(np.hypot(*(self._position - before)))

    def _steer(self, wanted: FloatArray, h: float) -> None:
        """Change the velocity towards the wanted one as far as the acceleration allows."""
        change = wanted - self._velocity
        size, limit = float(np.hypot(*change)), self._acceleration * h
        if size > limit:
            change *= limit / size
        after = self._velocity + change
        self._position = self._position + 0.5 * h * (self._velocity + after)
        self._velocity = after

    def _wanted_velocity(self, target: FloatArray, h: float) -> FloatArray:
        """
        Return the greatest velocity towards the target that leaves room to brake.

        Flying ``d`` ahead and going from speed ``v0`` to ``v1`` in ``h`` seconds leaves
        ``d - h (v0 + v1) / 2``, and braking from ``v1`` takes ``v1^2 / (2 a)``. Equating the two:
        ``v1 = a (sqrt(h^2 / 4 + (2 d - h v0) / a) - h / 2)``.
        """
        ahead = target - self._position
        distance = float(np.hypot(*ahead))
        if distance == 0.0:
            return np.zeros(2)
        direction = ahead / distance
        a, approach = self._acceleration, float(direction @ self._velocity)
        room = h**2 / 4.0 + (2.0 * distance - h * approach) / a
        speed = a * (math.sqrt(max(room, 0.0)) - 0.5 * h)
        return np.asarray(direction * min(max(speed, 0.0), self._speed))

    def _can_stop_on(self, target: FloatArray, h: float) -> bool:
        """
        Whether the vehicle can be at rest on the target within ``h`` seconds.

        Either it flies straight at it and braking takes it there, or both its speed and the
        distance are so small that speeding up and braking again fits in.
        """
        ahead = target - self._position
        distance, speed = float(np.hypot(*ahead)), self.speed_mps
        a = self._acceleration
        is_near = distance <= min(0.1 * a * h**2, 0.25 * self._speed * h)
        if is_near and speed <= 0.25 * a * h:
            return True
        if speed == 0.0 or speed > a * h * (1.0 + _ROUNDING):
            return False
        x, y = self._velocity / speed
        along, aside = x * ahead[0] + y * ahead[1], abs(x * ahead[1] - y * ahead[0])
        can_brake = speed**2 <= 2.0 * a * (along + _SLACK_M)
        return bool(0.0 < along <= 0.5 * speed * h + _SLACK_M and aside <= _SLACK_M and can_brake)
