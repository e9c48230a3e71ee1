# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Who flies, and what may be asked for, without ROS."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.types import Pose
from bo_explorer.ros.flight_stacks.config import FlightStackConfig
from bo_explorer.ros.flight_stacks.engagement import (
    Engagement,
    Phase,
    Request,
    VehicleStatus,
)

GROUND, UP = Pose(0.0, 0.0, 0.0), Pose(0.0, 0.0, 5.0)
IDLE = VehicleStatus(False, False, 'HOLD')
MANUAL = VehicleStatus(False, True, 'POSCTL')
READY = VehicleStatus(True, False, 'OFFBOARD')
OURS = VehicleStatus(True, True, 'OFFBOARD')
LANDED = VehicleStatus(True, True, 'OFFBOARD', is_flying=False)
FLYING = VehicleStatus(True, True, 'OFFBOARD', is_flying=True)
BY_HAND = VehicleStatus(False, True, 'POSCTL', is_flying=True)
LANDED_BY_HAND = VehicleStatus(False, True, 'POSCTL', is_flying=False)


def engagement(*, by_command: bool = False, **options) -> Engagement:
    made = Engagement(FlightStackConfig(stack='px4', **options))
    made.climbs_by_command = by_command
    return made


def asked(made: Engagement, status, *, pose=GROUND, start=0.0, seconds=10.0) -> list:
    """Return what was asked for while nothing changed, with its times."""
    times = [start + 0.05 * i for i in range(round(seconds / 0.05))]
    found = [(t, made.step(t, status, pose)) for t in times]
    return [(round(t, 2), request) for t, request in found if request is not None]


def test_by_default_nothing_is_ever_asked_for():
    made = engagement()
    for status in (IDLE, MANUAL, READY, OURS, IDLE):
        assert asked(made, status) == []


def test_setpoints_are_streamed_before_the_mode_is_asked_for():
    made = engagement(may_switch_mode=True, warm_up_s=1.5)
    assert made.step(0.0, None, None) is None and made.phase is Phase.ABSENT
    assert made.step(0.0, IDLE, None) is None and made.phase is Phase.LOST
    found = asked(made, IDLE, start=100.0, seconds=4.0)
    assert found == [(101.5, Request.MODE), (103.5, Request.MODE)]
    assert made.phase is Phase.ASKING


def test_arming_is_asked_for_in_the_mode_only_and_only_if_allowed():
    made = engagement(may_arm=True)
    assert asked(made, IDLE) == []
    assert asked(made, READY, start=10.0, seconds=1.0) == [(10.0, Request.ARM)]
    assert asked(engagement(may_switch_mode=True), READY) == []


def test_a_vehicle_in_the_mode_and_armed_flies_by_waypoints():
    made = engagement()
    made.step(0.0, OURS, UP)
    assert made.is_engaged


def test_a_pilot_who_takes_the_vehicle_keeps_it():
    made = engagement(may_switch_mode=True, may_arm=True)
    made.step(0.0, OURS, UP)
    assert asked(made, MANUAL, pose=UP, start=1.0, seconds=60.0) == []
    assert made.phase is Phase.RELEASED and 'POSCTL' in made.refusal
    assert asked(made, IDLE, start=70.0, seconds=60.0) == []


def test_a_pilot_may_give_the_vehicle_back_and_take_it_again():
    made = engagement(may_switch_mode=True)
    for start, status, is_engaged in (
        (0.0, OURS, True),
        (5.0, MANUAL, False),
        (10.0, OURS, True),
        (15.0, MANUAL, False),
    ):
        assert asked(made, status, pose=UP, start=start, seconds=3.0) == []
        assert made.is_engaged is is_engaged


def test_a_vehicle_that_flies_in_another_mode_is_not_taken_from_its_pilot():
    made = engagement(may_switch_mode=True, may_arm=True)
    assert asked(made, MANUAL, pose=UP, seconds=30.0) == []
    assert asked(made, IDLE, start=40.0, seconds=30.0) == []
    assert 'pilot' in made.refusal or 'disarmed' in made.refusal


def test_a_vehicle_that_was_disarmed_is_not_armed_again():
    made = engagement(may_switch_mode=True, may_arm=True)
    asked(made, READY)
    made.step(20.0, OURS, GROUND)
    assert asked(made, READY, start=21.0, seconds=30.0) == []
    assert made.refusal == 'the vehicle was disarmed'


def test_a_refusal_is_taken_for_an_answer():
    made = engagement(may_switch_mode=True, give_up_s=20.0)
    found = asked(made, IDLE, seconds=120.0)
    assert len(found) == 11 and found[-1][0] <= 21.5 + 0.05
    assert made.refusal == 'the vehicle refused the mode'


def test_the_operator_may_allow_everything_anew():
    made = engagement(may_switch_mode=True)
    made.step(0.0, OURS, UP)
    asked(made, IDLE, start=1.0, seconds=30.0)
    made.reset()
    assert asked(made, IDLE, start=50.0, seconds=2.0) == [(51.5, Request.MODE)]


def test_without_a_pose_nothing_is_asked_for_and_the_stream_begins_anew():
    made = engagement(may_switch_mode=True, warm_up_s=1.5)
    asked(made, IDLE, seconds=1.0)
    made.step(1.0, IDLE, None)
    assert asked(made, IDLE, start=1.1, seconds=2.0) == [(2.6, Request.MODE)]


def test_a_take_off_by_setpoints_leads_straight_up_from_the_ground():
    made = engagement(take_off_m=5.0)
    made.step(0.0, READY, Pose(1.0, 2.0, 0.3))
    made.step(1.0, OURS, Pose(1.1, 2.1, 0.3, 0.7))
    assert made.phase is Phase.CLIMBING
    assert made.top == Pose(1.1, 2.1, 5.3, 0.7)
    assert made.step(2.0, OURS, Pose(1.0, 2.0, 4.0)) is None
    assert made.phase is Phase.CLIMBING
    made.step(3.0, OURS, Pose(1.0, 2.0, 4.85))
    assert made.is_engaged
    made.step(4.0, OURS, GROUND)
    assert made.is_engaged


def test_a_take_off_by_command_is_asked_for_until_the_vehicle_lifts():
    made = engagement(by_command=True, take_off_m=5.0)
    made.step(0.0, READY, GROUND)
    found = asked(made, OURS, start=1.0, seconds=3.0)
    assert found == [(1.0, Request.TAKE_OFF), (3.0, Request.TAKE_OFF)]
    lifted = Pose(0.0, 0.0, 0.5)
    assert asked(made, OURS, pose=lifted, start=4.0, seconds=9.0) == []
    assert made.phase is Phase.CLIMBING


def test_a_vehicle_that_comes_in_the_air_takes_off_no_more():
    made = engagement(by_command=True, take_off_m=5.0)
    assert made.step(0.0, OURS, Pose(0.0, 0.0, 1.0)) is None
    assert made.is_engaged


def test_a_pilot_who_brings_it_up_himself_needs_no_take_off():
    made = engagement(by_command=True, take_off_m=5.0)
    made.step(0.0, IDLE, GROUND)
    made.step(1.0, MANUAL, UP)
    assert made.step(2.0, OURS, UP) is None and made.is_engaged


def test_the_next_flight_takes_off_again():
    made = engagement(take_off_m=5.0)
    for start in (0.0, 100.0):
        made.step(start, READY, GROUND)
        made.step(start + 1.0, OURS, GROUND)
        assert made.phase is Phase.CLIMBING
        made.step(start + 2.0, OURS, UP)
        assert made.is_engaged


def test_an_armed_vehicle_on_the_ground_waits_until_the_pilot_has_brought_it_up():
    made = engagement()
    assert asked(made, LANDED) == []
    assert made.phase is Phase.GROUNDED
    made.step(20.0, FLYING, UP)
    assert made.is_engaged


def test_a_vehicle_that_was_seen_disarmed_is_on_the_ground_until_it_has_lifted():
    made = engagement(may_switch_mode=True, may_arm=True)
    made.step(0.0, READY, Pose(0.0, 0.0, 2.0))
    made.step(1.0, OURS, Pose(0.0, 0.0, 2.2))
    assert made.phase is Phase.GROUNDED
    made.step(2.0, OURS, Pose(0.0, 0.0, 2.4))
    assert made.is_engaged


def test_a_vehicle_that_drives_needs_no_take_off():
    made = engagement(drives=True)
    made.step(0.0, READY, GROUND)
    made.step(1.0, LANDED, GROUND)
    assert made.is_engaged
    with pytest.raises(ConfigError, match="'take_off_m' must not be set"):
        engagement(drives=True, take_off_m=2.0)


@pytest.mark.parametrize('by_command', [True, False])
def test_an_armed_vehicle_on_the_ground_takes_off_where_that_is_allowed(by_command):
    made = engagement(by_command=by_command, take_off_m=5.0)
    found = asked(made, LANDED, pose=Pose(1.0, 2.0, 0.3), seconds=1.0)
    assert made.phase is Phase.CLIMBING and made.top == Pose(1.0, 2.0, 5.3)
    assert found == ([(0.0, Request.TAKE_OFF)] if by_command else [])
    assert made.is_led_up is not by_command


@pytest.mark.parametrize('take_off_m', [math.nan, 5.0])
def test_whoever_lands_it_past_the_node_keeps_it_on_the_ground(take_off_m):
    made = engagement(by_command=True, take_off_m=take_off_m)
    made.step(0.0, FLYING, UP)
    assert made.is_engaged
    assert asked(made, LANDED, start=1.0, seconds=60.0) == []
    assert made.phase is Phase.RELEASED and made.refusal == 'the vehicle has landed'
    made.reset()
    made.step(70.0, LANDED, GROUND)
    assert made.phase is (Phase.GROUNDED if math.isnan(take_off_m) else Phase.CLIMBING)


def test_what_has_no_pilot_stays_on_the_ground_whatever_arms_it_again():
    made = engagement(by_command=True, take_off_m=5.0)
    made.has_pilot = False
    made.step(0.0, FLYING, UP)
    tumbled = VehicleStatus(False, True, 'tumbled', is_flying=False)
    for k, status in enumerate((LANDED, READY, LANDED, tumbled, LANDED)):
        assert asked(made, status, start=10.0 * (k + 1), seconds=5.0) == []
        assert made.phase is Phase.RELEASED
    made.reset()
    assert made.step(100.0, LANDED, GROUND) is Request.TAKE_OFF


def test_a_pilot_who_has_landed_it_gives_it_back_by_the_mode():
    made = engagement(take_off_m=5.0)
    made.step(0.0, FLYING, UP)
    made.step(1.0, BY_HAND, UP)
    made.step(2.0, LANDED_BY_HAND, GROUND)
    assert made.phase is Phase.RELEASED
    made.step(3.0, LANDED, GROUND)
    assert made.phase is Phase.CLIMBING and made.top == Pose(0.0, 0.0, 5.0)


def test_a_take_off_that_was_interrupted_goes_on_from_where_the_vehicle_is_now():
    made = engagement(take_off_m=10.0)
    made.step(0.0, READY, GROUND)
    made.step(1.0, OURS, GROUND)
    assert made.top == Pose(0.0, 0.0, 10.0)
    made.step(5.0, MANUAL, Pose(0.0, 0.0, 3.0))
    made.step(60.0, MANUAL, Pose(60.0, 0.0, 5.0))
    assert made.top is None
    made.step(61.0, OURS, Pose(60.0, 0.0, 5.0))
    assert made.phase is Phase.CLIMBING and made.top == Pose(60.0, 0.0, 10.0)


@pytest.mark.parametrize('status', [OURS, FLYING])
def test_a_vehicle_given_half_way_up_is_led_the_rest_by_setpoints(status):
    made = engagement(by_command=True, take_off_m=5.0)
    made.step(0.0, IDLE, GROUND)
    made.step(1.0, MANUAL, Pose(0.0, 0.0, 3.0))
    assert made.step(2.0, status, Pose(0.0, 0.0, 3.0)) is None
    assert made.phase is Phase.CLIMBING and made.is_led_up
    assert made.top == Pose(0.0, 0.0, 5.0)
    made.step(3.0, status, Pose(0.0, 0.0, 4.6))
    assert made.is_engaged


def test_a_commanded_take_off_that_ends_too_low_is_led_the_rest_by_setpoints():
    made = engagement(by_command=True, take_off_m=5.0, give_up_s=20.0)
    made.step(0.0, READY, GROUND)
    assert made.step(1.0, OURS, GROUND) is Request.TAKE_OFF
    low = Pose(0.0, 0.0, 3.0)
    asked(made, OURS, pose=low, start=2.0, seconds=18.0)
    assert made.phase is Phase.CLIMBING and not made.is_led_up
    asked(made, OURS, pose=low, start=20.0, seconds=2.0)
    assert made.is_led_up


@pytest.mark.parametrize(('idle', 'ours'), [(READY, OURS), (READY, LANDED)])
def test_a_refused_take_off_is_taken_for_an_answer_and_asked_anew_only_by_word(idle, ours):
    made = engagement(by_command=True, take_off_m=5.0, give_up_s=20.0)
    made.step(0.0, idle, GROUND)
    found = asked(made, ours, start=1.0, seconds=60.0)
    assert len(found) == 11
    assert made.phase is Phase.GROUNDED and made.refusal == 'the vehicle refused to take off'
    made.reset()
    assert made.step(70.0, ours, GROUND) is Request.TAKE_OFF
    assert made.phase is Phase.CLIMBING


STATUSES = st.sampled_from(
    [None, IDLE, MANUAL, READY, OURS, LANDED, FLYING, BY_HAND, LANDED_BY_HAND]
)


@given(
    st.lists(st.tuples(st.floats(0.01, 5.0), STATUSES, st.booleans()), max_size=60),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([math.nan, 5.0]),
)
def test_whatever_happens_no_pilot_loses_the_vehicle(
    events, may_mode, may_arm, by_command, take_off
):
    made = engagement(
        by_command=by_command, may_switch_mode=may_mode, may_arm=may_arm, take_off_m=take_off
    )
    now, was_out, was_in_mode = 0.0, False, False
    for step, status, is_placed in events:
        now += step
        request = made.step(now, status, GROUND if is_placed else None)
        if status is None or not is_placed:
            assert request is None
            continue
        if status.is_in_mode:
            was_in_mode = True
        elif was_in_mode or status.is_armed:
            was_out = True
        if request is Request.MODE:
            assert may_mode and not status.is_armed and not was_out
        if request is Request.ARM:
            assert may_arm and status == READY and not was_out
        assert made.is_engaged <= (status in (OURS, FLYING))
        if request is Request.TAKE_OFF:
            assert take_off == 5.0 and status in (OURS, LANDED)
