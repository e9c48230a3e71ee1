# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings of missions as rosbag2 MCAP, and their replay; imports no ROS."""
