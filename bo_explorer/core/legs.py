# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which straight legs keep off every edge of a polygon: thousands of legs at a time."""

from __future__ import annotations

import numpy as np
import shapely

from .prepared import PreparedShape
from .types import BoolArray, FloatArray

# Legs times edges looked at together: larger blocks fall out of the processor's cache.
_BLOCK_SIZE = 2**17


class LegTest:
    """
    Finds the legs that touch an edge.

    Leg and edge are apart when both ends of one lie clearly on the same side of the line through
    the other. "Clearly" means by more than ``slack``, which must exceed the rounding error, so a
    leg found clear is clear in exact arithmetic. What remains undecided, a leg along the line of
    an edge, is settled by shapely.

    :param shape: the polygons whose edges must not be touched; coordinates near 0, so that
        rounding errors are relative to their size.
    :param slack: metres.
    """

    def __init__(self, shape: PreparedShape, slack: float) -> None:
        self._shape = shape
        self._slack = slack
        rings = [
            shapely.get_coordinates(ring)
            for part in shapely.get_parts(shape.shape)
            for ring in (part.exterior, *part.interiors)
        ]
        vertices = np.concatenate([np.empty((0, 2)), *rings])
        steps = np.diff(vertices, axis=0)
        normals = np.stack([-steps[:, 1], steps[:, 0]], axis=1)
        lengths = np.linalg.norm(normals, axis=1)
        normals /= np.where(lengths > 0.0, lengths, 1.0)[:, np.newaxis]
        offsets = np.einsum('ij,ij->i', normals, vertices[:-1])
        # The step from one ring to the next is no edge: a line nothing can be near to.
        joints = np.cumsum([len(ring) for ring in rings])[:-1] - 1
        normals[joints] = 0.0
        offsets[joints] = -np.inf
        self._edge_lines = np.concatenate([normals.T, -offsets[np.newaxis]])
        self._vertex_terms = np.stack(
            [vertices[:, 1], -vertices[:, 0], np.full(len(vertices), -1.0)]
        )

    def clear(self, starts: FloatArray, ends: FloatArray) -> BoolArray:
        """
        Tell which legs touch no edge.

        :param starts: shape ``(1, 2)`` or ``(M, 2)``, metres, finite.
        :param ends: shape ``(M, 2)``, metres, finite.
        :return: shape ``(M,)``.
        """
        n_legs = len(ends)
        clear = np.ones(n_legs, dtype=np.bool_)
        n_edges = self._edge_lines.shape[1]
        if n_edges == 0:
            return clear
        block = max(_BLOCK_SIZE // n_edges, 1)
        for first in range(0, n_legs, block):
            part = slice(first, first + block)
            some_starts = starts if len(starts) == 1 else starts[part]
            clear[part] = self._clear_block(some_starts, ends[part])
        return clear

    def _clear_block(self, starts: FloatArray, ends: FloatArray) -> BoolArray:
        slack = self._slack
        start_left, start_right = self._sides(starts)
        end_left, end_right = self._sides(ends)
        apart = (start_left & end_left) | (start_right & end_right)

        steps = ends - starts
        moments = steps[:, :1] * starts[:, 1:] - steps[:, 1:] * starts[:, :1]
        areas = np.concatenate([steps, moments], axis=1) @ self._vertex_terms
        limits = slack * np.hypot(steps[:, :1], steps[:, 1:])
        left, right = areas > limits, areas < -limits
        apart |= left[:, :-1] & left[:, 1:]
        apart |= right[:, :-1] & right[:, 1:]

        clear: BoolArray = np.logical_and.reduce(apart, axis=1)
        blocked = np.flatnonzero(~clear)
        if len(blocked):
            from_row = np.zeros_like(blocked) if len(starts) == 1 else blocked
            along = ~(
                start_left[from_row]
                | start_right[from_row]
                | end_left[blocked]
                | end_right[blocked]
            )
            doubtful = (along & ~apart[blocked]).any(axis=1)
            if doubtful.any():
                legs = np.stack([starts[from_row[doubtful]], ends[blocked[doubtful]]], axis=1)
                lines = shapely.linestrings(legs)
                clear[blocked[doubtful]] = self._shape.ask(shapely.covers, lines)
        return clear

    def _sides(self, points: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Tell for each point and edge whether it is clearly left, clearly right, of the line."""
        distances = points @ self._edge_lines[:2] + self._edge_lines[2]
        return distances > self._slack, distances < -self._slack
