# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The ``bo_explorer`` command: it declares and composes."""

from .command import main

__all__ = ['main']
