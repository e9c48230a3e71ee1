# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What a mission needs to go on after its process has ended: plain values, ready for JSON.

A memory is a dictionary. Samples, stops and targets only grow or change near their ends, and the
rest is small, so what has changed between two memories is small too: :func:`change` and
:func:`changed` let a file hold one memory and a list of changes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .config import ExplorerConfig
from .errors import MemoryFileError
from .gp.hyperparameters import Hyperparameters
from .mission_state import MissionState

_LISTS = ('samples', 'stops', 'targets')


@dataclass(frozen=True)
class MissionMemory:
    """
    One mission as it was.

    :param state: value of the :class:`~.mission_state.MissionState`; of a mission that was
        interrupted the state it would go on with.
    :param is_paused: whether the operator had paused it.
    :param reason: the sentence that goes with the state.
    :param outcome: as in the record.
    :param home: ``[x, y]``, metres.
    :param place: ``[x, y]`` of the last pose booked, metres.
    :param spent_m: metres-equivalent on the present battery.
    :param spent_before_m: metres-equivalent on earlier batteries.
    :param swaps: batteries that were swapped.
    :param flown_m: metres.
    :param elapsed_s: mission time, seconds.
    :param battery_s: time since the present battery was put in, pauses included, seconds.
    :param clock_s: what the clock said then, seconds; tells another process how long it was away.
    :param n_stops: measurements made at a target.
    :param n_readings: readings received.
    :param rejections: readings refused, by reason.
    :param polygon: the area in force; empty: that of the settings.
    :param polygon_given: the area the settings gave when the process began; empty: not known.
    :param zones: no-fly polygons in force, as the parameter holds them.
    :param learned: hyperparameters of the last fit, or ``None``.
    :param samples: ``[x, y, value, count]`` each.
    :param stops: places the vehicle stopped at, ``[x, y]`` each, metres.
    :param targets: ``[x, y]`` each, metres.
    :param energy: what was learned of battery and clock, as
        :meth:`~.energy.EnergyAccount.to_dict` gives it.
    """

    state: str
    is_paused: bool
    reason: str
    outcome: str
    home: list[float]
    place: list[float]
    spent_m: float
    spent_before_m: float
    swaps: int
    flown_m: float
    elapsed_s: float
    battery_s: float
    clock_s: float
    n_stops: int
    n_readings: int
    rejections: dict[str, int]
    polygon: list[float]
    zones: list[str]
    learned: dict[str, Any] | None
    samples: list[list[float]] = field(default_factory=list)
    stops: list[list[float]] = field(default_factory=list)
    targets: list[list[float]] = field(default_factory=list)
    energy: dict[str, Any] = field(default_factory=dict)
    polygon_given: list[float] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the plain values; lists are not copied."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MissionMemory:
        """
        Read and check what :meth:`to_dict` gave.

        :raises MemoryFileError: if a value is missing, unknown or of the wrong kind.
        """
        try:
            memory = cls(**values)
            memory._check()
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise MemoryFileError(f'this is no memory of a mission: {error}') from error
        return memory

    def _check(self) -> None:
        MissionState(self.state)
        amounts = (self.spent_m, self.spent_before_m, self.flown_m, self.elapsed_s, self.battery_s)
        for amount in amounts:
            if not 0.0 <= amount < math.inf:
                raise ValueError(f'an amount must be finite and at least 0, got {amount!r}')
        if not math.isfinite(self.clock_s):
            raise ValueError(f'a clock must be finite, got {self.clock_s!r}')
        for rows, width in (
            ([self.home, self.place], 2),
            (self.samples, 4),
            (self.stops, 2),
            (self.targets, 2),
        ):
            for row in rows:
                if len(row) != width or not all(math.isfinite(value) for value in row):
                    raise ValueError(f'a row must be {width} finite numbers, got {row!r}')
        if any(not row[3] > 0.0 for row in self.samples):
            raise ValueError('a sample must stand for at least one reading')
        if not all(isinstance(zone, str) for zone in self.zones):
            raise ValueError(f'zones must be texts, got {self.zones!r}')
        self.hyperparameters()

    def hyperparameters(self) -> Hyperparameters | None:
        """Return what was learned, or ``None``."""
        return None if self.learned is None else Hyperparameters(**self.learned)


def change(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return what leads from one memory to the next; empty where nothing has changed.

    :param before: plain values of a memory.
    :param after: plain values of a later one.
    """
    result: dict[str, Any] = {}
    values = {
        key: value
        for key, value in after.items()
        if key not in _LISTS and value != before.get(key)
    }
    if values:
        result['set'] = values
    for key in _LISTS:
        old, new = before[key], after[key]
        if old is new:
            continue
        kept = _common(old, new)
        if kept < len(old) or kept < len(new):
            result[key] = [kept, new[kept:]]
    return result


def changed(memory: Mapping[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a memory after a change.

    :param memory: plain values; stays as it is.
    :param step: what :func:`change` gave.
    :raises MemoryFileError: if the change does not belong to this memory.
    """
    result = dict(memory)
    for key, value in step.items():
        if key == 'set' and isinstance(value, dict):
            result.update(value)
        elif key in _LISTS and isinstance(value, list) and len(value) == 2:
            kept, rows = value
            if not 0 <= kept <= len(memory[key]):
                raise MemoryFileError(f'a change of {key} does not follow the one before')
            result[key] = [*memory[key][:kept], *rows]
        else:
            raise MemoryFileError(f'a memory has no {key!r} that can change')
    return result


def resumed(config: ExplorerConfig, memory: MissionMemory) -> ExplorerConfig:
    """
    Return the settings a mission goes on with.

    Zones count whether they stand in the settings or were added in flight. An area that was
    changed in flight stays changed, unless the settings give another one than they gave before.

    :param config: settings as they are given now.
    :param memory: of the mission.
    """
    zones = (*config.no_fly.polygons, *memory.zones)
    no_fly = dataclasses.replace(config.no_fly, polygons=tuple(dict.fromkeys(zones)))
    area = config.area
    given = list(config.area.polygon)
    if memory.polygon and memory.polygon_given in ([], given):
        area = dataclasses.replace(area, polygon=tuple(memory.polygon))
    return dataclasses.replace(config, no_fly=no_fly, area=area)


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    """Return how many rows at the beginning are the same."""
    most = min(len(old), len(new))
    # Rows change near the end; most of the beginning is compared at once.
    start = most
    while start > 0 and old[:start] != new[:start]:
        start //= 2
    while start < most and old[start] == new[start]:
        start += 1
    return start
