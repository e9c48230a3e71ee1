# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files: what can be checked without launch always is."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAUNCH_FILES = sorted((ROOT / 'launch').glob('*.launch.py'))
ARGUMENTS = {'params_file', 'namespace', 'use_sim_time', 'autostart', 'log_level', 'rviz'}
STACKS = {'aerostack2', 'ardupilot', 'crazyswarm2', 'mavlink', 'mavros', 'nav2', 'px4'}
"""Their files only name the parameters; flight_stack.launch.py declares the rest."""


def calls(path: Path, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, 'id', '') == name
    ]


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def test_there_are_launch_files():
    names = {p.name.removesuffix('.launch.py') for p in LAUNCH_FILES}
    assert names == {'explorer', 'flight_stack', 'simulation'} | STACKS


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda p: p.name)
def test_a_launch_file_declares_every_argument_with_a_description(path):
    declared = calls(path, 'DeclareLaunchArgument')
    own = {'recording_folder'} if path.name == 'simulation.launch.py' else set()
    wanted = {'params_file'} if path.name.split('.')[0] in STACKS else ARGUMENTS | own
    assert {ast.literal_eval(call.args[0]) for call in declared} == wanted
    for call in declared:
        assert {'default_value', 'description'} <= set(keywords(call))


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda p: p.name)
def test_a_launch_file_uses_only_arguments_it_declares(path):
    for call in calls(path, 'LaunchConfiguration'):
        if isinstance(call.args[0], ast.Constant):
            assert call.args[0].value in ARGUMENTS | {'recording_folder'}


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda p: p.name)
def test_a_launch_file_starts_executables_that_setup_py_installs(path):
    setup = (ROOT / 'setup.py').read_text()
    for call in calls(path, 'Node'):
        given = {k: v.value for k, v in keywords(call).items() if isinstance(v, ast.Constant)}
        if given['package'] == 'bo_explorer':
            name = given['executable']
            assert f'{name} = bo_explorer.ros.executables:{name}' in setup
        assert 'namespace' in keywords(call)


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda p: p.name)
def test_a_launch_file_only_declares_and_composes(path):
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        assert not isinstance(node, (ast.If, ast.While, ast.Try, ast.With))


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda p: p.name)
def test_a_launch_file_gives_a_description_where_launch_is_installed(path):
    pytest.importorskip('launch_ros', reason='launch_ros is not installed')
    spec = importlib.util.spec_from_file_location(path.name.replace('.', '_'), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.generate_launch_description().entities


def test_the_late_rviz_gets_what_was_latched():
    yaml = pytest.importorskip('yaml')
    view = yaml.safe_load((ROOT / 'rviz' / 'bo_explorer.rviz').read_text())
    latched = {'map', 'mean_grid', 'std_grid', 'path', 'markers'}
    seen = set()
    for display in view['Visualization Manager']['Displays']:
        topic = display.get('Topic')
        if topic is not None:
            assert not topic['Value'].startswith('/')
            is_latched = topic['Durability Policy'] == 'Transient Local'
            assert is_latched == (topic['Value'] in latched)
            seen.add(topic['Value'])
    assert latched <= seen
