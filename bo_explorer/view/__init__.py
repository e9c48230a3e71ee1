# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The live view: a process of its own that listens to the explorer and shows it to people."""
