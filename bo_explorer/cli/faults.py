# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""All faults of a parameter file at once, where reading it names only the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..core.errors import BoExplorerError, ConfigError
from ..core.explorer import Explorer
from ..core.options import unknown_key
from ..core.polygons import parse_polygon, polygon_from_numbers
from ..core.types import FloatArray
from .scenario import Scenario, is_foreign, known_options

# Values for what is required and missing or wrong, so that the rest can be looked at.
_STAND_INS: Mapping[str, Any] = {
    'area.polygon': (0.0, 0.0, 1.0, 0.0, 1.0, 1.0),
    'budget.total_m': 1e9,
}


def find_faults(flat: Mapping[str, Any]) -> tuple[Scenario | None, list[str]]:
    """
    Check values one by one, then together.

    :param flat: values by dotted key, as :func:`bo_explorer.cli.scenario.read_flat` returns them.
    :return: the scenario, or ``None`` where it has faults; and the faults, a line each.
    """
    known = known_options()
    faults: list[str] = []
    good: dict[str, Any] = {}
    for key, value in flat.items():
        if is_foreign(key):
            continue
        try:
            if key not in known:
                raise unknown_key(key, known)
            good[key] = known[key][1].validated(value)
        except ConfigError as error:
            faults.append(str(error))
    is_missing = False
    for key, (_, spec) in known.items():
        group = key[: len(key) - len(key.rpartition('.')[2])]
        names = [key, *(group + name for name in spec.alternatives)]
        if spec.required and all(_is_unset(good.get(n, known[n][1].default)) for n in names):
            is_missing = True
            # Of one that was given and is wrong there is a fault already.
            if all(n in good or n not in flat for n in names):
                faults.append(f"'{key}' is required: {spec.description} It must be {spec.rule}.")
    faults += _polygon_faults(good)
    scenario, contradictions = _assembled({**_STAND_INS, **good} if is_missing else good)
    faults += [text for text in contradictions if text not in faults]
    if faults or scenario is None:
        return None, faults
    try:
        Explorer(scenario.explorer, scenario.make_policy())
    except BoExplorerError as error:
        return None, [str(error)]
    return scenario, []


def _is_unset(value: Any) -> bool:
    return value in ('', ()) or (isinstance(value, float) and math.isnan(value))


def _polygon_faults(good: Mapping[str, Any]) -> list[str]:
    faults = []
    numbers = good.get('area.polygon', ())
    zones = good.get('no_fly.polygons', ())
    readers: list[Callable[[], FloatArray]] = [
        partial(parse_polygon, text, f'no_fly.polygons[{index}]')
        for index, text in enumerate(zones)
    ]
    if len(numbers) >= 6 and len(numbers) % 2 == 0:
        readers.insert(0, partial(polygon_from_numbers, numbers, 'area.polygon'))
    for read in readers:
        try:
            read()
        except BoExplorerError as error:
            faults.append(str(error))
    return faults


def _assembled(good: Mapping[str, Any]) -> tuple[Scenario | None, list[str]]:
    """Put the values together; each contradiction is named once and its value then left out."""
    left = dict(good)
    faults: list[str] = []
    while True:
        try:
            return Scenario.from_flat(left), faults
        except ConfigError as error:
            faults.append(str(error))
            # Where the key was not given, the contradiction is among its neighbours.
            section = error.key.rpartition('.')[0] + '.'
            near = [key for key in left if key.startswith(section)]
            wrong = [error.key] if error.key in left else near
            if not wrong:
                return None, faults
            for key in wrong:
                del left[key]
            left.update((key, _STAND_INS[key]) for key in wrong if key in _STAND_INS)
