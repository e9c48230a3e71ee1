# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Area, zones and home from the earth into the map frame, and what is unclear refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

pytest.importorskip('pyproj')

from bo_explorer.core.errors import BoExplorerError
from bo_explorer.geo.fence import Fence
from bo_explorer.geo.files import read_fence
from bo_explorer.geo.geojson import (
    collection,
    feature,
    fence_from_geojson,
    polygon_feature,
    positions,
)
from bo_explorer.geo.local_frame import LocalFrame
from bo_explorer.geo.qgc_plan import fence_from_plan

from . import plans

HOLE = np.array([[10.0, 10.0], [20.0, 10.0], [20.0, 20.0]])


def frame() -> LocalFrame:
    return LocalFrame(plans.LATITUDE, plans.LONGITUDE, plans.ALTITUDE)


def same_shape(corners: Any, other: Any) -> bool:
    distance = shapely.hausdorff_distance(shapely.Polygon(corners), shapely.Polygon(other))
    return bool(distance < 1e-3)


def test_a_plan_gives_area_zones_and_home_to_the_millimetre() -> None:
    local = fence_from_plan(plans.plan()).to_local()
    assert local.frame == frame()
    assert same_shape(local.area, plans.AREA)
    assert same_shape(local.zones[0], plans.ZONE)
    assert local.home == pytest.approx((0.0, 0.0), abs=1e-6)
    assert local.notes == []


def test_a_forbidden_circle_is_covered_and_an_allowed_one_never_left() -> None:
    plan = plans.plan()
    disc = shapely.Point(plans.CIRCLE[0]).buffer(plans.RADIUS, quad_segs=256)
    zone = shapely.Polygon(fence_from_plan(plan).to_local().zones[1])
    assert zone.buffer(1e-6).covers(disc)
    assert zone.area < 1.02 * disc.area
    plan['geoFence']['polygons'] = []
    plan['geoFence']['circles'][0]['inclusion'] = True
    area = shapely.Polygon(fence_from_plan(plan).to_local().area)
    assert shapely.Point(plans.CIRCLE[0]).buffer(plans.RADIUS + 1e-6, quad_segs=256).covers(area)
    assert area.area > 0.98 * disc.area


def test_another_origin_moves_everything_by_the_same_step() -> None:
    latitude, longitude = plans.on_earth(np.array([[100.0, -30.0]]))[0]
    moved = fence_from_plan(plans.plan()).to_local(
        LocalFrame(latitude, longitude, plans.ALTITUDE)
    )
    assert moved.area == pytest.approx(plans.AREA - [100.0, -30.0], abs=0.01)
    assert moved.home == pytest.approx((-100.0, 30.0), abs=0.01)


def test_a_geofence_of_version_1_is_one_area() -> None:
    plan = plans.plan()
    plan['geoFence'] = {'version': 1, 'polygon': plans.on_earth(plans.AREA)}
    local = fence_from_plan(plan).to_local()
    assert same_shape(local.area, plans.AREA)
    assert local.zones == []


def test_without_a_geofence_the_one_survey_area_is_searched() -> None:
    plan = plans.plan()
    plan['geoFence']['polygons'] = []
    plan['mission']['items'] = [
        {'type': 'SimpleItem'},
        {
            'type': 'ComplexItem',
            'complexItemType': 'survey',
            'polygon': plans.on_earth(plans.AREA),
        },
    ]
    local = fence_from_plan(plan).to_local()
    assert same_shape(local.area, plans.AREA)
    assert 'survey' in local.notes[0]


def test_geojson_written_is_geojson_read() -> None:
    document = collection(
        [
            polygon_feature(plans.AREA[::-1], frame(), {'role': 'area'}),
            polygon_feature(plans.ZONE, frame(), {'role': 'No-Fly'}),
            feature('Point', positions(np.zeros((1, 2)), frame())[0], {'role': 'home'}),
            feature('Point', positions(plans.CIRCLE, frame())[0], {'role': 'finding'}),
            feature('LineString', positions(plans.ZONE, frame()), {'role': 'track'}),
        ]
    )
    fence = fence_from_geojson(json.loads(json.dumps(document)))
    local = fence.to_local(frame())
    assert same_shape(local.area, plans.AREA)
    assert same_shape(local.zones[0], plans.ZONE)
    assert local.home == pytest.approx((0.0, 0.0), abs=1e-3)
    ring = document['features'][0]['geometry']['coordinates'][0]
    assert ring[0] == ring[-1]
    assert shapely.LinearRing(ring).is_ccw


def test_holes_and_overlaps_become_one_area_with_zones() -> None:
    east = plans.AREA + [200.0, 0.0]
    holed = polygon_feature(plans.AREA, frame(), {'role': 'area'})
    ring = positions(HOLE, frame())
    holed['geometry']['coordinates'].append([*ring, ring[0]])
    document = collection([holed, polygon_feature(east, frame(), {'role': 'area'})])
    local = fence_from_geojson(document).to_local(frame())
    whole = shapely.union(shapely.Polygon(plans.AREA), shapely.Polygon(east))
    assert shapely.Polygon(local.area).area == pytest.approx(whole.area, rel=1e-5)
    assert [same_shape(zone, HOLE) for zone in local.zones] == [True]
    assert 'joined' in local.notes[0]


def test_a_ring_of_areas_leaves_its_middle_forbidden() -> None:
    sides = [((0, 0), (30, 10)), ((0, 20), (30, 30)), ((0, 0), (10, 30)), ((20, 0), (30, 30))]
    boxes = [np.array(shapely.box(*low, *high).exterior.coords)[:-1] for low, high in sides]
    document = collection([polygon_feature(box, frame(), {'role': 'area'}) for box in boxes])
    local = fence_from_geojson(document).to_local(frame())
    assert same_shape(local.zones[0], shapely.box(10, 10, 20, 20).exterior.coords)


def test_a_multipolygon_is_its_polygons_and_a_bare_polygon_the_area() -> None:
    open_rings = [positions(corners, frame()) for corners in (plans.ZONE, HOLE)]
    rings = [[[*ring, ring[0]]] for ring in open_rings]
    zones = feature('MultiPolygon', rings, {'role': 'no_fly'})
    area = polygon_feature(plans.AREA, frame(), {})
    assert len(fence_from_geojson(collection([area, zones])).exclusions) == 2
    assert same_shape(fence_from_geojson(area['geometry']).to_local(frame()).area, plans.AREA)


def test_what_changes_nothing_is_said() -> None:
    plan = plans.plan()
    plan['geoFence']['polygons'][1]['polygon'] = plans.on_earth(plans.ZONE + [900.0, 0.0])
    plan['mission']['plannedHomePosition'] = [*plans.on_earth(np.array([[-500.0, 0.0]]))[0], 0.0]
    notes = fence_from_plan(plan).to_local().notes
    assert any('geofence polygon 2 lies outside' in note for note in notes)
    assert any('home lies outside' in note for note in notes)


def _edited(change: str) -> Any:
    plan = copy.deepcopy(plans.plan())
    polygons, mission = plan['geoFence']['polygons'], plan['mission']
    if change == 'no area':
        polygons.clear()
    elif change == 'two corners':
        polygons[0]['polygon'] = polygons[0]['polygon'][:2]
    elif change == 'crossing':
        polygons[0]['polygon'][0], polygons[0]['polygon'][1] = polygons[0]['polygon'][1::-1]
    elif change == 'text':
        polygons[0]['polygon'][0] = ['a', 'b']
    elif change == 'off the earth':
        polygons[0]['polygon'][0] = [95.0, 0.0]
    elif change == 'radius':
        plan['geoFence']['circles'][0]['circle']['radius'] = -1.0
    elif change == 'apart':
        polygons.append({'inclusion': True, 'polygon': plans.on_earth(plans.ZONE + 900.0)})
    elif change == 'no home':
        del mission['plannedHomePosition']
    elif change == 'list':
        plan['geoFence'] = []
    elif change == 'other':
        plan['fileType'] = 'Mission'
    return plan


@pytest.mark.parametrize(
    ('change', 'rule'),
    [
        ('no area', 'no area to search'),
        ('two corners', 'at least three corners'),
        ('crossing', 'geofence polygon 1.*neither crosses'),
        ('text', 'made of numbers'),
        ('off the earth', 'latitude from -90'),
        ('radius', 'radius above 0'),
        ('apart', 'one connected area, got 2 apart'),
        ('no home', '--origin LAT,LON'),
        ('list', "'geoFence' must be an object"),
        ('other', 'fileType'),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused(change: str, rule: str) -> None:
    with pytest.raises(BoExplorerError, match=rule) as error:
        fence_from_plan(_edited(change)).to_local()
    assert '\n' not in str(error.value)


@pytest.mark.parametrize(
    ('document', 'rule'),
    [
        ({'type': 'Topology'}, "got type 'Topology'"),
        ([], 'got type None'),
        (collection([{'type': 'Thing'}]), 'type Feature'),
        (collection([feature('Polygon', [], {'role': 'area'})]), 'made of rings'),
        (collection([feature('Polygon', [[[0, 0]]], {'role': 'area'})]), 'rings of corners'),
        (collection([feature('Polygon', [[['a']] * 4], {'role': 'area'})]), 'positions'),
        (collection([feature('Polygon', [[[0, 99]] * 4], {'role': 'area'})]), 'latitude'),
        (
            collection([feature('Polygon', [[[0, 0], [1, 0], [0, 1]]], {})] * 2),
            "property 'role'.*2 candidates",
        ),
        (collection([feature('Point', [0, 0], {'role': 'home'})] * 2), 'only home'),
    ],
)
def test_geojson_that_is_unclear_is_refused(document: Any, rule: str) -> None:
    with pytest.raises(BoExplorerError, match=rule):
        fence_from_geojson(document)


def test_files_are_read_by_their_ending(tmp_path: Path) -> None:
    path = tmp_path / 'field.plan'
    path.write_text(json.dumps(plans.plan()), encoding='utf-8-sig')
    assert isinstance(read_fence(path), Fence)
    for name, text, rule in (
        ('field.kml', '', r'must end in \.plan'),
        ('gone.plan', None, 'cannot be read: No such file'),
        ('broken.geojson', '{', 'cannot be read as JSON'),
        ('wrong.plan', '{}', r'wrong\.plan: .*fileType'),
    ):
        if text is not None:
            (tmp_path / name).write_text(text)
        with pytest.raises(BoExplorerError, match=rule):
            read_fence(tmp_path / name)
