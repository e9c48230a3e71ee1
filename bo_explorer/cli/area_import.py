# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Area, zones and home from the file of a ground station or a map, as parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..core.errors import ConfigError
from ..core.types import FloatArray
from ..geo.fence import LocalPlan
from ..geo.files import read_fence
from ..geo.local_frame import LocalFrame

# Places are written to the millimetre.
_DECIMALS = 3


def read_plan(path: Path, origin: str | None) -> LocalPlan:
    """
    Read a plan of QGroundControl or GeoJSON.

    :param path: the file.
    :param origin: of the map frame, ``LAT,LON[,ALT]``; ``None``: home.
    :raises BoExplorerError: if it cannot be read or used.
    """
    frame = None if origin is None else LocalFrame.parse(origin)
    return read_fence(path).to_local(frame)


def plan_parameters(plan: LocalPlan) -> dict[str, Any]:
    """Return a plan as values by dotted key."""
    flat: dict[str, Any] = {'area.polygon': _rounded(plan.area.ravel())}
    if plan.zones:
        flat['no_fly.polygons'] = [
            '; '.join(f'{x:.{_DECIMALS}f},{y:.{_DECIMALS}f}' for x, y in zone)
            for zone in plan.zones
        ]
    if plan.home is not None:
        x, y = (round(v, _DECIMALS) + 0.0 for v in plan.home)
        flat.update({'home.mode': 'fixed', 'home.x': x, 'home.y': y})
    return flat


def plan_yaml(plan: LocalPlan, source: str, budget_m: float | None) -> str:
    """
    Return a plan as a ROS 2 parameter file.

    :param plan: what was read.
    :param source: name of the file it was read from.
    :param budget_m: of the mission, metres, or ``None`` to leave it to the user.
    :raises ConfigError: if the budget is not above 0.
    """
    if budget_m is not None and not budget_m > 0.0:
        raise ConfigError('budget', f"'--budget' must be above 0 m, got {budget_m!r}.")
    flat = plan_parameters(plan)
    if budget_m is not None:
        flat['budget.total_m'] = budget_m
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        section, _, name = key.partition('.')
        nested.setdefault(section, {})[name] = value
    body = yaml.dump(
        {'/**': {'ros__parameters': nested}}, Dumper=_Dumper, sort_keys=False, width=100_000
    )
    lines = [
        f'# Area, zones and home from {source}, metres east and north of the origin of the map,',
        f'# --origin={plan.frame} (latitude, longitude, altitude in WGS84).',
        *(f'# Note: {note}.' for note in plan.notes),
    ]
    if budget_m is None:
        lines.append('# Still needed: budget.total_m, the metres the mission may fly.')
    return '\n'.join(lines) + '\n' + body


def import_area(
    path: Path, *, origin: str | None, budget_m: float | None, out: Path | None
) -> tuple[str, list[str]]:
    """
    Convert a file and, if that is wanted, write the result.

    :param path: a plan or GeoJSON.
    :param origin: of the map frame, ``LAT,LON[,ALT]``; ``None``: home.
    :param budget_m: of the mission, metres, or ``None``.
    :param out: where the parameters are written, or ``None``.
    :return: the parameters as YAML, and what the user should know.
    :raises BoExplorerError: if the file cannot be read or used.
    :raises OSError: if the parameters cannot be written.
    """
    plan = read_plan(path, origin)
    text = plan_yaml(plan, path.name, budget_m)
    if out is not None:
        out.write_text(text, encoding='utf-8')
    return text, plan.notes


class _Dumper(yaml.SafeDumper):
    """Writes lists in one line and sections in several, to be edited by hand."""


_Dumper.add_representer(
    list,
    lambda dumper, data: dumper.represent_sequence('tag:yaml.org,2002:seq', data, flow_style=True),
)


def _rounded(values: FloatArray) -> list[float]:
    return [round(float(value), _DECIMALS) + 0.0 for value in values]
