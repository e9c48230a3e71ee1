# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which reader a file of area, zones and home needs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..core.errors import ConfigError
from .fence import Fence
from .geojson import fence_from_geojson
from .qgc_plan import fence_from_plan

READERS: Mapping[str, Callable[[Any], Fence]] = MappingProxyType(
    {'.plan': fence_from_plan, '.geojson': fence_from_geojson, '.json': fence_from_geojson}
)
"""Readers of parsed documents by the ending of their file."""


def is_fence_file(path: Path) -> bool:
    """Whether a file is, by its ending, one that :func:`read_fence` takes."""
    return path.suffix.lower() in READERS


def read_fence(path: Path) -> Fence:
    """
    Read area, zones and home.

    :param path: a plan of QGroundControl (``.plan``) or GeoJSON (``.geojson``, ``.json``).
    :raises ConfigError: if the file cannot be read or is none of these; the text names the file.
    """
    if not is_fence_file(path):
        raise ConfigError(
            'file', f"'{path}' must end in {', '.join(READERS)} to be read as area and zones."
        )
    try:
        document = json.loads(path.read_text(encoding='utf-8-sig'))
    except OSError as error:
        raise ConfigError('file', f"'{path}' cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ConfigError('file', f"'{path}' cannot be read as JSON: {error}.") from None
    try:
        return READERS[path.suffix.lower()](document)
    except ConfigError as error:
        raise ConfigError('file', f'{path}: {error}') from None
