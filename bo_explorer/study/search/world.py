# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a search is made in, and the truth it is judged by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.area import SearchArea
from ...core.gp.hyperparameters import Hyperparameters
from ...core.types import FloatArray
from ...sim.fields.base import Field


@dataclass(frozen=True)
class Truth:
    """
    The field as it is, over the places that may be searched.

    :param value: sensor unit at places, shape ``(M, 2)`` in metres to ``(M,)``.
    :param peak: the best place, shape ``(2,)``, metres.
    :param top: the value there.
    :param bottom: the least value.
    :param source: where what makes the field is known to be, shape ``(2,)``, metres; the peak
        where nothing else is known.
    """

    value: Callable[[FloatArray], FloatArray]
    peak: FloatArray
    top: float
    bottom: float
    source: FloatArray

    @classmethod
    def over(
        cls,
        field: Field,
        area: SearchArea,
        places: FloatArray,
        source: FloatArray | None = None,
    ) -> Truth:
        """
        Return the truth over an area.

        :param field: the ground truth.
        :param area: where the peak may be looked for; the peak of the field need not lie there.
        :param places: places that stand for the area, shape ``(M, 2)``, metres, dense.
        :param source: as in the class.
        """
        peak = field.maximum.point[np.newaxis]
        places = np.concatenate([places, peak[area.contains(peak)]])
        values = field.value(places)
        best = places[int(np.argmax(values))]
        return cls(
            field.value, best, float(values.max()), float(values.min()),
            best if source is None else np.asarray(source, dtype=np.float64),
        )  # fmt: skip

    def regret(self, places: FloatArray) -> FloatArray:
        """
        Return how far the values at places are below the best, in parts of the range.

        :param places: shape ``(M, 2)``, metres.
        :return: shape ``(M,)``, at least 0: between two of its places the truth may be higher.
        """
        share: FloatArray = (self.top - self.value(places)) / (self.top - self.bottom)
        return np.maximum(share, 0.0)


@dataclass(frozen=True)
class SearchWorld:
    """
    A field and what there is to search it with: a vehicle without inertia, reading as it flies.

    :param area: where to fly.
    :param candidates: places targets are chosen from, shape ``(M, 2)``, metres.
    :param truth: the field.
    :param home: start and end, shape ``(2,)``, metres.
    :param budget_m: path length, the way home included.
    :param noise_std: of one reading, sensor unit.
    :param reading_step_m: distance between two readings.
    :param stop_cost_m: what policies are told one stop costs; the budget is path length alone.
    :param model: the hyperparameters where they are known, ``None`` where they are learned.
    """

    area: SearchArea
    candidates: FloatArray
    truth: Truth
    home: FloatArray
    budget_m: float
    noise_std: float
    reading_step_m: float
    stop_cost_m: float
    model: Hyperparameters | None
