# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Definitions and hashes of ROS messages, as a recording embeds them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import RecordingError
from .libraries import library

_SEPARATOR = '=' * 80 + '\nMSG: '


@dataclass(frozen=True)
class MessageType:
    """
    One type of messages.

    :param name: ``package/msg/Type``.
    :param definition: its definition and those of all types in it, in the format ``ros2msg``.
    :param type_hash: ``RIHS01_...``, as REP 2016 defines it.
    """

    name: str
    definition: str
    type_hash: str


def find_message_type(name: str) -> MessageType:
    """
    Return a type: as it is installed, or else as ROS 2 Jazzy has it.

    :param name: ``package/msg/Type``.
    :raises RecordingError: if nothing is known of it or of a type in it.
    """
    found = _installed(name)
    return _of_jazzy(name) if found is None else found


def _installed(name: str) -> MessageType | None:
    """Return a type from the files that ROS 2 installs beside every message since Iron."""
    description = _installed_text(name, '.json')
    if description is None:
        return None
    try:
        content = json.loads(description)
        inner = [
            referenced['type_name']
            for referenced in content['type_description_msg']['referenced_type_descriptions']
        ]
        hashes = {entry['type_name']: entry['hash_string'] for entry in content['type_hashes']}
        type_hash = str(hashes[name])
    except (ValueError, KeyError, TypeError):
        return None
    texts = [_installed_text(each, '.msg') for each in [name, *inner]]
    if any(text is None for text in texts):
        return None
    return MessageType(name, _joined(zip([name, *inner], texts)), type_hash)


def _of_jazzy(name: str) -> MessageType:
    typesys = library('rosbags.typesys')
    store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    try:
        definition, _ = store.generate_msgdef(name, ros_version=2)
        return MessageType(name, definition, store.hash_rihs01(name))
    except (typesys.TypesysError, KeyError):
        raise RecordingError(
            f'the definition of {name} is not installed; source the workspace of its package.'
        ) from None


def _joined(texts: Iterable[tuple[str, str | None]]) -> str:
    """Return the first text and, each under a heading, the others."""
    parts: list[str] = []
    for name, text in texts:
        heading = _SEPARATOR + name.replace('/msg/', '/') + '\n' if parts else ''
        parts.append(heading + (text or '').rstrip('\n') + '\n')
    return ''.join(parts)


def _installed_text(name: str, suffix: str) -> str | None:
    package, *folder, kind = name.split('/')
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    for prefix in [*filter(None, prefixes), sys.prefix]:
        path = Path(prefix, 'share', package, *(folder or ['msg']), kind + suffix)
        try:
            return path.read_text(encoding='utf-8')
        except (OSError, UnicodeDecodeError):
            continue
    return None
