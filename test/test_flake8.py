# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Style: flake8 with the settings of ament_flake8, which setup.cfg repeats."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_the_source_follows_the_style_of_ament() -> None:
    pytest.importorskip('flake8')
    result = subprocess.run(
        [sys.executable, '-m', 'flake8', 'bo_explorer', 'test', 'launch', 'setup.py'],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
