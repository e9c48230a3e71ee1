# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The command report, from a document or a recording to files."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from bo_explorer.cli import main
from bo_explorer.report.mission_json import summarise, write_json

from ..report.missions import flown, truth

ORIGIN = '--origin=-36.8765,174.7641,196'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / 'hill'
    folder.mkdir()
    mission = flown()
    document = summarise(mission.record, truth=truth(), zone_crossings=0, belief=mission.belief)
    write_json(folder / 'mission.json', document)
    return folder


def test_a_report_lies_beside_its_mission_and_is_named_after_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['report', str(folder)]) == 0
    printed = capsys.readouterr().out.split()
    assert printed == [str(folder / 'report.html'), str(folder / 'findings.csv')]
    text = (folder / 'report.html').read_text(encoding='utf-8')
    assert '<h1>hill</h1>' in text
    assert 'findings.geojson' not in text


def test_title_unit_origin_and_place_of_the_files_are_chosen(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / 'web' / 'page.html'
    arguments = ['--out', str(out), '--title', 'A & B', '--unit', 'ppm', '--places', '1', ORIGIN]
    assert main(['report', str(folder / 'mission.json'), *arguments]) == 0
    text = out.read_text(encoding='utf-8')
    assert '<title>A &amp; B</title>' in text and 'value [ppm]' in text
    document = json.loads((out.parent / 'findings.geojson').read_text())
    roles = [feature['properties']['role'] for feature in document['features']]
    assert roles.count('finding') == 1
    assert len((out.parent / 'findings.csv').read_text().splitlines()) == 2


def test_a_name_without_ending_is_a_folder_for_the_files(folder: Path, tmp_path: Path) -> None:
    assert main(['report', str(folder), '--out', str(tmp_path / 'new')]) == 0
    assert sorted(path.name for path in (tmp_path / 'new').iterdir()) == [
        'findings.csv', 'report.html',
    ]  # fmt: skip


def test_a_mission_on_a_wall_has_its_own_axes_and_no_place_on_the_earth(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = dataclasses.replace(flown().record, is_map=False)
    write_json(folder / 'mission.json', summarise(record, belief=flown().belief))
    assert main(['report', str(folder)]) == 0
    text = (folder / 'report.html').read_text(encoding='utf-8')
    assert 'at x 8.0 m, y 4.0 m on the searched plane' in text and 'east [m]' not in text
    assert (folder / 'findings.csv').read_text().startswith('rank,x_m,y_m,value,std')
    assert main(['report', str(folder), ORIGIN]) == 2
    assert "'--origin' must be left out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ('arguments', 'rule'),
    [
        (['gone'], 'it is not there'),
        (['{folder}', '--places', '0'], "'--places' must be at least 1"),
        (['{folder}', '--origin', 'here'], "'origin' must be LAT,LON"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    folder: Path, arguments: list[str], rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['report', *(text.format(folder=folder) for text in arguments)]) == 2
    error = capsys.readouterr().err
    assert error.startswith('bo_explorer: error: ') and rule in error and error.count('\n') == 1


def test_a_recording_without_a_document_is_replayed(tmp_path: Path) -> None:
    pytest.importorskip('rosbags', reason='rosbags is not installed')
    from ..recording.flights import flown as fly
    from ..recording.flights import write_bag

    flight = fly()
    bag = write_bag(tmp_path / 'bags' / 'mission_1', flight.texts)
    assert main(['report', str(bag)]) == 0
    text = (tmp_path / 'bags' / 'report.html').read_text(encoding='utf-8')
    best = flight.mission.record().best
    assert '<h1>mission_1</h1>' in text
    assert f'{best.x:.1f} m east, {best.y:.1f} m north' in text


def test_a_recording_of_somebody_else_is_sent_to_replay(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip('rosbags', reason='rosbags is not installed')
    bags = Path(__file__).parents[3] / 'shared' / 'data' / 'rosbag2_real'
    if not bags.is_dir():
        pytest.skip(f'{bags} is not there')
    bag = next(path.parent for path in bags.rglob('metadata.yaml'))
    assert main(['report', str(bag)]) == 2
    assert 'bo_explorer replay' in capsys.readouterr().err
