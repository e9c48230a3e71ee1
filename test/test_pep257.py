# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Docstrings: pydocstyle with the rules of ament_pep257.

ament_pep257 does not tell pydocstyle what a property is and asks for "Return the ..." there too;
here a property may say what it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
AMENT_IGNORES = {f'D{n}' for n in (100, 101, 102, 103, 104, 105, 106, 107, 203, 212, 404)}


def test_the_docstrings_follow_the_style_of_ament() -> None:
    pydocstyle = pytest.importorskip('pydocstyle')
    codes = set(pydocstyle.violations.ErrorRegistry.get_error_codes()) - AMENT_IGNORES
    sources = [*(ROOT / 'bo_explorer').rglob('*.py'), *(ROOT / 'launch').glob('*.py')]
    errors = pydocstyle.check(
        [str(path) for path in sorted(sources)],
        select=sorted(codes),
        property_decorators={'property', 'cached_property'},
    )
    found = [str(error) for error in errors]
    assert not found, '\n'.join(found)
