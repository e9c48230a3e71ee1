# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Runs on a Ray cluster of two nodes, which the test starts on this machine."""

from __future__ import annotations

import builtins
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bo_explorer.core.errors import ConfigError

from .toy import run_toy

ROOT = Path(__file__).resolve().parents[2]

# In a process of its own: Ray leaves threads and signal handlers behind.
PROGRAM = """
import sys
from pathlib import Path

from ray.cluster_utils import Cluster

from test.study.toy import run_toy

out = Path(sys.argv[1])
node = {'num_cpus': 1, 'include_dashboard': False}
cluster = Cluster(initialize_head=True, head_node_args=node)
cluster.add_node(num_cpus=1)
cluster.wait_for_nodes()
try:
    choices = {'backend': 'ray', 'address': cluster.address, 'problems': ['hill']}
    run_toy(out, policies=['good', 'bad', 'raises'], **choices)
    # One core a node, so runs that wait for each other are on two nodes.
    run_toy(out, policies=['meets'], **choices)
finally:
    cluster.shutdown()
"""


@pytest.mark.system
def test_a_cluster_of_two_nodes_finds_what_one_process_finds(tmp_path):
    pytest.importorskip('ray', reason='Ray is not installed: pip install bo_explorer[ray]')
    here, cluster = tmp_path / 'here', tmp_path / 'cluster'
    here.mkdir()
    cluster.mkdir()
    process = subprocess.run(
        [sys.executable, '-c', PROGRAM, str(cluster)],
        cwd=ROOT, env={**os.environ, 'PYTHONPATH': str(ROOT), 'RAY_USAGE_STATS_ENABLED': '0'},
        capture_output=True, text=True, timeout=240.0, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stdout + process.stderr
    run_toy(here, policies=['good', 'bad', 'raises'], problems=['hill'])
    found = [
        {
            (line['policy'], line['seed']): (line['metrics'].get('curve'), line.get('error'))
            for line in map(json.loads, (folder / 'runs.jsonl').read_text().splitlines())
        }
        for folder in (here, cluster)
    ]
    met = {key: found[1].pop(key) for key in list(found[1]) if key[0] == 'meets'}
    assert found[0] == found[1]
    assert sorted(met) == [('meets', 0), ('meets', 1)]
    assert all(error is None for _, error in met.values())


def test_without_ray_the_user_is_told_what_to_install(tmp_path, monkeypatch):
    real = builtins.__import__

    def without_ray(name, *arguments, **options):
        if name == 'ray':
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, '__import__', without_ray)
    with pytest.raises(ConfigError, match=r"pip install 'bo_explorer\[ray\]'"):
        run_toy(tmp_path, backend='ray')
