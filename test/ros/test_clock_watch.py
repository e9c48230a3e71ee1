# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A clock that stands still is noticed by one that does not."""

from __future__ import annotations

from bo_explorer.ros.clock_watch import ClockWatch


def test_a_clock_that_stands_still_is_told_after_the_timeout_until_it_runs():
    watch = ClockWatch(2.0)
    assert watch.frozen_s(10.0, 0.0) == 0.0
    assert watch.frozen_s(10.0, 1.9) == 0.0
    assert watch.frozen_s(10.0, 3.0) == 3.0
    assert watch.frozen_s(10.1, 3.1) == 0.0
    assert watch.frozen_s(5.0, 3.2) == 0.0
