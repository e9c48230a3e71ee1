# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The command from its arguments to its exit code."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import bo_explorer
from bo_explorer.cli import main
from bo_explorer.cli.scenario import Scenario
from bo_explorer.cli.truth import field_of

SCENARIO = """
area.polygon: [0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0]
area.resolution_m: 4.0
no_fly.polygons: ['18,10; 22,10; 22,30; 18,30']
budget.total_m: 120.0
simulator.field: {kind: gp_draw, width_m: 40.0, height_m: 40.0}
simulator.vehicle: {start_x: 5.0, start_y: 5.0}
simulator.sensor.noise_std: 0.05
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / 'scenario.yaml'
    path.write_text(SCENARIO)
    return path


def test_a_simulated_mission_comes_home_and_leaves_its_files(
    scenario: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / 'result'
    code = main(['simulate', '--config', str(scenario), '--seed', '5', '--out', str(out)])
    printed = capsys.readouterr().out
    mission = json.loads((out / 'mission.json').read_text())
    assert code == 0, printed
    assert mission['seed'] == 5
    assert mission['returned_home'] is True
    assert mission['zone_crossings'] == 0
    assert 0.0 < mission['audit']['flown_m'] <= mission['budget_m'] == 120.0
    assert 0.0 <= mission['regret_fraction'] <= 1.0
    assert (out / 'mission.png').stat().st_size > 10_000
    assert str(out / 'mission.png') in printed.replace('\n', '')


def test_the_same_seed_gives_the_same_mission(scenario: Path, tmp_path: Path) -> None:
    missions = []
    for name in ('first', 'second'):
        main(['simulate', '--config', str(scenario), '--seed', '2', '--out', str(tmp_path / name)])
        missions.append(json.loads((tmp_path / name / 'mission.json').read_text()))
    for mission in missions:
        del mission['decision_ms'], mission['record']['decision_ms']
    assert missions[0] == missions[1]


def test_a_mission_that_cannot_begin_fails(scenario: Path, tmp_path: Path) -> None:
    arguments = ['--config', str(scenario), '--out', str(tmp_path / 'out')]
    for setting in ('home.mode=fixed', 'home.x=500', 'home.y=500'):
        arguments += ['--set', setting]
    assert main(['simulate', *arguments]) == 1
    mission = json.loads((tmp_path / 'out' / 'mission.json').read_text())
    assert mission['outcome'] == 'held'
    assert 'outside the search area' in mission['reason']
    assert mission['returned_home'] is False


@pytest.mark.parametrize(
    'arguments',
    [
        ['--config', 'no_such_scenario'],
        ['--policy', 'luck'],
        ['--set', 'budget.totl_m=3'],
        ['--set', 'budget.total_m'],
        ['--set', 'area.polygon=[0, 0, 1, 1]'],
        ['--seed', '-1'],
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    scenario: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['simulate', '--config', str(scenario), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith('bo_explorer: error: ')
    assert error.count('\n') == 1


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(['--version'])
    assert end.value.code == 0
    assert bo_explorer.__version__ in capsys.readouterr().out


def test_no_number_in_a_result_is_nan(scenario: Path, tmp_path: Path) -> None:
    main(['simulate', '--config', str(scenario), '--out', str(tmp_path)])
    text = (tmp_path / 'mission.json').read_text()
    json.loads(text, parse_constant=lambda name: pytest.fail(f'{name} in the document'))
    assert not math.isnan(json.loads(text)['spent_m'])


def test_the_nodes_of_a_demonstration_find_a_field_beside_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As check and simulate do; the nodes know neither that folder nor the current one."""
    folder, elsewhere = tmp_path / 'settings', tmp_path / 'elsewhere'
    folder.mkdir()
    elsewhere.mkdir()
    np.save(folder / 'field.npy', np.arange(1600.0).reshape(40, 40))
    (folder / 'my.yaml').write_text(
        'area.polygon: [0.0, 0.0, 39.0, 0.0, 39.0, 39.0, 0.0, 39.0]\n'
        'budget.total_m: 120.0\n'
        'simulator.field: {kind: raster, file: field.npy}\n'
    )
    flown: list[Scenario] = []
    monkeypatch.setattr(
        'bo_explorer.cli.demo.fly_demo', lambda scenario, *_, **__: not flown.append(scenario)
    )
    for current, name in ((elsewhere, '../settings/my.yaml'), (folder, 'my.yaml')):
        monkeypatch.chdir(current)
        assert main(['demo', '--config', name]) == 0
        written = flown[-1].given['simulator.field.file']
        assert written == str(folder / 'field.npy')
        monkeypatch.chdir(tmp_path)
        assert field_of(flown[-1]).maximum.value == 1599.0
