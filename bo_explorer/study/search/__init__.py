# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The job itself as a study: search within a budget and come home, against every rival."""
