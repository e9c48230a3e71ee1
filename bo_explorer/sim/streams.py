# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The random numbers of a pretend world: one seed, one stream for each thing that is random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class RandomStreams(NamedTuple):
    """
    Independent generators, so that more noise does not change the field.

    :param field: for the ground truth.
    :param sensor: for noise and dropouts.
    """

    field: np.random.Generator
    sensor: np.random.Generator


def random_streams(seed: int) -> RandomStreams:
    """
    Return the generators of a world.

    With and without ROS a seed gives the same world.

    :param seed: ``simulator.seed``.
    """
    field, sensor = np.random.SeedSequence(seed).spawn(2)
    return RandomStreams(np.random.default_rng(field), np.random.default_rng(sensor))
