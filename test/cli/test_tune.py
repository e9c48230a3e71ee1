# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Settings compared in the same worlds, and a proposal that says how sure it is."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import yaml

from bo_explorer.cli import main
from bo_explorer.cli.scenario import Scenario
from bo_explorer.cli.tune import TuneOptions, make_entries, proposal, tune
from bo_explorer.cli.tune_runs import BASELINE, Entry, fly_task, pretend_world
from bo_explorer.core.errors import ConfigError
from bo_explorer.sim.fields import Bounds
from bo_explorer.study.runner.definition import Task
from bo_explorer.study.runner.journal import OK, RunRecord
from bo_explorer.study.runner.results import Results

FLAT = {
    'area.polygon': [0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0],
    'area.resolution_m': 8.0,
    'budget.total_m': 90.0,
    'model.fit': False,
    'model.lengthscale_m': 12.0,
    'model.noise_std': 0.5,
    'policy.name': 'ei',
    'policy.replan_period_s': 0.0,
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / 'my.yaml'
    path.write_text(yaml.safe_dump(FLAT))
    return path


def results(**final: list[float]) -> Results:
    """Return results with these regrets at the end by entry, one a seed."""
    records = {
        Task('field', name.replace('_', ' '), seed): RunRecord(
            Task('field', name.replace('_', ' '), seed), OK, 1.0, {'final': value, 'home': 1.0}
        )
        for name, values in final.items()
        for seed, value in enumerate(values)
    }
    return Results(list(records), records, {})


ENTRIES = [Entry(BASELINE, {}), Entry('other', {'policy.name': 'pbgi'})]


def test_a_clear_winner_is_proposed_and_a_lucky_one_is_not() -> None:
    noise = np.random.default_rng(0).normal(0.0, 0.1, 12)
    base = (0.5 + noise).tolist()
    clear = results(as_in_the_file=base, other=(0.45 + noise).tolist())
    assert proposal(clear, ENTRIES)[0] is ENTRIES[1]
    lucky = results(as_in_the_file=base, other=(0.49 - noise).tolist())
    chosen, why = proposal(lucky, ENTRIES)
    assert chosen is ENTRIES[0] and 'clearly better' in why
    worse = results(as_in_the_file=base, other=(0.6 + noise).tolist())
    assert 'keep them' in proposal(worse, ENTRIES)[1]


def test_entries_are_all_combinations_and_the_file_comes_first() -> None:
    entries = make_entries(FLAT, ['ei', 'ucb'], ['model.lengthscale_m=5|12', 'seed=1|2'])
    assert entries[0] == Entry(BASELINE, {})
    assert len(entries) == 1 + 2 * 2 * 2
    assert entries[-1].overrides == {'policy.name': 'ucb', 'model.lengthscale_m': 12, 'seed': 2}
    assert [entry.name for entry in make_entries(FLAT, ['ucb'], [])] == [
        BASELINE, 'policy.name=ucb',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('policies', 'vary', 'rule'),
    [
        (['luck'], [], "'policy.name' must be one of"),
        ([], ['model.lengthscale_m=5|-1'], "'model.lengthscale_m' must be"),
        ([], ['model.lenght=5'], 'is not a known parameter'),
        ([], ['seed=' + '|'.join(str(n) for n in range(300))], 'at most 200'),
    ],
)
def test_entries_that_cannot_fly_are_refused_before_the_first_flight(
    policies: list[str], vary: list[str], rule: str
) -> None:
    with pytest.raises(ConfigError, match=rule):
        make_entries(FLAT, policies, vary)


def test_the_pretend_world_has_the_size_the_lengthscale_and_the_noise_of_the_model() -> None:
    config = Scenario.from_flat(FLAT).explorer
    flat = {**FLAT, **pretend_world(config, np.array([3.0, 4.0]), noise=0.1)}
    world = Scenario.from_flat(flat).world
    assert world.field.lengthscale_m == 12.0
    assert world.sensor.noise_std == pytest.approx(0.5)
    assert (world.vehicle.start_x, world.vehicle.start_y) == (3.0, 4.0)
    # A draw has unit variance before its scale: the noise is a tenth of the deviation.
    assert world.field.scale == pytest.approx(5.0)
    assert world.field.rectangle == Bounds(0.0, 0.0, 40.0, 40.0)


def test_a_seed_is_the_same_world_for_every_entry(file: Path) -> None:
    flat = {**FLAT, **pretend_world(Scenario.from_flat(FLAT).explorer, np.ones(2), noise=0.1)}
    settings = {
        'flat': json.dumps(flat),
        'entries': json.dumps({'a': {}, 'b': {}, 'c': {'budget.total_m': 30.0}}),
        'base': str(file.parent),
    }
    runs = {name: dict(fly_task(Task('field', name, 1), settings)) for name in 'abc'}
    for run in runs.values():
        del run['decision_ms']
    assert runs['a'] == runs['b']
    assert runs['c']['stops'] < runs['a']['stops']
    assert 0.0 <= runs['a']['final'] <= runs['a']['average'] <= 1.0


def test_runs_are_kept_and_a_second_call_goes_on(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / 'tune'
    arguments = ['tune', '--config', str(file), '--policies', 'ucb', '--workers', '0']
    arguments += ['--start', '5,5', '--out', str(out), '--seeds']
    assert main([*arguments, '2']) == 0
    printed = capsys.readouterr().out
    assert 'fields are drawn from a Gaussian process, lengthscale 12 m' in printed
    assert '2 worlds flown' in printed
    lines = (out / 'runs.jsonl').read_text().splitlines()
    assert len(lines) == 4
    assert main([*arguments, '3']) == 0
    assert (out / 'runs.jsonl').read_text().splitlines()[:4] == lines
    assert '4 of 6 runs are there already' in capsys.readouterr().out
    rows = list(csv.DictReader((out / 'tune.csv').read_text().splitlines()))
    assert [row['settings'] for row in rows] == [BASELINE, 'policy.name=ucb']
    assert rows[0]['at the end n'] == '3'
    assert main([*arguments, '3', '--set', 'budget.total_m=80']) == 2
    assert 'must be a new folder' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('arguments', 'rule'),
    [
        (['--seeds', '1'], "'--seeds' must be at least 2"),
        (['--workers', '-1'], "'--workers' must be at least 0"),
        (['--noise', 'nan'], "'--noise' must be at least 0"),
        (['--vary', 'seed'], "'--vary' must be KEY=V1|V2"),
        (['--policies', 'luck'], "'policy.name' must be one of"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_code_2(
    file: Path, tmp_path: Path, arguments: list[str], rule: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    command = ['tune', '--config', str(file), '--out', str(tmp_path / 'tune'), *arguments]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert rule in error and error.count('\n') == 1


def test_what_was_flown_before_an_interruption_is_shown(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bo_explorer.cli import tune as module

    def interrupted(call, tasks):
        yield from (call(task) for task in tasks[:4])
        raise KeyboardInterrupt

    monkeypatch.setattr(module, 'run_here', interrupted)
    with pytest.raises(KeyboardInterrupt):
        tune(TuneOptions(str(file), ['ucb'], seeds=9, workers=0, start='5,5', out=tmp_path / 't'))
    assert '2 worlds flown' in capsys.readouterr().out


def living(group: int) -> list[str]:
    """Return the processes of a group that have not ended."""
    found = []
    for stat in Path('/proc').glob('[0-9]*/stat'):
        with contextlib.suppress(OSError):
            state, _, pgrp = stat.read_text().rpartition(')')[2].split()[:3]
            if int(pgrp) == group and state != 'Z':
                found.append(stat.parent.name)
    return found


@pytest.mark.system
def test_ctrl_c_ends_every_process_and_keeps_what_is_done(file: Path, tmp_path: Path) -> None:
    out = tmp_path / 'tune'
    process = subprocess.Popen(
        [sys.executable, '-m', 'bo_explorer.cli', 'tune', '--config', str(file), '--policies',
         'ucb', '--seeds', '500', '--workers', '1', '--start', '5,5', '--out', str(out)],
        env={**os.environ, 'OMP_NUM_THREADS': '1'},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        runs, give_up_at = out / 'runs.jsonl', time.monotonic() + 90.0
        while not (runs.exists() and len(runs.read_bytes().splitlines()) >= 2):
            assert process.poll() is None and time.monotonic() < give_up_at
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=30.0)
        assert process.returncode == 130
        assert 'worlds flown with the settings of the file' in printed
        assert 'Traceback' not in printed
        give_up_at = time.monotonic() + 10.0
        while living(process.pid) and time.monotonic() < give_up_at:
            time.sleep(0.1)
        assert living(process.pid) == []
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
