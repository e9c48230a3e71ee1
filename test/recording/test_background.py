# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Writing beside everything else: nothing waits for the disk, and nothing is lost in silence."""

from __future__ import annotations

import threading

import pytest

pytest.importorskip('mcap', reason='mcap is not installed')

from bo_explorer.recording.background import BackgroundWriter
from bo_explorer.recording.bag_writer import BagWriter


class Gate:
    """Work that lasts until it is let go."""

    def __init__(self):
        self.is_reached, self.is_open = threading.Event(), threading.Event()

    def __call__(self, bag):
        self.is_reached.set()
        assert self.is_open.wait(30.0)


@pytest.fixture
def blocked(tmp_path):
    """Return a writer whose disk hangs, and the gate that lets it go on."""
    gate = Gate()
    writer = BackgroundWriter(BagWriter(tmp_path / 'bag'), capacity=50)
    writer.put(gate)
    assert gate.is_reached.wait(30.0)
    yield writer, gate
    gate.is_open.set()
    writer.close(30.0)


def test_what_is_put_is_done_in_order_in_another_thread(tmp_path):
    writer = BackgroundWriter(BagWriter(tmp_path / 'bag'))
    done = []
    for number in range(1000):
        assert writer.put(lambda bag, n=number: done.append((n, threading.get_ident())))
    assert writer.close(30.0)
    assert [number for number, _ in done] == list(range(1000))
    assert {ident for _, ident in done} == {writer._thread.ident} != {threading.get_ident()}


def test_a_disk_that_hangs_costs_messages_that_are_counted_and_never_waited_for(blocked):
    writer, gate = blocked
    done = []
    taken = [writer.put(lambda bag: done.append(1)) for _ in range(80)]
    assert sum(taken) == 50 and writer.n_dropped == 30
    assert taken == [True] * 50 + [False] * 30
    gate.is_open.set()
    assert writer.close(30.0)
    assert len(done) == 50
    metadata = (writer._bag.folder / 'metadata.yaml').read_text()
    assert "dropped_messages: '30'" in metadata


def test_maps_are_dropped_first(blocked):
    writer, _ = blocked
    maps = [writer.put(lambda bag: None, is_bulk=True) for _ in range(20)]
    assert sum(maps) == 5
    assert all(writer.put(lambda bag: None) for _ in range(45))
    assert writer.n_dropped == 15


def test_closing_waits_only_so_long(blocked):
    writer, _ = blocked
    assert not writer.close(0.01)
    assert not writer.put(lambda bag: None)


def test_a_disk_that_fails_ends_the_recording_and_says_so(tmp_path, caplog):
    writer = BackgroundWriter(BagWriter(tmp_path / 'bag'))
    failed = threading.Event()

    def fail(bag):
        failed.set()
        raise OSError(28, 'No space left on device')

    writer.put(fail)
    assert failed.wait(30.0)
    assert not writer.close(30.0)
    assert 'No space left on device' in writer.failure
    assert 'the recording ends here' in caplog.text
    assert not writer.put(lambda bag: None)
    assert writer.n_dropped >= 1


def test_one_message_that_cannot_be_written_does_not_end_the_recording(tmp_path, caplog):
    writer = BackgroundWriter(BagWriter(tmp_path / 'bag'))
    done = []
    writer.put(lambda bag: bag.write(99, 0, b''))
    writer.put(lambda bag: done.append(1))
    assert writer.close(30.0)
    assert done == [1] and writer.n_dropped == 1
    assert 'could not be recorded' in caplog.text


def test_closing_twice_is_harmless(tmp_path):
    writer = BackgroundWriter(BagWriter(tmp_path / 'bag'))
    assert writer.close(30.0) and writer.close(30.0)
