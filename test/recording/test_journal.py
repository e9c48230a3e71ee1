# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The journal: every call of a mission, once, in order, in values that JSON keeps."""

from __future__ import annotations

import inspect
import json
import math

import numpy as np
import pytest

from bo_explorer.core.mission import Mission
from bo_explorer.recording import journal

from .flights import Recorded, flown


def test_every_method_of_a_mission_is_journalled_or_known_to_change_nothing():
    methods = {
        name
        for name, _ in inspect.getmembers(Mission, inspect.isfunction)
        if not name.startswith('_')
    }
    assert set(journal.CALLS) | journal.READ_ONLY == methods
    assert {'start', 'update_pose', 'add_reading', 'begin', 'finish'} <= set(journal.CALLS)


def test_asking_for_what_is_known_writes_nothing():
    flight = flown()
    before = len(flight.texts)
    flight.mission.setpoint(), flight.mission.path(), flight.mission.map()
    flight.mission.record()
    assert len(flight.texts) == before


def test_events_are_numbered_without_gaps_and_are_standard_json():
    texts = flown().texts

    def refuse(constant):
        raise AssertionError(f'{constant} is no JSON')

    events = [json.loads(text, parse_constant=refuse) for text in texts]
    assert [event['seq'] for event in events] == list(range(len(events)))
    assert events[0]['call'] == 'configure'
    assert events[0]['parameters']['ingest.value_min'] == 'nan'
    assert {'begin', 'finish', 'update_pose', 'add_reading'} <= {e['call'] for e in events}


def test_a_call_inside_a_call_is_a_part_of_it():
    flight = Recorded().begin()
    flight.mission.pause(flight.now)
    before = len(flight.texts)
    flight.mission.return_home(flight.now)  # resumes first
    flight.mission.reset(flight.now)  # hears the last pose again
    assert [event['call'] for event in flight.events[before:]] == ['return_home', 'reset']


def test_a_command_is_written_down_with_its_answer_and_what_it_has_changed():
    flight = Recorded().begin()
    flight.mission.pause(flight.now)
    event = flight.events[-1]
    assert event['args'] == {'now': flight.now}
    assert event['answer'] == [True, 'paused']
    assert event['state'] == 'paused' and 'operator' in event['reason']
    flight.mission.pause(flight.now)
    assert 'state' not in flight.events[-1]


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf, 0.1 + 0.2, 5e-324, -0.0])
def test_a_number_reads_back_to_the_same_bits(value):
    flight = Recorded()
    flight.mission.add_reading(value, 1.0)
    read = float(flight.events[-1]['args']['value'])
    assert np.float64(read).tobytes() == np.float64(value).tobytes()


def test_a_failed_job_is_written_down_with_its_error():
    class Raising:
        def scores(self, state):
            raise RuntimeError('no idea')

        def price(self, context):
            return None

    flight = Recorded()
    flight.mission = journal.JournalledMission(
        flight.mission.config, Raising(), {}, lambda e: flight.texts.append(journal.encode(e))
    )
    flight.begin()
    results = [event['result'] for event in flight.events if event['call'] == 'finish']
    assert 'no idea' in results[0]['error']


def test_what_is_no_event_is_refused():
    for text in ('[]', '{"call": "start"}', 'nonsense'):
        with pytest.raises(ValueError):
            journal.decode(text)
