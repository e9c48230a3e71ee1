# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Replay: the same calls give the same answers, and other settings are asked beside them."""

from __future__ import annotations

import copy

import pytest
import torch

from bo_explorer.core.errors import ConfigError, RecordingError
from bo_explorer.recording.replay import are_same, replay

from .flights import flown, random_life, small


@pytest.fixture(scope='module')
def flight():
    return flown()


def as_recorded(values):
    return values


@pytest.mark.parametrize('name', ['log_ei', 'thompson', 'rollout'])
def test_a_mission_is_repeated_to_the_last_bit(name):
    policy = {'name': name, 'replan_period_s': 1.0}
    settings = small(model={'fit': True}, policy=policy, budget={'total_m': 60.0})
    flight = flown(settings)
    result = replay(flight.events)
    assert result.difference == '' and result.n_lost == 0 and result.foreign == []
    assert result.n_events == len(flight.texts) - 1
    assert result.record() == flight.mission.record()
    assert len(result.choices) > 3
    assert all(choice.replayed == choice.recorded for choice in result.choices)
    assert (result.map().mean == flight.mission.map().mean).all()


@pytest.mark.parametrize('seed', range(3))
def test_a_mission_that_is_pulled_about_is_repeated_to_the_last_bit(seed):
    life = random_life(seed)
    result = replay(life.events)
    assert result.difference == ''
    assert result.n_events == len(life.texts) - 1
    assert result.record() == life.mission.record()


def test_the_order_the_events_are_read_in_does_not_matter(flight):
    assert replay(reversed(flight.events)).difference == ''


@pytest.mark.parametrize('settings', [{}, {'model': {'fit': True}}])
def test_the_recorded_settings_asked_beside_the_mission_decide_as_it_did(settings):
    result = replay(flown(small(**settings)).events, as_recorded)
    assert result.choices
    assert all(choice.other == choice.recorded for choice in result.choices)


def test_settings_asked_beside_a_mission_pulled_about_decide_as_it_did():
    result = replay(random_life(1).events, as_recorded)
    compared = [choice for choice in result.choices if choice.other is not None]
    assert len(compared) > 5
    assert all(choice.other == choice.recorded for choice in compared)


def test_other_settings_choose_otherwise_and_change_nothing_in_the_replay(flight):
    result = replay(flight.events, lambda values: {**values, 'policy.name': 'max_std'})
    assert result.difference == ''
    assert any(choice.other['target'] != choice.recorded['target'] for choice in result.choices)
    assert result.record().policy == 'max_std'
    assert result.record().track == flight.mission.record().track


def test_a_larger_budget_goes_on_where_the_recorded_one_was_spent(flight):
    result = replay(flight.events, lambda values: {**values, 'budget.total_m': 900.0})
    assert result.choices[-1].recorded['outcome'] == 'budget_exhausted'
    assert result.choices[-1].other['outcome'] == 'waypoint'


def test_another_model_believes_otherwise(flight):
    result = replay(flight.events, lambda values: {**values, 'model.lengthscale_m': 2.0})
    assert result.record().best != flight.mission.record().best
    assert (result.map().mean != flight.mission.map().mean).any()


def test_what_cannot_be_decided_with_other_settings_is_said_and_ends_nothing(flight):
    far = (100.0, 100.0, 120.0, 100.0, 120.0, 120.0)
    result = replay(flight.events, lambda values: {**values, 'area.polygon': far})
    assert result.difference == ''
    assert all(choice.other['outcome'] != 'waypoint' for choice in result.choices)


def test_the_first_answer_that_is_not_the_recorded_one_is_named(flight):
    events = copy.deepcopy(flight.events)
    finish = next(e for e in events if e['call'] == 'finish' and e['result'].get('target'))
    finish['result']['target'][0] += 1e-9
    result = replay(events)
    assert f'call {finish["seq"]}, finish: result' in result.difference
    assert sum(c.recorded != c.replayed for c in result.choices) == 1


def test_a_reading_that_was_another_is_noticed(flight):
    events = copy.deepcopy(flight.events)
    reading = [e for e in events if e['call'] == 'add_reading'][10]
    reading['args']['value'] += 1e-6
    assert replay(events).difference != ''


def test_a_replay_ends_before_a_call_that_was_lost(flight):
    events = flight.events
    result = replay(events[:100] + events[103:])
    assert result.n_lost == 3
    assert result.n_events == 99
    assert result.difference == ''


def test_a_recording_that_breaks_off_is_repeated_up_to_its_end(flight):
    result = replay(flight.events[:150])
    assert result.n_events == 149 and result.difference == '' and result.n_lost == 0


def test_events_without_a_beginning_are_refused(flight):
    for events in ([], flight.events[1:]):
        with pytest.raises(RecordingError, match='beginning'):
            replay(events)


def test_a_call_of_another_version_is_refused(flight):
    events = [*flight.events[:5], {'seq': 5, 'call': 'levitate', 'args': {}}]
    with pytest.raises(RecordingError, match='levitate'):
        replay(events)


def test_settings_that_cannot_be_used_are_refused(flight):
    with pytest.raises(ConfigError, match='no_such'):
        replay(flight.events, lambda values: {**values, 'policy.name': 'no_such'})


def test_other_software_is_named(flight):
    events = copy.deepcopy(flight.events)
    events[0]['versions']['numpy'] = '0.9'
    (sentence,) = replay(events).foreign
    assert sentence.startswith('numpy 0.9 then')


def test_a_replay_leaves_the_number_of_threads_as_it_was(flight):
    before = torch.get_num_threads()
    replay(flight.events[:50])
    assert torch.get_num_threads() == before


def test_settings_are_compared_by_what_they_mean(flight):
    recorded = flight.events[0]['parameters']
    given = {'area.polygon': recorded['area.polygon'], 'budget.total_m': 90}
    assert not are_same(recorded, given)
    assert are_same(recorded, {**recorded, 'seed': 0})
    assert not are_same(recorded, {**recorded, 'seed': 1})
