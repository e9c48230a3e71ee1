# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The record is plain, comes back from plain values and is kept in bounds."""

from __future__ import annotations

import json

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


def test_the_history_is_thinned_and_keeps_its_ends(monkeypatch):
    monkeypatch.setattr(logbook, '_MAX_HISTORY', 20)
    flown = Flown(config(budget={'total_m': 150.0})).begin().until(MissionState.DONE)
    history = flown.mission.record().best_history
    assert 5 < len(history) <= 20
    assert history[0][0] == 0.0
