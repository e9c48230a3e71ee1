# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a memory: whole after any kill, and never overwritten where they are damaged."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bo_explorer.core.errors import MemoryFileError
from bo_explorer.core.memory import MissionMemory
from bo_explorer.ros import memory_files, memory_store
from bo_explorer.ros.memory_store import MemoryStore

ROOT = Path(__file__).parents[2]
IDENTITY = {'frame_id': 'map', 'sensor.topic': 'reading'}
FIRST = MissionMemory(
    state='planning',
    is_paused=False,
    reason='choosing',
    outcome='running',
    home=[1.0, 2.0],
    place=[1.0, 2.0],
    spent_m=0.0,
    spent_before_m=0.0,
    swaps=0,
    flown_m=0.0,
    elapsed_s=0.0,
    battery_s=0.0,
    clock_s=100.0,
    n_stops=0,
    n_readings=1,
    rejections={},
    polygon=[],
    zones=[],
    learned=None,
    samples=[[1.0, 2.0, 0.1, 1.0]],
)


def later(k):
    """Return the memory after k steps."""
    samples = [[float(i), 0.1 * i, 0.3 * i, 1.0 + i % 3] for i in range(k)]
    return dataclasses.replace(FIRST, spent_m=0.5 * k, samples=samples, n_readings=k)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / 'memory'


def written(folder, n):
    """Write n memories and end."""
    store = MemoryStore(folder, IDENTITY)
    for k in range(n):
        store.save(later(k))
    store.close()


def loaded(folder):
    store = MemoryStore(folder, IDENTITY)
    try:
        return store.load()
    finally:
        store.close()


@pytest.fixture
def store(folder, monkeypatch):
    monkeypatch.setattr(memory_store, '_RETRY_PERIOD_S', 0.0)
    monkeypatch.setattr(memory_store, '_SYNC_PERIOD_S', 0.02)
    store = MemoryStore(folder, IDENTITY)
    yield store
    if not store._lock.closed:
        store.close()


def waited(condition):
    end = time.monotonic() + 20.0
    while not condition():
        assert time.monotonic() < end, 'waited in vain'
        time.sleep(0.01)


def fly(store, begin, end):
    for k in range(begin, end):
        store.save(later(k))


def snapshot(folder):
    kept = (path for path in folder.iterdir() if path.name not in ('lock', 'mission.json.new'))
    return {path.name: path.read_bytes() for path in kept}


def test_what_was_saved_comes_back_to_the_last_bit(folder):
    assert loaded(folder) is None
    written(folder, 20)
    assert loaded(folder) == later(19).to_dict()


def test_a_mission_goes_on_in_the_same_folder(folder):
    written(folder, 5)
    store = MemoryStore(folder, IDENTITY)
    store.load()
    for k in range(5, 9):
        store.save(later(k))
    store.close()
    assert loaded(folder) == later(8).to_dict()


def test_nothing_is_written_before_a_mission_has_begun(folder):
    store = MemoryStore(folder, IDENTITY)
    store.save(None)
    store.close()
    assert snapshot(folder) == {}


def test_long_journals_become_whole_memories(folder, store, monkeypatch):
    monkeypatch.setattr(memory_store, '_MAX_JOURNAL_BYTES', 2000)
    for number in range(1, 5):
        fly(store, 50 * number - 50, 50 * number)
        waited(lambda: not store._is_renewing)
    assert sorted(snapshot(folder))[-1] == 'mission.json'
    assert json.loads((folder / 'mission.json').read_bytes())['generation'] > 3
    store.close()
    assert loaded(folder) == later(199).to_dict()


def test_a_list_that_grows_while_it_is_written_does_no_harm(folder, monkeypatch):
    """The thread writes what the executor's thread goes on with."""
    memory = dataclasses.replace(later(3), targets=[[0.0, 0.0]])
    checksum = memory_files._checksum

    def slow(data):
        memory.targets.append([1.0, 1.0])
        return checksum(data)

    store = MemoryStore(folder, IDENTITY)
    monkeypatch.setattr(memory_files, '_checksum', slow)
    store.save(memory)
    monkeypatch.undo()
    store.close()
    assert loaded(folder) == {**memory.to_dict(), 'targets': [[0.0, 0.0]]}


@pytest.mark.parametrize('done', range(3))
def test_a_kill_while_a_journal_is_replaced_loses_nothing(folder, monkeypatch, done):
    """The whole memory not written yet; written, the old journal still there; all done."""
    monkeypatch.setattr(memory_store, '_MAX_JOURNAL_BYTES', 2000)
    real = MemoryStore._write_whole

    def cut(self, generation, memory):
        if generation == 0 or done == 2:
            real(self, generation, memory)
        elif done == 1:
            kept = {p: p.read_bytes() for p in self._folder.glob('journal-*')}
            real(self, generation, memory)
            for path, data in kept.items():
                if not path.exists():
                    path.write_bytes(data)

    monkeypatch.setattr(MemoryStore, '_write_whole', cut)
    written(folder, 100)
    assert loaded(folder) == later(99).to_dict()


@pytest.mark.parametrize('cut', [1, 5, 20])
def test_the_torn_last_line_of_a_power_cut_is_left_out(folder, cut):
    written(folder, 6)
    journal = folder / 'journal-0.jsonl'
    journal.write_bytes(journal.read_bytes()[:-cut])
    assert loaded(folder) in (later(4).to_dict(), later(5).to_dict())
    journal.write_bytes(journal.read_bytes() + b'\n' + bytes(100))
    assert loaded(folder) is not None


def damaged(folder, name, change):
    path = folder / name
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize(
    ('name', 'change', 'message'),
    [
        ('mission.json', lambda data: data[:50], 'mission.json'),
        ('mission.json', lambda data: b'', 'mission.json'),
        ('mission.json', lambda data: b'[]', 'no memory of a mission'),
        ('mission.json', lambda data: b'{"a": 1}', 'no memory of a mission'),
        ('mission.json', lambda data: data.replace(b'"spent_m":0', b'"spent_m":9'), 'checksum'),
        ('mission.json', lambda data: data.replace(b'"version":2', b'"version":1'), 'version 1'),
        ('mission.json', lambda data: data.replace(b'"map"', b'"odom"'), "frame_id = 'odom'"),
        ('journal-0.jsonl', lambda data: b'x' + data, 'line 1 is damaged'),
        ('journal-0.jsonl', lambda data: data[200:], 'line 1'),
    ],
)
def test_what_cannot_be_read_is_named_and_stays_as_it_is(folder, name, change, message):
    written(folder, 8)
    damaged(folder, name, change)
    before = snapshot(folder)
    with pytest.raises(MemoryFileError, match=message) as caught:
        loaded(folder)
    assert str(folder) in str(caught.value) and 'move it away' in str(caught.value)
    assert snapshot(folder) == before


def test_a_journal_alone_is_no_memory(folder):
    written(folder, 3)
    (folder / 'mission.json').unlink()
    with pytest.raises(MemoryFileError, match='journal-0'):
        loaded(folder)
    assert (folder / 'journal-0.jsonl').exists()


def test_a_finished_mission_is_kept_under_another_name(folder):
    store = MemoryStore(folder, IDENTITY)
    for number in (1, 2):
        store.save(later(number))
        store.save(later(number + 10))
        store.archive()
        whole = json.loads((folder / f'finished-{number}.json').read_bytes())
        assert whole['memory'] == later(number + 10).to_dict()
    store.close()
    assert loaded(folder) is None


def test_one_folder_serves_one_node(folder):
    store = MemoryStore(folder, IDENTITY)
    with pytest.raises(MemoryFileError, match='in use by another node'):
        MemoryStore(folder, IDENTITY)
    store.close()
    MemoryStore(folder, IDENTITY).close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(MemoryFileError, match="'memory.folder'"):
        MemoryStore(tmp_path / 'file' / 'folder', IDENTITY)


@contextlib.contextmanager
def full_disk(folder, left=None):
    """Let nothing be written, or no more than ``left`` bytes to the journal there is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = 0
    if left is not None:
        most = left + max(path.stat().st_size for path in folder.glob('journal-*.jsonl'))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def after_a_kill(folder, tmp_path):
    """Return what another process finds now, and whether that is behind the mission."""
    copy = tmp_path / 'copy'
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    store = MemoryStore(copy, IDENTITY)
    try:
        return store.load(), store.is_behind
    finally:
        store.close()


@pytest.mark.parametrize('left', [0, 30])
def test_a_disk_full_for_a_while_is_told_and_what_was_flown_is_written_later(
    folder, store, tmp_path, left
):
    """With some bytes left half a line is written; nothing may be appended to that."""
    fly(store, 0, 50)
    assert store.problem == ''
    assert after_a_kill(folder, tmp_path) == (later(49).to_dict(), False)
    with full_disk(folder, left):
        fly(store, 50, 60)
    assert str(folder) in store.problem
    # A process that is killed now has left samples to be used, and a budget not to be believed.
    assert after_a_kill(folder, tmp_path) == (later(49).to_dict(), True)
    fly(store, 60, 61)
    assert store.problem == ''
    assert after_a_kill(folder, tmp_path) == (later(60).to_dict(), False)
    fly(store, 61, 90)
    assert after_a_kill(folder, tmp_path) == (later(89).to_dict(), False)


def test_a_disk_full_from_the_beginning_hands_no_budget_out_twice(folder, store, tmp_path):
    assert store.load() is None
    with full_disk(folder):
        fly(store, 0, 5)
    assert store.problem
    with pytest.raises(MemoryFileError, match='mission-behind.json'):
        after_a_kill(folder, tmp_path)
    fly(store, 5, 9)
    assert store.problem == ''
    assert after_a_kill(folder, tmp_path) == (later(8).to_dict(), False)


def test_a_disk_without_room_for_a_name_is_noticed_before_the_flight(folder, monkeypatch):
    store = MemoryStore(folder, IDENTITY)

    def full(*args, **kwargs):
        raise OSError(28, 'No space left on device')

    monkeypatch.setattr(Path, 'touch', full)
    with pytest.raises(MemoryFileError, match="'memory.folder'.*No space left"):
        store.load()
    store.close()


def test_a_disk_full_since_the_restart_leaves_what_was_known_before(folder, tmp_path):
    written(folder, 9)
    store = MemoryStore(folder, IDENTITY)
    store.load()
    with full_disk(folder):
        fly(store, 9, 12)
    assert after_a_kill(folder, tmp_path) == (later(8).to_dict(), True)
    store.close()


def test_a_whole_memory_that_cannot_be_written_yet_is_written_later(
    folder, store, tmp_path, monkeypatch
):
    """The journals hold everything until then."""
    monkeypatch.setattr(memory_store, '_MAX_JOURNAL_BYTES', 1000)
    real, is_full = MemoryStore._write_whole, True

    def limited(self, generation, memory):
        if generation and is_full:
            raise OSError(28, 'No space left on device')
        real(self, generation, memory)

    monkeypatch.setattr(MemoryStore, '_write_whole', limited)
    fly(store, 0, 100)
    waited(lambda: 'No space left on device' in store.problem)
    fly(store, 100, 200)
    assert after_a_kill(folder, tmp_path) == (later(199).to_dict(), False)
    is_full = False
    waited(lambda: not store.problem)
    fly(store, 200, 300)
    waited(lambda: len(list(folder.glob('journal-*'))) == 1)
    assert after_a_kill(folder, tmp_path) == (later(299).to_dict(), False)


def test_what_may_not_have_reached_the_disk_is_written_anew(folder, store, tmp_path, monkeypatch):
    """After an fsync that failed, one that succeeds says nothing of what was lost."""
    fly(store, 0, 10)
    real, failures = os.fsync, [1]

    def failing(descriptor):
        if failures:
            failures.pop()
            raise OSError(5, 'Input/output error')
        real(descriptor)

    monkeypatch.setattr(os, 'fsync', failing)
    waited(lambda: 'Input/output error' in store.problem)
    time.sleep(0.1)
    assert after_a_kill(folder, tmp_path) == (later(9).to_dict(), True)
    fly(store, 10, 12)
    waited(lambda: not store.problem)
    assert after_a_kill(folder, tmp_path) == (later(11).to_dict(), False)
    assert json.loads((folder / 'mission.json').read_bytes())['generation'] == 1


@pytest.mark.parametrize('is_full', [True, False])
def test_a_reset_after_a_full_disk_ends_the_mission_and_keeps_it(
    folder, store, tmp_path, is_full
):
    fly(store, 0, 50)
    with full_disk(folder):
        fly(store, 50, 60)
        if is_full:
            store.archive()
    if not is_full:
        store.archive()
    assert after_a_kill(folder, tmp_path) == (None, False)
    assert store.problem == ''
    kept = tmp_path / 'kept'
    kept.mkdir()
    for path in folder.glob('finished-1*'):
        name = path.name.removeprefix('finished-1-')
        path.rename(kept / ('mission.json' if name == 'finished-1.json' else name))
    assert loaded(kept) == later(49 if is_full else 59).to_dict()
    fly(store, 0, 5)
    assert after_a_kill(folder, tmp_path) == (later(4).to_dict(), False)


def test_a_reset_before_anything_was_saved_ends_the_mission_that_was_left(folder):
    written(folder, 5)
    store = MemoryStore(folder, IDENTITY)
    store.load()
    store.archive()
    store.close()
    assert loaded(folder) is None
    assert (folder / 'finished-1.json').exists()


WRITER = """
import sys
sys.path.insert(0, {root!r})
from test.ros.test_memory_store import IDENTITY, later
from bo_explorer.ros import memory_store
memory_store._MAX_JOURNAL_BYTES = 20_000
store = memory_store.MemoryStore({folder!r}, IDENTITY)
for k in range(1_000_000):
    store.save(later(k % 400))
    print(k, flush=True)
"""


@pytest.mark.system
def test_a_process_killed_at_any_moment_has_written_all_it_said(folder, tmp_path):
    """kill -9: what was saved before the last word is there."""
    code = WRITER.format(root=str(ROOT), folder=str(folder))
    for pause in (0.0, 0.3):
        said = tmp_path / 'said'
        with said.open('w') as stream:
            process = subprocess.Popen([sys.executable, '-c', code], stdout=stream)
        while not said.read_text().endswith('\n'):
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        last = int(said.read_text().split('\n')[-2])
        found = loaded(folder)['n_readings']
        # The one after the last word may have been written too.
        assert found in (last % 400, (last + 1) % 400)
        for path in folder.iterdir():
            path.unlink()
