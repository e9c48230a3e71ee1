# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The experiments of *Cost-aware Bayesian optimization via the Pandora's Box Gittins index*."""
