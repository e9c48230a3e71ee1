# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The planner: no ROS, no files, no clock, no ground truth."""
