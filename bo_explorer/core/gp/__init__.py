# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Gaussian-process model and the map it gives over the candidates."""
