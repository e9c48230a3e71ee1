# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The short form of the fault campaign: a mission each for kinds of faults of every sort."""

from __future__ import annotations

import json

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from rich.console import Console

from bo_explorer.campaign.fault_campaign import RESULTS, fly_campaign

pytestmark = pytest.mark.system

SEEDS = (2, 3, 7, 15)


def test_missions_with_faults_in_real_processes_keep_every_rule(tmp_path, monkeypatch):
    monkeypatch.setenv('OMP_NUM_THREADS', '1')
    results = fly_campaign(SEEDS, 2, tmp_path, Console(soft_wrap=True))
    assert [result['broken'] for result in results] == [{}] * len(SEEDS)
    assert {result['state'] for result in results} <= {'done', 'hold'}
    written = (tmp_path / RESULTS).read_text().splitlines()
    assert {json.loads(line)['seed'] for line in written} == set(SEEDS)
    # Folders of missions in which a rule was broken would be left.
    assert [path.name for path in tmp_path.iterdir()] == [RESULTS]
