# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The cheapest legal paths, checked against a graph made another way."""

from __future__ import annotations

import math

import networkx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from bo_explorer.core.area import SearchArea
from bo_explorer.core.errors import ConfigError, GeometryError
from bo_explorer.core.travel import CandidateRoutes, TravelCost

from ..strategies import World, point_sets, points, winds, worlds

SQUARE = np.array([(0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)])
BLOCK = np.array([(10.0, 10.0), (15.0, 10.0), (15.0, 25.0), (10.0, 25.0)])
BLOCK_2 = np.array([(20.0, 20.0), (25.0, 20.0), (25.0, 25.0), (20.0, 25.0)])
CUP = np.array(
    [(10, 10), (40, 10), (40, 40), (35, 40), (35, 15), (15, 15), (15, 40), (10, 40)], dtype=float
)
NOTCHED = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)])

SETTINGS = settings(derandomize=True, max_examples=100, deadline=None)


def length(path):
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def make(world: World, wind=(0.0, 0.0)) -> TravelCost | None:
    try:
        return TravelCost(world.area(), stop_cost_m=1.0, wind_mps=wind)
    except GeometryError:
        return None


def crabbed_cost(start, end, wind):
    """Cost of a leg by the textbook: groundspeed along the track at airspeed 1."""
    step = np.asarray(end) - start
    distance = math.hypot(*step)
    if distance == 0.0:
        return 0.0
    along = float(np.dot(step, wind)) / distance
    across = math.sqrt(max(float(np.dot(wind, wind)) - along**2, 0.0))
    return distance / (along + math.sqrt(1.0 - across**2))


def dijkstra_cost(world, start, end, wind):
    """Cheapest path by shapely's visibility between all corners and networkx."""
    free = world.free().buffer(1e-6, join_style='mitre')
    corners = shapely.get_coordinates(world.free())
    nodes = [tuple(p) for p in np.unique(np.vstack([corners, start, end]), axis=0)]
    graph = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    pairs = [(a, b) for a in nodes for b in nodes if a != b]
    seen = shapely.covers(free, shapely.linestrings(np.array(pairs))) if pairs else []
    graph.add_weighted_edges_from(
        (a, b, crabbed_cost(a, b, wind)) for (a, b), is_seen in zip(pairs, seen) if is_seen
    )
    try:
        return networkx.dijkstra_path_length(graph, tuple(start), tuple(end))
    except networkx.NetworkXNoPath:
        return math.inf


def test_a_path_goes_round_the_zones_in_the_way():
    """Field case E1: Fields2Cover #131."""
    travel = TravelCost(SearchArea([SQUARE], [BLOCK, BLOCK_2]), stop_cost_m=1.0)
    start, end = np.array([8.0, 20.0]), np.array([30.0, 20.0])
    path = travel.path(start, end)
    np.testing.assert_allclose(path, [(8, 20), (10, 25), (25, 25), (30, 20)], atol=1e-6)
    assert not travel.area.crosses_zone(path)
    cost = travel.costs_from(start, end[np.newaxis])[0]
    assert cost == pytest.approx(math.sqrt(29.0) + 15.0 + math.sqrt(50.0))


def test_the_way_home_out_of_a_cup_is_paid_in_full():
    """Field case E2: a U-shaped zone between vehicle and home."""
    travel = TravelCost(SearchArea([SQUARE], [CUP], zone_margin_m=1.0), stop_cost_m=1.0)
    inside, home = np.array([25.0, 20.0]), np.array([25.0, 2.0])
    path = travel.path(inside, home)
    cost = travel.costs_to(inside[np.newaxis], home)[0]
    assert cost > 60.0
    assert cost == pytest.approx(length(path))
    assert travel.area.path_legal(path)
    assert shapely.LineString(path).distance(shapely.Polygon(CUP)) >= 1.0 - 1e-8


def test_no_path_means_none_and_never_a_straight_line():
    """Field case E4: planning that fails must not fall back to flying direct."""
    travel = TravelCost(SearchArea([NOTCHED]), stop_cost_m=1.0)
    outside, inside = np.array([2.0, 3.5]), np.array([1.0, 1.0])
    assert travel.path(inside, outside) is None
    assert travel.costs_from(inside, outside[np.newaxis])[0] == math.inf
    assert travel.costs_to(inside[np.newaxis], outside)[0] == math.inf
    left, right = np.array([0.2, 3.5]), np.array([3.8, 3.5])
    np.testing.assert_allclose(travel.path(left, right), [left, (2.0, 2.0), right])
    islands = TravelCost(SearchArea([SQUARE, SQUARE + 60.0]), stop_cost_m=1.0)
    near, far = np.array([1.0, 1.0]), np.array([70.0, 70.0])
    assert islands.path(near, far) is None
    assert islands.costs_from(near, np.stack([near, far])).tolist() == [0.0, math.inf]
    assert islands.costs_to(np.stack([near, far]), far).tolist() == [math.inf, 0.0]


def test_a_place_walled_in_by_zones_cannot_be_reached():
    """Field case E12: no legal path is an infinite cost, not an exception."""
    ring = [BLOCK + [0.0, 0.0], BLOCK + [20.0, 0.0]]
    ring.append(np.array([(10, 10), (35, 10), (35, 12), (10, 12)]))
    ring.append(np.array([(10, 23), (35, 23), (35, 25), (10, 25)]))
    travel = TravelCost(SearchArea([SQUARE], ring), stop_cost_m=1.0)
    inside, outside = np.array([22.0, 18.0]), np.array([2.0, 2.0])
    assert travel.path(outside, inside) is None
    assert travel.costs_from(outside, inside[np.newaxis])[0] == math.inf
    everywhere = TravelCost(SearchArea([SQUARE], [SQUARE]), stop_cost_m=1.0)
    assert everywhere.path(outside, inside) is None
    assert everywhere.costs_from(outside, np.empty((0, 2))).shape == (0,)
    assert np.isinf(everywhere.costs_from(outside, inside[np.newaxis])).all()
    assert np.isinf(everywhere.costs_to(inside[np.newaxis], outside)).all()


def test_a_start_inside_a_zone_leaves_by_the_shortest_way_and_pays_for_it():
    """Field case E14: blown half a metre into a zone."""
    area = SearchArea([SQUARE], [BLOCK], zone_margin_m=1.0)
    travel = TravelCost(area, stop_cost_m=1.0)
    start, end = np.array([10.5, 18.0]), np.array([30.0, 18.0])
    path = travel.path(start, end)
    np.testing.assert_allclose(path[:2], [start, (9.0, 18.0)], atol=1e-6)
    assert area.path_legal(path[1:])
    routes = CandidateRoutes(travel, np.stack([end, start]))
    assert routes.costs_from(start)[0] == pytest.approx(length(path))
    assert routes.costs_from(start)[1] == math.inf
    assert routes.costs_to(end)[1] == pytest.approx(length(path))
    outside = np.array([-3.0, 18.0])
    np.testing.assert_allclose(travel.path(outside, start - 5.0)[1], [0.0, 18.0], atol=1e-6)


def test_a_start_outside_the_area_comes_in_beside_a_zone_and_not_through_it():
    """Blown out of the area, where a zone lies over its border."""
    wall = np.array([(-4.0, 10.0), (3.0, 10.0), (3.0, 30.0), (-4.0, 30.0)])
    travel = TravelCost(SearchArea([SQUARE], [wall], zone_margin_m=1.0), stop_cost_m=1.0)
    start, end = np.array([-10.0, 20.0]), np.array([20.0, 20.0])
    path = travel.path(start, end)
    assert not travel.area.crosses_zone(path)
    assert travel.area.path_legal(path[1:])
    routes = CandidateRoutes(travel, end[np.newaxis])
    assert routes.costs_from(start)[0] == pytest.approx(length(path))


def test_a_start_walled_off_by_zones_has_no_way_in():
    walls = [
        np.array([(-4.0, y), (54.0, y), (54.0, y + 2.0), (-4.0, y + 2.0)]) for y in (-4.0, 52.0)
    ]
    walls += [wall[:, ::-1] for wall in walls]
    travel = TravelCost(SearchArea([SQUARE], walls), stop_cost_m=1.0)
    outside, inside = np.array([-10.0, 20.0]), np.array([20.0, 20.0])
    assert travel.path(outside, inside) is None
    assert travel.costs_from(outside, inside[np.newaxis])[0] == math.inf


def test_a_vehicle_in_one_zone_does_not_leave_it_through_another():
    gap = np.array([(10.0, 0.0), (20.0, 0.0), (20.0, 40.0), (10.0, 40.0)])
    thin = np.array([(20.5, 0.0), (21.0, 0.0), (21.0, 40.0), (20.5, 40.0)])
    travel = TravelCost(SearchArea([SQUARE], [gap, thin], zone_margin_m=1.0), stop_cost_m=1.0)
    start = np.array([18.0, 20.0])
    path = travel.path(start, np.array([40.0, 20.0]))
    assert path[1][0] < 10.0
    assert not travel.area.crosses_zone(path[1:])


def test_start_and_goal_in_one_place_make_a_path_of_one_vertex():
    """Field case F9: a path without length."""
    travel = TravelCost(SearchArea([SQUARE], [BLOCK]), stop_cost_m=1.0, wind_mps=(0.3, 0.1))
    place = np.array([3.0, 3.0])
    np.testing.assert_array_equal(travel.path(place, place), place[np.newaxis])
    assert travel.path_cost(place[np.newaxis]) == 0.0
    assert travel.costs_from(place, place[np.newaxis])[0] == 0.0


def test_what_is_not_a_number_has_no_path():
    travel = TravelCost(SearchArea([SQUARE], [BLOCK]), stop_cost_m=1.0)
    good, bad = np.array([1.0, 1.0]), np.array([math.nan, 1.0])
    assert travel.path(good, bad) is None
    assert travel.path(bad, good) is None
    assert travel.costs_from(bad, good[np.newaxis])[0] == math.inf
    assert travel.costs_from(good, bad[np.newaxis])[0] == math.inf
    assert travel.costs_to(bad[np.newaxis], good)[0] == math.inf


def test_calm_air_is_euclidean():
    travel = TravelCost(SearchArea([SQUARE]), stop_cost_m=2.5, speed_mps=7.0)
    assert travel.stop_cost_m == 2.5
    costs = travel.segment_costs(SQUARE, np.roll(SQUARE, 2, axis=0))
    np.testing.assert_array_equal(costs, np.full(4, math.sqrt(5000.0)))
    assert travel.segment_costs(np.zeros(2), np.array([3.0, 4.0])).tolist() == [5.0]


@SETTINGS
@given(points(), points(), winds(0.95))
def test_the_cost_of_a_leg_in_wind_is_that_of_crabbing(start, end, wind):
    travel = TravelCost(
        SearchArea([SQUARE]),
        stop_cost_m=1.0,
        speed_mps=5.0,
        wind_mps=(5.0 * wind[0], 5.0 * wind[1]),
    )
    cost = travel.segment_costs(start, end)[0]
    assert cost == pytest.approx(crabbed_cost(start, end, wind), rel=1e-9)
    if math.dist(start, end) > 1e-6:
        # By definition: after this time the air has carried the vehicle the rest of the way.
        def short(time):
            return time - math.dist(end - start, time * np.array(wind))

        assert cost == pytest.approx(brentq(short, 0.0, 1e5, xtol=1e-12, rtol=1e-13), rel=1e-8)


@pytest.mark.parametrize(
    ('options', 'key'),
    [
        ({'stop_cost_m': 0.0}, 'budget.stop_cost_m'),
        ({'stop_cost_m': math.nan}, 'budget.stop_cost_m'),
        ({'stop_cost_m': 1.0, 'speed_mps': 0.0}, 'vehicle.speed_mps'),
        ({'stop_cost_m': 1.0, 'wind_mps': (0.8, 0.6)}, 'vehicle.wind_east_mps'),
        ({'stop_cost_m': 1.0, 'wind_mps': (math.nan, 0.0)}, 'vehicle.wind_east_mps'),
    ],
)
def test_a_vehicle_that_cannot_fly_is_refused_by_key(options, key):
    with pytest.raises(ConfigError, match=f"'{key}'") as error:
        TravelCost(SearchArea([SQUARE]), **options)
    assert error.value.key == key


@SETTINGS
@given(worlds(), winds(), points(beyond=5.0), points())
def test_a_path_is_legal_clean_and_costs_what_the_planner_was_told(world, wind, start, end):
    travel = make(world, wind)
    if travel is None:
        return
    area = travel.area
    path = travel.path(start, end)
    cost = travel.costs_from(start, end[np.newaxis])[0]
    back = travel.costs_to(start[np.newaxis], end)[0]
    assert (path is None) == (cost == math.inf) == (back == math.inf)
    if path is None:
        return
    np.testing.assert_array_equal(path[0], start)
    np.testing.assert_array_equal(path[-1], end)
    assert travel.path_cost(path) == pytest.approx(cost, rel=1e-9, abs=1e-12)
    assert back == pytest.approx(cost, rel=1e-9, abs=1e-12)
    assert cost >= travel.segment_costs(start, end)[0] * (1.0 - 1e-12)
    assert (np.diff(path, axis=0) != 0.0).any(axis=1).all()
    entry = travel.entry(start)
    legal_part = path if area.contains(start[np.newaxis])[0] else path[1:]
    np.testing.assert_array_equal(legal_part[0], entry)
    assert area.path_legal(legal_part)
    assert not area.crosses_zone(legal_part)
    if len(legal_part) > 1:
        line = shapely.LineString(legal_part)
        assert not world.true_zones().relate_pattern(line, 'T********')
        assert world.true_area().buffer(1e-9 * area.side, join_style='mitre').covers(line)
    for before, after in zip(legal_part[:-2], legal_part[2:]):
        assert not area.legs_legal(before, after)[0]


@SETTINGS
@given(worlds(), points(beyond=30.0))
def test_the_way_in_comes_into_no_zone_but_the_one_it_starts_in(world, start):
    travel = make(world)
    if travel is None or (entry := travel.entry(start)) is None:
        return
    assert travel.area.contains(entry[np.newaxis])[0]
    zones = world.true_zones()
    leg = shapely.LineString([start, entry])
    if shapely.contains_xy(zones, *start):
        # What is left once the zone is left for good.
        outside = shapely.get_parts(shapely.difference(leg, zones.buffer(-1e-9)))
        assert (shapely.length(outside) > 1e-6).sum() <= 1
    else:
        assert shapely.length(shapely.intersection(leg, zones.buffer(-1e-9))) == 0.0


@settings(derandomize=True, max_examples=100, deadline=None)
@given(worlds(max_zones=3), winds(), points(), points())
def test_the_cost_is_that_of_dijkstra_over_all_corners(world, wind, start, end):
    travel = make(world, wind)
    if travel is None or not travel.area.contains(np.stack([start, end])).all():
        return
    cost = travel.costs_from(start, end[np.newaxis])[0]
    expected = dijkstra_cost(world, start, end, wind)
    if math.isfinite(cost):
        # The other graph may cut each corner by its tolerance of a micrometre.
        assert cost == pytest.approx(expected, abs=1e-3)
    else:
        shrunk = World(
            world.polygons, world.zones, world.margin_m, world.zone_margin_m + 2e-6
        )
        assert dijkstra_cost(shrunk, start, end, wind) == math.inf


@SETTINGS
@given(worlds(), winds(), point_sets(5))
def test_costs_keep_the_triangle_inequality(world, wind, places):
    travel = make(world, wind)
    if travel is None:
        return
    places = places[travel.area.contains(places)]
    costs = CandidateRoutes(travel, places).costs_between(np.arange(len(places)))
    if len(places):
        through = (costs[:, :, np.newaxis] + costs[np.newaxis]).min(axis=1)
        assert (costs <= through * (1.0 + 1e-9) + 1e-9).all()
        assert (np.diag(costs) == 0.0).all()
    if wind == (0.0, 0.0):
        np.testing.assert_allclose(costs, costs.T, rtol=1e-9)


@SETTINGS
@given(worlds(), winds(), point_sets(6), points(beyond=5.0))
def test_cached_routes_agree_with_single_paths(world, wind, places, origin):
    travel = make(world, wind)
    if travel is None:
        return
    routes = CandidateRoutes(travel, places)

    def cost(start, end):
        path = travel.path(start, end)
        return math.inf if path is None else travel.path_cost(path)

    out, home = routes.costs_from(origin), routes.costs_to(origin)
    between = routes.costs_between(np.array([0, 3, 3]))
    assert between.shape == (3, 6)
    for index, place in enumerate(places):
        assert out[index] == pytest.approx(cost(origin, place), rel=1e-9, abs=1e-12)
        assert home[index] == pytest.approx(cost(place, origin), rel=1e-9, abs=1e-12)
        assert between[1, index] == pytest.approx(cost(places[3], place), rel=1e-9, abs=1e-12)
    np.testing.assert_array_equal(between[1], between[2])
    np.testing.assert_array_equal(routes.costs_to(origin), home)


def test_wind_makes_there_and_back_differ():
    travel = TravelCost(SearchArea([SQUARE], [CUP]), stop_cost_m=1.0, wind_mps=(0.5, 0.0))
    west, east = np.array([2.0, 25.0]), np.array([48.0, 25.0])
    there = travel.costs_from(west, east[np.newaxis])[0]
    back = travel.costs_to(east[np.newaxis], west)[0]
    assert there < length(travel.path(west, east)) < back


@pytest.mark.parametrize('zones', [(), (BLOCK,)])
def test_rows_between_candidates_are_the_costs_from_each(zones):
    area = SearchArea([SQUARE], zones)
    travel = TravelCost(area, stop_cost_m=1.0, wind_mps=(0.2, -0.3))
    candidates = area.candidates(5.0)
    routes = CandidateRoutes(travel, candidates)
    chosen = np.array([7, 0, 31])
    for index, row in zip(chosen, routes.costs_between(chosen)):
        np.testing.assert_allclose(row, routes.costs_from(candidates[index]), rtol=1e-12)
    assert routes.costs_between(np.array([], dtype=np.int64)).shape == (0, len(candidates))


@given(st.integers(3, 40))
@settings(derandomize=True, max_examples=10, deadline=None)
def test_round_a_disc_the_path_is_tangent_arc_tangent(n_corners):
    """A zone with ``n`` corners on a circle: known in closed form as ``n`` grows."""
    angles = 2.0 * math.pi * (np.arange(4 * n_corners) + 0.5) / (4 * n_corners)
    disc = 25.0 + 10.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    travel = TravelCost(SearchArea([SQUARE], [disc]), stop_cost_m=1.0)
    path = travel.path(np.array([5.0, 25.0]), np.array([45.0, 25.0]))
    tangent, arc = math.sqrt(20.0**2 - 10.0**2), 10.0 * (math.pi - 2.0 * math.acos(0.5))
    error = 2.0 * tangent + arc - length(path)
    assert 0.0 <= error < 30.0 / n_corners**2
