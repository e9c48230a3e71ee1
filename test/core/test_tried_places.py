# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Places that need no further visit, however many there have been."""

from __future__ import annotations

import numpy as np

from bo_explorer.core import tried_places
from bo_explorer.core.tried_places import TriedPlaces

CANDIDATES = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), axis=-1).reshape(-1, 2)
HERE = np.array([3.2, 4.1])


def expected(stops, candidates=CANDIDATES):
    places = np.array([*stops, HERE])
    apart = np.linalg.norm(candidates[:, np.newaxis] - places, axis=2).min(axis=1)
    return apart >= 1.5


def test_candidates_are_apart_from_every_stop_of_any_history():
    rng = np.random.default_rng(0)
    tried = TriedPlaces(1.5, 0.5, 2.0)
    for n in (0, 1, 1, 5, 0, 30):
        tried.stops.extend(rng.uniform(0.0, 19.0, (n, 2)))
        fresh = tried.fresh(CANDIDATES, HERE, None)
        assert np.array_equal(fresh, expected(tried.stops))


def test_other_candidates_and_fewer_stops_start_the_count_anew():
    rng = np.random.default_rng(1)
    tried = TriedPlaces(1.5, 0.5, 2.0)
    tried.stops.extend(rng.uniform(0.0, 19.0, (8, 2)))
    tried.fresh(CANDIDATES, HERE, None)
    part = CANDIDATES[::3]
    assert np.array_equal(tried.fresh(part, HERE, None), expected(tried.stops, part))
    del tried.stops[3:]
    assert np.array_equal(tried.fresh(part, HERE, None), expected(tried.stops, part))


def test_a_stop_is_looked_at_once(monkeypatch):
    places = []
    plain = tried_places._distances

    def watched(candidates, place):
        places.append(place)
        return plain(candidates, place)

    monkeypatch.setattr(tried_places, '_distances', watched)
    tried = TriedPlaces(1.5, 0.5, 2.0)
    tried.stops.extend(np.random.default_rng(2).uniform(0.0, 19.0, (500, 2)))
    tried.fresh(CANDIDATES, HERE, None)
    del places[:]
    tried.stops.append(np.array([7.0, 7.0]))
    fresh = tried.fresh(CANDIDATES, HERE, None)
    assert len(places) < 5
    assert np.array_equal(fresh, expected(tried.stops))
