#!/usr/bin/env bash
# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
#
# Linters, type checks and all tests; arguments go to pytest: scripts/test.sh test/core -k budget
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/setup_env.sh test
export OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

status=0
ruff check . || status=1
mypy || status=1
if (( $# > 0 )); then
  python -m pytest "$@" || status=1
else
  # Tests that start processes run alone: they wait for each other's messages.
  python -m pytest -m 'not system' -n 2 || status=1
  python -m pytest -m system || status=1
fi
exit "$status"
