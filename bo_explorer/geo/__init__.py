# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Places on the earth: the map frame in WGS84, and the files of ground stations and maps."""
