# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The command replay, on bags written here and on real ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

pytest.importorskip('rosbags', reason='rosbags is not installed')

from bo_explorer.cli.command import main
from bo_explorer.recording.journal import encode

from ..recording.flights import flown, write_bag

BAGS = Path(__file__).parents[3] / 'shared' / 'data' / 'rosbag2_real'
needs_data = pytest.mark.skipif(not BAGS.is_dir(), reason=f'{BAGS} is not there')


@pytest.fixture(scope='module')
def flight():
    return flown()


@pytest.fixture(scope='module')
def bag(flight, tmp_path_factory):
    return write_bag(tmp_path_factory.mktemp('bags') / 'mission', flight.texts)


def run(capsys, *arguments):
    code = main(['replay', *map(str, arguments)])
    return code, capsys.readouterr()


def test_a_mission_is_repeated_and_written(bag, flight, tmp_path, capsys):
    code, said = run(capsys, bag, '--out', tmp_path)
    assert code == 0
    document = json.loads((tmp_path / 'replay.json').read_text())
    n = len(document['decisions'])
    assert document['is_exact'] and n > 3
    assert f'{n} of {n} decisions repeated bit for bit' in said.out
    mission = json.loads((tmp_path / 'mission.json').read_text())
    assert mission['waypoints'] == flight.mission.record().waypoints
    assert (tmp_path / 'mission.png').stat().st_size > 10_000


def test_the_file_it_was_flown_with_gives_the_same_decisions(bag, flight, tmp_path, capsys):
    values = {k: v for k, v in flight.events[0]['parameters'].items() if v not in ('nan', [])}
    file = tmp_path / 'flown.yaml'
    file.write_text(yaml.safe_dump({'/**': {'ros__parameters': values}}))
    code, said = run(capsys, bag, '--config', file, '--out', tmp_path)
    assert code == 0
    assert 'other' not in said.out and 'agrees' not in said.out


def test_another_policy_stands_beside_the_flown_one(bag, tmp_path, capsys):
    code, said = run(capsys, bag, '--policy', 'max_std', '--out', tmp_path)
    assert code == 0
    assert 'apart [m]' in said.out
    assert 'max_std with the given settings agrees with' in said.out
    decisions = json.loads((tmp_path / 'replay.json').read_text())['decisions']
    assert any(d['other']['target'] != d['recorded'].get('target') for d in decisions)


def test_a_mission_that_was_not_the_recorded_one_fails_and_names_the_call(
    flight, tmp_path, capsys
):
    events = flight.events
    reading = next(e for e in events if e['call'] == 'add_reading' and e['seq'] > 20)
    reading['args']['value'] += 1.0
    bag = write_bag(tmp_path / 'bag', [encode(event) for event in events])
    code, said = run(capsys, bag, '--out', tmp_path)
    assert code == 1
    assert 'not the recorded mission: call' in said.out


def test_a_bad_setting_is_bad_input(bag, tmp_path, capsys):
    code, said = run(capsys, bag, '--policy', 'no_such', '--out', tmp_path)
    assert code == 2 and 'no_such' in said.err
    code, said = run(capsys, tmp_path / 'nothing', '--out', tmp_path)
    assert code == 2 and 'does not exist' in said.err


@needs_data
def test_a_foreign_recording_asks_for_its_topics_and_lists_them(tmp_path, capsys):
    code, said = run(capsys, BAGS / 'ble_robot_mcap', '--out', tmp_path)
    assert code == 2
    assert '--pose-topic' in said.err and '/rssi_6  std_msgs/msg/Float64' in said.err
    arguments = ('--pose-topic', '/odom', '--reading-topic', '/rssi_1', '--out', tmp_path)
    code, said = run(capsys, BAGS / 'ble_robot_mcap', *arguments)
    assert code == 2
    assert "no topic '/odom'" in said.err and '/pose  geometry_msgs/msg/PoseStamped' in said.err


@needs_data
def test_a_foreign_recording_becomes_a_map_by_options_or_by_a_file(tmp_path, capsys):
    options = ('--pose-topic', '/pose', '--reading-topic', '/rssi_3', '--reading-field', 'data')
    quick = ('--set', 'model.fit=false')
    code, said = run(capsys, BAGS / 'ble_robot_mcap', *options, *quick, '--out', tmp_path)
    assert code == 0 and 'best estimate' in said.out
    by_options = json.loads((tmp_path / 'mission.json').read_text())
    file = tmp_path / 'sensor.yaml'
    settings = {
        'pose': {'topic': '/pose'}, 'sensor': {'topic': '/rssi_3'}, 'model': {'fit': False},
    }  # fmt: skip
    file.write_text(yaml.safe_dump({'/**': {'ros__parameters': settings}}))
    code, _ = run(capsys, BAGS / 'ble_robot_mcap', '--config', file, '--out', tmp_path)
    assert code == 0
    by_file = json.loads((tmp_path / 'mission.json').read_text())
    assert by_file['best'] == by_options['best']


@needs_data
def test_the_maximum_of_a_flight_with_satellite_fixes_is_given_on_the_earth(tmp_path, capsys):
    options = ('--pose-topic', '/fix', '--reading-topic', '/co2_ppm', '--out', tmp_path)
    quick = ('--set', 'model.fit=false', '--set', 'ingest.max_samples=100')
    code, said = run(capsys, BAGS / 'uav_co2_day1_200m_mcap', *options, *quick)
    assert code == 0
    assert 'origin of the map: 53.327892' in said.out and 'that is 53.32' in said.out
