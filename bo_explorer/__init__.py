# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Cost-aware Bayesian exploration for a vehicle with one scalar sensor and one battery."""

__version__ = '0.1.0'
