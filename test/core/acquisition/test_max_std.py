# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Pure mapping goes where the field is least known."""

from __future__ import annotations

import torch

from bo_explorer.core.acquisition import make_acquisition

from .beliefs import belief, context


def test_the_score_is_the_standard_deviation_whatever_the_mean():
    scores = make_acquisition('max_std')(belief([9.0, -9.0, 0.0], [0.1, 0.3, 0.2]), context(0.1))
    assert scores.tolist() == [0.1, 0.3, 0.2]


def test_a_deviation_shared_by_a_batch_is_given_to_each_belief():
    scores = make_acquisition('max_std')(belief(torch.zeros(4, 2), [0.1, 0.3]), context(0.1))
    assert scores.tolist() == [[0.1, 0.3]] * 4
