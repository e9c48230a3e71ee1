# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Every exception this package raises on purpose.

::

    BoExplorerError
    +-- ConfigError (ValueError)    a configuration value is missing or breaks its rule
    +-- GeometryError (ValueError)  an area, a zone or a point cannot be used
    +-- ModelError (RuntimeError)   the Gaussian process cannot be fitted or updated
    +-- BudgetError (RuntimeError)  the ledger was asked for something that cannot be booked
    +-- RecordingError (ValueError) a recording cannot be written, read or replayed

Expected ends of a mission are values (:class:`bo_explorer.core.types.Outcome`), not exceptions.
"""

from __future__ import annotations


class BoExplorerError(Exception):
    """Base of every exception of this package."""


class ConfigError(BoExplorerError, ValueError):
    """
    A configuration value is missing or breaks its rule.

    :param key: dotted name of the value, e.g. ``budget.total_m``.
    :param message: the whole sentence for the user, naming key, value, rule and remedy.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class GeometryError(BoExplorerError, ValueError):
    """An area, a zone or a point cannot be used."""


class ModelError(BoExplorerError, RuntimeError):
    """The Gaussian process cannot be fitted or updated."""


class BudgetError(BoExplorerError, RuntimeError):
    """The ledger was asked for something that cannot be booked."""


class RecordingError(BoExplorerError, ValueError):
    """A recording cannot be written, read or replayed."""


class MemoryFileError(BoExplorerError, ValueError):
    """The memory of a mission cannot be written, read or used."""
