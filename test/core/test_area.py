# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Legal places, legal legs, the candidate grid, and polygons that cannot be used."""

from __future__ import annotations

import math
import re
from unittest import mock

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core import grid as grids
from bo_explorer.core.area import SearchArea, parse_polygon, polygon_from_numbers
from bo_explorer.core.config import AreaConfig, NoFlyConfig
from bo_explorer.core.errors import GeometryError

from ..strategies import point_sets, points, worlds

SQUARE = np.array([(0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)])
BLOCK = np.array([(10.0, 10.0), (15.0, 10.0), (15.0, 25.0), (10.0, 25.0)])
BLOCK_2 = np.array([(20.0, 20.0), (25.0, 20.0), (25.0, 25.0), (20.0, 25.0)])
BENT = np.array([(0.0, 0.0), (30.0, 0.0), (30.0, 10.0), (10.0, 10.0), (10.0, 30.0), (0.0, 30.0)])
NOTCHED = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)])

SETTINGS = settings(derandomize=True, max_examples=100, deadline=None)


def test_a_leg_between_legal_places_may_cross_no_zone():
    """Field case E1: Fields2Cover #131."""
    area = SearchArea([SQUARE], [BLOCK, BLOCK_2])
    ends = np.array([(8.0, 20.0), (30.0, 20.0), (8.0, 40.0)])
    assert area.contains(ends).all()
    assert area.legs_legal(ends[0], ends).tolist() == [True, False, True]
    assert not area.path_legal(ends[:2])
    assert area.crosses_zone(ends[:2])


def test_a_concave_fence_is_not_left_through_its_notch():
    """Field case E4: the fence of ros_sgp_tools."""
    area = SearchArea([NOTCHED])
    assert not area.contains(np.array([[2.0, 3.0]]))[0]
    assert not area.legs_legal(np.array([0.2, 3.5]), np.array([3.8, 3.5]))[0]
    back = area.nearest_legal(np.array([2.0, 3.0]))
    assert area.contains(back[np.newaxis])[0]
    assert np.linalg.norm(back - [2.0, 3.0]) == pytest.approx(math.sqrt(0.5))


def test_a_bent_area_stays_bent():
    """Field case E5: a concave polygon must not become its hull."""
    area = SearchArea([BENT])
    assert not area.is_convex
    assert area.side == pytest.approx(math.sqrt(500.0))
    candidates = area.candidates(2.0)
    assert area.contains(candidates).all()
    assert not ((candidates > 10.5).all(axis=1)).any()
    assert not area.legs_legal(np.array([5.0, 29.0]), np.array([29.0, 5.0]))[0]
    assert area.legs_legal(np.array([10.0, 30.0]), np.array([10.0, 0.0]))[0]


@pytest.mark.parametrize(
    ('corners', 'rule'),
    [
        ([(0, 0), (4, 4), (4, 0), (0, 4)], 'neither crosses nor touches itself.*split'),
        ([(0, 0), (4, 4), (5, 1), (0, 4)], 'neither crosses nor touches itself.*in order'),
        ([(0, 0), (2, 0), (2, 2), (2, 0)], 'neither crosses nor touches itself.*split'),
        ([(0, 0), (1, 1), (2, 2)], 'enclose an area.*on one line'),
        ([(0, 0), (1, 1)], 'at least three different corners, got 2'),
        ([(0, 0), (1, 1), (0, 0), (1, 1)], 'at least three different corners, got 2'),
        ([(0, 0), (1, math.nan), (2, 2)], 'be finite'),
        ([(0, 0, 0), (1, 1, 0), (2, 0, 0)], 'shape'),
        ([], 'at least three'),
    ],
)
def test_a_polygon_that_cannot_be_used_is_refused_by_name(corners, rule):
    """Field case E6: an invalid fence is an error, never no fence."""
    with pytest.raises(GeometryError, match=rf"'no_fly.polygons\[1\]' must .*(?:{rule})"):
        SearchArea([SQUARE], [BLOCK, corners])
    with pytest.raises(GeometryError, match=f"'area.polygon' must .*(?:{rule})"):
        SearchArea([corners])


def test_no_area_at_all_is_refused():
    with pytest.raises(GeometryError, match="'area.polygon' must be at least three corners"):
        SearchArea([])


def test_a_zone_on_the_border_takes_its_part_of_the_area():
    """Field case E12: a zone that shares an edge with the border."""
    area = SearchArea([SQUARE], [[(0, 0), (10, 0), (10, 10), (0, 10)]], zone_margin_m=1.0)
    assert area.contains(np.array([(5.0, 5.0), (10.5, 5.0), (11.5, 5.0)])).tolist() == [
        False,
        False,
        True,
    ]
    assert len(area.candidates(1.0)) == 51 * 51 - 11 * 11


def test_a_zone_over_everything_leaves_no_candidate_and_no_exception():
    """Field case E12: a zone that covers the whole area."""
    area = SearchArea([SQUARE], [SQUARE])
    assert area.is_empty
    assert area.candidates().shape == (0, 2)
    assert area.candidates(1.0).shape == (0, 2)
    assert not area.contains(SQUARE).any()
    assert not area.legs_legal(SQUARE[0], SQUARE).any()
    assert not area.path_legal(SQUARE)
    with pytest.raises(GeometryError, match='there is no legal place'):
        area.nearest_legal(np.array([1.0, 1.0]))


def test_inclusions_and_exclusions_are_unions():
    """Field case E9: inside any inclusion and inside no exclusion."""
    area = SearchArea(
        [SQUARE, SQUARE + 20.0],
        [BLOCK, BLOCK + 2.0, [(11, 12), (12, 12), (12, 13)]],
    )
    places = np.array([(5.0, 5.0), (65.0, 65.0), (11.5, 12.2), (16.0, 26.0), (65.0, 5.0)])
    assert area.contains(places).tolist() == [True, True, False, False, False]
    assert area.legs_legal(np.array([40.0, 30.0]), np.array([60.0, 60.0]))[0]


def test_the_way_out_of_a_zone_is_the_shortest():
    """Field case E14: blown half a metre into a zone."""
    area = SearchArea([SQUARE], [BLOCK], zone_margin_m=1.0)
    out = area.nearest_legal(np.array([10.5, 18.0]))
    np.testing.assert_allclose(out, [9.0, 18.0], atol=1e-9)
    assert area.contains(out[np.newaxis])[0]
    inside = np.array([3.0, 3.0])
    np.testing.assert_array_equal(area.nearest_legal(inside), inside)


def test_a_leg_of_no_length_is_legal_where_its_place_is():
    """Field case F9: start is goal."""
    area = SearchArea([BENT], [[(2, 2), (4, 2), (4, 4), (2, 4)]])
    places = np.array([(1.0, 1.0), (3.0, 3.0), (20.0, 20.0), (10.0, 10.0), (0.0, 0.0)])
    expected = [True, False, False, True, True]
    assert area.legs_legal(places, places).tolist() == expected
    assert [area.path_legal(np.stack([p, p])) for p in places] == expected
    assert [area.path_legal(p[np.newaxis]) for p in places] == expected


def test_what_is_not_a_number_is_never_legal():
    for area in (SearchArea([SQUARE]), SearchArea([SQUARE], [BLOCK])):
        good, bad = np.array([1.0, 1.0]), np.array([(math.nan, 1.0), (1.0, math.inf)])
        assert not area.contains(bad).any()
        assert not area.legs_legal(good, bad).any()
        assert not area.legs_legal(bad, good).any()
        assert not area.path_legal(np.vstack([good, bad]))
        for place in bad:
            with pytest.raises(GeometryError, match="'point' must be finite"):
                area.nearest_legal(place)
        with pytest.raises(GeometryError, match="'path' must be finite"):
            area.crosses_zone(bad)


def test_the_border_is_legal_where_there_is_no_margin():
    area = SearchArea([SQUARE])
    assert area.contains(SQUARE).all()
    assert area.path_legal(np.vstack([SQUARE, SQUARE[:1]]))
    slanted = SearchArea([[(0.1, 0.2), (7.3, 1.7), (3.9, 9.1)]])
    corners = slanted.polygons[0]
    along = np.linspace(corners[0], corners[1], 101)
    assert slanted.contains(along).all()
    assert slanted.legs_legal(corners, np.roll(corners, 1, axis=0)).all()


def test_flying_along_the_border_of_a_zone_is_not_crossing_it():
    area = SearchArea([SQUARE], [BLOCK])
    along = np.array([(10.0, 5.0), (10.0, 30.0)])
    assert not area.crosses_zone(along)
    assert not area.crosses_zone(BLOCK[:1])
    assert area.crosses_zone(np.array([(12.0, 12.0)]))
    assert area.crosses_zone(along + 1e-9)


def test_margins_are_kept_from_border_and_zones():
    area = SearchArea([SQUARE], [BLOCK], margin_m=2.0, zone_margin_m=3.0)
    candidates = area.candidates(0.7)
    away = shapely.distance(shapely.Polygon(SQUARE).exterior, shapely.points(candidates))
    assert away.min() >= 2.0 - 1e-8
    assert shapely.distance(shapely.Polygon(BLOCK), shapely.points(candidates)).min() >= 3.0 - 1e-8
    assert not area.contains(np.array([[1.9, 25.0]]))[0]
    assert area.contains(np.array([[2.0, 25.0]]))[0]


def test_a_margin_that_leaves_nothing_is_refused():
    with pytest.raises(GeometryError, match=r"'area.margin_m' must be below 25"):
        SearchArea([SQUARE], margin_m=30.0)
    with pytest.raises(GeometryError, match="'no_fly.margin_m' must be finite"):
        SearchArea([SQUARE], zone_margin_m=math.nan)


def test_two_zones_that_touch_leave_no_gap_between_them():
    corner = SearchArea([SQUARE], [BLOCK, BLOCK + [5.0, 15.0]])
    assert not corner.legs_legal(np.array([20.0, 20.0]), np.array([10.0, 30.0]))[0]
    wall = SearchArea([SQUARE], [BLOCK, BLOCK + [5.0, 0.0]])
    assert not wall.legs_legal(np.array([15.0, 5.0]), np.array([15.0, 30.0]))[0]


def test_adjacent_polygons_are_one_area():
    area = SearchArea([SQUARE, SQUARE + [50.0, 0.0]])
    assert area.is_convex
    assert area.legs_legal(np.array([1.0, 1.0]), np.array([99.0, 49.0]))[0]


def test_an_area_far_from_the_map_origin_works_alike():
    shift = np.array([500_000.0, 4_200_000.0])
    near = SearchArea([BENT], [[(2, 2), (4, 2), (4, 4), (2, 4)]])
    far = SearchArea([BENT + shift], [np.array([(2, 2), (4, 2), (4, 4), (2, 4)]) + shift])
    candidates = near.candidates(0.9)
    np.testing.assert_allclose(far.candidates(0.9), candidates + shift, atol=1e-8)
    for origin in candidates[::97]:
        np.testing.assert_array_equal(
            near.legs_legal(origin, candidates), far.legs_legal(origin + shift, candidates + shift)
        )


@SETTINGS
@given(worlds(), point_sets(12))
def test_legs_agree_with_shapely_up_to_the_tolerance(world, places):
    try:
        area = world.area()
    except GeometryError:
        return
    free = world.free()
    inner, outer = (free.buffer(d, join_style='mitre') for d in (-1e-6, 1e-6))
    places = np.vstack([places, area.turning_points[:6]])
    first, second = (a.ravel() for a in np.meshgrid(*[np.arange(len(places))] * 2))
    legal = area.legs_legal(places[first], places[second])
    lines = shapely.linestrings(np.stack([places[first], places[second]], axis=1))
    moves = first != second
    assert not (legal & moves & ~shapely.covers(outer, lines)).any()
    # A leg along the gap two corners leave is up to rounding: only clear ones must be found.
    assert not (~legal & moves & shapely.covers(inner, lines)).any()
    np.testing.assert_array_equal(legal[~moves], area.contains(places))


@SETTINGS
@given(worlds(), point_sets(10))
def test_a_legal_leg_passes_the_last_gate_and_touches_no_zone(world, places):
    try:
        area = world.area()
    except GeometryError:
        return
    true_area, true_zones = world.true_area(), world.true_zones()
    places = np.vstack([places, area.turning_points[:6]])
    for start in places:
        for end in places[area.legs_legal(start, places)]:
            leg = np.stack([start, end])
            assert area.path_legal(leg)
            assert not area.crosses_zone(leg)
            line = shapely.LineString(leg)
            assert not true_zones.relate_pattern(line, 'T********')
            assert true_area.buffer(1e-9 * area.side, join_style='mitre').covers(line)


@SETTINGS
@given(worlds(), points(beyond=30.0))
def test_the_nearest_legal_place_is_legal_and_nearest(world, place):
    try:
        area = world.area()
    except GeometryError:
        return
    if area.is_empty:
        return
    near = area.nearest_legal(place)
    assert area.contains(near[np.newaxis])[0]
    expected = world.free().distance(shapely.Point(place))
    assert np.linalg.norm(near - place) == pytest.approx(expected, abs=1e-5)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(worlds(), st.one_of(st.just(math.nan), st.floats(3.0, 40.0)))
def test_candidates_are_legal_distinct_in_order_and_leave_no_place_out(world, resolution):
    try:
        area = world.area()
    except GeometryError:
        return
    candidates = area.candidates(resolution)
    np.testing.assert_array_equal(candidates, area.candidates(resolution))
    assert area.contains(candidates).all()
    assert len(candidates) <= 10_000
    if len(candidates):
        assert len(np.unique(candidates, axis=0)) == len(candidates)
        spacing = area.side / 50.0 if math.isnan(resolution) else resolution
        if len(candidates) < 1000:
            reach = 2.0 * spacing + 1e-6
            x, y = candidates.T
            squares = shapely.box(x - reach, y - reach, x + reach, y + reach)
            assert world.free().difference(shapely.union_all(squares)).area < 1e-4


def test_the_grid_is_symmetric_reaches_the_border_and_goes_row_by_row():
    """Field case C6: an area that does not start at the origin."""
    area = SearchArea([np.array([(-20, -10), (0, -10), (0, 5), (-20, 5)])])
    assert area.bounds == (-20.0, -10.0, 0.0, 5.0)
    candidates = area.candidates(0.5)
    grid = candidates.reshape(31, 41, 2)
    np.testing.assert_allclose(grid[0, :, 0], np.linspace(-20.0, 0.0, 41))
    np.testing.assert_allclose(grid[:, 0, 1], np.linspace(-10.0, 5.0, 31))
    uneven = area.candidates(0.7)
    low, high = uneven.min(axis=0), uneven.max(axis=0)
    np.testing.assert_allclose(low + high, [-20.0, -5.0])
    assert (high - low > np.array([20.0, 15.0]) - 0.7).all()


def test_a_square_gets_about_2500_candidates_by_itself():
    assert len(SearchArea([SQUARE]).candidates()) == 51 * 51
    assert 2300 < len(SearchArea([BENT]).candidates()) < 2800


@pytest.mark.parametrize('angle', [0.0, 0.3, math.pi / 4])
@pytest.mark.parametrize('resolution', [math.nan, 0.5, 2.0, 100.0])
def test_an_area_narrower_than_the_grid_still_has_candidates_all_along(angle, resolution):
    turn = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])
    corridor = np.array([(0.0, 0.0), (33.0, 0.0), (33.0, 0.6), (0.0, 0.6)]) @ turn.T
    area = SearchArea([corridor])
    candidates = area.candidates(resolution)
    assert len(candidates) >= 1
    assert area.contains(candidates).all()
    if resolution <= 2.0:
        along = np.sort(candidates @ turn[:, 0])
        gaps = np.diff(np.concatenate([[0.0], along, [33.0]]))
        assert gaps.max() <= 2.0 * math.sqrt(2.0) * resolution + 0.6


def test_a_grid_too_fine_is_refused_with_the_least_value_that_works():
    area = SearchArea([SQUARE], [BLOCK])
    with pytest.raises(GeometryError, match="'area.resolution_m' must be at least") as error:
        area.candidates(1e-6)
    least = float(str(error.value).split('at least ')[1].split(' ')[0])
    assert 9_500 < len(area.candidates(least)) <= 10_000


@pytest.mark.parametrize('resolution', [0.0, -1.0, math.inf])
def test_a_resolution_that_is_no_length_is_refused(resolution):
    """Field case D3."""
    with pytest.raises(GeometryError, match="'area.resolution_m' must be finite and above 0"):
        SearchArea([SQUARE]).candidates(resolution)


def test_a_long_thin_area_takes_bounded_memory():
    thin = SearchArea([[(0, 0), (10_000, 10_000), (10_000, 10_000.1), (0, 0.1)]])
    candidates = thin.candidates()
    assert 0 < len(candidates) <= 10_000
    assert thin.contains(candidates).all()


def test_polygons_are_read_from_text_and_numbers():
    expected = np.array([(0.0, 0.0), (4.0, 0.5), (-1.0, 3e1)])
    np.testing.assert_array_equal(parse_polygon('0,0; 4, .5 ;-1,3e1;'), expected)
    np.testing.assert_array_equal(polygon_from_numbers((0, 0, 4, 0.5, -1, 30)), expected)
    with pytest.raises(GeometryError, match="'polygon' must be corners .*got '4'"):
        parse_polygon('0,0; 4; 1,1')
    with pytest.raises(GeometryError, match="got '1,b'"):
        parse_polygon('0,0; 4,4; 1,b')
    with pytest.raises(GeometryError, match='even number of numbers, got 5'):
        polygon_from_numbers((0, 0, 1, 1, 2))


def test_the_configuration_makes_the_area():
    area = SearchArea.from_config(
        AreaConfig(polygon=(0.0, 0.0, 50.0, 0.0, 50.0, 50.0, 0.0, 50.0), margin_m=1.0),
        NoFlyConfig(polygons=('10,10; 15,10; 15,25; 10,25',), margin_m=2.0),
    )
    np.testing.assert_array_equal(area.polygons[0], SQUARE)
    np.testing.assert_array_equal(area.zones[0], BLOCK)
    places = np.array([(0.5, 5.0), (8.5, 20.0), (5.0, 5.0)])
    assert area.contains(places).tolist() == [False, False, True]
    with pytest.raises(GeometryError, match=r"'no_fly.polygons\[0\]' must be corners"):
        SearchArea.from_config(
            AreaConfig(polygon=(0.0, 0.0, 50.0, 0.0, 50.0, 50.0)), NoFlyConfig(polygons=('a',))
        )


def test_as_many_ends_as_starts_are_needed():
    with pytest.raises(ValueError, match="'ends' must match 4 starts, got 3"):
        SearchArea([SQUARE]).legs_legal(SQUARE, SQUARE[:3])


@pytest.mark.parametrize('place', [(1e30, 20.0), (-1.7e308, 1.7e308), (5.0, 1e155)])
def test_the_legal_place_nearest_to_an_absurd_one_lies_in_the_area(place):
    area = SearchArea([[(0, 0), (40, 0), (40, 40), (0, 40)]])
    nearest = area.nearest_legal(np.array(place))
    assert area.contains(nearest[np.newaxis])[0]
    assert nearest[0] in (0.0, 40.0) or nearest[1] in (0.0, 40.0)


def test_corners_beyond_this_planet_are_refused():
    with pytest.raises(GeometryError, match='within 1e'):
        SearchArea([[(0, 0), (1e200, 0), (0, 1e200)]])


@SETTINGS
@given(worlds(max_zones=2), st.floats(3.0, 12.0))
def test_narrow_places_are_the_same_in_blocks_of_any_size(world, resolution):
    try:
        area = world.area()
        whole = area.candidates(resolution)
    except GeometryError:
        return
    with mock.patch.object(grids, '_BLOCK_CELLS', 9.0):
        in_blocks = area.candidates(resolution)
    assert len(whole) == len(in_blocks)
    # A place of a piece is any place inside of it.
    assert (np.abs(whole - in_blocks) <= resolution).all()
    assert area.contains(in_blocks).all()


def test_a_finest_grid_is_found_by_a_few_trials_however_long_the_area():
    """Found by fuzzing: an area of 13 000 km by 16 m held the node for minutes."""
    far = 6.6e6
    area = SearchArea([np.array([(-far, -8.2), (far, -8.2), (0.3, 8.2)])])
    with mock.patch.object(grids, '_grid', wraps=grids._grid) as tried:
        with pytest.raises(GeometryError, match='must be at least') as refused:
            area.candidates(8.0)
    assert tried.call_count <= 8
    least = float(re.search(r'at least (\S+)', str(refused.value)).group(1))
    assert len(area.candidates(least)) <= grids.MAX_CANDIDATES
    assert len(area.candidates(1.02 * least)) > 0.9 * len(area.candidates(least))
    with pytest.raises(GeometryError):
        area.candidates(0.9 * least)


def test_shapes_that_cannot_be_cut_from_each_other_are_refused_in_a_sentence():
    """Found by fuzzing: what GEOS raises is no error of ours, and left the callback."""
    spike = [
        (1.178229629869656e-22, 1e-38),
        (0.0, 35.150428528741045),
        (1e-38, 8.547766330759941),
        (-45.849261411119834, -44.94014062651773),
        (45.85142308573499, 28.762042300475713),
    ]
    zones = [
        [(-42.76648334853736, 8.779934573353941e-24), (-47.16093570929865, 44.8279809685215),
         (-0.3194591380726963, 2.461543913498957)],
        [(-33.37441350373722, 18.2357130966668), (29.657807812642687, -23.99616082338237),
         (-0.0, 47.53568780172654), (-6.784845150956912, 9.242023970742586)],
    ]  # fmt: skip
    zones += [
        [(x, y), (x + 6.0, y), (x + 3.0, y + 6.0)]
        for x, y in (
            (21.338594285605726, 21.261656133580047),
            (9.973128180819403, 25.785356002131344),
            (28.405355357375747, 3.82202732888035),
            (1.1501968581577557, -2.1439290644978093),
            (0.5138335677277448, 10.904410053163236),
            (1.6296797040640323, 12.48172172747063),
            (31.278336693445446, -1.9173473729950286),
        )
    ]
    with pytest.raises(GeometryError, match='cut from each other'):
        SearchArea([np.array(spike)], [np.array(zone) for zone in zones], zone_margin_m=1.0)


def test_a_way_in_is_looked_for_at_a_number_of_places_however_long_the_border():
    """Found by fuzzing: half a million places of a long border held the node for minutes."""
    far = 6.6e6
    thin = np.array([(-far, -8.2), (far, -8.2), (0.3, 8.2)])
    block = np.array([(-50.0, -30.0), (50.0, -30.0), (50.0, 30.0), (-50.0, 30.0)])
    area = SearchArea([thin], [block])
    with mock.patch.object(area, '_keep_out', wraps=area._keep_out) as tried:
        start = np.array([0.0, -60.0])
        place = area.way_in(start)
    assert sum(len(call.args[1]) for call in tried.call_args_list) <= 2000
    assert area.contains(place[np.newaxis])[0]
    assert not area.crosses_zone(np.stack([start, place]))
