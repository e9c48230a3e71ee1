# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Checking a parameter file: every fault at once, a picture, and what looks like a mistake."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import yaml

pytest.importorskip('pyproj')

from bo_explorer.cli import main
from bo_explorer.cli.faults import find_faults
from bo_explorer.cli.scenario import read_flat

from ..geo import plans

GOOD = {
    'area.polygon': [0.0, 0.0, 100.0, 0.0, 100.0, 100.0, 0.0, 100.0],
    'area.resolution_m': 5.0,
    'no_fly.polygons': ['40,40; 60,40; 60,60'],
    'no_fly.margin_m': 2.0,
    'home.mode': 'fixed',
    'home.x': 5.0,
    'home.y': 5.0,
    'budget.total_m': 400.0,
}


@pytest.fixture(autouse=True)
def _quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the picture out where many files are checked: it takes the most time."""
    if {'values', 'name'} & set(request.fixturenames):
        monkeypatch.setattr('bo_explorer.cli.check.draw_area', lambda *_, **__: None)


def run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, object], *more: str
) -> tuple[int, str]:
    """Check a file of GOOD with other values; ``None`` takes one out."""
    file = tmp_path / 'my.yaml'
    flat = {key: value for key, value in {**GOOD, **values}.items() if value is not None}
    file.write_text(yaml.safe_dump(flat))
    code = main(['check', str(file), '--out', str(tmp_path / 'check.png'), *more])
    return code, capsys.readouterr().out


def test_a_good_file_says_what_its_budget_allows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = run(tmp_path, capsys, {})
    assert code == 0
    assert 'no faults' in printed and 'warning' not in printed and 'fault:' not in printed
    for words in ('1e+04 m2, 1 no-fly zones', '(5.0, 5.0), home.x, home.y', '100 %', 'roughly'):
        assert words in printed
    assert (tmp_path / 'check.png').stat().st_size > 10_000


def test_every_fault_has_a_line_with_key_rule_and_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = run(
        tmp_path,
        capsys,
        {
            'area.polygon': None,
            'budget.total_m': -5,
            'vehicle.speed_mps': 'fast',
            'vehicle.sped': 2.0,
            'no_fly.polygons': ['1,1; 2,2', '0,0; 2,2; 0,2; 2,0'],
            'policy.name': 'luck',
            'home.x': None,
        },
    )
    faults = [line for line in printed.splitlines() if line.startswith('fault: ')]
    assert code == 1
    assert len(faults) == 8
    for words in (
        "'area.polygon' is required",
        "'budget.total_m' must be a finite number above 0",
        "'vehicle.speed_mps' must be a finite number above 0 and at most 100, got 'fast'",
        "'vehicle.sped' is not a known parameter. Did you mean 'vehicle.speed_mps'",
        "'no_fly.polygons[0]' must be at least three different corners",
        "'no_fly.polygons[1]' must be a border that neither crosses",
        "'policy.name' must be one of",
        "'home.x' must be a finite number when the mode is fixed",
    ):
        assert sum(words in line for line in faults) == 1, words


@pytest.mark.parametrize(
    'values',
    [
        {'budget.total_s': 600.0},
        {'budget.total_percent': 60.0, 'energy.range_m': 800.0},
        {'budget.total_wh': 40.0, 'energy.range_m': 800.0, 'energy.capacity_wh': 80.0},
    ],
    ids=lambda values: next(iter(values)),
)
def test_a_budget_may_be_given_in_seconds_percent_or_watt_hours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, object]
) -> None:
    code, printed = run(tmp_path, capsys, {'budget.total_m': None, **values})
    assert code == 0 and 'no faults' in printed


@pytest.mark.parametrize(
    ('values', 'words'),
    [
        ({}, "'budget.total_m' is required"),
        ({'budget.total_m': math.nan}, "'budget.total_m' is required"),
        ({'budget.total_s': math.nan}, "'budget.total_m' is required"),
        ({'budget.total_s': -5.0}, "'budget.total_s' must be"),
    ],
)
def test_a_budget_that_is_none_is_one_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, object], words: str
) -> None:
    code, printed = run(tmp_path, capsys, {'budget.total_m': None, **values})
    assert code == 1
    assert words in printed and '1 fault' in printed


@pytest.mark.parametrize(
    ('values', 'words'),
    [
        ({'home.x': 50.0, 'home.y': 45.0}, 'outside the search area or in a no-fly zone'),
        ({'budget.total_m': 6.0, 'budget.stop_cost_m': 5.0}, 'must pay for a round trip'),
        ({'area.margin_m': 60.0}, "'area.margin_m' must be below"),
        ({'no_fly.polygons': ['-9,-9; 200,-9; 200,200; -9,200']}, 'cover the whole search area'),
        ({'area.resolution_m': 0.01}, "'area.resolution_m' must be at least"),
        ({'simulator.field': {'kind': 'raster', 'file': 'gone.tif'}}, 'gone.tif'),
        ({'budget.reserve_m': 500.0}, "'budget.reserve_m' must be below"),
        (
            {'simulator.vehicle.start_x': 95.0, 'simulator.vehicle.start_y': 95.0,
             'budget.total_m': 80.0},
            'the way home costs',
        ),
    ],
)
def test_what_the_mission_would_refuse_is_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, object], words: str
) -> None:
    code, printed = run(tmp_path, capsys, values)
    assert code == 1
    assert words in printed and '1 fault' in printed


@pytest.mark.parametrize(
    ('values', 'words'),
    [
        ({'budget.total_m': 100.0}, 'candidates are within reach'),
        ({'no_fly.polygons': ['200,200; 210,200; 210,210']}, 'changes nothing'),
        ({'no_fly.margin_m': 0.5}, 'is below vehicle.arrival_radius_m'),
        ({'vehicle.arrival_radius_m': 8.0, 'no_fly.margin_m': 9.0}, 'above the spacing'),
        ({'model.lengthscale_m': 6.0}, 'below two spacings'),
        ({'model.lengthscale_m': 500.0}, 'above the side'),
        ({'vehicle.speed_mps': 20.0}, 'to brake'),
        ({'budget.reserve_m': 0.0}, 'nothing for gusts'),
        ({'budget.reserve_m': 250.0}, 'more than half of the budget'),
        ({'budget.battery_low': 0.0}, 'never calls the vehicle home'),
        ({'policy.ucb.beta': None, 'policy.pbgi.price': 0.2}, 'options of pbgi are set'),
        ({'simulator.vehicle.acceleration_mps2': 1.0}, 'will overshoot'),
        ({'simulator.battery.capacity_m': 300.0}, 'less than the budget'),
        ({'simulator.battery.hover_m_per_s': 9.0}, 'more than budget.stop_cost_m'),
        ({'area.resolution_m': 1.1}, 'make decisions slow'),
        (
            {'no_fly.polygons': ['30,-1; 32,-1; 32,101; 30,101']},
            'zones and margins cut parts of the area off',
        ),
        (
            {
                'area.polygon': [8.50, 47.30, 8.51, 47.30, 8.51, 47.31],
                'area.resolution_m': None,
                'no_fly.polygons': None,
                'home.x': 8.505,
                'home.y': 47.302,
            },
            'looks like degrees',
        ),
    ],
)
def test_a_suspicious_setting_is_a_warning_and_no_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, object], words: str
) -> None:
    code, printed = run(tmp_path, capsys, values)
    assert code == 0, printed
    warnings = [line for line in printed.splitlines() if line.startswith('warning: ')]
    assert any(words in line for line in warnings), printed


def test_the_start_is_taken_from_where_it_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anywhere = {'home.mode': None, 'home.x': None, 'home.y': None, 'no_fly.polygons': None}
    assert '(50.0, 50.0), taken to be the middle' in run(tmp_path, capsys, anywhere)[1]
    assert '(7.0, 9.0), given by' in run(tmp_path, capsys, anywhere, '--start', '7,9')[1]
    simulated = {**anywhere, 'simulator.vehicle.start_x': 3.0}
    assert '(3.0, 0.0), start of the simulated' in run(tmp_path, capsys, simulated)[1]
    assert main(['check', str(tmp_path / 'my.yaml'), '--start', '7;9']) == 2
    assert capsys.readouterr().err == (
        "bo_explorer: error: '--start' must be X,Y in metres, got '7;9'.\n"
    )


@pytest.mark.parametrize('name', ['terrain_summit', 'survivor_hotspots', 'crack_wall'])
def test_the_shipped_scenarios_have_neither_fault_nor_warning(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['check', name, '--out', str(tmp_path / 'check.png')]) == 0
    assert 'warning' not in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / 'broken.yaml').write_text('a: [1\n')
    for name in ('nowhere.yaml', str(tmp_path / 'broken.yaml')):
        assert main(['check', name]) == 2
        error = capsys.readouterr().err
        assert error.startswith('bo_explorer: error: ') and error.count('\n') == 1


def test_a_plan_becomes_a_parameter_file_without_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, parameters = tmp_path / 'field.plan', tmp_path / 'field.yaml'
    plan.write_text(json.dumps(plans.plan()))
    picture = ['--out', str(tmp_path / 'check.png')]
    assert main(['import', str(plan), '--budget', '1500', '--out', str(parameters)]) == 0
    assert main(['check', str(parameters), *picture]) == 0
    capsys.readouterr()
    assert main(['import', str(plan)]) == 0
    printed = capsys.readouterr().out
    assert f'--origin={plans.LATITUDE:.8f},{plans.LONGITUDE:.8f},{plans.ALTITUDE:.2f}' in printed
    assert 'Still needed: budget.total_m' in printed
    scenario, faults = find_faults(read_flat(parameters))
    assert faults == [] and scenario is not None
    assert scenario.explorer.area.polygon == pytest.approx(plans.AREA.ravel(), abs=2e-3)
    assert main(['check', str(plan), *picture, '--set', 'budget.total_m=1500']) == 0
    assert main(['check', str(plan), *picture]) == 1
    assert "'budget.total_m' is required" in capsys.readouterr().out


def test_what_cannot_be_imported_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / 'field.plan'
    plan.write_text(json.dumps(plans.plan()))
    for arguments in (['gone.plan'], [str(plan), '--origin', '99,0'], [str(plan), '--budget=-1']):
        assert main(['import', *arguments]) == 2
        error = capsys.readouterr().err
        assert error.startswith('bo_explorer: error: ') and error.count('\n') == 1
