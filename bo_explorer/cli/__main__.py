# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Run the command as ``python -m bo_explorer.cli``."""

import sys

from .command import main

sys.exit(main())
