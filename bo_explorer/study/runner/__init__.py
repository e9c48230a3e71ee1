# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Runs studies: problems x policies x seeds, resumable, in parallel, with everything recorded."""
