# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What others measured in the same thirty worlds.

Computed from the tables in ``result/comparison_analysis`` of the repository marmotlab/CAtNIPP (MIT
licence, commit eee8c45): ten runs in each world, of the greedy policy one. The machine is not
named there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Published(NamedTuple):
    """
    A planner's results at one budget.

    :param trace: mean over the runs.
    :param trace_std: standard deviation over the runs.
    :param planning_s: mean planning time of a whole path, seconds.
    """

    trace: float
    trace_std: float
    planning_s: float


PUBLISHED: Mapping[str, Mapping[int, Published]] = MappingProxyType(
    {
        'CMA-ES': {
            6: Published(17.44, 7.82, 124.2),
            8: Published(10.48, 6.77, 181.4),
            10: Published(6.77, 4.67, 241.5),
            12: Published(4.51, 3.16, 268.7),
        },
        'RAOr': {
            6: Published(26.80, 17.24, 17.1),
            8: Published(11.17, 4.58, 40.1),
            10: Published(6.28, 3.13, 73.6),
            12: Published(4.71, 1.93, 127.4),
        },
        'RIG-tree': {
            6: Published(32.69, 14.73, 132.4),
            8: Published(15.44, 6.25, 192.7),
            10: Published(7.74, 4.17, 240.6),
            12: Published(4.80, 3.12, 291.3),
        },
        'CAtNIPP greedy': {
            6: Published(24.93, 6.11, 2.4),
            8: Published(7.99, 2.65, 3.5),
            10: Published(4.32, 1.57, 2.9),
            12: Published(2.89, 1.35, 6.2),
        },
        'CAtNIPP sampling': {
            6: Published(22.07, 6.01, 90.3),
            8: Published(7.81, 2.75, 119.8),
            10: Published(4.02, 1.57, 151.1),
            12: Published(2.65, 1.00, 182.5),
        },
    }
)
"""By planner, then by budget."""
