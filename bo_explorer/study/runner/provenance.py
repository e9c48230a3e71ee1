# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What results rest on: versions, commit, machine and date."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path

from ... import __version__

_PACKAGES = (
    'torch', 'gpytorch', 'numpy', 'scipy', 'shapely', 'botorch', 'scikit-learn', 'gymnasium',
    'ray',
)  # fmt: skip


def provenance() -> dict[str, str]:
    """Return where and with what a session runs, by name, in the order it should be read."""
    found = {
        'date': datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='seconds'),
        'bo_explorer': __version__,
        'commit': commit(Path(__file__).parent),
        'python': platform.python_version(),
    }
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    found['machine'] = f'{_processor()}, {os.cpu_count()} cores, {_memory()}'
    found['system'] = platform.platform()
    return found


def commit(folder: Path) -> str:
    """
    Return the commit a folder of sources is at; empty where git does not keep the folder.

    :param folder: any folder.
    :return: a hash, followed by ``+ changes`` where files git keeps differ from it.
    """
    # A repository further up may hold an installation without keeping it.
    if not _git(folder, 'ls-files', '.'):
        return ''
    revision = _git(folder, 'rev-parse', 'HEAD')
    is_changed = bool(_git(folder, 'status', '--porcelain', '--untracked-files=no'))
    return f'{revision} + changes' if revision and is_changed else revision


def _git(folder: Path, *arguments: str) -> str:
    try:
        result = subprocess.run(
            ['git', '-C', str(folder), *arguments],
            capture_output=True,
            text=True,
            timeout=30.0,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ''
    return result.stdout.strip() if result.returncode == 0 else ''


def _processor() -> str:
    """Return the name of the processor, which platform does not tell on Linux."""
    try:
        lines = Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines()
    except OSError:
        lines = []
    named = (line.partition(':')[2].strip() for line in lines if line.startswith('model name'))
    return next(named, platform.processor() or platform.machine())


def _memory() -> str:
    try:
        size = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')
    except (ValueError, OSError):
        return 'unknown memory'
    return f'{size / 2**30:.0f} GiB'
