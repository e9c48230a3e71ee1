# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The synthetic suite: five kinds of fields on the unit square, known model, start in a corner."""

from __future__ import annotations

import numpy as np

from ...core.area import SearchArea
from ...core.gp.hyperparameters import Hyperparameters
from .suite_fields import FIELD_KINDS, make_suite_field
from .world import SearchWorld, Truth

SUITE = tuple(FIELD_KINDS)
"""Names of the problems."""

CELLS = 40
NOISE_STD = 0.1
BUDGET_SIDES = 3.0
STOP_COST_SIDES = 0.02
READING_STEP_SIDES = 0.05


def suite_world(kind: str, seed: int) -> SearchWorld:
    """
    Draw a world of the suite.

    :param kind: one of :data:`SUITE`.
    :param seed: the same number makes the same world.
    """
    field = make_suite_field(kind, CELLS, np.random.default_rng([seed, 0]))
    best = int(np.argmax(field.values))
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    return SearchWorld(
        area=SearchArea([square]),
        candidates=field.points,
        truth=Truth(
            field.values_at, field.points[best], float(field.values.max()),
            float(field.values.min()), field.points[best],
        ),
        home=field.points[0],
        budget_m=BUDGET_SIDES,
        noise_std=NOISE_STD,
        reading_step_m=READING_STEP_SIDES,
        stop_cost_m=STOP_COST_SIDES,
        model=Hyperparameters('matern52', (field.lengthscale,) * 2, 1.0, NOISE_STD, 0.0),
    )  # fmt: skip
