# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What all tests share: every run draws the same examples, on however slow a machine."""

from __future__ import annotations

import hypothesis

hypothesis.settings.register_profile('reproducible', derandomize=True, deadline=None)
hypothesis.settings.load_profile('reproducible')
