# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes forked from a process that has loaded their libraries are processes as any other."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from bo_explorer.campaign.nursery import Nursery

MODULE = 'test.campaign.newborn'
ROOT = Path(__file__).parents[2]


@pytest.fixture
def nursery(monkeypatch):
    monkeypatch.chdir(ROOT)
    made = Nursery([MODULE])
    yield made
    made.close()


def born(nursery, folder, name, *arguments):
    environment = {**os.environ, 'WHO': name}
    return nursery.start(name, MODULE, arguments, environment, folder)


def spoken(process):
    """Wait for the first line and return it."""
    end = time.monotonic() + 30.0
    while time.monotonic() < end:
        text = process.log_path.read_text() if process.log_path.exists() else ''
        if text.endswith('\n'):
            return text
        time.sleep(0.02)
    raise AssertionError('nothing was said')


def test_each_has_its_own_arguments_environment_log_and_code(nursery, tmp_path):
    first, second = (born(nursery, tmp_path, *given) for given in (('a', '0'), ('b', '3')))
    assert (first.wait(30.0), second.wait(30.0)) == (0, 3)
    assert spoken(first) == "['0'] a\n" and spoken(second) == "['3'] b\n"
    assert first.pid != second.pid


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_one_and_no_other(nursery, tmp_path, number):
    first, second = born(nursery, tmp_path, 'a', 'live'), born(nursery, tmp_path, 'b', 'live')
    spoken(first)
    first.send(number)
    assert first.wait(30.0) == -number
    assert second.exit_code is None
    first.send(number)
    # One that does not end in time is killed.
    assert second.wait(0.0) == -signal.SIGKILL


def test_one_that_is_killed_at_once_has_a_log(nursery, tmp_path):
    """It is there before the process is, which may be killed before it has opened it."""
    log_path, made = tmp_path / 'a.log', []
    nursery._process.send_signal(signal.SIGSTOP)
    bearing = threading.Thread(target=lambda: made.append(born(nursery, tmp_path, 'a', 'live')))
    bearing.start()
    end = time.monotonic() + 30.0
    while not log_path.exists() and time.monotonic() < end:
        time.sleep(0.02)
    try:
        assert log_path.read_text() == ''
        assert made == []
    finally:
        nursery._process.send_signal(signal.SIGCONT)
        bearing.join()
    (process,) = made
    process.send(signal.SIGKILL)
    assert process.wait(30.0) == -signal.SIGKILL
    assert process.log_path == log_path


def test_a_crash_is_a_crash_and_is_told(nursery, tmp_path):
    process = born(nursery, tmp_path, 'a', 'fail')
    assert process.wait(30.0) == 1
    assert 'as was wished' in process.log_path.read_text()


def test_nobody_outlives_the_nursery(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    nursery = Nursery([MODULE])
    process = born(nursery, tmp_path, 'a', 'live')
    spoken(process)
    nursery.close()
    end = time.monotonic() + 30.0
    while Path(f'/proc/{process.pid}').exists():
        state = Path(f'/proc/{process.pid}/stat').read_text().rpartition(')')[2].split()[0]
        if state == 'Z':
            break
        assert time.monotonic() < end
        time.sleep(0.02)
    with pytest.raises((OSError, ValueError)):
        born(nursery, tmp_path, 'b', '0')


def test_a_nursery_that_cannot_load_is_no_nursery(monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(OSError, match='no nodes'):
        Nursery(['test.campaign.no_such_module'])
