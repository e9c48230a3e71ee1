# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""``bo_explorer study`` from the command line."""

from __future__ import annotations

import csv
import json
import os
import signal

import pytest

from bo_explorer.cli import main
from bo_explorer.study.registry import STUDIES, find_study
from bo_explorer.study.search.suite import suite_world

SMALL = ['--quick', '--workers', '0', '--seeds', '1', '--problems', 'hot_spots', 'gp_0.2']


def test_a_small_search_writes_its_tables_figures_and_page(tmp_path, capsys):
    command = ['study', 'search', *SMALL, '--policies', 'log_ei', 'pbgi,replan=0', 'lawn_mower']
    assert main([*command, '--out', str(tmp_path)]) == 0
    with (tmp_path / 'search_suite.csv').open() as file:
        rows = {row['policy']: row for row in csv.DictReader(file)}
    assert set(rows) == {'log_ei', 'pbgi,replan=0', 'lawn_mower'}
    for row in rows.values():
        assert 0.0 <= float(row['final regret']) <= float(row['average regret']) <= 1.0
        assert (row['overruns'], row['crossings'], row['not home']) == ('0', '0', '0')
    page = (tmp_path / 'results.md').read_text()
    assert f'`bo_explorer {" ".join(command)} --out' in page
    assert (tmp_path / 'search_suite_rivals.png').is_file()
    assert str(tmp_path / 'results.md') in capsys.readouterr().out


def test_a_failed_run_makes_the_command_fail(tmp_path, monkeypatch):
    monkeypatch.setattr('bo_explorer.study.search.study.suite_world', lambda *_: 1 / 0)
    assert main(['study', 'search', *SMALL, '--policies', 'ei', '--out', str(tmp_path)]) == 1
    assert 'ZeroDivisionError' in (tmp_path / 'results.md').read_text()


def test_who_is_told_to_end_writes_down_what_there_is(tmp_path, monkeypatch, capsys):
    """Found by a study that was told to end by SIGTERM: it left a page of nothing."""
    calls = []

    def world(name, seed):
        calls.append(name)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        return suite_world(name, seed)

    monkeypatch.setattr('bo_explorer.study.search.study.suite_world', world)
    before = signal.getsignal(signal.SIGTERM)
    assert main(['study', 'search', *SMALL, '--policies', 'ei', '--out', str(tmp_path)]) == 130
    assert signal.getsignal(signal.SIGTERM) is before
    assert 'interrupted' in capsys.readouterr().err
    assert json.loads((tmp_path / 'config.json').read_text())['sessions'][0]['runs'] == 1
    assert '1 of 2 runs' in (tmp_path / 'results.md').read_text()


def test_settings_reach_the_runs(tmp_path):
    command = ['study', 'search', *SMALL, '--policies', 'ei', '--set', 'home=false']
    assert main([*command, '--out', str(tmp_path)]) == 0
    assert json.loads((tmp_path / 'config.json').read_text())['settings']['home'] is False


@pytest.mark.parametrize(
    'arguments, message',
    [
        (['nothing'], "'study' must be one of"),
        (['search', '--seeds', '0'], "'seeds' must be at least 1"),
        (['search', '--first-seed', '-1'], "'first_seed' must be at least 0"),
        (['search', '--set', 'home'], "'--set' must be KEY=VALUE"),
        (['search', '--set', 'altitude=3'], "'altitude' must be a setting"),
        (['search', '--policies', 'nobody'], "'policies' must be of"),
        (['search', '--problems', 'nothing'], "'problems' must be of"),
    ],
)
def test_bad_input_is_told_and_nothing_is_run(arguments, message, tmp_path, capsys):
    assert main(['study', *arguments, '--out', str(tmp_path / 'out')]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize('name', STUDIES)
def test_every_registered_study_is_there(name):
    study = find_study(name)
    assert study.name == name
    assert study.summary.endswith('.')
