# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Every setting of the pretend world; ROS keys and YAML files put them under ``simulator.``."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..core.config import UNSET
from ..core.errors import ConfigError
from ..core.options import Options, group, option
from .fields import FIELDS, Bounds
from .fields.analytic import FUNCTIONS


@dataclass(frozen=True)
class FieldConfig(Options):
    """The ground truth."""

    kind: str = option('hot_spots', 'What the field is made from.', choices=tuple(FIELDS))
    origin_x: float = option(
        UNSET,
        'West edge of the field; not set: 0, and for the kind scattered as in the file.',
        unit='m',
        low=-1e8,
        high=1e8,
        optional=True,
    )
    origin_y: float = option(
        UNSET,
        'South edge of the field; not set: 0, and for the kind scattered as in the file.',
        unit='m',
        low=-1e8,
        high=1e8,
        optional=True,
    )
    width_m: float = option(
        100.0,
        'Extent to the east; kinds with a file take it from there.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e6,
    )
    height_m: float = option(
        100.0,
        'Extent to the north; kinds with a file take it from there.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e6,
    )
    scale: float = option(
        1.0,
        'Values are multiplied by this; a negative one turns dark into bright.',
        low=-1e9,
        high=1e9,
    )
    offset: float = option(
        0.0, 'Added to every value after the scale, sensor unit.', low=-1e9, high=1e9
    )
    function: str = option(
        'branin', 'Test function of the kind analytic.', choices=tuple(FUNCTIONS)
    )
    n_hot_spots: int = option(3, 'Hot spots of the kind hot_spots.', low=1, high=100)
    lengthscale_m: float = option(
        UNSET,
        'Size of the structures of the kinds hot_spots, gp_draw and crack; not set: 1/10, 1/5 and '
        '1/20 of the smaller side.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e6,
        optional=True,
    )
    file: str = option(
        '',
        'File of the kinds raster and scattered; a relative path is tried from the current '
        'folder, the folder of the settings and the data of this package. The simulator node, '
        'started without bo_explorer demo, does not know the second: give it an absolute path.',
    )
    array: str = option('', 'Array of an .npz file; empty: the only one.')
    spacing_m: float = option(
        1.0,
        'Distance of two nodes or pixels of the kind raster.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e5,
    )
    first_row: str = option(
        'north',
        'Edge that the first row of a raster lies on.',
        choices=('north', 'south'),
    )
    smooth_m: float = option(
        0.0,
        'Standard deviation of the Gaussian a raster is smoothed with; a mask needs some.',
        unit='m',
        low=0.0,
        high=1e5,
    )
    column_x: str = option('x', 'Column of the east coordinate, kind scattered.')
    column_y: str = option('y', 'Column of the north coordinate, kind scattered.')
    column_value: str = option('value', 'Column of the values, kind scattered.')

    def check(self) -> None:
        if self.scale == 0.0:
            raise ConfigError('scale', f"'scale' must not be 0, got {self.scale!r}.")
        if math.isnan(self.origin_x) != math.isnan(self.origin_y):
            raise ConfigError(
                'origin_x', f"'origin_x' and origin_y must be set together, got {self.origin_x!r}."
            )

    @property
    def has_origin(self) -> bool:
        """Whether the south-west corner was given."""
        return not math.isnan(self.origin_x)

    @property
    def origin(self) -> tuple[float, float]:
        """South-west corner, metres; ``(0, 0)`` where it was not given."""
        return (self.origin_x, self.origin_y) if self.has_origin else (0.0, 0.0)

    @property
    def rectangle(self) -> Bounds:
        """Where fields without a file are, metres."""
        x, y = self.origin
        return Bounds(x, y, x + self.width_m, y + self.height_m)

    def lengthscale(self, share: float) -> float:
        """
        Return the size of the structures, metres.

        :param share: part of the smaller side that stands in where none was given.
        """
        if math.isnan(self.lengthscale_m):
            return share * min(self.width_m, self.height_m)
        return self.lengthscale_m


@dataclass(frozen=True)
class VehicleConfig(Options):
    """The pretend vehicle."""

    start_x: float = option(0.0, 'East of the start.', unit='m', low=-1e8, high=1e8)
    start_y: float = option(0.0, 'North of the start.', unit='m', low=-1e8, high=1e8)
    altitude_m: float = option(10.0, 'Height the vehicle flies at.', unit='m', low=-1e4, high=1e5)
    speed_mps: float = option(
        5.0, 'Greatest speed.', unit='m/s', low=0.0, open_low=True, high=100.0
    )
    acceleration_mps2: float = option(
        2.0, 'Greatest acceleration.', unit='m/s^2', low=0.0, open_low=True, high=100.0
    )


@dataclass(frozen=True)
class BatteryConfig(Options):
    """The pretend battery."""

    capacity_m: float = option(
        UNSET,
        'Metres of flight a full battery lasts; not set: it never runs down.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e9,
        optional=True,
    )
    hover_m_per_s: float = option(
        0.0,
        'Metres of flight that one second of hovering costs.',
        unit='m/s',
        low=0.0,
        high=1e4,
    )
    start_fraction: float = option(
        1.0, 'Charge at the start, 0 to 1.', low=0.0, open_low=True, high=1.0
    )
    wind_east_mps: float = option(
        0.0, 'Wind towards east that the battery alone feels.', unit='m/s', low=-100.0, high=100.0
    )
    wind_north_mps: float = option(
        0.0, 'Wind towards north that the battery alone feels.', unit='m/s', low=-100.0, high=100.0
    )
    gauge_step: float = option(
        0.0,
        'The charge told is rounded down to multiples of this, 0.01 for whole percents; 0: exact.',
        low=0.0,
        high=0.5,
    )
    report: bool = option(True, 'Whether the vehicle tells its state of charge.')


@dataclass(frozen=True)
class SensorConfig(Options):
    """The pretend sensor."""

    rate_hz: float = option(
        10.0, 'Readings per second.', unit='Hz', low=0.0, open_low=True, high=1000.0
    )
    noise_std: float = option(
        0.0, 'Standard deviation of the noise, sensor unit.', low=0.0, high=1e9
    )
    dropout: float = option(
        0.0, 'Probability, 0 to 1, that a reading never comes.', low=0.0, high=1.0
    )
    delay_s: float = option(0.0, 'Time a reading takes to come.', unit='s', low=0.0, high=60.0)


@dataclass(frozen=True)
class SimulatorConfig(Options):
    """Everything the pretend world needs to know."""

    seed: int = option(
        0, 'Seed of every random number of the pretend world.', low=0, high=2**31 - 1
    )
    field: FieldConfig = group(FieldConfig)
    vehicle: VehicleConfig = group(VehicleConfig)
    battery: BatteryConfig = group(BatteryConfig)
    sensor: SensorConfig = group(SensorConfig)

    def check(self) -> None:
        wind = math.hypot(self.battery.wind_east_mps, self.battery.wind_north_mps)
        if wind >= 0.9 * self.vehicle.speed_mps:
            raise ConfigError(
                'battery.wind_east_mps',
                "'battery.wind_east_mps' and battery.wind_north_mps must be below 0.9 x "
                f'vehicle.speed_mps = {0.9 * self.vehicle.speed_mps:g} together, got {wind:g}.',
            )
