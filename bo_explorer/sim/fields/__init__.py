# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Pretend fields, the ground truth of a simulated mission.

A new kind is one module with a ``make(config, rng, base)`` and one line of :data:`FIELDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import analytic, crack, gp_draw, hot_spots, raster, scattered
from .base import Bounds, Extreme, Field, KnownField

if TYPE_CHECKING:
    from ..config import FieldConfig

__all__ = ['FIELDS', 'Bounds', 'Extreme', 'Field', 'KnownField', 'make_field']

FIELDS: Mapping[str, Callable[[FieldConfig, np.random.Generator, Path | None], KnownField]] = {
    'analytic': analytic.make,
    'crack': crack.make,
    'gp_draw': gp_draw.make,
    'hot_spots': hot_spots.make,
    'raster': raster.make,
    'scattered': scattered.make,
}
"""Builders by the name the option ``simulator.field.kind`` takes."""


def make_field(
    config: FieldConfig, rng: np.random.Generator, base: Path | None = None
) -> KnownField:
    """
    Build the field the options ask for.

    :param config: what to build.
    :param rng: source of everything random about it.
    :param base: folder of the configuration file, for relative paths; ``None``: there is none.
    :raises ConfigError: if the options or the file they name cannot be used.
    """
    return FIELDS[config.kind](config, rng, base).scaled(config.scale, config.offset)
