# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The reference of the parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from bo_explorer.cli import main
from bo_explorer.cli.reference import reference
from bo_explorer.core.config import ExplorerConfig
from bo_explorer.core.options import walk

ROOT = Path(__file__).resolve().parents[2]


def test_every_parameter_of_the_planner_has_one_row() -> None:
    text = reference()
    for spec in walk(ExplorerConfig):
        assert text.count(f'| `{spec.key}` |') == 1


def test_every_row_has_as_many_cells_as_the_head() -> None:
    rows = [line for line in reference().splitlines() if line.startswith('|')]
    assert {row.replace('\\|', '').count('|') for row in rows} == {7}


def test_the_reference_in_the_documents_is_up_to_date() -> None:
    """Refresh it with: bo_explorer parameters > docs/parameters.md ."""
    assert (ROOT / 'docs' / 'parameters.md').read_text(encoding='utf-8') == reference()


def test_the_command_prints_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['parameters']) == 0
    assert capsys.readouterr().out == reference()
