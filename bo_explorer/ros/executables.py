# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The executables of the package; each imports its node only when it runs.

The libraries take seconds to load. Whoever ends a process that is still loading gets an end
without a word, not the traceback of some import.
"""

from __future__ import annotations

import importlib
import signal


def explorer_node() -> int:
    """Run the explorer."""
    return _run('explorer_node')


def simulator_node() -> int:
    """Run the simulator."""
    return _run('simulator_node')


def flight_stack() -> int:
    """Run the adapter of a flight stack."""
    return _run('flight_stack')


def _run(module: str) -> int:
    # The node puts its own handler in this place.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    main = importlib.import_module(f'.{module}', __package__).main
    return int(main())
