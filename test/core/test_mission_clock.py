# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Time without the jumps of the clock."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from bo_explorer.core.mission_clock import MissionClock


def test_time_counts_what_the_clock_counts():
    clock = MissionClock(30.0)
    assert [clock.advance(t) for t in (5.0, 6.5, 36.5)] == [(5.0, 0.0), (6.5, 0.0), (36.5, 0.0)]
    assert clock.time == 36.5


def test_jumps_are_told_and_left_out():
    """Field case I3: a clock that starts at 0 and jumps to now ends no timeout."""
    clock = MissionClock(30.0)
    clock.advance(0.0)
    assert clock.advance(500.0) == (0.0, 500.0)
    assert clock.advance(501.0) == (1.0, 0.0)
    assert clock.advance(3.0) == (1.0, -498.0)
    assert clock.advance(4.0) == (2.0, 0.0)


def test_a_clock_that_says_nonsense_does_not_count():
    clock = MissionClock(30.0)
    clock.advance(1.0)
    for nonsense in (math.nan, math.inf, -math.inf):
        assert clock.advance(nonsense) == (1.0, 0.0)
    assert clock.advance(2.0) == (2.0, 0.0)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1))
def test_time_never_runs_back(clocks):
    clock = MissionClock(30.0)
    times = [clock.advance(t)[0] for t in clocks]
    assert all(math.isfinite(t) for t in times)
    assert all(0.0 <= later - earlier <= 30.1 for earlier, later in zip(times, times[1:]) if
               abs(later) < 1e12)
    assert times == sorted(times)
