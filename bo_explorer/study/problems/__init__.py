# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What is optimised in the studies: functions over the unit cube, with the cost of evaluating."""
