# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Types, as pyproject.toml sets the checker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_the_types_are_consistent() -> None:
    pytest.importorskip('mypy')
    result = subprocess.run(
        [sys.executable, '-m', 'mypy'], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
