# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The settings files of the project, as the tests read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / 'config'
SHARED_DATA = ROOT.parent / 'shared' / 'data'


def flattened(nested: Mapping[str, Any], prefix: str = '') -> dict[str, Any]:
    """Return nested settings by dotted key."""
    flat: dict[str, Any] = {}
    for key, value in nested.items():
        if isinstance(value, Mapping):
            flat.update(flattened(value, f'{prefix}{key}.'))
        else:
            flat[f'{prefix}{key}'] = value
    return flat


def parameters(name: str) -> dict[str, Any]:
    """Return the parameters of a settings file by dotted key."""
    content = yaml.safe_load((CONFIG / f'{name}.yaml').read_text(encoding='utf-8'))
    assert list(content) == ['/**']
    assert list(content['/**']) == ['ros__parameters']
    return flattened(content['/**']['ros__parameters'])
