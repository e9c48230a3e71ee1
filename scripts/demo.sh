#!/usr/bin/env bash
# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
#
# One mission in simulation, two ROS 2 processes: scripts/demo.sh [--seed N] [--out DIR] ...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup_env.sh" runtime
exec bo_explorer demo "$@"
