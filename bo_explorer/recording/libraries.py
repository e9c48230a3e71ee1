# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The libraries that read and write recordings, loaded when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from ..core.errors import RecordingError


def library(name: str) -> Any:
    """
    Return a module of the packages mcap or rosbags.

    :param name: with dots.
    :raises RecordingError: if it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise RecordingError(
            f'recordings need the Python packages mcap and rosbags, and {error.name or name} '
            'is missing: pip install mcap rosbags'
        ) from None
