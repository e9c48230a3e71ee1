# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.interpolate import RegularGridInterpolator

from bo_explorer.core.errors import ConfigError
from bo_explorer.sim.config import FieldConfig
from bo_explorer.sim.fields import KnownField, make_field
from bo_explorer.sim.fields.base import grid_points
from test.sim.scenarios import SHARED_DATA

# Row 0 is the north edge.
GRID = np.array([[1.0, 2.0, 3.0], [4.0, 9.0, 6.0], [0.0, 5.0, 7.0], [2.0, 2.0, 8.0]])


def load(folder: Path | None = None, **options: object) -> KnownField:
    return make_field(FieldConfig(**options), np.random.default_rng(0), folder)


def real(*parts: str) -> str:
    path = SHARED_DATA.joinpath(*parts)
    if not path.is_file():
        pytest.skip(f'the real data {"/".join(parts)} is not here')
    return str(path)


def write(path: Path) -> None:
    suffix = ''.join(path.suffixes)
    rows = '\n'.join(','.join(str(v) for v in row) for row in GRID)
    flat = {'width': 3, 'height': 4, 'values': GRID.ravel().tolist()}
    if suffix == '.npy':
        np.save(path, GRID)
    elif suffix == '.npz':
        np.savez(path, z=GRID)
    elif suffix == '.csv':
        path.write_text(f'# a comment\n{rows}\n')
    elif suffix == '.csv.gz':
        path.write_bytes(gzip.compress(rows.encode()))
    elif suffix == '.json':
        path.write_text(json.dumps(flat))
    else:
        Image.fromarray((20.0 * GRID).astype(np.uint8)).save(path)


@pytest.mark.parametrize(
    'name', ['a.npy', 'a.npz', 'a.csv', 'a.csv.gz', 'a.json', 'a.png', 'A.PNG']
)
def test_every_format_lies_the_same_way(name: str, tmp_path: Path) -> None:
    write(tmp_path / name)
    scale = 255.0 / 20.0 if name.lower().endswith('.png') else 1.0
    field = load(tmp_path, kind='raster', file=name, spacing_m=10.0, scale=scale)
    assert field.bounds == (0.0, 0.0, 20.0, 30.0)
    north_west, south_east, centre = [0.0, 30.0], [20.0, 0.0], [10.0, 20.0]
    values = field.value(np.array([north_west, south_east, centre]))
    assert np.allclose(values, [1.0, 8.0, 9.0])
    assert np.array_equal(field.maximum.point, [10.0, 20.0])
    assert np.array_equal(field.minimum.point, [0.0, 10.0])


def test_the_first_row_can_be_the_south_edge(tmp_path: Path) -> None:
    np.save(tmp_path / 'a.npy', GRID)
    field = load(tmp_path, kind='raster', file='a.npy', first_row='south')
    assert np.allclose(field.value(np.array([[0.0, 0.0], [2.0, 3.0]])), [1.0, 8.0])


def test_between_nodes_it_is_bilinear_and_beyond_the_edge_goes_on(tmp_path: Path) -> None:
    np.save(tmp_path / 'a.npy', GRID)
    field = load(tmp_path, kind='raster', file='a.npy', spacing_m=2.0)
    reference = RegularGridInterpolator((2.0 * np.arange(4), 2.0 * np.arange(3)), GRID[::-1])
    points = np.random.default_rng(0).uniform([0.0, 0.0], [4.0, 6.0], (200, 2))
    assert np.allclose(field.value(points), reference(points[:, ::-1]), atol=1e-12)
    beyond = np.array([[-3.0, 1.0], [9.0, 9.0]])
    inside = np.array([[0.0, 1.0], [4.0, 6.0]])
    assert np.allclose(field.value(beyond), field.value(inside))


def test_a_thin_mask_is_smoothed_into_a_slope_towards_it(tmp_path: Path) -> None:
    mask = np.zeros((61, 61), np.uint8)
    mask[:, 30] = 255
    Image.fromarray(mask).save(tmp_path / 'mask.png')
    field = load(tmp_path, kind='raster', file='mask.png', spacing_m=0.1, smooth_m=0.5)
    x = 0.1 * np.arange(10, 51)
    scores = field.value(np.stack([x, np.full(41, 3.0)], axis=1))
    expected = np.exp(-0.5 * ((x - 3.0) / 0.5) ** 2) * 0.1 / (0.5 * np.sqrt(2.0 * np.pi))
    assert np.allclose(scores, expected, atol=2e-3 * expected.max())


def test_deep_images_keep_their_depth(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 257], [65535, 1]], np.uint16)).save(tmp_path / 'deep.png')
    field = load(tmp_path, kind='raster', file='deep.png')
    corners = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
    assert np.allclose(field.value(corners), np.array([0, 257, 65535, 1]) / 65535.0)


def test_files_are_looked_for_here_then_beside_the_settings_then_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, beside = tmp_path / 'here', tmp_path / 'beside'
    here.mkdir()
    beside.mkdir()
    monkeypatch.chdir(here)
    packaged = load(beside, kind='raster', file='volcano.json', spacing_m=10.0)
    assert packaged.bounds == (0.0, 0.0, 860.0, 600.0)
    (beside / 'volcano.json').write_text('[[1, 2], [3, 4]]')
    assert load(beside, kind='raster', file='volcano.json').maximum.value == 4.0
    (here / 'volcano.json').write_text('[[1, 2], [3, 5]]')
    assert load(beside, kind='raster', file='volcano.json').maximum.value == 5.0


@pytest.mark.parametrize('kind', ['raster', 'scattered'])
def test_a_missing_file_is_named_with_every_place_it_was_looked_for(
    kind: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, kind=kind, file='absent.csv')
    text = str(caught.value)
    assert caught.value.key == 'simulator.field.file'
    assert str(tmp_path / 'absent.csv') in text and str(Path.cwd() / 'absent.csv') in text
    with pytest.raises(ConfigError, match=r'simulator\.field\.file'):
        load(kind=kind, file='')


BROKEN_RASTERS = {
    'empty.csv': b'',
    'ragged.csv': b'1,2\n3\n',
    'words.csv': b'a,b\nc,d\n',
    'row.csv': b'1,2,3\n',
    'gap.csv': b'1,2\nnan,4\n',
    'latin.csv': b'\xff\xfe\x00',
    'broken.csv.gz': b'no gzip',
    'broken.npy': b'no numpy',
    'broken.npz': b'no zip',
    'empty.npz': b'PK\x05\x06' + bytes(18),
    'broken.json': b'{"width": 2',
    'short.json': b'{"width": 2, "height": 2, "values": [1, 2, 3]}',
    'hole.json': b'{"width": 2, "height": 2, "values": [1, 2, 3, null]}',
    'other.json': b'{"rows": []}',
    'number.json': b'3',
    'deep.json': b'[[[1, 2], [3, 4]], [[1, 2], [3, 4]]]',
    'broken.png': b'no image',
    'cut.png': b'\x89PNG\r\n\x1a\n',
    'unknown.xyz': b'1,2\n3,4\n',
}


@pytest.mark.parametrize('name', BROKEN_RASTERS)
def test_a_broken_raster_is_refused_with_its_path(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(BROKEN_RASTERS[name])
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, kind='raster', file=name)
    assert name in str(caught.value)


def test_an_object_array_is_refused_unopened(tmp_path: Path) -> None:
    np.save(tmp_path / 'pickled.npy', np.array([[{}, {}], [{}, {}]]), allow_pickle=True)
    with pytest.raises(ConfigError, match='pickled'):
        load(tmp_path, kind='raster', file='pickled.npy')


def test_one_array_of_several_must_be_named(tmp_path: Path) -> None:
    np.savez(tmp_path / 'two.npz', low=GRID, high=GRID + 1.0)
    with pytest.raises(ConfigError, match=r'simulator\.field\.array.*low, high'):
        load(tmp_path, kind='raster', file='two.npz')
    assert load(tmp_path, kind='raster', file='two.npz', array='high').maximum.value == 10.0


def test_a_node_without_a_value_is_named(tmp_path: Path) -> None:
    grid = GRID.copy()
    grid[2, 1] = np.nan
    np.save(tmp_path / 'gap.npy', grid)
    with pytest.raises(ConfigError, match='row 2, column 1'):
        load(tmp_path, kind='raster', file='gap.npy')


TABLE = 'east, north, ph, note\n0,0,1,a\n10,0,3,b\n10,10,5,c\n0,10,3,d\n\n0,0,2,e\n'
COLUMNS = {'column_x': 'east', 'column_y': 'north', 'column_value': 'ph'}


@pytest.mark.parametrize('name', ['plot.csv', 'plot.csv.gz'])
def test_scattered_values_are_linear_inside_and_nearest_outside(name: str, tmp_path: Path) -> None:
    content = TABLE.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith('gz') else content)
    field = load(tmp_path, kind='scattered', file=name, **COLUMNS)
    # The two measurements at the origin count as their mean.
    values = field.value(np.array([[0.0, 0.0], [10.0, 5.0], [5.0, 0.0], [40.0, 30.0]]))
    assert np.allclose(values, [1.5, 4.0, 2.25, 5.0])
    assert np.array_equal(field.maximum.point, [10.0, 10.0])


def test_scattered_values_keep_their_digits_in_a_map_projection(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(0.0, 100.0, (200, 2))
    rows = [f'{x + 3e5!r},{y + 5.8e6!r},{2.0 * x - y!r}' for x, y in points.tolist()]
    (tmp_path / 'utm.csv').write_text('x,y,value\n' + '\n'.join(rows))
    field = load(tmp_path, kind='scattered', file='utm.csv')
    inside = rng.uniform(30.0, 70.0, (50, 2))
    expected = 2.0 * inside[:, 0] - inside[:, 1]
    assert np.allclose(field.value(inside + [3e5, 5.8e6]), expected, atol=1e-6)


@pytest.mark.parametrize(
    ('content', 'text'),
    [
        (b'', 'column_x'),
        (b'x,y\n1,2\n', 'column_value'),
        (b'x,y,value\n', 'three places'),
        (b'x,y,value\n0,0,1\n1,1,2\n2,2,3\n', 'three places'),
        (b'x,y,value\n0,0,1\n1,0,\n0,1,3\n', 'line 3'),
        (b'x,y,value\n0,0,1\n1,0\n0,1,3\n', 'line 3'),
        (b'x,y,value\n0,0,inf\n1,0,2\n0,1,3\n', 'line 2'),
        (b'\xff\xfe\x00', 'readable table'),
    ],
)
def test_a_broken_table_is_refused_with_what_is_wrong(
    content: bytes, text: str, tmp_path: Path
) -> None:
    (tmp_path / 'table.csv').write_bytes(content)
    with pytest.raises(ConfigError, match=text):
        load(tmp_path, kind='scattered', file='table.csv')


def test_the_real_volcano_has_its_rim_where_the_numbers_say() -> None:
    path = real('volcano', 'volcano.json')
    field = load(kind='raster', file=path, spacing_m=10.0)
    content = json.loads(Path(path).read_text())
    numbers = np.reshape(content['values'], (content['height'], content['width']))
    row, column = np.unravel_index(numbers.argmax(), numbers.shape)
    assert field.bounds == (0.0, 0.0, 860.0, 600.0)
    assert field.maximum.value == 195.0
    assert np.array_equal(field.maximum.point, [10.0 * column, 10.0 * (60 - row)])


def test_the_real_terrain_is_read_at_its_scale() -> None:
    field = load(kind='raster', file=real('terrain_lidar_400m', 'dem_1m.npz'), array='z')
    assert field.bounds == (0.0, 0.0, 399.0, 399.0)
    assert field.maximum.value == pytest.approx(410.8, abs=0.1)
    assert field.minimum.value == pytest.approx(379.7, abs=0.1)


def test_the_real_soil_map_gives_back_its_measurements() -> None:
    field = load(
        kind='scattered',
        file=real('soil_eca_paar', 'wheat.csv.gz'),
        column_value='CE30',
        origin_x=0.0,
        origin_y=0.0,
    )
    assert field.bounds[:2] == (0.0, 0.0)
    assert field.bounds.max_x == pytest.approx(1090.0, abs=20.0)
    values = field.value(grid_points(field.bounds, 50, 50))
    assert field.minimum.value <= values.min() < values.max() <= field.maximum.value


@pytest.mark.parametrize('number', range(6))
def test_a_real_crack_scores_highest_on_the_crack(number: int) -> None:
    path = real('crack_metu_preview', f'metu_{number}_mask.png')
    field = load(kind='raster', file=path, spacing_m=0.005, smooth_m=0.02)
    with Image.open(path) as image:
        rows, columns = np.nonzero(np.asarray(image.convert('L')) > 127)
        height = image.height
    on_crack = 0.005 * np.stack([columns, height - 1 - rows], axis=1)
    assert np.linalg.norm(on_crack - field.maximum.point, axis=1).min() <= 0.02
    everywhere = field.value(grid_points(field.bounds, 60, 60))
    assert field.value(on_crack).mean() > 3.0 * everywhere.mean()


def test_the_dark_of_a_real_photo_is_bright_with_a_negative_scale() -> None:
    path = real('crack_metu_preview', 'metu_0.jpg')
    plain = load(kind='raster', file=path, spacing_m=0.005)
    dark = load(kind='raster', file=path, spacing_m=0.005, scale=-1.0, offset=1.0)
    assert 0.0 <= plain.minimum.value < plain.maximum.value <= 1.0
    assert np.array_equal(dark.maximum.point, plain.minimum.point)
