# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes that several threads may ask."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import shapely


class PreparedShape:
    """
    A shape whose answers are prepared.

    GEOS fills the index of a prepared shape while it answers: two threads that ask one at the same
    time crash the process. Here they wait for each other.

    :param shape: is prepared.
    """

    def __init__(self, shape: shapely.Geometry) -> None:
        shapely.prepare(shape)
        self.shape = shape
        """The shape itself, for work that makes others of it."""
        self._turn = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return PreparedShape, (self.shape,)

    def ask(self, predicate: Callable[..., Any], *others: Any) -> Any:
        """
        Return ``predicate(shape, *others)``.

        :param predicate: of shapely.
        :param others: its other arguments.
        """
        with self._turn:
            return predicate(self.shape, *others)
