# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which room may import which, read from the source and checked in a fresh interpreter."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / 'bo_explorer'
MAX_LINES = 400
LONGER = {'bo_explorer.core.mission': 500}
"""One state machine, which reads worse in two places than in one."""

SCIENCE = {'numpy', 'scipy', 'torch', 'gpytorch', 'linear_operator', 'shapely', 'networkx'}
ALLOWED_ROOTS = {
    'core': SCIENCE,
    'sim': SCIENCE | {'PIL'},
    'geo': SCIENCE | {'pyproj'},
    'report': SCIENCE | {'matplotlib', 'jinja2'},
    'study': SCIENCE | {'matplotlib', 'yaml', 'rich', 'ray', 'sklearn', 'gymnasium', 'Box2D'},
    'recording': SCIENCE | {'yaml', 'mcap', 'rosbags'},
    'cli': SCIENCE | {'yaml', 'rich', 'ament_index_python', 'aiohttp', 'rclpy'},
    'view': SCIENCE
    | {'aiohttp', 'foxglove', 'rclpy'}
    | {'diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'rcl_interfaces', 'sensor_msgs'}
    | {'std_msgs', 'std_srvs', 'visualization_msgs'},
    'campaign': SCIENCE
    | {'yaml', 'rich', 'rclpy'}
    | {'geometry_msgs', 'lifecycle_msgs', 'rcl_interfaces', 'rosgraph_msgs'}
    | {'std_msgs', 'std_srvs', 'sensor_msgs', 'nav_msgs', 'rosidl_runtime_py'},
}
ALLOWED_ROOMS = {
    'core': {'core'},
    'sim': {'core', 'sim'},
    'geo': {'core', 'geo'},
    'report': {'core', 'geo', 'report'},
    'study': {'core', 'sim', 'study', 'report'},
    'recording': {'core', 'recording'},
    'ros': {'core', 'sim', 'ros', 'recording'},
    'cli': {'core', 'sim', 'geo', 'ros', 'report', 'study', 'recording', 'view', 'cli'},
    'view': {'core', 'ros', 'recording', 'view'},
    'campaign': {'core', 'sim', 'ros', 'cli', 'campaign'},
}
PLANNER = ('explorer', 'mission', 'gp', 'acquisition', 'lookahead', 'policy', 'job', 'stopping')

MODULES = sorted(PACKAGE.rglob('*.py'))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix('').parts
    return '.'.join(parts[:-1] if parts[-1] == '__init__' else parts)


def imports_of(path: Path) -> set[str]:
    """Return the absolute dotted names a module imports, those in functions included."""
    is_package = path.name == '__init__.py'
    package = module_name(path) if is_package else module_name(path).rpartition('.')[0]
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            target = '.' * node.level + (node.module or '')
            base = importlib.util.resolve_name(target, package) if node.level else target
            names.add(base)
            names.update(f'{base}.{alias.name}' for alias in node.names)
    return names


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ''


def rooms_imported(path: Path) -> set[str]:
    inside = {name for name in imports_of(path) if name.startswith('bo_explorer.')}
    return {name.split('.')[1] for name in inside} & set(ALLOWED_ROOMS)


def reach_of(path: Path) -> set[Path]:
    """Return every module of the package that importing ``path`` loads."""
    by_name = {module_name(p): p for p in MODULES}
    reached, waiting = set(), [path]
    while waiting:
        current = waiting.pop()
        if current in reached:
            continue
        reached.add(current)
        waiting.extend(by_name[name] for name in imports_of(current) if name in by_name)
    return reached


@pytest.mark.parametrize('path', MODULES, ids=module_name)
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    room = room_of(path)
    if room in ALLOWED_ROOTS:
        roots = {name.split('.')[0] for name in imports_of(path)}
        foreign = roots - set(sys.stdlib_module_names) - ALLOWED_ROOTS[room] - {'bo_explorer'}
        assert not foreign
    if room in ALLOWED_ROOMS:
        assert rooms_imported(path) <= ALLOWED_ROOMS[room]


def test_the_explorer_node_never_reaches_the_pretend_world() -> None:
    reached = {module_name(p) for p in reach_of(PACKAGE / 'ros' / 'explorer_node.py')}
    assert not [name for name in reached if name.startswith('bo_explorer.sim')]


def test_the_simulator_node_never_reaches_the_planner() -> None:
    reached = {module_name(p) for p in reach_of(PACKAGE / 'ros' / 'simulator_node.py')}
    forbidden = tuple(f'bo_explorer.core.{name}' for name in PLANNER)
    assert not [name for name in reached if name.startswith(forbidden)]


def test_acquisitions_know_neither_the_map_nor_the_flight() -> None:
    for path in sorted((PACKAGE / 'core' / 'acquisition').glob('*.py')):
        used = {n for n in imports_of(path) if n.startswith('bo_explorer.core.')}
        allowed = ('acquisition', 'errors', 'types', 'options')
        assert not [n for n in used if n.split('.')[2] not in allowed], path.name


def test_importing_core_leaves_ros_pictures_and_files_out() -> None:
    names = [module_name(p) for p in MODULES if room_of(p) == 'core']
    program = (
        'import importlib, sys\n'
        f'for name in {names!r}: importlib.import_module(name)\n'
        "unwanted = ('rclpy', 'matplotlib', 'yaml', 'bo_explorer.sim')\n"
        'print([name for name in unwanted if name in sys.modules])'
    )
    result = subprocess.run(
        [sys.executable, '-c', program],
        cwd=ROOT,
        env={**os.environ, 'PYTHONPATH': str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == '[]'


def test_core_reads_no_clock_and_no_file() -> None:
    for path in (p for p in MODULES if room_of(p) == 'core'):
        assert not {'time', 'datetime', 'pathlib', 'os', 'io'} & imports_of(path), path
        tree = ast.parse(path.read_text(encoding='utf-8'))
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert 'open' not in calls, path


def test_every_topic_name_is_relative_but_the_clock() -> None:
    tree = ast.parse((PACKAGE / 'ros' / 'qos.py').read_text(encoding='utf-8'))
    names = [
        node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
    assert len(names) > 5
    assert [name for name in names if name.startswith('/')] == ['/clock']


def test_only_the_module_of_names_writes_a_topic_name() -> None:
    makers = {
        'create_publisher',
        'create_lifecycle_publisher',
        'create_subscription',
        'create_client',
    }
    for path in (p for p in MODULES if room_of(p) == 'ros'):
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in makers
            ):
                assert not isinstance(node.args[1], ast.Constant), f'{path}:{node.lineno}'


@pytest.mark.parametrize('path', MODULES, ids=module_name)
def test_a_module_holds_one_idea(path: Path) -> None:
    lines = path.read_text(encoding='utf-8').splitlines()
    assert len(lines) <= LONGER.get(module_name(path), MAX_LINES)


@pytest.mark.parametrize('path', MODULES, ids=module_name)
def test_a_module_carries_copyright_and_licence(path: Path) -> None:
    lines = path.read_text(encoding='utf-8').splitlines()
    assert lines[:2] == [
        '# Copyright 2026 The bo_explorer authors',
        '# SPDX-License-Identifier: Apache-2.0',
    ]
