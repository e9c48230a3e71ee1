# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Every study by its name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType

from ..core.errors import ConfigError
from .runner.definition import Study

STUDIES: Mapping[str, str] = MappingProxyType(
    {
        'gittins': 'gittins.study:GITTINS',
        'mapping': 'mapping.study:MAPPING',
        'switching_cost': 'switching_cost.study:SWITCHING_COST',
        'search': 'search.study:SEARCH',
    }
)
"""
Where each study stands: ``module:NAME`` within this package, such as ``gittins:GITTINS``. It is
imported when it is asked for, since some studies need packages that others do not.
"""


def find_study(name: str) -> Study:
    """
    Return a study.

    :param name: a key of :data:`STUDIES`.
    :raises ConfigError: if there is none of that name.
    """
    if name not in STUDIES:
        raise ConfigError('study', f"'study' must be one of {', '.join(STUDIES)}, got {name!r}.")
    module, _, attribute = STUDIES[name].partition(':')
    study: Study = getattr(importlib.import_module(f'.{module}', __package__), attribute)
    return study
