# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Where the files of a field are looked for."""

from __future__ import annotations

from pathlib import Path

from .base import field_error

PACKAGED_DATA = Path(__file__).resolve().parent.parent / 'data'
"""Folder of the files this package brings along."""


def find_file(name: str, base: Path | None) -> Path:
    """
    Find the file of a field.

    An absolute path is taken as it is. A relative one is tried from the current folder, then from
    ``base``, then from the data this package brings along.

    :param name: path as configured.
    :param base: folder of the configuration file, or ``None`` where there is none.
    :raises ConfigError: if it is in none of these places.
    """
    if not name.strip():
        raise field_error(
            'file', 'must be the path of a file for this kind of field, got an empty string.'
        )
    path = Path(name).expanduser()
    folders = [Path.cwd(), *([base] if base is not None else []), PACKAGED_DATA]
    places = [path] if path.is_absolute() else [folder / path for folder in folders]
    for place in places:
        if place.is_file():
            return place
    looked = ', '.join(str(place) for place in places)
    raise field_error('file', f'must be an existing file, got {name!r}; looked for {looked}.')
