# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What every kind of field promises, over the whole registry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bo_explorer.sim.config import FieldConfig
from bo_explorer.sim.fields import FIELDS, Field, KnownField, make_field
from bo_explorer.sim.fields.analytic import FUNCTIONS
from bo_explorer.sim.fields.base import grid_points

FILES = {
    'raster': '1,2,3\n4,9,6\n0,5,7\n2,2,2\n',
    'scattered': 'x,y,value\n0,0,1\n10,0,2\n10,8,5\n0,8,3\n4,4,9\n6,3,-2\n',
}
CASES = [(kind, 'branin') for kind in FIELDS if kind != 'analytic']
CASES += [('analytic', name) for name in FUNCTIONS]


@pytest.fixture(params=CASES, ids=lambda case: '-'.join(case), scope='module')
def field(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> KnownField:
    kind, function = request.param
    return build(kind, tmp_path_factory.mktemp('field'), function=function)


def build(kind: str, folder: Path, seed: int = 4, **options: object) -> KnownField:
    if kind in FILES:
        (folder / 'table.csv').write_text(FILES[kind])
        options['file'] = 'table.csv'
    config = FieldConfig(kind=kind, width_m=60.0, height_m=40.0, **options)
    return make_field(config, np.random.default_rng(seed), folder)


def test_it_is_a_field(field: KnownField) -> None:
    assert isinstance(field, Field)


def test_no_place_beats_its_maximum_or_undercuts_its_minimum(field: KnownField) -> None:
    rng = np.random.default_rng(0)
    grid = grid_points(field.bounds, 83, 67)
    around = [
        extreme.point + 0.3 * rng.standard_normal((2000, 2))
        for extreme in (field.maximum, field.minimum)
    ]
    places = np.vstack([grid, np.clip(np.vstack(around), field.bounds[:2], field.bounds[2:])])
    values = field.value(places)
    tolerance = 1e-7 * field.range
    assert values.max() <= field.maximum.value + tolerance
    assert values.min() >= field.minimum.value - tolerance


def test_its_extremes_lie_inside_and_have_the_value_of_their_place(field: KnownField) -> None:
    for extreme in (field.maximum, field.minimum):
        assert (extreme.point >= field.bounds[:2]).all()
        assert (extreme.point <= field.bounds[2:]).all()
        value = field.value(extreme.point[np.newaxis])[0]
        assert value == pytest.approx(extreme.value, abs=1e-9 * field.range)
    assert field.range == field.maximum.value - field.minimum.value > 0.0


def test_values_are_float64_and_one_at_a_time_or_all_together_the_same(field: KnownField) -> None:
    points = grid_points(field.bounds, 7, 5)
    together = field.value(points)
    assert together.dtype == np.float64
    assert together.shape == (35,)
    single = np.concatenate([field.value(p[np.newaxis]) for p in points])
    assert np.allclose(together, single, rtol=0.0, atol=1e-12 * field.range)
    assert field.value(np.empty((0, 2))).shape == (0,)


def test_unknown_places_have_unknown_values_and_all_others_finite_ones(field: KnownField) -> None:
    far = np.array([[-500.0, 3.0], [np.nan, 1.0], [70.0, 900.0], [1.0, np.inf]])
    assert np.array_equal(np.isnan(field.value(far)), [False, True, False, True])


def test_points_of_another_shape_are_refused(field: KnownField) -> None:
    with pytest.raises(ValueError, match="'points'"):
        field.value(np.zeros(2))


@pytest.mark.parametrize('kind', FIELDS)
def test_the_seed_alone_decides_what_is_random(kind: str, tmp_path: Path) -> None:
    points = np.random.default_rng(1).uniform(0.0, 40.0, (50, 2))
    first = build(kind, tmp_path, seed=8).value(points)
    assert np.array_equal(first, build(kind, tmp_path, seed=8).value(points))
    is_random = kind in ('crack', 'gp_draw', 'hot_spots')
    assert is_random != np.array_equal(first, build(kind, tmp_path, seed=9).value(points))


@pytest.mark.parametrize('kind', FIELDS)
@pytest.mark.parametrize('scale', [2.5, -3.0])
def test_scale_and_offset_move_values_and_extremes_alike(
    kind: str, scale: float, tmp_path: Path
) -> None:
    plain, moved = build(kind, tmp_path), build(kind, tmp_path, scale=scale, offset=7.0)
    points = grid_points(plain.bounds, 9, 9)
    assert np.allclose(moved.value(points), 7.0 + scale * plain.value(points))
    best = plain.maximum if scale > 0.0 else plain.minimum
    assert np.array_equal(moved.maximum.point, best.point)
    assert moved.maximum.value == pytest.approx(7.0 + scale * best.value)
    assert moved.range == pytest.approx(abs(scale) * plain.range)


@pytest.mark.parametrize('kind', FIELDS)
def test_the_origin_moves_the_whole_field(kind: str, tmp_path: Path) -> None:
    plain = build(kind, tmp_path)
    moved = build(kind, tmp_path, origin_x=300.0, origin_y=-200.0)
    shift = np.array([300.0, -200.0])
    points = grid_points(plain.bounds, 9, 9)
    assert np.allclose(moved.value(points + shift), plain.value(points), atol=1e-9 * plain.range)
    assert moved.bounds[:2] == (300.0, -200.0)
