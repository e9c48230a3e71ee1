# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a mission as JSON."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bo_explorer.core.record import MissionRecord
from bo_explorer.core.types import Estimate
from bo_explorer.report.ground_truth import GroundTruth
from bo_explorer.report.mission_json import regret_vs_distance, summarise, write_json

from .missions import mission, truth


def test_a_summary_holds_what_the_mission_and_the_truth_say() -> None:
    summary = summarise(mission(), truth=truth(), zone_crossings=0)
    assert summary['outcome'] == 'budget_exhausted'
    assert summary['returned_home'] is True
    assert summary['zone_crossings'] == 0
    assert summary['n_support'] == 3
    assert summary['best'] == {'x': 8.0, 'y': 4.0, 'mean': 7.9, 'std': 0.1}
    assert summary['regret'] == pytest.approx(2.0)
    assert summary['regret_fraction'] == pytest.approx(0.2)
    assert summary['decision_ms'] == {'p50': 20.0, 'p95': pytest.approx(29.0), 'max': 30.0}


def test_regret_is_counted_at_the_true_field_and_not_at_the_belief() -> None:
    boastful = dataclasses.replace(mission(), best=Estimate(x=2.0, y=2.0, mean=99.0, std=0.0))
    assert summarise(boastful, truth=truth())['regret'] == pytest.approx(8.0)


def test_the_curve_of_regret_follows_the_budget_spent() -> None:
    curve = regret_vs_distance(mission(), truth())
    assert curve == pytest.approx(np.array([[0.0, 0.9], [5.0, 0.5], [10.0, 0.2]]))


def test_without_truth_regret_is_unknown_and_not_zero() -> None:
    summary = summarise(mission())
    assert summary['regret'] is None
    assert summary['regret_fraction'] is None
    assert summary['regret_vs_distance'] == []
    assert summary['zone_crossings'] is None


def test_a_mission_that_never_began_can_be_summed_up() -> None:
    summary = summarise(MissionRecord(), truth=truth())
    assert summary['best'] is None
    assert summary['decision_ms'] == {'p50': None, 'p95': None, 'max': None}
    json.dumps(summary, allow_nan=False)


def test_a_flat_field_has_no_regret() -> None:
    flat = GroundTruth(lambda p: np.full(len(p), 5.0), (0.0, 0.0), 5.0, 5.0)
    assert summarise(mission(), truth=flat)['regret_fraction'] == 0.0


@given(st.lists(st.floats(), min_size=5, max_size=5))
def test_every_summary_is_standard_json(numbers: list[float]) -> None:
    wild = dataclasses.replace(
        mission(),
        spent_m=numbers[0],
        samples=[numbers[:4]],
        hyperparameters={'lengthscales': numbers, 'noise_std': np.float64(numbers[4])},
        best=Estimate(8.0, 4.0, numbers[1], numbers[2]),
    )
    text = json.dumps(summarise(wild, truth=truth()), allow_nan=False)
    restored = json.loads(text)['spent_m']
    assert restored == numbers[0] if math.isfinite(numbers[0]) else restored is None


def test_a_document_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / 'mission.json'
    write_json(path, {'a': 1})
    with pytest.raises(ValueError, match='not JSON compliant'):
        write_json(path, {'a': math.nan})
    assert json.loads(path.read_text()) == {'a': 1}
    assert list(tmp_path.iterdir()) == [path]
