# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A study runs everything it should, once, whatever happens to it."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from bo_explorer.core.errors import ConfigError
from bo_explorer.study.runner import run as runner
from bo_explorer.study.runner.definition import Block, Form, make_plan
from bo_explorer.study.runner.journal import Journal
from bo_explorer.study.runner.report import ranges
from bo_explorer.study.runner.run import make_backend, run_plan

from .toy import TOY, missing, run_toy

ROOT = Path(__file__).resolve().parents[2]


def lines_of(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / 'runs.jsonl').read_text().splitlines()]


def test_every_policy_gets_the_same_seeds_of_every_problem(tmp_path):
    run_toy(tmp_path)
    keys = [(line['problem'], line['policy'], line['seed']) for line in lines_of(tmp_path)]
    assert sorted(keys) == sorted(
        (problem, policy, seed)
        for problem in ('hill', 'valley')
        for policy in ('good', 'bad')
        for seed in (0, 1)
    )
    # By seed first: what is interrupted has run all policies equally often.
    assert [key[2] for key in keys] == [0, 0, 0, 0, 1, 1, 1, 1]


def test_what_a_study_leaves_can_be_read_and_repeated(tmp_path):
    results = run_toy(tmp_path)
    configuration = json.loads((tmp_path / 'config.json').read_text())
    assert configuration['seeds']['hill']['good'] == '0-1'
    session = configuration['sessions'][0]
    assert session['command'] == ['toy']
    for name in ('python', 'torch', 'numpy', 'gpytorch', 'bo_explorer', 'machine', 'date'):
        assert session['provenance'][name]
    page = (tmp_path / 'results.md').read_text()
    interval = results.interval('final', 'hill', 'good')
    assert f'{interval.mean:.3g}' in page
    minutes = sum(line['seconds'] for line in lines_of(tmp_path)) / 60.0
    assert f'8 of 8 runs of the quick form, 0 failed; together {minutes:.1f} min of one' in page
    assert '![curve](curve.png)' in page
    assert (tmp_path / 'curve.png').read_bytes().startswith(b'\x89PNG')
    assert (tmp_path / 'final.csv').read_text().splitlines()[0].startswith('policy,hill,hill ci95')


def test_workers_find_what_one_process_finds(tmp_path):
    run_toy(tmp_path / 'alone', workers=0)
    run_toy(tmp_path / 'crew', workers=2)
    pids = {line['metrics']['pid'] for line in lines_of(tmp_path / 'crew')}
    assert os.getpid() not in pids
    alone, crew = ((tmp_path / n / 'final.csv').read_text() for n in ('alone', 'crew'))
    assert alone == crew


def test_what_a_form_leaves_out_is_run_only_by_name(tmp_path):
    blocks = (Block(('hill',), ('good',), 2), Block(('valley',), ('good',), 0))
    study = dataclasses.replace(TOY, full=Form(blocks, TOY.full.settings))
    problems = {
        task.problem for task in make_plan(study, 'full', data=tmp_path, seeds=3).tasks
    }
    assert problems == {'hill'}
    named = make_plan(study, 'full', data=tmp_path, seeds=3, problems=['valley']).tasks
    assert [(task.problem, task.seed) for task in named] == [('valley', k) for k in range(3)]


def test_a_second_call_makes_no_run_again(tmp_path):
    run_toy(tmp_path)
    before = lines_of(tmp_path)
    run_toy(tmp_path)
    assert lines_of(tmp_path) == before
    run_toy(tmp_path, seeds=3)
    assert lines_of(tmp_path)[: len(before)] == before
    assert len(lines_of(tmp_path)) == 12


def test_a_study_killed_in_the_middle_goes_on_where_it_stopped(tmp_path):
    whole, cut = tmp_path / 'whole', tmp_path / 'cut'
    run_toy(whole, form='full', settings={'pause_s': '0.05'})
    process = subprocess.Popen(
        [sys.executable, '-m', 'test.study.toy', str(cut), '0.05'],
        cwd=ROOT, env={**os.environ, 'PYTHONPATH': str(ROOT)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    journal = cut / 'runs.jsonl'
    deadline = time.monotonic() + 100.0
    while time.monotonic() < deadline and process.poll() is None:
        if journal.exists() and len(journal.read_bytes().splitlines()) >= 5:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    n_before = len(journal.read_bytes().splitlines())
    assert 5 <= n_before < 40
    # What the kill may leave of a line that was being written.
    with journal.open('ab') as file:
        file.write(b'{"problem": "hill", "pol')
    run_toy(cut, form='full', settings={'pause_s': '0.05'})
    assert len(lines_of(cut)) == 40
    assert (cut / 'final.csv').read_text() == (whole / 'final.csv').read_text()
    sessions = json.loads((cut / 'config.json').read_text())['sessions']
    assert len(sessions) == 2
    page = (cut / 'results.md').read_text()
    assert [line.split(': ')[1].split(',')[0] for line in re.findall('^- .*', page, re.M)] == [
        session['provenance']['date'] for session in sessions
    ]
    places = [line for line in page.splitlines() if line.startswith('On ')]
    assert len(places) == len({session['backend'] for session in sessions})


def test_a_run_that_raises_is_recorded_and_shown(tmp_path):
    results = run_toy(tmp_path, policies=['good', 'raises'], seeds=1)
    failed = [line for line in lines_of(tmp_path) if line['status'] == 'failed']
    assert [line['error'] for line in failed] == [
        'RuntimeError: no luck with hill', 'RuntimeError: no luck with valley',
    ]  # fmt: skip
    assert 'raise RuntimeError' in failed[0]['traceback']
    assert len(results.failures) == 2
    page = (tmp_path / 'results.md').read_text()
    assert 'RuntimeError: no luck with hill' in page
    assert '| hill | raises | 0 | 1 | 0 | – |' in page
    assert 'hill,raises,0,1,0,' in (tmp_path / 'runs.csv').read_text()


def test_a_worker_that_dies_costs_its_own_run_alone(tmp_path):
    choices = {'policies': ['dies', 'good'], 'problems': ['hill'], 'seeds': 1}
    results = run_toy(tmp_path, workers=1, **choices)
    assert [record.task.policy for record in results.failures] == ['dies']
    assert 'exit code -9' in results.failures[0].error
    assert len(results.of('hill', 'good')) == 1


def test_failed_runs_stay_on_record_unless_asked_for_again(tmp_path):
    run_toy(tmp_path, policies=['raises'], seeds=1)
    run_toy(tmp_path, policies=['raises'], seeds=1)
    assert len(lines_of(tmp_path)) == 2
    run_toy(tmp_path, policies=['raises'], seeds=1, retry_failed=True)
    assert len(lines_of(tmp_path)) == 4


def test_an_interruption_leaves_the_results_there_are(tmp_path, monkeypatch):
    def interrupted(call, tasks):
        yield call(tasks[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, 'run_here', interrupted)
    text = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        run_toy(tmp_path, console=Console(file=text, width=120))
    assert '1 of 8 runs are kept; the same command goes on' in text.getvalue()
    assert '1 of 8 runs' in (tmp_path / 'results.md').read_text()
    monkeypatch.undo()
    run_toy(tmp_path)
    assert '8 of 8 runs' in (tmp_path / 'results.md').read_text()


@pytest.mark.parametrize(
    'choices',
    [{'form': 'full'}, {'settings': {'steps': '6'}}],
    ids=['form', 'settings'],
)
def test_a_folder_holds_one_form_with_one_set_of_settings(tmp_path, choices):
    run_toy(tmp_path)
    with pytest.raises(ConfigError, match="'out' must be empty or hold runs of the same study"):
        run_toy(tmp_path, **choices)


def test_two_studies_never_write_into_one_folder(tmp_path):
    with Journal(tmp_path / 'runs.jsonl'):
        with pytest.raises(ConfigError, match='no other study'):
            run_toy(tmp_path)


def test_a_line_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / 'runs.jsonl').write_text('{"problem": 1}\n')
    with pytest.raises(ConfigError, match='line 1 of'):
        run_toy(tmp_path)


def test_an_absent_measurement_leaves_its_problem_out_and_says_so(tmp_path):
    study = dataclasses.replace(TOY, missing=missing)
    plan = make_plan(study, 'quick', data=tmp_path)
    assert plan.problems == ('hill',)
    text = io.StringIO()
    run_plan(
        plan, tmp_path, backend=make_backend('local', workers=0),
        console=Console(file=text, width=200), command=['toy'],
    )  # fmt: skip
    assert 'left out: valley' in text.getvalue()
    assert '**Left out: valley**' in (tmp_path / 'results.md').read_text()
    assert 'valley' in json.loads((tmp_path / 'config.json').read_text())['skipped']


def test_settings_take_the_type_of_their_default(tmp_path):
    given = {'pause_s': '0', 'steps': '7', 'is_odd': 'true', 'mode': '5'}
    settings = make_plan(TOY, 'quick', data=tmp_path, settings=given).settings
    assert settings == {
        'pause_s': 0.0, 'steps': 7, 'is_odd': True, 'mode': '5', 'data': tmp_path,
    }  # fmt: skip


@pytest.mark.parametrize(
    'choices, message',
    [
        ({'problems': ['sea']}, "'problems' must be of hill, valley, got 'sea'"),
        ({'policies': ['ugly']}, "'policies' must be known, got 'ugly'"),
        ({'settings': {'speed': '1'}}, "'speed' must be a setting of the study"),
        ({'settings': {'steps': 'many'}}, "'steps' must be of type int, got 'many'"),
        ({'settings': {'is_odd': '1'}}, "'is_odd' must be true or false"),
        ({'seeds': 0}, 'must leave something to run'),
    ],
)
def test_a_choice_that_is_none_is_refused(tmp_path, choices, message):
    with pytest.raises(ConfigError, match=message):
        make_plan(TOY, 'quick', data=tmp_path, **choices)


def test_a_run_two_blocks_ask_for_is_made_once(tmp_path):
    form = Form((Block(('hill',), ('good',), 2), Block(('hill',), ('good', 'bad'), 1)))
    tasks = make_plan(dataclasses.replace(TOY, quick=form), 'quick', data=tmp_path).tasks
    assert sorted(task.policy for task in tasks) == ['bad', 'good', 'good']


def test_a_problem_of_the_full_form_can_be_run_quickly(tmp_path):
    quick = Form((Block(('hill',), ('good',), 1),))
    study = dataclasses.replace(TOY, quick=quick)
    assert make_plan(study, 'quick', data=tmp_path, problems=['valley']).problems == ('valley',)


@pytest.mark.parametrize(
    'choices, message',
    [({'workers': -1}, "'workers' must be at least 0"), ({'backend': 'moon'}, 'local, ray')],
)
def test_a_backend_that_is_none_is_refused(tmp_path, choices, message):
    with pytest.raises(ConfigError, match=message):
        run_toy(tmp_path, **choices)


def test_progress_is_plain_lines_where_nobody_watches(tmp_path):
    text = io.StringIO()
    run_toy(tmp_path, console=Console(file=text, width=120), policies=['good', 'raises'])
    assert 'toy: 8 of 8 runs, 4 failed' in text.getvalue()
    assert 'FAILED hill, raises, seed 0' in text.getvalue()
    assert '\x1b' not in text.getvalue()


def test_progress_is_a_bar_on_a_terminal(tmp_path):
    text = io.StringIO()
    run_toy(tmp_path, console=Console(file=text, width=120, force_terminal=True))
    assert '8/8' in text.getvalue()


@pytest.mark.parametrize(
    ('numbers', 'shown'),
    [([], ''), ([3], '3'), ([2, 0, 1], '0-2'), ([0, 1, 2, 4, 6, 7], '0-2, 4, 6-7')],
)
def test_seeds_are_listed_as_ranges(numbers, shown):
    assert ranges(numbers) == shown
