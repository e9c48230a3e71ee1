# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Every setting of the planner, with unit, rule and description: the one source of them all."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .budget_config import BudgetConfig as BudgetConfig
from .budget_config import EnergyConfig as EnergyConfig
from .errors import ConfigError
from .options import Options, group, option
from .plane import PlaneConfig, SearchPlane
from .watchdog import WatchdogConfig

UNSET = math.nan
"""Value of an optional number that was not given."""


@dataclass(frozen=True)
class AreaConfig(Options):
    """Where the vehicle may search."""

    polygon: tuple[float, ...] = option(
        (),
        'Corners of the search area as x0, y0, x1, y1, ... in the map frame.',
        unit='m',
        required=True,
        live=True,
    )
    margin_m: float = option(
        0.0, 'Distance kept from the border of the area.', unit='m', low=0.0, high=1e4
    )
    resolution_m: float = option(
        UNSET,
        'Spacing of the candidate grid; not set: about 2500 cells over the area.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e5,
        optional=True,
    )

    def check(self) -> None:
        if len(self.polygon) % 2 or 0 < len(self.polygon) < 6:
            raise ConfigError(
                'polygon',
                "'polygon' must be at least three corners as x0, y0, x1, y1, ..., "
                f'got {len(self.polygon)} numbers.',
            )


@dataclass(frozen=True)
class NoFlyConfig(Options):
    """Where the vehicle must not fly."""

    polygons: tuple[str, ...] = option(
        (), "No-fly polygons, each a string 'x0,y0; x1,y1; x2,y2; ...'.", unit='m', live=True
    )
    margin_m: float = option(
        1.0, 'Distance kept from every no-fly polygon.', unit='m', low=0.0, high=1e4
    )


@dataclass(frozen=True)
class HomeConfig(Options):
    """Where the mission ends."""

    mode: str = option(
        'first_pose',
        'first_pose: home is where the mission starts; fixed: home is (home.x, home.y).',
        choices=('first_pose', 'fixed'),
        live=True,
    )
    x: float = option(
        UNSET,
        'East of home, for mode fixed.',
        unit='m',
        low=-1e8,
        high=1e8,
        optional=True,
        live=True,
    )
    y: float = option(
        UNSET,
        'North of home, for mode fixed.',
        unit='m',
        low=-1e8,
        high=1e8,
        optional=True,
        live=True,
    )

    def check(self) -> None:
        if self.mode == 'fixed':
            for key in ('x', 'y'):
                if math.isnan(getattr(self, key)):
                    raise ConfigError(
                        key,
                        f"'{key}' must be a finite number when the mode is fixed, got nan; "
                        'set it, or use the mode first_pose.',
                    )


@dataclass(frozen=True)
class VehicleConfig(Options):
    """How the vehicle flies."""

    speed_mps: float = option(5.0, 'Cruise speed.', unit='m/s', low=0.0, open_low=True, high=100.0)
    acceleration_mps2: float = option(
        2.0,
        'Braking the vehicle is sure to manage.',
        unit='m/s^2',
        low=0.0,
        open_low=True,
        high=100.0,
    )
    arrival_radius_m: float = option(
        1.0,
        'Distance from the waypoint at which it counts as reached.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e3,
    )
    altitude_m: float = option(
        10.0, 'Height of every waypoint above the map origin.', unit='m', low=-1e4, high=1e5
    )
    dwell_s: float = option(
        1.0, 'Time spent measuring at a reached waypoint.', unit='s', low=0.0, high=3600.0
    )
    wind_east_mps: float = option(
        0.0, 'Steady wind, component blowing towards east.', unit='m/s', low=-100.0, high=100.0
    )
    wind_north_mps: float = option(
        0.0, 'Steady wind, component blowing towards north.', unit='m/s', low=-100.0, high=100.0
    )

    def check(self) -> None:
        wind = math.hypot(self.wind_east_mps, self.wind_north_mps)
        if wind >= 0.9 * self.speed_mps:
            raise ConfigError(
                'wind_east_mps',
                f"'wind_east_mps' and wind_north_mps must be below 0.9 x speed_mps = "
                f'{0.9 * self.speed_mps:g} together, got {wind:g}.',
            )

    @property
    def stopping_distance_m(self) -> float:
        """Distance the vehicle needs to brake from cruise speed, metres."""
        return self.speed_mps**2 / (2.0 * self.acceleration_mps2)

    @property
    def deviation_m(self) -> float:
        """Distance from its path, or from its place, at which it no longer follows it, metres."""
        return max(3.0 * self.arrival_radius_m, self.stopping_distance_m)


@dataclass(frozen=True)
class IngestConfig(Options):
    """Which readings become samples."""

    cell_m: float = option(
        UNSET,
        'Readings in one cell of this size are averaged; not set: the candidate spacing.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e5,
        optional=True,
    )
    max_samples: int = option(
        400, 'Most samples of the map; more are merged, flat ground first.', low=16, high=2000
    )
    max_age_s: float = option(
        2.0,
        'A reading further than this in time from every known pose is dropped.',
        unit='s',
        low=0.0,
        open_low=True,
        high=3600.0,
    )
    value_min: float = option(
        UNSET, 'Readings below are dropped; not set: no limit.', optional=True
    )
    value_max: float = option(
        UNSET, 'Readings above are dropped; not set: no limit.', optional=True
    )

    def check(self) -> None:
        if self.value_min >= self.value_max:
            raise ConfigError(
                'value_max',
                f"'value_max' must be above value_min = {self.value_min!r}, "
                f'got {self.value_max!r}.',
            )


@dataclass(frozen=True)
class ModelConfig(Options):
    """The Gaussian process."""

    kernel: str = option(
        'matern52',
        'Covariance function.',
        choices=('matern52', 'matern32', 'squared_exponential'),
    )
    ard: bool = option(False, 'One lengthscale per axis instead of one for all.')
    lengthscale_m: float = option(
        UNSET,
        'Lengthscale before the first fit; not set: a fifth of the side of the area.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e6,
        optional=True,
    )
    noise_std: float = option(
        UNSET,
        'Standard deviation of one reading, sensor unit; not set: learned from the data.',
        low=0.0,
        open_low=True,
        high=1e9,
        optional=True,
    )
    fit: bool = option(True, 'Learn the hyperparameters from the samples.')
    fit_min_samples: int = option(8, 'Samples needed before the first fit.', low=3, high=1000)
    fit_growth: float = option(
        1.25,
        'Fit again when the samples have grown by this factor since the last fit.',
        low=1.0,
        open_low=True,
        high=10.0,
    )


@dataclass(frozen=True)
class PolicyConfig(Options):
    """How the next waypoint is chosen; the options of each policy stand under its own name."""

    name: str = option('log_ei', 'Policy that scores the candidates.', live=True)
    min_separation_m: float = option(
        UNSET,
        'No target closer than this to a place already measured; not set: the sample cell.',
        unit='m',
        low=0.0,
        high=1e5,
        optional=True,
    )
    replan_period_s: float = option(
        UNSET,
        'Reconsider the target this often while flying to it; 0: only on arrival; not set: each '
        'tenth of the side of the area.',
        unit='s',
        low=0.0,
        high=3600.0,
        optional=True,
    )
    hysteresis: float = option(
        0.2,
        'A new target must beat the present one by this part of the spread of all scores.',
        low=0.0,
        high=10.0,
        live=True,
    )


@dataclass(frozen=True)
class StopConfig(Options):
    """When the mission ends before its budget does."""

    found_threshold: float = option(
        UNSET,
        'End when the best estimate is above this value, sensor unit; not set: never.',
        optional=True,
        live=True,
    )
    found_sigmas: float = option(
        2.0,
        'Standard deviations the best estimate must be above the threshold.',
        low=0.0,
        high=10.0,
    )
    max_time_s: float = option(
        UNSET,
        'End after this time; not set: never.',
        unit='s',
        low=0.0,
        open_low=True,
        high=1e7,
        optional=True,
        live=True,
    )
    converged: bool = option(
        False, "End when no place is worth its price (the Pandora's-box rule)."
    )
    price: float = option(
        0.01,
        'Price of flying the side of the area, in standard deviations of the field, for the '
        "Pandora's-box rule.",
        low=0.0,
        open_low=True,
        high=1e6,
    )
    converged_min_samples: int = option(
        20, "Samples before the Pandora's-box rule may end the mission.", low=1, high=100000
    )
    converged_patience: int = option(
        3, "Decisions in a row the Pandora's-box rule must hold.", low=1, high=1000
    )


@dataclass(frozen=True)
class ExplorerConfig(Options):
    """Everything the planner needs to know."""

    seed: int = option(0, 'Seed of every random number of the planner.', low=0, high=2**31 - 1)
    area: AreaConfig = group(AreaConfig)
    no_fly: NoFlyConfig = group(NoFlyConfig)
    plane: PlaneConfig = group(PlaneConfig)
    home: HomeConfig = group(HomeConfig)
    budget: BudgetConfig = group(BudgetConfig)
    energy: EnergyConfig = group(EnergyConfig)
    vehicle: VehicleConfig = group(VehicleConfig)
    ingest: IngestConfig = group(IngestConfig)
    model: ModelConfig = group(ModelConfig)
    policy: PolicyConfig = group(PolicyConfig)
    stop: StopConfig = group(StopConfig)
    watchdog: WatchdogConfig = group(WatchdogConfig)

    def check(self) -> None:
        self.search_plane()
        if self.uses_battery and math.isnan(self.range_m):
            raise ConfigError(
                'energy.range_m',
                "'energy.range_m' must be given where the battery counts, got nan; "
                'a guess is enough with energy.learn.',
            )
        if math.isnan(self.energy.capacity_wh) and not math.isnan(self.budget.total_wh):
            raise ConfigError(
                'energy.capacity_wh',
                "'energy.capacity_wh' must be given with budget.total_wh, got nan.",
            )
        if self.reserve_m >= self.total_m:
            raise ConfigError(
                'budget.reserve_m',
                f"'budget.reserve_m' must be below the budget, {self.total_m:g} m, "
                f'got {self.reserve_m!r}.',
            )

    @property
    def uses_battery(self) -> bool:
        """Whether the battery limits the mission, beside the charge that calls it home."""
        budget = self.budget
        return self.energy.learn or not (
            math.isnan(budget.total_percent) and math.isnan(budget.total_wh)
        )

    @property
    def range_m(self) -> float:
        """Distance in calm air a full battery is said to last, metres; NaN: nobody said."""
        given = self.energy.range_m
        return self.budget.total_m if math.isnan(given) else given

    @property
    def total_m(self) -> float:
        """The whole budget by the given consumption, metres-equivalent; NaN without one."""
        budget = self.budget
        limits = (
            budget.total_m,
            budget.total_s * self.vehicle.speed_mps,
            budget.total_percent / 100.0 * self.range_m,
            budget.total_wh / self.energy.capacity_wh * self.range_m,
        )
        return min((limit for limit in limits if not math.isnan(limit)), default=math.nan)

    @property
    def most_m(self) -> float:
        """What the budget may grow to where the vehicle needs less than given, m-equivalent."""
        if not self.energy.may_grow:
            return self.total_m
        return math.inf if math.isnan(self.budget.total_m) else self.budget.total_m

    @property
    def reserve_m(self) -> float:
        """The reserve in force, metres-equivalent."""
        given = self.budget.reserve_m
        return 0.05 * self.total_m if math.isnan(given) else given

    def search_plane(self) -> SearchPlane:
        """
        Return the plane that is searched.

        :raises ConfigError: if the vehicle would fly behind or in a wall.
        """
        return SearchPlane(self.plane, self.vehicle.altitude_m)
