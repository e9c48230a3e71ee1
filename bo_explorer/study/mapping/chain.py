# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Paths as chains of readings: one link of a step between each and the next.

A chain says where the readings are; a link may be shorter than a step. The path that is flown then
makes a detour of just that step, so that the readings fall onto the links' ends.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.types import FloatArray

_ROUNDS = 400
_SHORTER = 1.0 - 1e-6

_ROUNDING = 1e-9
_CENTRE = np.array([0.5, 0.5])


def n_readings(length: float, step: float) -> int:
    """
    Return how many readings a path has before its end.

    :param length: of the path.
    :param step: between readings.
    """
    return max(math.ceil(length / step - _ROUNDING) - 1, 0)


def excess(points: FloatArray, start: FloatArray, end: FloatArray, step: float) -> float:
    """
    Return by how much the longest link exceeds a step; not above 0 where the chain can be flown.

    :param points: readings, shape ``(n, 2)``.
    :param start: where the last reading, or the path, was.
    :param end: of the path.
    :param step: longest link.
    """
    chain = np.concatenate([start[np.newaxis], points, end[np.newaxis]])
    return float(np.linalg.norm(np.diff(chain, axis=0), axis=1).max()) - step


def shortened(
    points: FloatArray, start: FloatArray, end: FloatArray, step: float
) -> FloatArray:
    """
    Pull a chain together until no link is longer than a step, as far as that can be.

    Both ends of a link that is too long move half the excess each, all even links at once and
    then all odd ones. Points stay in the convex hull of what they were and the ends.

    :param points: shape ``(n, 2)``.
    :return: shape ``(n, 2)``.
    """
    chain = np.concatenate([start[np.newaxis], points, end[np.newaxis]])
    last = len(chain) - 1
    for _ in range(_ROUNDS):
        for first in (0, 1):
            left = np.arange(first, last, 2)
            link = chain[left + 1] - chain[left]
            length = np.linalg.norm(link, axis=1)
            over = np.maximum(length - _SHORTER * step, 0.0) / np.maximum(length, 1e-300)
            free_left, free_right = left > 0, left + 1 < last
            shares = np.maximum(free_left.astype(float) + free_right, 1.0)
            chain[left] += (over * free_left / shares)[:, np.newaxis] * link
            chain[left + 1] -= (over * free_right / shares)[:, np.newaxis] * link
        if np.linalg.norm(np.diff(chain, axis=0), axis=1).max() <= step:
            break
    return chain[1:-1]


def along(polyline: FloatArray, n: int) -> FloatArray:
    """
    Return points that divide a polyline into equal parts.

    :param polyline: vertices, shape ``(P, 2)``.
    :param n: points between its ends.
    :return: shape ``(n, 2)``.
    """
    reach = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(polyline, axis=0), axis=1))])
    marks = np.linspace(0.0, reach[-1], n + 2)[1:-1]
    return np.stack([np.interp(marks, reach, polyline[:, axis]) for axis in (0, 1)], axis=1)


def flown(points: FloatArray, start: FloatArray, step: float) -> FloatArray:
    """
    Return the path through readings on which they are exactly a step apart.

    Between two points nearer than a step it goes by way of a third, on the ellipse of that
    length round both, on the side of the square's centre: inside the square.

    :param points: shape ``(n, 2)``.
    :param start: where it begins.
    :return: vertices after the start, shape ``(2 n, 2)``.
    """
    before = np.concatenate([start[np.newaxis], points[:-1]])
    link, middle = points - before, 0.5 * (points + before)
    chord = np.linalg.norm(link, axis=1)
    towards = _CENTRE - middle
    distance = np.linalg.norm(towards, axis=1)
    # At the centre itself any direction will do.
    towards = np.where(distance[:, np.newaxis] > 1e-12, towards, [1.0, 0.0])
    towards = towards / np.linalg.norm(towards, axis=1)[:, np.newaxis]
    cosine = np.einsum('nd,nd->n', towards, link) / np.maximum(chord, 1e-300)
    major, minor2 = 0.5 * step, np.maximum(0.25 * (step**2 - chord**2), 0.0)
    denominator = np.maximum(cosine**2 * minor2 + (1.0 - cosine**2) * major**2, 1e-300)
    reach = major * np.sqrt(minor2 / denominator)
    detours = middle + reach[:, np.newaxis] * towards
    return np.stack([detours, points], axis=1).reshape(-1, 2)


def read_along(path: FloatArray, step: float) -> FloatArray:
    """
    Return where a sensor reads that reads once a step, the end of the path left out.

    :param path: vertices from the start, shape ``(P, 2)``.
    :return: shape ``(n, 2)``.
    """
    reach = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    marks = step * np.arange(1, n_readings(float(reach[-1]), step) + 1)
    return np.stack([np.interp(marks, reach, path[:, axis]) for axis in (0, 1)], axis=1)
