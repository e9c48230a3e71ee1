# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The node goes on with what another one has begun."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from rclpy.parameter import Parameter
from std_srvs.srv import Trigger

from .test_explorer_node import FAILURE, GOOD, SUCCESS, Bench, make  # noqa: F401  a fixture

ZONE = '0,0; 4,0; 4,4; 0,4'


@pytest.fixture
def begun(context, make, tmp_path):  # noqa: F811
    """Return parameters with a folder and the last record of a mission left in it."""
    parameters = {**GOOD, 'memory.folder': str(tmp_path / 'memory')}
    bench = Bench(context, make(parameters))
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    zones = Parameter('no_fly.polygons', value=[ZONE])
    assert bench.node.set_parameters([zones])[0].successful
    bench.wait(lambda: bench.records[-1]['zones'], bench.hover)
    bench.wait(lambda: bench.records[-1]['samples'], bench.hover)
    record = bench.records[-1]
    # As a killed process would: without a last word.
    bench.node._runner._store.close()
    bench.close()
    bench.node.close()
    return parameters, record


def test_a_restarted_node_goes_on_as_it_was(context, make, begun):  # noqa: F811
    """Field case I10."""
    parameters, before = begun
    bench = Bench(context, make(parameters))
    bench.node.bring_up()
    assert bench.node.get_parameter('no_fly.polygons').value == [ZONE]
    bench.wait(lambda: bench.records and bench.records[-1]['state'] != 'idle')
    record = bench.records[-1]
    assert record['state'] == 'suspended' and 'waiting for a pose' in record['reason']
    assert len(record['samples']) >= len(before['samples'])
    assert record['home'] == before['home'] and len(record['zones']) == 1
    bench.wait(lambda: bench.records[-1]['state'] == 'moving', bench.hover)
    assert bench.records[-1]['spent_m'] >= before['spent_m']
    answer = bench.call('battery_swap')
    assert not answer.success and 'at home or in a hold' in answer.message
    answer = bench.call('reset')
    assert not answer.success and 'pause first' in answer.message
    assert not (Path(parameters['memory.folder']) / 'finished-1.json').exists()
    assert bench.call('pause').success
    assert bench.call('reset').success
    assert (Path(parameters['memory.folder']) / 'finished-1.json').exists()
    bench.close()


def test_a_damaged_memory_fails_the_configuration_and_stays(make, begun, tmp_path):  # noqa: F811
    parameters, _ = begun
    path = tmp_path / 'memory' / 'mission.json'
    path.write_bytes(path.read_bytes()[:-40])
    before = path.read_bytes()
    node = make(parameters)
    assert node.trigger_configure() == FAILURE
    assert node.trigger_configure() == FAILURE
    assert path.read_bytes() == before
    other = Parameter('memory.folder', value=str(tmp_path / 'other'))
    assert node.set_parameters([other])[0].successful
    assert node.trigger_configure() == SUCCESS


def test_a_mission_that_could_not_be_written_to_its_end_flies_home_only(
    context, make, begun, tmp_path  # noqa: F811
):
    """What was spent after the disk was full is not handed out again; the samples are kept."""
    parameters, before = begun
    folder = tmp_path / 'memory'
    (folder / 'mission.json').rename(folder / 'mission-behind.json')
    bench = Bench(context, make(parameters))
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['state'] == 'done', bench.hover)
    record = bench.records[-1]
    assert len(record['samples']) >= len(before['samples'])
    assert len(record['waypoints']) == len(before['waypoints'])
    assert record['outcome'] == 'failed'
    # Now it is remembered as it is.
    assert not (folder / 'mission-behind.json').exists()
    assert bench.call('battery_swap').success and bench.call('resume').success
    bench.wait(lambda: bench.records[-1]['state'] == 'moving', bench.hover)
    bench.close()


def test_a_folder_serves_one_node(make, tmp_path):  # noqa: F811
    parameters = {**GOOD, 'memory.folder': str(tmp_path / 'memory')}
    first, second = make(parameters), make(parameters)
    assert first.trigger_configure() == SUCCESS
    assert second.trigger_configure() == FAILURE
    assert first.trigger_cleanup() == SUCCESS
    assert second.trigger_configure() == SUCCESS


def test_a_mended_node_has_its_folder_after_a_failed_configuration(make, tmp_path):  # noqa: F811
    """Found by the fault campaign: the first attempt kept the folder locked for good."""
    wrong = {**GOOD, 'memory.folder': str(tmp_path), 'no_fly.polygons': ['0,0; nan,1; 2,2']}
    node = make(wrong)
    assert node.trigger_configure() == FAILURE
    assert node.set_parameters([Parameter('no_fly.polygons', value=[ZONE])])[0].successful
    assert node.trigger_configure() == SUCCESS


def test_a_start_that_comes_at_once_does_not_begin_another_mission(make, begun):  # noqa: F811
    """Found by the fault campaign: the call came before the memory was taken over."""
    parameters, before = begun
    node = make(parameters)
    node.bring_up()
    start = next(s for s in node.services if s.srv_name.endswith('/start'))
    answer = start.callback(Trigger.Request(), Trigger.Response())
    assert answer.success and 'already started: suspended' in answer.message
    assert node._runner.mission.record().spent_m >= before['spent_m']


def test_an_area_changed_in_flight_outlives_the_next_processes(context, make, begun):  # noqa: F811
    parameters, _ = begun
    small = [0.0, 0.0, 30.0, 0.0, 30.0, 40.0, 0.0, 40.0]
    for number in range(3):
        bench = Bench(context, make(parameters))
        node = bench.node
        node.bring_up()
        bench.wait(lambda b=bench: b.records and b.records[-1]['state'] == 'moving', bench.hover)
        if number == 0:
            assert node.set_parameters([Parameter('area.polygon', value=small)])[0].successful
        mission = node._runner.mission
        bench.wait(lambda m=mission: list(m.config.area.polygon) == small, bench.hover)
        assert list(node.get_parameter('area.polygon').value) == small
        node._runner._work()
        node._runner._store.close()
        bench.close()
        node.close()
