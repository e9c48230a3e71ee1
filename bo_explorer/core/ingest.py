# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which readings become samples, and how many readings stand behind each sample."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable

import numpy as np

from .config import IngestConfig
from .merging import merge_rows
from .types import BoolArray, FloatArray, Reading, Samples

OPEN_VISITS = 16
"""Samples at the end of the list that may still grow; the ones before never change in flight."""

MAX_ABSOLUTE_VALUE = 1e12
"""Readings beyond are refused whatever the limits are: they would swamp all others."""

# Readings remembered to recognise one that is delivered twice.
_REMEMBERED = 4096

# Share of the most samples that stays after a merge, so that merges are rare.
_KEPT_SHARE = 0.75


class Ingest:
    """
    Turns readings into samples, and counts every reading it refuses by reason.

    Readings are averaged per *visit* to a cell of a square grid. A visit goes on while its sample
    is among the last :data:`OPEN_VISITS`, so hovering on a border between cells makes no new
    samples; a later return makes a new sample and leaves the old one as it is.

    Reasons of refusal: ``not_finite`` (value, place or stamp), ``outside_area``, ``below_min``,
    ``above_max``, ``duplicate`` (same stamp, place and value as a reading accepted lately), and
    those a caller adds with :meth:`reject`.

    :param config: limits and greatest number of samples.
    :param cell_m: size of a cell, metres.
    :param contains: whether places, shape ``(M, 2)``, are legal; shape ``(M,)``.
    :raises ValueError: if the cell size is not above 0 and finite.
    """

    def __init__(
        self,
        config: IngestConfig,
        *,
        cell_m: float,
        contains: Callable[[FloatArray], BoolArray],
    ) -> None:
        if not (math.isfinite(cell_m) and cell_m > 0.0):
            raise ValueError(f"'cell_m' must be finite and above 0, got {cell_m!r}.")
        self._cell_m = cell_m
        self._contains = contains
        self._max_samples = config.max_samples
        low, high = config.value_min, config.value_max
        self._low = -MAX_ABSOLUTE_VALUE if math.isnan(low) else max(low, -MAX_ABSOLUTE_VALUE)
        self._high = MAX_ABSOLUTE_VALUE if math.isnan(high) else min(high, MAX_ABSOLUTE_VALUE)
        self._rejections: Counter[str] = Counter()
        self._n_accepted = 0
        self._seen: OrderedDict[tuple[float, float, float, float], None] = OrderedDict()
        # One row a sample: x, y, value, count; the first three are running means.
        self._rows: list[list[float]] = []
        self._visits: OrderedDict[tuple[int, int], int] = OrderedDict()
        self._samples: Samples | None = None

    @property
    def samples(self) -> Samples:
        """The samples so far; the same object until a reading changes them."""
        if self._samples is None:
            rows = np.array(self._rows).reshape(-1, 4)
            self._samples = Samples(rows[:, :2], rows[:, 2], rows[:, 3])
        return self._samples

    @property
    def n_readings(self) -> int:
        """Readings offered so far, accepted or refused."""
        return self._n_accepted + sum(self._rejections.values())

    @property
    def n_accepted(self) -> int:
        """Readings accepted so far: the sum of the counts of all samples."""
        return self._n_accepted

    @property
    def rejections(self) -> dict[str, int]:
        """Readings refused so far, by reason."""
        return dict(self._rejections)

    def reject(self, reason: str, count: int = 1) -> None:
        """
        Count readings the caller refused itself, e.g. for ``no_pose``.

        :param reason: a short name.
        :param count: how many.
        """
        self._rejections[reason] += count

    def restore(self, samples: Samples) -> None:
        """
        Begin with samples that were accepted before; every visit to a cell begins anew.

        :param samples: at most as many as fit.
        """
        columns = [samples.points, samples.values, samples.counts]
        self._rows = np.column_stack(columns).tolist()
        self._n_accepted = int(samples.counts.sum())
        self._visits.clear()
        self._samples = None
        if len(self._rows) > self._max_samples:
            self._merge()

    def add(self, readings: Iterable[Reading]) -> int:
        """
        Take over readings.

        :param readings: in the order they were taken.
        :return: how many were accepted.
        """
        rows = np.array([(r.x, r.y, r.value, r.stamp) for r in readings], dtype=np.float64)
        rows = self._refuse_bad(rows.reshape(-1, 4))
        before = self._n_accepted
        for x, y, value, stamp in rows.tolist():
            if self._is_duplicate((stamp, x, y, value)):
                self._rejections['duplicate'] += 1
            else:
                self._accept(x, y, value)
        accepted = self._n_accepted - before
        if accepted:
            self._samples = None
        return accepted

    def _refuse_bad(self, rows: FloatArray) -> FloatArray:
        """Return the rows ``(x, y, value, stamp)`` that pass every test but the duplicates'."""
        rows = self._keep(rows, np.logical_and.reduce(np.isfinite(rows), axis=1), 'not_finite')
        if len(rows):
            rows = self._keep(rows, self._contains(rows[:, :2]), 'outside_area')
        rows = self._keep(rows, rows[:, 2] >= self._low, 'below_min')
        return self._keep(rows, rows[:, 2] <= self._high, 'above_max')

    def _keep(self, rows: FloatArray, good: BoolArray, reason: str) -> FloatArray:
        refused = len(rows) - int(good.sum())
        if refused:
            self._rejections[reason] += refused
        return rows[good]

    def _is_duplicate(self, key: tuple[float, float, float, float]) -> bool:
        if key in self._seen:
            return True
        self._seen[key] = None
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return False

    def _accept(self, x: float, y: float, value: float) -> None:
        self._n_accepted += 1
        cell = (math.floor(x / self._cell_m), math.floor(y / self._cell_m))
        index = self._visits.get(cell)
        if index is None:
            self._begin_visit(cell, x, y, value)
            return
        row = self._rows[index]
        row[3] += 1.0
        share = 1.0 / row[3]
        row[0] += share * (x - row[0])
        row[1] += share * (y - row[1])
        row[2] += share * (value - row[2])

    def _begin_visit(self, cell: tuple[int, int], x: float, y: float, value: float) -> None:
        if len(self._rows) == self._max_samples:
            self._merge()
        self._visits[cell] = len(self._rows)
        self._rows.append([x, y, value, 1.0])
        # Visits are added in the order of their samples, so the first one is the oldest.
        if len(self._visits) > OPEN_VISITS:
            self._visits.popitem(last=False)

    def _merge(self) -> None:
        """Make room; the cells of later visits keep their size. All visits end."""
        self._visits.clear()
        most = int(_KEPT_SHARE * self._max_samples)
        self._rows = merge_rows(np.array(self._rows), self._cell_m, most).tolist()
