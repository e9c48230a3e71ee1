# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The short form of the fault campaign: a mission each for kinds of faults of every sort."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

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


def test_an_interrupted_campaign_ends_clean(tmp_path):
    command = [sys.executable, '-m', 'bo_explorer.campaign.fault_campaign', '--workers', '2']
    with subprocess.Popen(
        [*command, '--missions', '50', '--out', str(tmp_path)],
        env={**os.environ, 'OMP_NUM_THREADS': '1'},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as campaign:
        assert campaign.stdout is not None
        said = []
        for line in campaign.stdout:
            said.append(line)
            if line.startswith('1/50 '):
                break
        campaign.send_signal(signal.SIGINT)
        rest, _ = campaign.communicate(timeout=60.0)
    assert rest.rstrip().endswith('interrupted; the same command goes on'), (said, rest)
    assert 'Traceback' not in rest
    assert len((tmp_path / RESULTS).read_text().splitlines()) >= 1
