# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission comes back from its document, and what is none is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bo_explorer.core.errors import ConfigError
from bo_explorer.report.belief import Belief
from bo_explorer.report.mission_file import find_mission, read_mission
from bo_explorer.report.mission_json import summarise, write_json

from .missions import grid, mission, slope, truth


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / 'mission'
    folder.mkdir()
    belief = Belief(grid(), slope(grid()), np.full(len(grid()), 0.5), slope(grid()) + 1.0)
    write_json(folder / 'mission.json', summarise(mission(), truth=truth(), belief=belief))
    return folder


def test_record_and_belief_come_back_as_they_were(folder: Path) -> None:
    flown = read_mission(folder)
    assert flown.record == mission()
    assert flown.belief.points == pytest.approx(grid())
    assert flown.belief.truth == pytest.approx(slope(grid()) + 1.0)
    assert flown.belief.spacing_m == pytest.approx(1.0)
    assert flown.summary['regret'] == pytest.approx(2.0)


def test_the_document_has_a_line_for_each_key(folder: Path) -> None:
    lines = (folder / 'mission.json').read_text().splitlines()
    assert sum('"track":' in line for line in lines) == 1
    assert len(lines) < 120


def test_a_file_its_folder_and_a_recording_in_it_mean_the_same(folder: Path) -> None:
    bag = folder / 'bag'
    bag.mkdir()
    for name in ('bag_0.mcap', 'metadata.yaml'):
        (bag / name).touch()
    for place in (folder, folder / 'mission.json', bag, bag / 'bag_0.mcap'):
        assert find_mission(place).samefile(folder / 'mission.json')


def test_a_mission_that_never_began_comes_back_without_a_map(tmp_path: Path) -> None:
    write_json(tmp_path / 'mission.json', summarise(mission()))
    assert len(read_mission(tmp_path).belief) == 0


@pytest.mark.parametrize(
    ('text', 'rule'),
    [
        (None, 'is not there'),
        ('{', 'cannot be read as JSON'),
        ('[]', 'must be the document'),
        ('{"outcome": "found"}', 'must be the document'),
        ('{"record": {"colour": "red"}}', "no 'colour'"),
        ('{"record": {}, "map": {"points": [[0, 0]]}}', 'is no document of a mission'),
        (json.dumps({'record': {}, 'map': {'points': [[0, 0]], 'mean': [], 'std': []}}), 'shape'),
    ],
)
def test_what_is_no_mission_is_refused(tmp_path: Path, text: str | None, rule: str) -> None:
    path = tmp_path / 'some.json'
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=rule) as error:
        read_mission(path)
    assert '\n' not in str(error.value)


def test_a_document_beside_a_folder_that_is_no_recording_is_not_its_own(folder: Path) -> None:
    (folder / 'other').mkdir()
    with pytest.raises(ConfigError, match='no mission'):
        find_mission(folder / 'other')


def test_a_folder_without_a_mission_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r'no mission\.json in it or beside it'):
        find_mission(tmp_path)
