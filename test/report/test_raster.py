# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The pixels pictures are drawn with."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.report.raster import Raster

from .missions import grid, slope

SQUARE = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]
TRIANGLE = [[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]


@pytest.mark.parametrize('corners', [SQUARE, SQUARE[::-1]])
def test_a_square_is_covered_to_its_border(corners: list[list[float]]) -> None:
    assert Raster.over([corners]).inside.all()


@pytest.mark.parametrize('corners', [TRIANGLE, TRIANGLE[::-1]])
def test_what_is_outside_the_area_stays_blank(corners: list[list[float]]) -> None:
    values = Raster.over([corners]).values(slope)
    assert np.isnan(values[-1, -1])
    assert np.isfinite(values).mean() == pytest.approx(0.5, abs=0.03)


def test_interpolation_of_a_plane_is_exact() -> None:
    raster = Raster.over([SQUARE])
    assert raster.interpolated(grid(), slope(grid())) == pytest.approx(raster.values(slope))


def test_two_polygons_are_both_covered() -> None:
    far = [[x + 20.0, y] for x, y in SQUARE]
    inside = Raster.over([SQUARE, far]).inside
    assert inside[:, 0].all() and inside[:, -1].all()
    assert not inside[:, inside.shape[1] // 2].any()


def test_without_points_nothing_is_known() -> None:
    raster = Raster.over([SQUARE])
    assert np.isnan(raster.interpolated(np.empty((0, 2)), np.empty(0))).all()


def test_points_in_one_line_are_taken_over_by_the_nearest() -> None:
    line = np.array([[0.0, 5.0], [5.0, 5.0], [7.0, 5.0], [10.0, 5.0]])
    values = Raster.over([SQUARE]).interpolated(line, slope(line))
    assert values[0, 0] == 0.0
    assert values[-1, -1] == 10.0


def test_no_area_is_refused() -> None:
    with pytest.raises(ValueError, match='at least one polygon'):
        Raster.over([])
