# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Options of the budget, in whatever it is counted, and of the energy behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .errors import ConfigError
from .options import Options, option

_UNSET = math.nan


@dataclass(frozen=True)
class BudgetConfig(Options):
    """What the mission may use; of several limits each holds."""

    total_m: float = option(
        _UNSET,
        'Distance the whole mission may fly, the way home included; total_s, total_percent or '
        'total_wh may stand in for it.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e9,
        required=True,
        alternatives=('total_s', 'total_percent', 'total_wh'),
        optional=True,
    )
    total_s: float = option(
        _UNSET,
        'Time the whole mission may take from its start, pauses included; not set: no limit.',
        unit='s',
        low=0.0,
        open_low=True,
        high=1e7,
        optional=True,
    )
    total_percent: float = option(
        _UNSET,
        'Part of a full battery the whole mission may use, 0 to 100; not set: no limit. Needs '
        'energy.range_m.',
        unit='%',
        low=0.0,
        open_low=True,
        high=100.0,
        optional=True,
    )
    total_wh: float = option(
        _UNSET,
        'Energy the whole mission may use; not set: no limit. Needs energy.range_m and '
        'energy.capacity_wh.',
        unit='Wh',
        low=0.0,
        open_low=True,
        high=1e6,
        optional=True,
    )
    reserve_m: float = option(
        _UNSET,
        'Part of the budget that no plan may touch; not set: 5 % of the total.',
        unit='m',
        low=0.0,
        high=1e9,
        optional=True,
    )
    battery_low: float = option(
        0.2,
        'Battery charge, 0 to 1, at which the vehicle is called home for good.',
        low=0.0,
        high=1.0,
        live=True,
    )
    stop_cost_m: float = option(
        1.0,
        'Battery one stop for a measurement costs, in metres of flight.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e6,
    )


@dataclass(frozen=True)
class EnergyConfig(Options):
    """What flying draws from the battery."""

    range_m: float = option(
        _UNSET,
        'Distance in calm air that a full battery lasts; not set: budget.total_m.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e9,
        optional=True,
    )
    hover_s: float = option(
        _UNSET,
        'Time that a full battery lasts in hovering; not set: as long as in flight.',
        unit='s',
        low=0.0,
        open_low=True,
        high=1e9,
        optional=True,
    )
    capacity_wh: float = option(
        _UNSET,
        'Energy of a full battery, for budget.total_wh.',
        unit='Wh',
        low=0.0,
        open_low=True,
        high=1e6,
        optional=True,
    )
    learn: bool = option(
        False,
        'Learn the consumption in flight from the battery, and let the budget shrink to what the '
        'charge surely pays for.',
    )
    uncertainty: float = option(
        0.5,
        'Standard deviation of the given consumption, as part of it, before any is learned.',
        low=0.0,
        open_low=True,
        high=3.0,
    )
    wind_std_mps: float = option(
        1.0,
        'Standard deviation of each component of the wind beyond the given one, where the '
        'consumption is learned.',
        unit='m/s',
        low=0.0,
        high=50.0,
    )
    confidence: float = option(
        0.98,
        'Probability with which the charge must pay for what remains.',
        low=0.5,
        high=0.9999,
    )
    gauge_std: float = option(
        0.005,
        'Standard deviation of the reported charge, where 1 is a full battery.',
        low=0.0001,
        high=0.2,
    )
    may_grow: bool = option(
        False,
        'Fly further than the given consumption promised where less was learned; budget.total_m, '
        'where set, still holds.',
    )

    def check(self) -> None:
        if self.may_grow and not self.learn:
            raise ConfigError(
                'may_grow',
                "'may_grow' must be false unless learn is true, got True.",
            )
