# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The true field of a scenario, for judging a mission after it has ended."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.area import SearchArea
from ..core.errors import ConfigError
from ..report.ground_truth import GroundTruth
from ..sim.fields import Field, make_field
from ..sim.fields.files import find_file
from ..sim.streams import random_streams
from .scenario import Scenario

_NODES_PER_AXIS = 201


def field_of(scenario: Scenario, base: Path | None = None) -> Field:
    """
    Build the field of a scenario, the one its simulator node flies in.

    :param base: folder of the scenario file, for relative paths in it.
    :raises ConfigError: if the settings or the file of the field cannot be used.
    """
    return make_field(scenario.world.field, random_streams(scenario.world.seed).field, base)


def with_found_file(scenario: Scenario, base: Path) -> Scenario:
    """
    Return a scenario that names the file of its field by an absolute path, if it has one.

    Its nodes know neither the folder of the settings nor that of the command.

    :param base: folder of the scenario file.
    """
    file = scenario.world.field.file
    try:
        found = find_file(file, base) if file else None
    except ConfigError:
        # Not every kind of field reads it; one that does says that it is not there.
        found = None
    if found is None:
        return scenario
    return Scenario.from_flat({**scenario.given, 'simulator.field.file': str(found.resolve())})


def truth_of(field: Field, scenario: Scenario) -> GroundTruth:
    """
    Return what can be reached of a field: its extremes over the legal places.

    :param field: the true field.
    :raises GeometryError: if the area cannot be used.
    """
    area = SearchArea.from_config(
        scenario.explorer.area, scenario.explorer.no_fly, scenario.explorer.search_plane()
    )
    low_x, low_y, high_x, high_y = area.bounds
    x, y = np.meshgrid(
        np.linspace(low_x, high_x, _NODES_PER_AXIS), np.linspace(low_y, high_y, _NODES_PER_AXIS)
    )
    places = np.column_stack([x.ravel(), y.ravel()])
    places = np.vstack([places, field.maximum.point])
    return GroundTruth.over(field.value, places[area.contains(places)])
