# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the arguments of a process say last."""

from __future__ import annotations

import pytest

pytest.importorskip('yaml')

from bo_explorer.ros.arguments import last_given

NAMES = ('bo_explorer', '/uav1/bo_explorer')


@pytest.mark.parametrize(
    ('block', 'counts'),
    [
        ('/**', True),
        ('bo_explorer', True),
        ('/uav1/bo_explorer', True),
        ('uav1/bo_explorer', True),
        ('simulator', False),
    ],
)
def test_blocks_of_this_node_count(tmp_path, block, counts):
    file = tmp_path / 'p.yaml'
    file.write_text(f'{block}:\n  ros__parameters:\n    a: {{b: 1, c: [1, 2.5]}}\n')
    found = last_given(['--ros-args', '--params-file', str(file)], NAMES)
    assert found == ({'a.b': 1, 'a.c': [1, 2.5]} if counts else {})


def test_the_last_one_counts(tmp_path):
    file = tmp_path / 'p.yaml'
    file.write_text('/**:\n  ros__parameters: {a: 1}\n')
    arguments = ['-p', 'a:=2.5', '--params-file', str(file), '--param', 'bo_explorer:a:=3.5']
    assert last_given(arguments, NAMES) == {'a': 3.5}
    assert last_given(arguments[:4], NAMES) == {'a': 1}
    assert last_given(['-p', 'simulator:a:=3.5'], NAMES) == {}


@pytest.mark.parametrize(
    'arguments',
    [[], ['-p'], ['-p', 'a'], ['-p', 'a:=['], ['--params-file', '/no/file'], ['--params-file']],
)
def test_what_cannot_be_read_is_left_out(arguments):
    assert last_given(arguments, NAMES) == {}


@pytest.mark.parametrize('text', ['', '[1]', 'a: b', '/**: 3', '/**: {ros__parameters: 5}', '{'])
def test_a_file_of_another_form_is_left_out(tmp_path, text):
    file = tmp_path / 'p.yaml'
    file.write_text(text)
    assert last_given(['--params-file', str(file)], NAMES) == {}
