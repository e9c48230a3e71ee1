# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the nursery has born in its tests."""

from __future__ import annotations

import os
import sys
import time


def main() -> int:
    """Say who it is; then live on, end, or fail, as the command line has it."""
    print(sys.argv[1:], os.environ['WHO'], flush=True)
    wish = sys.argv[1]
    if wish == 'fail':
        raise RuntimeError('as was wished')
    if wish == 'live':
        time.sleep(60.0)
    return int(wish) if wish.isdigit() else 0
