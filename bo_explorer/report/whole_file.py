# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """
    Write a file of text; whoever reads it finds the old one or the new one.

    :param path: where to; its folder must exist.
    :param text: in UTF-8, line ends as they are.
    :raises OSError: if the file cannot be written.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f'.{path.name}.')
    try:
        with os.fdopen(handle, 'w', encoding='utf-8', newline='') as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
