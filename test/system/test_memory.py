# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The explorer's process is killed in flight, and started again."""

from __future__ import annotations

import signal

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from .scenarios import small_mission

pytestmark = pytest.mark.system


def test_a_killed_explorer_goes_on_and_keeps_its_samples_and_its_budget(stage, tmp_path):
    """Field case I10: kill -9 in flight."""
    observer = stage.observer()
    observer.listen_to_record()
    parameters = small_mission(
        budget={'total_m': 240}, memory={'folder': str(tmp_path / 'memory')}
    )
    stage.start('simulator_node', parameters)
    explorer = stage.start('explorer_node', parameters)
    observer.wait(lambda: len(observer.record().get('waypoints', [])) >= 2, 'two targets')
    explorer.end(signal.SIGKILL)
    before = observer.record()
    observer.heard['record'].clear()
    explorer = stage.start('explorer_node', parameters)
    observer.wait(lambda: observer.record().get('home'), 'the mission')
    after = observer.record()
    assert after['home'] == before['home']
    assert after['spent_m'] >= before['spent_m']
    assert sum(row[3] for row in after['samples']) >= sum(row[3] for row in before['samples'])
    record = observer.wait_for_state('done', 'hold')
    assert record['returned_home'] is True
    assert record['spent_m'] <= 240.0
    assert explorer.end(signal.SIGINT) == 0
