# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One seed gives one world, and its parts do not disturb each other."""

from __future__ import annotations

from bo_explorer.sim.streams import random_streams


def test_the_same_seed_gives_the_same_numbers():
    first, second = random_streams(7), random_streams(7)
    assert first.field.random(5).tolist() == second.field.random(5).tolist()
    assert first.sensor.random(5).tolist() == second.sensor.random(5).tolist()


def test_the_streams_differ_from_each_other_and_between_seeds():
    streams = random_streams(7)
    draws = {tuple(g.random(3)) for g in (*streams, *random_streams(8))}
    assert len(draws) == 4
