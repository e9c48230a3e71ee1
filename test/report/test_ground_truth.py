# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Regret against the true field."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.report.ground_truth import GroundTruth

from .missions import grid, slope, truth


def test_extremes_are_those_over_the_given_places() -> None:
    west = grid()[grid()[:, 0] <= 4.0]
    found = GroundTruth.over(slope, west)
    assert (found.maximum, found.minimum, found.range) == (4.0, 0.0, 4.0)
    assert found.summit[0] == 4.0


def test_regret_is_zero_at_the_summit_and_grows_downhill() -> None:
    points = np.array([truth().summit, (7.0, 3.0)])
    assert truth().regret(points) == pytest.approx([0.0, 3.0])


def test_a_place_above_the_known_maximum_has_no_negative_regret() -> None:
    assert truth().regret(np.array([[12.0, 0.0]])) == pytest.approx([0.0])
