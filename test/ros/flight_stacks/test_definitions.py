# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The interfaces the tests build are those the stacks have."""

from __future__ import annotations

import importlib
import json

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from . import interfaces
from .definitions import HASHES, INTERFACES


def test_every_definition_has_a_hash():
    assert set(HASHES) == set(INTERFACES)


@pytest.mark.parametrize('name', sorted(INTERFACES))
def test_an_interface_built_here_has_the_hash_of_the_real_one(name):
    described = interfaces.folder() / f'{name}.json'
    if not described.is_file():
        pytest.skip(f'{name.split("/")[0]} is installed')
    hashes = {
        entry['type_name']: entry['hash_string']
        for entry in json.loads(described.read_text())['type_hashes']
    }
    assert hashes[name] == HASHES[name]


@pytest.mark.parametrize('name', sorted(INTERFACES))
def test_an_interface_can_be_imported(name):
    interfaces.import_path()
    package, kind, interface = name.split('/')
    assert hasattr(importlib.import_module(f'{package}.{kind}'), interface)
