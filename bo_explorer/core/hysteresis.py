# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeping a target that another one beats by a hair only."""

from __future__ import annotations

import numpy as np

from .types import BoolArray, FloatArray


def kept_or_better(
    best: int, present: int, scores: FloatArray, legal: BoolArray, least_gain: float
) -> int:
    """
    Return the better candidate only where it gains a clear part of the spread of the scores.

    The spread is taken over the best twentieth: the others, logarithms of small numbers among
    them, say nothing about how much two good places differ.

    :param best: index of the candidate with the highest score.
    :param present: index of the present target.
    :param scores: larger is better, shape ``(M,)``.
    :param legal: which candidates may be chosen, shape ``(M,)``.
    :param least_gain: part of the spread.
    :return: one of the two indices.
    """
    if not (legal[present] and np.isfinite(scores[present])):
        return best
    finite = scores[legal & np.isfinite(scores)]
    spread = float(finite.max() - np.quantile(finite, 0.95))
    return best if scores[best] - scores[present] > least_gain * spread else present
