# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Bayesian optimisation over the unit cube, one evaluation after the other."""
