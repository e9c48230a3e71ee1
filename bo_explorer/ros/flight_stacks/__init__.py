# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The flight stacks, by the name that ``flight_stack.stack`` takes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .aerostack2 import Aerostack2
from .ardupilot import Ardupilot
from .base import FlightStack
from .crazyswarm2 import Crazyswarm2
from .mavlink import Mavlink
from .mavros import Mavros
from .nav2 import Nav2
from .px4 import Px4

FLIGHT_STACKS: Mapping[str, type[FlightStack]] = MappingProxyType(
    {
        'aerostack2': Aerostack2,
        'ardupilot': Ardupilot,
        'crazyswarm2': Crazyswarm2,
        'mavlink': Mavlink,
        'mavros': Mavros,
        'nav2': Nav2,
        'px4': Px4,
    }
)
