# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A branching crack across a wall: the score a crack detector gives near it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.types import FloatArray
from .base import Bounds, Extreme, KnownField, find_maximum

if TYPE_CHECKING:
    from ..config import FieldConfig

_STEPS_ACROSS = 50
_WANDER_RAD = 0.25
_PULL_BACK = 0.15
_N_BRANCHES = 3


def crack_field(bounds: Bounds, width_m: float, rng: np.random.Generator) -> KnownField:
    """
    Draw a crack that runs from the left edge to the right one, with branches.

    The score is ``max_k s_k exp(-(d_k / width)^2)`` over the pieces of the crack, with ``d_k`` the
    distance to the piece and ``s_k`` the severity at its nearest place. The severity is 1 at one
    vertex of the main crack, the worst place of the wall, and below everywhere else.

    :param bounds: the wall, metres.
    :param width_m: distance at which the score has fallen to 1 / e.
    :param rng: source of the shape.
    """
    main = _main_crack(bounds, rng)
    severity, worst = _severities(len(main), rng)
    lines = [(main, severity)]
    inner = np.arange(2, len(main) - 2)
    for root in np.sort(rng.choice(inner, size=_N_BRANCHES, replace=False)):
        branch = _branch(main, int(root), bounds, rng)
        # A branch starts as bad as its root is and closes towards its tip.
        lines.append((branch, severity[root] * np.linspace(1.0, 0.2, len(branch))))
    starts = np.vstack([line[:-1] for line, _ in lines])  # (K, 2)
    legs = np.vstack([np.diff(line, axis=0) for line, _ in lines])
    lengths = np.hypot(legs[:, 0], legs[:, 1])  # (K,)
    first = np.concatenate([s[:-1] for _, s in lines])  # (K,)
    change = np.concatenate([np.diff(s) for _, s in lines])

    def value(points: FloatArray) -> FloatArray:
        # Coordinates apart: an (M, K, 2) array would take most of the time.
        away_x = points[:, :1] - starts[:, 0]  # (M, K)
        away_y = points[:, 1:] - starts[:, 1]
        along = np.clip((away_x * legs[:, 0] + away_y * legs[:, 1]) / lengths**2, 0.0, 1.0)
        squares = (away_x - along * legs[:, 0]) ** 2 + (away_y - along * legs[:, 1]) ** 2
        scores = (first + along * change) * np.exp(-squares / width_m**2)
        worst_piece: FloatArray = scores.max(axis=1)
        return worst_piece

    lowest = find_maximum(lambda points: -value(points), bounds)
    return KnownField(
        value,
        bounds,
        Extreme(main[worst], float(value(main[worst : worst + 1])[0])),
        Extreme(lowest.point, -lowest.value),
    )


def _main_crack(bounds: Bounds, rng: np.random.Generator) -> FloatArray:
    """Return a random walk from the left edge to the right one, shape ``(V, 2)``."""
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    step = (high[0] - low[0]) / _STEPS_ACROSS
    margin = 0.1 * (high[1] - low[1])
    place = np.array([low[0], rng.uniform(low[1] + 3.0 * margin, high[1] - 3.0 * margin)])
    heading, vertices = 0.0, [place]
    while place[0] < high[0]:
        heading += rng.normal(0.0, _WANDER_RAD) - _PULL_BACK * heading
        heading = float(np.clip(heading, -1.2, 1.2))
        if not low[1] + margin <= place[1] + step * np.sin(heading) <= high[1] - margin:
            heading = -heading
        place = place + step * np.array([np.cos(heading), np.sin(heading)])
        place = np.minimum(place, [high[0], np.inf])
        vertices.append(place)
    walk: FloatArray = np.clip(np.array(vertices), low, high)
    return walk


def _severities(n_vertices: int, rng: np.random.Generator) -> tuple[FloatArray, int]:
    """Return the severity at each vertex, shape ``(V,)``, and the worst vertex."""
    position = np.linspace(0.0, 1.0, n_vertices)
    phase = rng.uniform(0.0, 2.0 * np.pi)
    ground = 0.45 + 0.15 * np.sin(3.0 * np.pi * position + phase)
    worst = int(rng.integers(n_vertices // 5, n_vertices - n_vertices // 5))
    bump = np.exp(-(((position - position[worst]) / 0.08) ** 2))
    severity: FloatArray = ground + (1.0 - ground) * bump
    return severity, worst


def _branch(main: FloatArray, root: int, bounds: Bounds, rng: np.random.Generator) -> FloatArray:
    """Return a shorter random walk that leaves the main crack at a vertex, shape ``(V, 2)``."""
    ahead = main[root + 1] - main[root]
    step = float(np.linalg.norm(ahead))
    heading = float(np.arctan2(ahead[1], ahead[0])) + rng.choice([-1.0, 1.0]) * rng.uniform(
        0.5, 1.0
    )
    vertices = [main[root]]
    for _ in range(int(rng.integers(8, 16))):
        place = vertices[-1] + step * np.array([np.cos(heading), np.sin(heading)])
        if (place < bounds[:2]).any() or (place > bounds[2:]).any():
            break
        vertices.append(place)
        heading += rng.normal(0.0, _WANDER_RAD)
    if len(vertices) == 1:
        vertices.append(main[root + 1])
    return np.array(vertices)


def make(config: FieldConfig, rng: np.random.Generator, base: Path | None) -> KnownField:
    """Build the field the options ask for."""
    return crack_field(config.rectangle, config.lengthscale(0.05), rng)
