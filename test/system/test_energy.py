# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A battery that draws more than the explorer was told, over real topics."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import BatteryState

from bo_explorer.ros import qos

from .scenarios import small_mission

pytestmark = pytest.mark.system


def test_a_battery_of_half_the_range_is_learned_and_the_vehicle_is_home_before_it_is_empty(stage):
    parameters = small_mission(
        budget={'total_m': 240, 'stop_cost_m': 4, 'battery_low': 0.0},
        energy={'learn': True},
        vehicle={'speed_mps': 8, 'acceleration_mps2': 16},
    )
    parameters['simulator']['vehicle'] = {'speed_mps': 8, 'acceleration_mps2': 16}
    parameters['simulator']['battery'] = {
        'capacity_m': 120.0,
        'hover_m_per_s': 1.0,
        'gauge_step': 0.01,
    }
    observer = stage.observer()
    observer.listen_to_record()
    charges = observer.listen(BatteryState, 'battery', qos.INPUT)
    diagnostics = observer.listen(DiagnosticArray, 'diagnostics', qos.EVENTS)
    stage.start('simulator_node', parameters)
    stage.start('explorer_node', parameters)
    record = observer.wait_for_state('done', 'hold')
    assert record['state'] == 'done' and record['returned_home'] is True
    assert charges and charges[-1].percentage > 0.0
    assert record['spent_m'] < 120.0
    values = {v.key: v.value for s in diagnostics[-1].status for v in s.values}
    assert float(values['battery_per_metre']) > 1.3
    assert float(values['budget_total_m']) < 200.0
