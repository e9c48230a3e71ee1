# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The record is plain, comes back from plain values and is kept in bounds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bo_explorer.core import logbook
from bo_explorer.core.mission import MissionState
from bo_explorer.core.record import MissionRecord

from .missions import Flown, config


@pytest.fixture(scope='module')
def record():
    flown = Flown(config(budget={'total_m': 80.0})).begin().until(MissionState.DONE)
    return flown.mission.record()


def test_a_record_survives_json(record):
    again = MissionRecord.from_dict(json.loads(json.dumps(record.to_dict())))
    assert again == record


def test_an_unknown_key_is_refused(record):
    with pytest.raises(ValueError, match="no 'colour'"):
        MissionRecord.from_dict({**record.to_dict(), 'colour': 'red'})


def test_the_parts_of_a_record_agree(record):
    assert record.stops == len(record.waypoints) == len(record.decision_ms)
    assert record.spent_m == pytest.approx(record.flown_m + record.stops)
    assert record.track[0] == record.home
    assert record.best_history[-1][1:] == [
        record.best.x, record.best.y, record.best.mean, record.best.std
    ]
    spent = [row[0] for row in record.best_history]
    assert spent == sorted(spent)


def test_the_events_tell_the_mission_from_start_to_home(record):
    stamps, spent, states, reasons = zip(*record.events)
    assert states[0] == 'waiting' and states[-1] == 'done'
    assert states.count('measuring') == record.stops
    assert [t for t in stamps if t is not None] == sorted(t for t in stamps if t is not None)
    assert list(spent) == sorted(spent) and spent[-1] <= record.spent_m
    assert all(reasons) and record.reason in reasons
    assert len(record.decided_at) == len(record.decision_ms)


def test_an_event_before_the_first_pose_has_no_time():
    book = logbook.Logbook(config(), Flown(config()).mission.explorer.area)
    book.add_event('waiting', 'waiting for the first pose', None, 0.0)
    book.add_event('waiting', 'waiting for the first pose', None, 0.0)
    assert book.record.events == [[None, 0.0, 'waiting', 'waiting for the first pose']]


def test_the_charge_is_written_where_it_changes_and_an_unknown_one_never():
    book = logbook.Logbook(config(), Flown(config()).mission.explorer.area)
    for spent, fraction in enumerate([0.9, 0.9, None, float('nan'), -1.0, 1.5, 0.8999, 0.8]):
        book.add_battery(fraction, float(spent))
    assert book.record.battery == [[0.0, 0.9], [7.0, 0.8]]


def test_the_history_is_thinned_and_keeps_its_ends(monkeypatch):
    monkeypatch.setattr(logbook, '_MAX_ROWS', 20)
    flown = Flown(config(budget={'total_m': 150.0})).begin().until(MissionState.DONE)
    history = flown.mission.record().best_history
    assert 5 < len(history) <= 20
    assert history[0][0] == 0.0


def test_no_list_grows_without_end(monkeypatch):
    """Found by the soak: after many decisions the waypoints waited for the record."""
    monkeypatch.setattr(logbook, '_MAX_ROWS', 10)
    monkeypatch.setattr(logbook, '_MAX_DECISIONS', 30)
    book = logbook.Logbook(config(), Flown(config()).mission.explorer.area)
    for k in range(200):
        book.add_target(np.array([k, 0.0]))
        book.add_decision(float(k), float(k))
        book.add_event('moving', f'target {k}', None, float(k))
        book.add_battery((k % 2) / 2.0, float(k))
    record = book.record
    assert len(record.waypoints) <= 30 and len(record.events) <= 10 and len(record.battery) <= 10
    assert record.decided_at == [t / 1e3 for t in record.decision_ms]
    assert 15 <= len(record.decided_at) <= 30 and record.decided_at[-1] == 199.0
    assert record.waypoints[0] == [0.0, 0.0] and record.waypoints[-1] == [199.0, 0.0]


def test_what_is_told_of_a_record_does_not_change_with_it(record):
    told = record.to_dict()
    before = json.dumps(told)
    again = MissionRecord.from_dict(told)
    again.track.append([1.0, 2.0])
    again.rejections['outside'] = 3
    assert json.dumps(record.to_dict()) == before
