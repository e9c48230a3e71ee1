# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What the arguments of a process say last about a parameter.

rcl keeps a whole number and a fraction given for one parameter side by side, and rclpy takes the
whole number, whichever came last: ``total_m: 100`` in a file would beat ``-p total_m:=50.5``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

_OF_EVERY_NODE = ('/**', '**', '/*')


def last_given(arguments: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """
    Return the last value given for each parameter; what cannot be read is left to rclpy.

    :param arguments: of the process.
    :param names: what the node is called: its name, and the same with its namespace.
    """
    found: dict[str, Any] = {}
    wanted = {*names, *(name.lstrip('/') for name in names), *_OF_EVERY_NODE}
    for flag, value in zip(arguments, arguments[1:]):
        if flag == '--params-file':
            found.update(_of_file(value, wanted))
        elif flag in ('-p', '--param'):
            name, is_given, text = value.partition(':=')
            node, _, key = name.rpartition(':')
            if is_given and (not node or node in wanted):
                found.update(_parsed(key, text))
    return found


def _parsed(key: str, text: str) -> dict[str, Any]:
    try:
        return {key: yaml.safe_load(text)}
    except yaml.YAMLError:
        return {}


def _of_file(path: str, wanted: set[str]) -> dict[str, Any]:
    try:
        blocks = yaml.safe_load(Path(path).read_text(encoding='utf-8'))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    found: dict[str, Any] = {}
    for name, block in blocks.items() if isinstance(blocks, dict) else ():
        if name in wanted and isinstance(block, dict):
            found.update(_flat(block.get('ros__parameters', {}), ''))
    return found


def _flat(values: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(values, Mapping):
        return
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f'{prefix}{key}.')
        else:
            yield f'{prefix}{key}', value
