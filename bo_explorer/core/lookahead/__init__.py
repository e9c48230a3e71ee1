# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies that imagine the readings to come."""
