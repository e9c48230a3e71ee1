# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The page of field cases names tests that exist and that name their case."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / 'docs' / 'field_cases.md'
IDS = {
    'A': (1, 2, 3, 5, 6, 7, 8, 10, 11, 12),
    'B': (1, 2, 3, 4, 7, 8, 9),
    'C': (1, 2, 4, 6, 8),
    'D': (1, 2, 3, 5, 6, 8),
    'E': (1, 2, 4, 5, 6, 8, 9, 11, 12, 14),
    'F': (1, 2, 3, 4, 6, 7, 9, 11, 12, 13),
    'G': (1, 2, 4, 5, 6, 7, 9, 10, 12, 13),
    'H': (1, 2, 4, 5, 7, 8, 9, 10, 12),
    'I': (1, 2, 3, 4, 6, 7, 8, 10, 12, 13),
    'J': (1, 3, 4, 5, 6, 9),
}
CASES = [f'{letter}{number}' for letter, numbers in IDS.items() for number in numbers]

# Lines that give a reason; the test they mention is about something near.
REASONS = {'B8', 'C4', 'E8', 'F12', 'G10', 'I4'}


def lines():
    """Return the text of each case by its id."""
    rows = (line.split('|') for line in PAGE.read_text(encoding='utf-8').splitlines())
    return {row[1].strip(): row[3] for row in rows if len(row) == 5 and row[1].strip() in CASES}


def found(path, name):
    """Return the test function, or None."""
    tree = ast.parse((ROOT / path).read_text(encoding='utf-8'))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return next((function for function in functions if function.name == name), None)


def test_every_case_has_one_line():
    assert list(lines()) == CASES


@pytest.mark.parametrize('case', CASES)
def test_a_case_has_a_test_that_names_it_or_a_reason(case):
    text = lines()[case]
    tests = re.findall(r'`(test/[\w/]+\.py)::(\w+)`', text)
    assert tests or case in REASONS
    named = []
    for path, name in tests:
        function = found(path, name)
        assert function is not None, f'{path}::{name}'
        words = f'{name} {ast.get_docstring(function) or ""}'.lower().replace('_', ' ')
        named.append(re.search(rf'\b{case.lower()}\b', words))
    assert any(named) or case in REASONS, f'no test names {case}'
