# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The only floor where rclpy and message packages appear."""
