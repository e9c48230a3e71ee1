# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The manifest, the build rules and the requirement lists agree with each other."""

from __future__ import annotations

import ast
import importlib
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
import yaml

import bo_explorer

ROOT = Path(__file__).resolve().parents[1]
MANIFEST = ElementTree.parse(ROOT / 'package.xml').getroot()

# Keys of the public rosdep lists and packages of ROS 2 that package.xml may name.
PUBLIC_KEYS = {
    'action_msgs', 'ament_index_python', 'builtin_interfaces', 'diagnostic_msgs',
    'geometry_msgs', 'launch', 'launch_ros', 'lifecycle_msgs', 'mcap-ros2-support', 'nav_msgs',
    'python3-aiohttp', 'python3-flake8', 'python3-hypothesis', 'python3-jinja2',
    'python3-matplotlib', 'python3-mypy', 'python3-networkx', 'python3-numpy', 'python3-pil',
    'python3-pydocstyle', 'python3-pyproj', 'python3-pytest', 'python3-pytest-timeout',
    'python3-rich', 'python3-rosbags-pip', 'python3-scipy', 'python3-shapely', 'python3-torch',
    'python3-yaml', 'rcl_interfaces', 'rclpy', 'rosgraph_msgs', 'sensor_msgs', 'std_msgs',
    'std_srvs', 'test_msgs', 'visualization_msgs',
}  # fmt: skip

MODULE_KEYS = {
    'PIL': 'python3-pil',
    'aiohttp': 'python3-aiohttp',
    'gpytorch': 'python3-gpytorch-pip',
    'jinja2': 'python3-jinja2',
    'linear_operator': 'python3-gpytorch-pip',
    'matplotlib': 'python3-matplotlib',
    'networkx': 'python3-networkx',
    'numpy': 'python3-numpy',
    'pyproj': 'python3-pyproj',
    'rich': 'python3-rich',
    'scipy': 'python3-scipy',
    'shapely': 'python3-shapely',
    'torch': 'python3-torch',
    'yaml': 'python3-yaml',
}


def setup_arguments() -> dict[str, Any]:
    """Return the literal keyword arguments of the call of setup()."""
    tree = ast.parse((ROOT / 'setup.py').read_text(encoding='utf-8'))
    call = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == 'setup'
    )
    arguments = {}
    for keyword in call.keywords:
        try:
            arguments[keyword.arg or ''] = ast.literal_eval(keyword.value)
        except ValueError:
            continue
    return arguments


def manifest_keys(*tags: str) -> set[str]:
    return {element.text or '' for tag in tags for element in MANIFEST.iter(tag)}


def imported_roots() -> set[str]:
    roots = set()
    for path in (ROOT / 'bo_explorer').rglob('*.py'):
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Import):
                roots.update(alias.name.split('.')[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                roots.add(node.module.split('.')[0])
    return roots


def requirement_names(path: Path) -> set[str]:
    lines = [line.split('#')[0].strip() for line in path.read_text(encoding='utf-8').splitlines()]
    return {re.split(r'[\[<>=; ]', line)[0] for line in lines if line}


def test_the_version_is_the_same_everywhere() -> None:
    version = MANIFEST.findtext('version')
    assert version == setup_arguments()['version'] == bo_explorer.__version__
    changelog = (ROOT / 'CHANGELOG.rst').read_text(encoding='utf-8')
    assert re.search(rf'^{re.escape(version or "")} \(', changelog, re.MULTILINE)


def test_the_manifest_says_what_colcon_needs() -> None:
    assert MANIFEST.get('format') == '3'
    assert MANIFEST.findtext('name') == 'bo_explorer'
    assert MANIFEST.findtext('export/build_type') == 'ament_python'
    email = MANIFEST.find('maintainer').get('email')  # type: ignore[union-attr]
    assert re.fullmatch(r'[\w.%+-]+@[\w.%-]+\.[a-zA-Z]{2,6}', email or '')
    assert (ROOT / 'resource' / 'bo_explorer').is_file()


def test_every_dependency_has_a_rosdep_key() -> None:
    """Field case J6."""
    own = yaml.safe_load((ROOT / 'rosdep' / 'bo_explorer.yaml').read_text(encoding='utf-8'))
    named = manifest_keys('depend', 'exec_depend', 'build_depend', 'test_depend')
    assert named <= PUBLIC_KEYS | set(own)
    assert set(own) <= named


def test_every_imported_package_is_declared() -> None:
    declared = manifest_keys('depend', 'exec_depend')
    roots = imported_roots()
    assert {MODULE_KEYS[root] for root in roots & set(MODULE_KEYS)} <= declared
    ros = {r for r in roots if r.endswith(('_msgs', '_srvs', '_interfaces')) or r == 'rclpy'}
    assert ros <= declared


def test_pip_and_the_scripts_install_the_same_packages() -> None:
    declared = {re.split(r'[<>=]', name)[0] for name in setup_arguments()['install_requires']}
    assert declared - {'torch'} == requirement_names(ROOT / 'requirements' / 'runtime.txt')


def test_every_command_can_be_started() -> None:
    commands = setup_arguments()['entry_points']['console_scripts']
    assert [c.split(' = ')[0] for c in commands] == [
        'bo_explorer',
        'explorer_node',
        'flight_stack',
        'simulator_node',
    ]
    for command in commands:
        module, function = command.split(' = ')[1].split(':')
        if '.ros.' in module:
            pytest.importorskip('rclpy')
        assert callable(getattr(importlib.import_module(module), function))


def test_colcon_would_find_the_tests() -> None:
    assert 'pytest' in setup_arguments()['extras_require']['test']
    assert 'tests_require' not in setup_arguments()


def test_every_package_folder_is_a_python_package() -> None:
    folders = {path.parent for path in (ROOT / 'bo_explorer').rglob('*.py')}
    assert not [folder for folder in folders if not (folder / '__init__.py').is_file()]
