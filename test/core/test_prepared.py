# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""An area may be asked by the flight and by a plan that is being made, at the same time."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import shapely

from bo_explorer.core.area import SearchArea
from bo_explorer.core.prepared import PreparedShape

SCRIPT = """
import threading
import numpy as np
from bo_explorer.core.area import SearchArea

rng = np.random.default_rng(1)
square = np.array([(0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)])
turns = np.linspace(0.0, 6.28, 40)[:-1]
star = (5.0 + 4.0 * (np.arange(39) % 2))[:, None] * np.stack([np.cos(turns), np.sin(turns)], 1)
for _ in range(60):
    area = SearchArea([square], [star + c for c in rng.uniform(10.0, 40.0, (3, 2))])
    points = rng.uniform(-5.0, 55.0, (20, 2))

    def ask():
        for start, end in zip(points, points[1:]):
            area.crosses_zone(np.stack([start, end]))
            area.path_legal(np.stack([start, end]))
            area.way_in(start)
            area.legs_legal(start, points)
            area.clearance_m(start)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_that_ask_one_area_do_not_crash_the_process():
    """Found by fuzzing: prepared shapes of GEOS answer one thread at a time."""
    done = subprocess.run(
        [sys.executable, '-X', 'faulthandler', '-c', SCRIPT], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_prepared_shape_answers_as_the_shape_does_and_can_be_sent_elsewhere():
    square = shapely.box(0.0, 0.0, 2.0, 2.0)
    for shape in (PreparedShape(square), pickle.loads(pickle.dumps(PreparedShape(square)))):
        assert shape.ask(shapely.contains_xy, 1.0, 1.0)
        assert not shape.ask(shapely.contains_xy, 3.0, 1.0)
        assert shape.ask(shapely.distance, shapely.Point(5.0, 1.0)) == 3.0


def test_an_area_can_be_sent_elsewhere():
    square = np.array([(0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)])
    area = pickle.loads(pickle.dumps(SearchArea([square])))
    assert area.contains(np.array([[1.0, 1.0], [60.0, 1.0]])).tolist() == [True, False]
