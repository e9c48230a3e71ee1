# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The record of one mission: plain values, ready for JSON, made by the planner itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from .types import Estimate


@dataclass
class MissionRecord:
    """
    What happened, as the planner knows it; nothing here is ground truth.

    :param policy: registry name of the policy.
    :param seed: seed of the planner.
    :param state: name of the mission state (see :class:`bo_explorer.core.mission.MissionState`).
    :param outcome: value of the :class:`~bo_explorer.core.types.Outcome` that ended the search, or
        ``'running'``, ``'returned'`` (called home), ``'failed'`` or ``'held'``.
    :param reason: the sentence that goes with it.
    :param budget_m: whole budget, metres-equivalent.
    :param reserve_m: untouchable part of it.
    :param spent_m: spent so far, metres-equivalent, stops included.
    :param swaps: batteries that were swapped.
    :param spent_before_m: spent on earlier batteries, metres-equivalent.
    :param flown_m: distance flown so far, metres.
    :param stops: measurements made at a target.
    :param returned_home: whether the vehicle is at home after the search.
    :param is_map: whether x and y are east and north in the map, and not on a plane of their own.
    :param home: ``[x, y]``, metres, or ``None`` before it is known.
    :param area: inclusion polygons, each a list of ``[x, y]``.
    :param zones: no-fly polygons without margin, each a list of ``[x, y]``.
    :param n_readings: readings received.
    :param rejections: readings refused, by reason.
    :param waypoints: targets reached or tried, each ``[x, y]``.
    :param samples: what the map rests on, each ``[x, y, value, count]``.
    :param track: flown track, each ``[x, y]``.
    :param best: best estimate, or ``None`` before the first sample.
    :param best_history: best estimate after each decision, each ``[spent_m, x, y, mean, std]``.
    :param decision_ms: wall time of each decision, milliseconds.
    :param decided_at: budget spent at each of these decisions, metres-equivalent.
    :param events: every change of state or reason, each ``[stamp, spent_m, state, reason]``; the
        stamp is that of the newest pose, seconds, ``None`` before the first.
    :param battery: charge as the budget was spent, each ``[spent_m, fraction]``.
    :param hyperparameters: lengthscales, signal, noise, mean of the model, sensor units.
    """

    policy: str = ''
    seed: int = 0
    state: str = 'idle'
    outcome: str = 'running'
    reason: str = ''
    budget_m: float = 0.0
    reserve_m: float = 0.0
    spent_m: float = 0.0
    swaps: int = 0
    spent_before_m: float = 0.0
    flown_m: float = 0.0
    stops: int = 0
    returned_home: bool = False
    is_map: bool = True
    home: list[float] | None = None
    area: list[list[list[float]]] = field(default_factory=list)
    zones: list[list[list[float]]] = field(default_factory=list)
    n_readings: int = 0
    rejections: dict[str, int] = field(default_factory=dict)
    waypoints: list[list[float]] = field(default_factory=list)
    samples: list[list[float]] = field(default_factory=list)
    track: list[list[float]] = field(default_factory=list)
    best: Estimate | None = None
    best_history: list[list[float]] = field(default_factory=list)
    decision_ms: list[float] = field(default_factory=list)
    decided_at: list[float] = field(default_factory=list)
    events: list[list[Any]] = field(default_factory=list)
    battery: list[list[float]] = field(default_factory=list)
    hyperparameters: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """
        Return plain dicts, lists, strings and numbers.

        Rows of lists are those of the record, which only ever adds and drops whole rows: they are
        not copied, since a waypoint would wait for it.
        """
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        if self.best is not None:
            values['best'] = dataclasses.asdict(self.best)
        return {
            key: copy(value) if isinstance(value, (list, dict)) else value
            for key, value in values.items()
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MissionRecord:
        """
        Rebuild a record made by :meth:`to_dict`.

        :raises ValueError: if a key is unknown.
        """
        known = {f.name for f in dataclasses.fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ValueError(f'a mission record has no {unknown[0]!r}.')
        arguments = dict(values)
        if arguments.get('best') is not None:
            arguments['best'] = Estimate(**arguments['best'])
        return cls(**arguments)
