# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Findings are peaks that are known to be peaks; their files agree with other readers."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

import numpy as np
import pytest
import shapely

from bo_explorer.core.record import MissionRecord
from bo_explorer.core.types import FloatArray
from bo_explorer.geo.geojson import fence_from_geojson
from bo_explorer.geo.local_frame import LocalFrame
from bo_explorer.report.belief import Belief
from bo_explorer.report.findings import find_places
from bo_explorer.report.findings_files import findings_csv, findings_geojson

from .missions import flown, grid

FRAME = LocalFrame(-36.8765, 174.7641, 196.0)


def bumps(points: FloatArray, *peaks: tuple[float, float, float]) -> FloatArray:
    """Add hills of width 1 m, each of some height at a place."""
    return np.sum(
        [h * np.exp(-0.5 * ((points - [x, y]) ** 2).sum(axis=1)) for x, y, h in peaks], axis=0
    )


def places(
    values: FloatArray, std: FloatArray | float, most: int = 5
) -> list[tuple[float, float]]:
    belief = Belief(grid(), values, np.broadcast_to(std, len(grid())))
    model = {'signal_std': 3.0, 'mean': 0.0, 'lengthscales': [2.0, 2.0]}
    record = dataclasses.replace(flown().record, hyperparameters=model)
    return [(place.x, place.y) for place in find_places(record, belief, most)]


def test_the_best_estimate_comes_first_and_then_the_peaks_by_height() -> None:
    values = bumps(grid(), (8.0, 4.0, 9.0), (2.0, 8.0, 5.0), (2.0, 2.0, 7.0))
    assert places(values, 0.1) == [(8.0, 4.0), (2.0, 2.0), (2.0, 8.0)]
    assert places(values, 0.1, most=2) == [(8.0, 4.0), (2.0, 2.0)]


def test_a_peak_nobody_has_seen_or_that_may_be_noise_is_no_finding() -> None:
    values = bumps(grid(), (2.0, 8.0, 5.0), (2.0, 2.0, 7.0))
    doubt = np.where(grid()[:, 1] > 5.0, 2.0, 0.1)
    assert places(values, doubt) == [(8.0, 4.0), (2.0, 2.0)]
    assert places(bumps(grid(), (2.0, 2.0, 1.9)), 1.0) == [(8.0, 4.0)]


def test_peaks_within_a_lengthscale_are_one() -> None:
    assert places(bumps(grid(), (8.0, 5.0, 9.0)), 0.1) == [(8.0, 4.0)]


def test_a_flat_map_and_an_unknown_one_have_no_peaks() -> None:
    assert places(np.ones(len(grid())), 0.1) == [(8.0, 4.0)]
    assert find_places(flown().record, Belief()) == find_places(flown().record, Belief(), 1)
    assert find_places(MissionRecord(), Belief()) == []


def test_csv_is_read_back_by_a_csv_reader() -> None:
    found = find_places(flown().record, flown().belief)
    for frame in (None, FRAME):
        rows = list(csv.DictReader(io.StringIO(findings_csv(flown().record, found, frame))))
        assert [float(row['value']) for row in rows] == [place.value for place in found]
        assert float(rows[0]['east_m']) == 8.0
        assert ('latitude_deg' in rows[0]) == (frame is not None)
    back = FRAME.to_local(
        np.array([float(rows[0]['latitude_deg'])]), np.array([float(rows[0]['longitude_deg'])])
    )
    assert back[0] == pytest.approx([8.0, 4.0], abs=2e-3)


def test_geojson_is_a_search_area_again() -> None:
    record = flown().record
    found = find_places(record, flown().belief)
    document = json.loads(findings_geojson(record, found, FRAME, 'K'))
    roles = [feature['properties']['role'] for feature in document['features']]
    assert roles.count('finding') == len(found)
    assert {'track', 'area', 'no_fly', 'home'} < set(roles)
    assert document['features'][0]['properties']['unit'] == 'K'
    local = fence_from_geojson(document).to_local(FRAME)
    for corners, ring in zip([local.area, *local.zones], [*record.area, *record.zones]):
        shapes = shapely.Polygon(corners), shapely.Polygon(ring)
        assert shapely.hausdorff_distance(*shapes) < 2e-3
    assert local.home == pytest.approx((1.0, 1.0), abs=2e-3)
