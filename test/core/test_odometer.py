# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The odometer counts flight and not jitter."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.odometer import Odometer


def euclid(start, end):
    return float(np.linalg.norm(end - start))


def test_jitter_while_hovering_is_not_counted():
    """Field case G12: 10 cm jitter at 50 Hz for 60 s."""
    odometer = Odometer(euclid, deadband_m=0.5)
    jitter = np.random.default_rng(0).uniform(-0.1, 0.1, size=(3000, 2))
    for offset in jitter:
        odometer.update(np.array([3.0, 4.0]) + offset)
    assert odometer.total < 0.3


def test_straight_flight_is_exact_at_every_moment():
    odometer = Odometer(euclid, deadband_m=0.5)
    for x in np.arange(0.0, 10.0, 0.17):
        odometer.update(np.array([x, 2.0 * x]))
        assert odometer.total == pytest.approx(x * 5.0**0.5, abs=1e-9)


def test_an_anchor_at_the_turn_keeps_a_reversal_exact():
    odometer = Odometer(euclid, deadband_m=5.0)
    for x in (0.0, 4.0):
        odometer.update(np.array([x, 0.0]))
    odometer.anchor()
    odometer.update(np.array([0.0, 0.0]))
    assert odometer.total == pytest.approx(8.0)


def test_a_jump_of_the_localisation_is_not_flown():
    odometer = Odometer(euclid, deadband_m=0.5)
    odometer.update(np.array([0.0, 0.0]))
    odometer.update(np.array([2.0, 0.0]))
    odometer.jump(np.array([500.0, 0.0]))
    odometer.update(np.array([501.0, 0.0]))
    assert odometer.total == pytest.approx(3.0)


def test_nothing_is_counted_before_the_first_place():
    assert Odometer(euclid, deadband_m=0.5).total == 0.0
