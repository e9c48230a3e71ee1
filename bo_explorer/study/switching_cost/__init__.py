# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The experiments of *Bayesian Optimization with Switching Cost* (IJCAI 2023), section 5."""
