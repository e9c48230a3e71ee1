# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the script that makes the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# Everything but the last line, which starts the work.
CHOOSE = 'source <(sed "$ d" "$1"); BO_VENV=$2; bo_choose_python; printf "%s\n" "$BO_PYTHON"'


def chosen(venv: Path, **environment: str) -> str:
    """Return the interpreter an environment is made with."""
    script = ROOT / 'scripts' / 'setup_env.sh'
    result = subprocess.run(
        ['bash', '-c', CHOOSE, 'bash', str(script), str(venv)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """Return an environment that was made before."""
    folder = tmp_path / '.venv'
    subprocess.run([sys.executable, '-m', 'venv', '--without-pip', str(folder)], check=True)
    return folder


def test_an_environment_in_force_is_not_made_with_itself(venv: Path) -> None:
    """Where a list had changed meanwhile, it deleted the Python it was about to use."""
    path = f'{venv}/bin:{os.environ["PATH"]}'
    python = Path(chosen(venv, PATH=path, PYTHON=''))
    assert python.is_file() and venv not in python.parents
    assert python.resolve() == Path(sys._base_executable).resolve()  # type: ignore[attr-defined]


def test_any_other_python_is_taken_as_it_is(venv: Path, tmp_path: Path) -> None:
    path = f'{venv}/bin:{os.environ["PATH"]}'
    assert chosen(tmp_path / 'elsewhere', PATH=path, PYTHON='') == 'python3'
    assert chosen(venv, PYTHON=sys.executable) == sys.executable
