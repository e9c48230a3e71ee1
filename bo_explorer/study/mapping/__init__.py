# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Mapping within a path budget, on the worlds of CAtNIPP.

Cao et al. 2022, *CAtNIPP: Context-aware attention-based network for informative path planning*.
Nothing here is flown by the product: the planner draws whole paths through an open square.
"""
