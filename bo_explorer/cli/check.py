# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a parameter file would fly, before it flies: faults, a picture, what the budget allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..core.errors import BoExplorerError, ConfigError
from ..core.explorer import Explorer
from ..core.take_off import Refusal, find_home
from ..core.types import FloatArray
from ..geo.files import is_fence_file
from ..report.area_picture import draw_area
from ..report.reach import Reach
from ..report.words import duration_text
from .area_import import plan_parameters, read_plan
from .faults import find_faults
from .progress import make_console
from .scenario import Scenario, find_scenario, read_flat
from .suspicions import has_simulator, suspicions
from .truth import field_of


@dataclass(frozen=True)
class CheckOptions:
    """
    What the user wants checked.

    :param file: a parameter file, the name of a shipped one, a ``.plan`` or GeoJSON.
    :param overrides: values by dotted key that stand above those of the file.
    :param start: where the mission starts, ``X,Y``, or ``None``.
    :param origin: of the map frame, for a plan or GeoJSON, or ``None``.
    :param out: the picture.
    """

    file: str
    overrides: Mapping[str, Any] = field(default_factory=dict)
    start: str | None = None
    origin: str | None = None
    out: Path = Path('check.png')


def check(options: CheckOptions, console: Console | None = None) -> bool:
    """
    Check a file and print what was found.

    :param options: what to check.
    :param console: where to print.
    :return: whether there is no fault.
    :raises BoExplorerError: if there is no such file or it cannot be read.
    :raises OSError: if the picture cannot be written.
    """
    console = console or make_console()
    path = Path(options.file)
    if is_fence_file(path):
        plan = read_plan(path, options.origin)
        flat = plan_parameters(plan)
        for note in plan.notes:
            _say(console, 'note', note, 'cyan')
    else:
        path = find_scenario(options.file)
        flat = read_flat(path)
    scenario, faults = find_faults({**flat, **options.overrides})
    if scenario is not None:
        faults += _field_faults(scenario, path.parent)
    if scenario is None or faults:
        return _report_faults(console, faults, path)
    explorer = Explorer(scenario.explorer, scenario.make_policy())
    start, why = start_of(scenario, explorer, options.start)
    reach, refusal = _reach(scenario, explorer, start)
    draw_area(
        options.out,
        explorer.area,
        reach,
        title=f'{path.name}: a budget of {scenario.explorer.total_m:g} m',
        total_m=scenario.explorer.total_m,
        zone_margin_m=scenario.explorer.no_fly.margin_m,
    )
    if refusal is not None:
        return _report_faults(console, [refusal], path)
    assert reach is not None
    console.print(_table(scenario, explorer, reach, why))
    for text in suspicions(scenario, explorer, reach):
        _say(console, 'warning', text, 'yellow')
    console.print(Text(str(options.out)), soft_wrap=True)
    if not reach.is_affordable.any():
        return _report_faults(
            console,
            [
                "'budget.total_m' must pay for a round trip to at least one candidate, "
                f'got {scenario.explorer.total_m:g}; the nearest needs '
                f'{float(reach.round_m.min(initial=np.inf)):.1f} m and the reserve.'
            ],
            path,
        )
    console.print(Text(f'{path}: no faults', style='green'), soft_wrap=True)
    return True


def _field_faults(scenario: Scenario, base: Path) -> list[str]:
    if not has_simulator(scenario):
        return []
    try:
        field_of(scenario, base)
    except BoExplorerError as error:
        return [str(error)]
    return []


def start_of(
    scenario: Scenario, explorer: Explorer, given: str | None
) -> tuple[FloatArray, str]:
    """
    Return where the mission starts, and how that is known.

    :param scenario: valid settings.
    :param explorer: made from them.
    :param given: ``X,Y``, metres, or ``None``.
    :return: shape ``(2,)``, metres, and a few words.
    :raises ConfigError: if what was given is no place.
    """
    home = scenario.explorer.home
    if given is not None:
        return _place(given), 'given by --start'
    if has_simulator(scenario):
        vehicle = scenario.world.vehicle
        return np.array([vehicle.start_x, vehicle.start_y]), 'start of the simulated vehicle'
    if home.mode == 'fixed':
        return np.array([home.x, home.y]), 'home.x, home.y'
    if explorer.area.is_empty:
        return np.zeros(2), 'unknown'
    low_x, low_y, high_x, high_y = explorer.area.bounds
    middle = np.array([0.5 * (low_x + high_x), 0.5 * (low_y + high_y)])
    return explorer.area.nearest_legal(middle), 'taken to be the middle; --start X,Y says it'


def _place(text: str) -> FloatArray:
    try:
        place = np.array([float(part) for part in text.split(',')])
    except ValueError:
        place = np.empty(0)
    if place.shape != (2,) or not np.isfinite(place).all():
        raise ConfigError('start', f"'--start' must be X,Y in metres, got {text!r}.")
    return place


def _reach(
    scenario: Scenario, explorer: Explorer, start: FloatArray
) -> tuple[Reach | None, str | None]:
    """Return the round trips from home, or why the mission would not begin."""
    config = scenario.explorer
    available = config.total_m - config.reserve_m
    home = find_home(config, explorer.travel, start, available)
    if isinstance(home, Refusal):
        return None, home.reason
    return Reach.of(explorer, home), None


def _report_faults(console: Console, faults: list[str], path: Path) -> bool:
    for text in faults:
        _say(console, 'fault', text, 'bold red')
    count = '1 fault' if len(faults) == 1 else f'{len(faults)} faults'
    console.print(Text(f'{path}: {count}', style='red'), soft_wrap=True)
    return False


def _say(console: Console, kind: str, text: str, style: str) -> None:
    console.print(Text.assemble((f'{kind}: ', style), text), soft_wrap=True)


def _table(scenario: Scenario, explorer: Explorer, reach: Reach, why: str) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style='bold', no_wrap=True)
    table.add_column()
    for name, text in _rows(scenario, explorer, reach, why):
        table.add_row(name, text)
    return table


def _rows(
    scenario: Scenario, explorer: Explorer, reach: Reach, why: str
) -> Iterator[tuple[str, str]]:
    config = scenario.explorer
    yield 'area', (
        f'{explorer.area.side**2:.4g} m2, {len(explorer.area.zones)} no-fly zones, '
        f'{len(reach.points)} candidates {explorer.spacing_m:.3g} m apart'
    )
    is_fixed = config.home.mode == 'fixed'
    place = f'({reach.home[0]:.1f}, {reach.home[1]:.1f})'
    yield 'home', f'{place}, {"home.x, home.y" if is_fixed else why}'
    yield 'budget', (
        f'{config.total_m:g} m, {config.reserve_m:g} m of it reserve, {reach.usable_m:.4g} m '
        'for plans'
    )
    speed = config.vehicle.speed_mps
    yield 'flight', f'{duration_text(config.total_m / speed)} at {speed:g} m/s, without stops'
    yield 'within reach', (
        f'{100.0 * reach.share:.0f} % of the candidates, {reach.area_m2:.4g} m2; longest way out '
        f'{reach.longest_m:.0f} m'
    )
    few, many = sorted(reach.stops)
    yield 'stops', f'roughly {few} to {many}, spread over the area; more where they cluster'
    yield 'policy', scenario.explorer.policy.name
