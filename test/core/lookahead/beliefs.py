# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Maps and journeys the one-shot tests share."""

from __future__ import annotations

import numpy as np

from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.lookahead.gp_tree import PresentBelief
from bo_explorer.core.lookahead.journey import Journey
from bo_explorer.core.types import Samples

from ..gp.drawn_field import SIDE_M, drawn


def field_map(n=12, dimension=2, *, noise=0.4, lengthscale=25.0, kernel='matern52', seed=0):
    """Return a map of a drawn field, lengths in metres, without candidates."""
    lengthscales = (lengthscale,) * dimension
    samples = drawn(n, seed, kernel, lengthscales, noise=noise)
    return mapped(samples, Hyperparameters(kernel, lengthscales, 4.0, noise, 30.0))


def mapped(samples, hyperparameters):
    found = FieldMap(np.zeros((1, samples.points.shape[1])), hyperparameters)
    found.update(samples)
    return found


def after_reading(before, point, value):
    """Return another map with one more reading, sensor unit."""
    s = before.samples
    samples = Samples(
        np.vstack([s.points, point]), np.append(s.values, value), np.append(s.counts, 1.0)
    )
    return mapped(samples, before.hyperparameters)


def belief_of(model):
    return PresentBelief(model.samples, model.hyperparameters)


def leg(start, end):
    """Return the length in sides and a stop; smooth where the ends meet."""
    return ((end - start).square().sum(-1) + 1e-6).sqrt() / SIDE_M + 0.02


ORIGIN = 15.0
"""Every coordinate of the present place and of home, metres."""


def journey(dimension=2, *, remaining=1.5, home=True):
    def way_home(points):
        return (((points - ORIGIN).square()).sum(-1) + 1e-6).sqrt() / SIDE_M

    origin = np.full(dimension, ORIGIN)
    return Journey.starting_at(origin, leg, remaining, way_home if home else None)
