# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
How far the battery and the clock let the mission fly: the physics behind the ledger.

The ledger counts metres-equivalent. Every limit that is not given in metres is a store with a
measured charge: the battery, or the time that is left. A store says how many metres-equivalent it
surely pays for from here to home (:mod:`.consumption`), and the ledger's total shrinks to that.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from .config import ExplorerConfig
from .consumption import ConsumptionFilter
from .types import FloatArray

logger = logging.getLogger(__name__)

# Stretches are classed as flown or hovered over at least this long.
_STRETCH_S = 1.0

# A stretch on which less than this part of what cruising covers was flown was hovered.
_HOVER_SPEED = 0.25

# No vehicle is faster over the ground than this many times its cruise speed.
_FASTEST = 3.0

# Charges are looked at this often at most, and learned from after this share was drawn: reports of
# a gauge that rounds are no independent readings.
_REPORT_S = 1.0
_GRAIN = 0.005

# Battery reports that are looked at together: a single wrong one counts for nothing.
_REPORTS = 3

# Without a report for this long the battery is unknown.
_SILENCE_S = 5.0

# Time of a stop beside the measurement: settling and choosing the next target, seconds.
_SETTLE_S = 2.0

# What the prior of a time limit is: vehicles brake and turn.
_PACE_STD = 0.2
_CLOCK_STD = 1e-4


class EnergyAccount:
    """
    Watches the stores of one mission.

    :param config: all settings of the planner.
    """

    def __init__(self, config: ExplorerConfig) -> None:
        self._vehicle = config.vehicle
        self._confidence = config.energy.confidence
        self._stores: dict[str, _Store] = {}
        self._battery: _Store | None = None
        if config.uses_battery:
            self._battery = self._stores['battery'] = _battery_store(config)
        self._time_s = config.budget.total_s
        if not math.isnan(self._time_s):
            self._stores['time'] = _time_store(config)
        self._started_at = math.nan
        self._heard_at = math.nan
        self._is_warned = False
        self._mark: tuple[float, float, FloatArray] | None = None
        self._draws: FloatArray = np.zeros(4)
        """Metres-equivalent, seconds of hovering and displacement so far."""

    @property
    def is_limiting(self) -> bool:
        """Whether anything but metres limits the mission."""
        return bool(self._stores)

    def start(self, now: float, *, gone_s: float = 0.0) -> None:
        """
        Begin to count the time, and to miss the battery.

        :param now: seconds.
        :param gone_s: time that counts as gone already, seconds.
        """
        self._started_at = now - gone_s
        self.look_at_clock(now)

    def swap_battery(self, now: float) -> None:
        """
        Take the next charge for that of another battery; what was learned is kept.

        :param now: seconds.
        """
        self._started_at = self._heard_at = now
        self._mark = None
        for store in self._stores.values():
            store.restart()
        self.look_at_clock(now)

    def update_flight(self, cost_m: float, position: FloatArray, now: float) -> bool:
        """
        Take over how far the vehicle has flown.

        :param cost_m: metres-equivalent flown so far, stops left out.
        :param position: where it is, shape ``(2,)``, metres.
        :param now: seconds.
        :return: whether :meth:`reach_m` may have changed.
        """
        if not self._stores:
            return False
        if self._mark is None:
            self._mark = (cost_m, now, np.array(position))
            self.look_at_clock(now)
            # Nobody knows what the vehicle did before: that must not be learned from.
            for store in self._stores.values():
                store.begin(self._draws, now)
            return True
        if not now - self._mark[1] >= _STRETCH_S:
            return False
        self._close_stretch(cost_m, position, now)
        self.look_at_clock(now)
        is_due = now - (self._started_at if math.isnan(self._heard_at) else self._heard_at)
        if self._battery is not None and is_due > _SILENCE_S:
            self._warn_unknown()
        return True

    def look_at_clock(self, now: float) -> None:
        """
        Take over what time it is.

        :param now: seconds.
        """
        time = self._stores.get('time')
        if time is not None and not math.isnan(self._started_at):
            time.report(1.0 - (now - self._started_at) / self._time_s, self._draws, now)

    def update_battery(self, fraction: float | None, now: float) -> bool:
        """
        Take over the charge.

        :param fraction: 0 to 1; ``None`` and other numbers mean unknown, which is not empty.
        :param now: seconds.
        :return: whether :meth:`reach_m` may have changed.
        """
        if fraction is None or not 0.0 <= fraction <= 1.0:
            self._warn_unknown()
            return False
        self._heard_at = now
        return self._battery is not None and self._battery.report(fraction, self._draws, now)

    def reach_m(self, position: FloatArray, home: FloatArray | None) -> float:
        """
        Return the metres-equivalent every store surely pays for, from here to home.

        One stop beside them is paid for. A store whose charge was never told knows no limit.

        :param position: where the vehicle is, shape ``(2,)``, metres.
        :param home: where the mission ends, shape ``(2,)``, metres; ``None``: not known yet.
        :return: metres-equivalent; infinite where nothing limits.
        """
        vehicle = self._vehicle
        stop_s = vehicle.dwell_s + vehicle.speed_mps / vehicle.acceleration_mps2 + _SETTLE_S
        way = np.zeros(2) if home is None else home - position
        ahead = np.concatenate([[0.0, stop_s], way])
        return min(
            (
                store.reach_m(self._draws, ahead, self._confidence)
                for store in self._stores.values()
            ),
            default=math.inf,
        )

    def summary(self) -> dict[str, float]:
        """Return what was learned, by name, for diagnostics."""
        return {
            f'{name}_{key}': value
            for name, store in self._stores.items()
            for key, value in store.summary().items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Return what would be lost with the process, as plain values by name of the store."""
        return {name: store.to_dict() for name, store in self._stores.items()}

    def recall(self, values: Mapping[str, Any]) -> None:
        """
        Take over what :meth:`to_dict` gave; what is missing or of no use here is left out.

        :raises ValueError: if a value makes no sense.
        """
        for name, store in self._stores.items():
            if name in values:
                store.recall(values[name])

    def _close_stretch(self, cost_m: float, position: FloatArray, now: float) -> None:
        assert self._mark is not None
        before_m, before, place = self._mark
        flown, took = max(cost_m - before_m, 0.0), now - before
        speed, step = self._vehicle.speed_mps, position - place
        is_hovered = flown < _HOVER_SPEED * speed * took
        if not np.hypot(*step) <= _FASTEST * speed * took:
            # The localisation jumped: nothing was flown that way.
            step = np.zeros(2)
        self._draws = self._draws + np.concatenate(
            [[flown, took if is_hovered else 0.0], step]
        )
        self._mark = (cost_m, now, np.array(position))

    def _warn_unknown(self) -> None:
        """Say once that the battery does not count; what is known of it goes on by distance."""
        if not self._is_warned:
            self._is_warned = True
            logger.warning('the battery is unknown: the budget is counted by distance')


class _Store:
    """
    One store, and the reports of its charge.

    :param belief: about charge and rates.
    :param share: part of a full store the mission may use.
    """

    def __init__(self, belief: ConsumptionFilter, share: float) -> None:
        self._belief = belief
        self._share = share
        self.restart()

    def restart(self) -> None:
        self._reports: deque[tuple[float, FloatArray]] = deque(maxlen=_REPORTS)
        self._told_at = -math.inf
        self._learned_at: FloatArray | None = None
        self._is_outdated = False
        self._first = math.nan

    def begin(self, draws: FloatArray, now: float) -> None:
        """Take the charge as it is and learn nothing from how it came to that."""
        if self._learned_at is not None:
            self._belief.start(self._measured()[0])
            self._learned_at = draws
            # Of a gauge that has been silent the next report is what there is now.
            self._is_outdated = now - self._told_at > _SILENCE_S

    def report(self, charge: float, draws: FloatArray, now: float) -> bool:
        if now - self._told_at < _REPORT_S:
            return False
        self._told_at = now
        if self._is_outdated:
            self._reports.clear()
        self._reports.append((charge, draws))
        if self._learned_at is None or self._is_outdated:
            self._belief.start(charge)
            self._learned_at, self._is_outdated = draws, False
            self._first = charge if math.isnan(self._first) else self._first
            return True
        measured, at = self._measured()
        since = at - self._learned_at
        if self._belief.share(since) >= _GRAIN:
            self._belief.update(measured, since)
            self._learned_at = at
        return True

    def reach_m(self, draws: FloatArray, ahead: FloatArray, confidence: float) -> float:
        if self._learned_at is None:
            return math.inf
        measured, at = self._measured()
        since = draws - at
        return self._belief.reach_m(
            measured=measured - self._belief.share(since),
            since=draws - self._learned_at,
            ahead=ahead,
            floor=max(self._first - self._share, 0.0),
            confidence=confidence,
        )

    def summary(self) -> dict[str, float]:
        rates, stds = self._belief.rates, self._belief.rate_stds
        return {
            'charge': self._belief.charge,
            'per_metre': float(rates[0]),
            'per_metre_std': float(stds[0]),
            'per_hover_second': float(rates[1]),
            'per_hover_second_std': float(stds[1]),
        }

    def to_dict(self) -> dict[str, Any]:
        first = None if math.isnan(self._first) else self._first
        return {'first_charge': first, **self._belief.to_dict()}

    def recall(self, values: Mapping[str, Any]) -> None:
        first = values['first_charge']
        if first is not None and not 0.0 <= float(first) <= 1.0:
            raise ValueError(f"'first_charge' must be 0 to 1 or None, got {first!r}.")
        self._belief.recall(values)
        self._first = math.nan if first is None else float(first)

    def _measured(self) -> tuple[float, FloatArray]:
        """Return the middle one of the last reports, of two the lower one."""
        ordered = sorted(self._reports, key=lambda report: report[0])
        return ordered[(len(ordered) - 1) // 2]


def _battery_store(config: ExplorerConfig) -> _Store:
    budget, energy, speed = config.budget, config.energy, config.vehicle.speed_mps
    range_m = config.range_m
    hover_s = range_m / speed if math.isnan(energy.hover_s) else energy.hover_s
    belief = ConsumptionFilter(
        per_m=1.0 / range_m,
        per_s=1.0 / hover_s,
        rate_std=energy.uncertainty if energy.learn else 0.0,
        wind_std=energy.wind_std_mps / speed if energy.learn else 0.0,
        gauge_std=energy.gauge_std,
    )
    shares = (1.0, budget.total_percent / 100.0, budget.total_wh / energy.capacity_wh)
    return _Store(belief, min(share for share in shares if not math.isnan(share)))


def _time_store(config: ExplorerConfig) -> _Store:
    total_s, speed = config.budget.total_s, config.vehicle.speed_mps
    belief = ConsumptionFilter(
        per_m=1.0 / (total_s * speed),
        per_s=1.0 / total_s,
        rate_std=_PACE_STD,
        wind_std=0.0,
        gauge_std=_CLOCK_STD,
        is_hover_known=True,
    )
    return _Store(belief, 1.0)
