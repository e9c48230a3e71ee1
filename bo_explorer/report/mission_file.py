# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Reading a flown mission back from its document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError
from ..core.record import MissionRecord
from .belief import Belief

MISSION_FILE = 'mission.json'
"""Name of the document in the folder of a mission."""

_METADATA, _RECORDINGS = 'metadata.yaml', ('.mcap', '.db3')


@dataclass(frozen=True)
class FlownMission:
    """
    A mission as its document tells it.

    :param record: what the planner knew.
    :param belief: the last map.
    :param summary: the values of the document, regret and audit among them.
    :param path: where the document was found.
    """

    record: MissionRecord
    belief: Belief
    summary: Mapping[str, Any]
    path: Path


def find_mission(path: Path) -> Path:
    """
    Return the document of a mission.

    :param path: the document, a folder that holds it, or a recording that lies in such a folder.
    :raises ConfigError: if there is none.
    """
    folder = path if path.is_dir() else path.parent
    places = [path] if path.is_file() and path.suffix == '.json' else []
    if path.exists():
        places.append(folder / MISSION_FILE)
    if path.suffix in _RECORDINGS or (path / _METADATA).is_file():
        places.append(folder.resolve().parent / MISSION_FILE)
    for place in places:
        if place.is_file():
            return place
    what = f'there is no {MISSION_FILE} in it or beside it' if path.exists() else 'it is not there'
    raise ConfigError(
        'mission',
        f"'{path}' must be a {MISSION_FILE}, a folder that holds one, or a recording beside one, "
        f'but {what}.',
    )


def read_mission(path: Path) -> FlownMission:
    """
    Read a mission.

    :param path: as in :func:`find_mission`.
    :raises ConfigError: if there is no document, or it is not one of a mission.
    """
    found = find_mission(path)
    try:
        document = json.loads(found.read_text(encoding='utf-8'))
    except (OSError, ValueError) as error:
        raise ConfigError('mission', f"'{found}' cannot be read as JSON: {error}.") from None
    if not isinstance(document, dict) or not isinstance(document.get('record'), dict):
        raise ConfigError(
            'mission',
            f"'{found}' must be the document of a mission with its record, as simulate, demo and "
            'replay write it.',
        )
    try:
        return FlownMission(
            record=MissionRecord.from_dict(document['record']),
            belief=Belief.from_dict(document.get('map') or Belief().to_dict()),
            summary=document,
            path=found,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError('mission', f"'{found}' is no document of a mission: {error}.") from None
