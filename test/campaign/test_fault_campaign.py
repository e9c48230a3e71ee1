# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of the fault campaign, and what their judge takes for broken."""

from __future__ import annotations

import json

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from geometry_msgs.msg import PoseStamped
from rich.console import Console

from bo_explorer.campaign import fault_campaign
from bo_explorer.campaign.plan import FAULTS, NETWORK, draw_plan
from bo_explorer.campaign.witness import RULES, Witness, lost
from bo_explorer.cli.scenario import Scenario

PARAMETERS = {
    'area.polygon': (0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0),
    'no_fly.polygons': ('10,10; 12,10; 12,20; 10,20',),
    'budget.total_m': 100.0,
    'budget.stop_cost_m': 3.0,
}
RECORD = {
    'state': 'done',
    'reason': 'enough',
    'home': [5.0, 5.0],
    'stops': 1,
    'spent_m': 40.0,
    'samples': [[5.0, 5.0, 1.0, 2], [6.0, 5.0, 1.5, 1]],
}


@pytest.fixture
def witness():
    return Witness(Scenario.from_flat(PARAMETERS).explorer)


def fly(witness, *corners, step_m=0.5):
    """Show a flight along corners, a pose every half metre."""
    (x, y), *rest = corners
    show(witness, x, y)
    for to_x, to_y in rest:
        count = max(round(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 / step_m), 1)
        for i in range(1, count + 1):
            show(witness, x + (to_x - x) * i / count, y + (to_y - y) * i / count)
        x, y = to_x, to_y


def show(witness, x, y):
    message = PoseStamped()
    message.pose.position.x, message.pose.position.y = float(x), float(y)
    witness.see(message)


def test_every_fault_is_drawn_and_every_mission_can_be_flown():
    plans = [draw_plan(seed, can_lose_packets=True) for seed in range(200)]
    assert {kind for plan in plans for kind in plan.kinds} == set(FAULTS)
    assert all(1 <= len(plan.faults) <= 4 for plan in plans)
    for plan in plans[:20]:
        Scenario.from_flat(plan.parameters)


def test_a_mission_is_the_same_wherever_it_is_drawn_but_for_the_packets():
    for seed in range(50):
        here, there = (draw_plan(seed, can_lose_packets=can) for can in (True, False))
        assert here.parameters == there.parameters and here.faults == there.faults
        assert NETWORK not in there.kinds


def test_a_flight_that_keeps_every_rule_is_good(witness):
    fly(witness, (5, 5), (30, 5), (5, 5))
    witness.take_record(RECORD)
    witness.judge()
    assert witness.broken == {}


@pytest.mark.parametrize(
    ('corners', 'change', 'rule'),
    [
        ([(5, 5), (30, 5), (30, 30), (5, 5)], {}, 'crossing'),
        ([(5, 5), (5, -1), (5, 5)], {}, 'outside'),
        ([(5, 5), (39, 5), (5, 5), (39, 5), (5, 5)], {}, 'overrun'),
        ([(5, 5), (30, 5), (5, 5)], {'spent_m': 100.1}, 'overrun'),
        ([(5, 5), (30, 5), (7, 5)], {}, 'not home'),
        ([(5, 5), (30, 5), (5, 5)], {'state': 'suspended'}, 'not home'),
        ([(5, 5)], {'state': 'hold', 'reason': ''}, 'not home'),
    ],
)
def test_each_rule_is_held(witness, corners, change, rule):
    fly(witness, *corners)
    witness.take_record({**RECORD, **change})
    witness.judge()
    assert rule in witness.broken and set(witness.broken) <= set(RULES)


def test_a_named_hold_is_no_mission_that_did_not_come_home(witness):
    fly(witness, (5, 5), (8, 5))
    witness.take_record({**RECORD, 'state': 'hold', 'reason': 'no legal way home'})
    witness.judge()
    assert witness.broken == {}


def test_a_step_between_poses_that_were_not_heard_proves_nothing(witness):
    fly(witness, (5, 15), (9, 15), step_m=0.5)
    show(witness, 14, 15)
    assert witness.unseen == 1
    fly(witness, (14, 15), (14, 5), (5, 5))
    witness.take_record(RECORD)
    witness.judge()
    assert witness.broken == {}


@pytest.mark.parametrize(
    ('change', 'word'),
    [
        ({'samples': RECORD['samples'][:1]}, '2 samples'),
        ({'samples': [[5.0, 5.0, 1.1, 1], RECORD['samples'][1]]}, 'fewer readings'),
        ({'samples': [RECORD['samples'][0], [6.0, 5.0, 1.5, 0]]}, 'fewer readings'),
        ({'spent_m': 39.0}, '39.000 m after'),
        ({'home': [5.0, 6.0]}, 'home was'),
    ],
)
def test_a_restarted_explorer_must_know_what_was_recorded(witness, change, word):
    witness.take_record(RECORD)
    witness.expect_all_of_it()
    witness.take_record({**RECORD, **change})
    assert word in witness.broken['lost sample']


def test_a_restarted_explorer_may_know_more(witness):
    newer = {**RECORD, 'samples': [*RECORD['samples'], [7.0, 5.0, 1.0, 1]], 'spent_m': 41.0}
    assert lost(RECORD, newer) == ''


def test_an_interrupted_campaign_goes_on_and_a_broken_line_is_flown_again(tmp_path):
    good = {'seed': 3, 'faults': [], 'broken': {}, 'state': 'done', 'reason': '', 'seconds': 1.0}
    path = tmp_path / fault_campaign.RESULTS
    path.write_text(json.dumps(good) + '\n' + '{"seed": 4, "fau')
    assert fault_campaign.read_results(path) == [good]
    assert path.read_text() == json.dumps(good) + '\n'
    console = Console(quiet=True)
    assert fault_campaign.fly_campaign([3], 1, tmp_path, console) == [good]
