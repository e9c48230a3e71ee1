# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Message packages of flight stacks for tests: the installed ones, or built from the definitions.

The generators of ROS 2 write the code, the compiler of the machine makes it; what comes out is
what a real package has, type support and type hash included. It is kept in the folder for
temporary files under the hash of the definitions, so that only the first test run on a machine
builds it.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import fcntl
import hashlib
import importlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

from .definitions import INTERFACES

PREFIX = Path(sys.prefix)
KINDS = ('msg', 'srv', 'action')
TYPESUPPORTS = ('rosidl_typesupport_fastrtps_c', 'rosidl_typesupport_introspection_c')
FORMAT = '2'
"""Raised when what is built of the same definitions changes."""


def expanded(text: str) -> str:
    """Return a definition with one field a line, as ROS 2 reads it."""
    lines = []
    for line in text.strip().splitlines():
        kind, *names = line.split()
        if '=' in names or not names:
            lines.append(line.strip())
        else:
            lines += [f'{kind} {name}' for name in names]
    return '\n'.join(lines) + '\n'


def packages() -> dict[str, dict[str, str]]:
    """Return the definitions by package and file."""
    found: dict[str, dict[str, str]] = {}
    for name, text in INTERFACES.items():
        package, kind, interface = name.split('/')
        found.setdefault(package, {})[f'{kind}/{interface}.{kind}'] = expanded(text)
    return found


def is_installed(package: str) -> bool:
    """Return whether a package is there without this module."""
    spec = importlib.util.find_spec(package)
    return spec is not None and 'bo_explorer_interfaces_' not in str(spec.origin)


def folder() -> Path:
    """
    Return the folder that holds the packages which are not installed, built where need be.

    Skips the test where they can be neither imported nor built.
    """
    wanted = {name: files for name, files in packages().items() if not is_installed(name)}
    key = json.dumps([FORMAT, sys.version, str(PREFIX), sorted(wanted), wanted], sort_keys=True)
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    home = Path(tempfile.gettempdir()) / f'bo_explorer_interfaces_{os.getuid()}_{digest}'
    if home.is_dir():
        return home
    if wanted:
        _require_tools()
    with home.with_suffix('.lock').open('w') as lock:
        # Test processes that run side by side wait for the first of them.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.is_dir():
            _build(wanted, home)
    return home


def import_path() -> Path:
    """Make the packages importable in this process and return their folder."""
    home = folder()
    if str(home) not in sys.path:
        sys.path.append(str(home))
        importlib.invalidate_caches()
    return home


def _build(wanted: dict[str, dict[str, str]], home: Path) -> None:
    work = Path(tempfile.mkdtemp(prefix='bo_explorer_build_'))
    try:
        os.environ.setdefault('AMENT_PREFIX_PATH', str(PREFIX))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [
                pool.submit(_compile, package, _generate(work, package, files))
                for package, files in wanted.items()
            ]
            for job in jobs:
                job.result()
        work.rename(home)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _require_tools() -> None:
    for tool in ('gcc', 'g++'):
        if shutil.which(tool) is None:
            pytest.skip(f'the messages of flight stacks are not installed, and there is no {tool}')
    if not (Path(sysconfig.get_paths()['include']) / 'Python.h').is_file():
        pytest.skip('the messages of flight stacks are not installed, and there is no Python.h')
    if not (PREFIX / 'include' / 'rosidl_runtime_c').is_dir():
        pytest.skip('the messages of flight stacks are not installed, nor what builds messages')


def _generate(home: Path, package: str, files: dict[str, str]) -> Path:
    """Write the code of a package and return its folder."""
    from rosidl_adapter.action import convert_action_to_idl
    from rosidl_adapter.msg import convert_msg_to_idl
    from rosidl_adapter.srv import convert_srv_to_idl
    from rosidl_generator_c.cli import GenerateC
    from rosidl_generator_py.cli import GeneratePython
    from rosidl_generator_type_description.cli import HashTypeDescription
    from rosidl_typesupport_c.cli import GenerateCTypesupport
    from rosidl_typesupport_fastrtps_c.cli import GenerateFastRTPSCTypesupport
    from rosidl_typesupport_introspection_c.cli import GenerateIntrospectionCTypesupport

    convert = dict(
        zip(KINDS, (convert_msg_to_idl, convert_srv_to_idl, convert_action_to_idl), strict=True)
    )
    target = home / package
    for name, text in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        with contextlib.redirect_stdout(io.StringIO()):
            convert[path.suffix[1:]](target, package, Path(name), path.parent)
    # Both generators of type support give some files the same name.
    introspection = home / 'introspection' / package
    introspection.mkdir(parents=True)
    given = {
        'package_name': package,
        'interface_files': [f'{target}:{Path(name).with_suffix(".idl")}' for name in files],
        'include_paths': [
            str(path) for path in (PREFIX / 'share').iterdir() if any(path.glob('*/*.idl'))
        ],
        'output_path': target,
    }
    hashes = HashTypeDescription('hash').generate_type_hashes(**given)
    GenerateC('c').generate(**given, type_description_files=hashes)
    GenerateFastRTPSCTypesupport('fastrtps').generate(**given)
    GenerateIntrospectionCTypesupport('introspection').generate(
        **{**given, 'output_path': introspection}
    )
    support = GenerateCTypesupport('c', typesupport_implementations=list(TYPESUPPORTS))
    support.generate(**given)
    python = GeneratePython('py', typesupport_implementations=['rosidl_typesupport_c'])
    python.generate(**given)
    (target / '__init__.py').touch()
    return target


def _compile(package: str, target: Path) -> None:
    """
    Make one library and one extension module of the code.

    The type supports are looked for by the names of their libraries: one library carries the first
    name, and an empty one that leads to it the second.
    """
    import numpy

    introspection = target.parent / 'introspection' / package
    objects = target / 'objects'
    objects.mkdir()
    includes = [target.parent, target.parent / 'introspection', PREFIX / 'include']
    includes += sorted(path for path in (PREFIX / 'include').iterdir() if path.is_dir())
    includes += [sysconfig.get_paths()['include'], numpy.get_include()]
    flags = ['-c', '-O0', '-w', '-fPIC', *(f'-I{path}' for path in includes)]
    together = {
        'introspection.c': introspection.rglob('*.c'),
        'typesupport.cpp': target.rglob('*.cpp'),
    }
    for name, sources in together.items():
        text = ''.join(f'#include "{source}"\n' for source in sorted(sources))
        (target / name).write_text(text)
    _run('gcc', *flags, *sorted(target.rglob('*.c')), folder=objects)
    _run('g++', '-std=c++17', *flags, target / 'typesupport.cpp', folder=objects)
    first, second = (f'lib{package}__{support}.so' for support in TYPESUPPORTS)
    libraries = sorted((PREFIX / 'lib').glob('lib*_msgs__rosidl_*[cy].so'))
    libraries += sorted((PREFIX / 'lib').glob('lib*_interfaces__rosidl_*[cy].so'))
    libraries += sorted((PREFIX / 'lib').glob('librosidl_*.so'))
    libraries += [PREFIX / 'lib' / f'lib{name}.so' for name in ('rcutils', 'fastcdr', 'rmw')]
    shared = ['-shared', '-Wl,-rpath,$ORIGIN']
    _run(
        'g++', *shared, f'-Wl,-soname,{first}', '-o', target / first, *objects.glob('*.o'),
        '-Wl,--as-needed', *libraries, folder=target,
    )  # fmt: skip
    linked = [*shared, '-Wl,--no-as-needed']
    _run('g++', *linked, f'-Wl,-soname,{second}', '-o', second, first, folder=target)
    entry = f'{package}_s__rosidl_typesupport_c'
    _run(
        'g++', *linked, '-o', f'{entry}{sysconfig.get_config_var("EXT_SUFFIX")}',
        objects / f'_{package}_s.ep.rosidl_typesupport_c.o', first, second, folder=target,
    )  # fmt: skip


def _run(*command: object, folder: Path) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f'{words[0]} failed: {done.stderr[-3000:]}'
