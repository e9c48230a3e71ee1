# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Both nodes as real processes, with faults between them, judged on ground truth."""
