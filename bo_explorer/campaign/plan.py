# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What one mission of the campaign is like and what goes wrong in it, drawn from one seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

NETWORK = 'packet_loss'
"""The fault that needs two network namespaces."""

ON_TOPICS = (
    'reading_nan',
    'reading_outlier',
    'reading_dropout',
    'pose_jump',
    'pose_gap',
    'duplicate',
    'late',
    'clock_jump',
)
"""Faults between the nodes, made by the relay."""

ON_PROCESSES = (
    'kill_explorer',
    'kill_simulator',
    'sigterm',
    'parameter_change',
    'service_storm',
)
"""Faults that signals and calls make."""

FAULTS = (*ON_TOPICS, *ON_PROCESSES, NETWORK)

SPEED_FACTOR = 4.0
"""Simulated seconds per second."""

LOSS_PERCENT = 20

SIDE_M = 40.0
_MOST_FAULTS = 4
_LATEST_S = 6.0
_LOSS_SHARE = 0.2
POLICIES = ('ucb', 'log_ei', 'ei', 'ei_per_cost', 'pbgi')


@dataclass(frozen=True)
class PlannedFault:
    """
    One thing that goes wrong.

    :param kind: one of :data:`FAULTS`.
    :param at_s: wall time after the mission has found its home, seconds.
    :param lasts_s: wall time it goes on, seconds.
    :param amount: share of messages, metres, seconds or a seed, as the kind has it.
    """

    kind: str
    at_s: float
    lasts_s: float
    amount: float


@dataclass(frozen=True)
class MissionPlan:
    """
    Everything about one mission.

    :param seed: it was drawn from.
    :param parameters: of both nodes, by dotted key.
    :param faults: in the order of their times.
    :param loses_packets: whether the network between the nodes loses packets.
    """

    seed: int
    parameters: dict[str, Any]
    faults: tuple[PlannedFault, ...]
    loses_packets: bool

    @property
    def kinds(self) -> list[str]:
        """Kinds of the faults, each once."""
        kinds = {fault.kind for fault in self.faults}
        return sorted(kinds | {NETWORK} if self.loses_packets else kinds)


@dataclass
class _Draw:
    rng: np.random.Generator
    faults: list[PlannedFault] = field(default_factory=list)

    def between(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))


def draw_plan(seed: int, *, can_lose_packets: bool) -> MissionPlan:
    """
    Draw a mission; all but the loss of packets is the same wherever it is drawn.

    :param seed: not negative.
    :param can_lose_packets: whether packet loss may be drawn.
    """
    draw = _Draw(np.random.default_rng([5, seed]))
    parameters = _parameters(draw, seed)
    n_faults = int(draw.rng.integers(1, _MOST_FAULTS + 1))
    kinds = (*ON_TOPICS, *ON_PROCESSES)
    for kind in draw.rng.choice(kinds, n_faults, replace=True):
        draw.faults.append(_fault(draw, str(kind)))
    faults = tuple(sorted(draw.faults, key=lambda fault: fault.at_s))
    loses = draw.between(0.0, 1.0) < _LOSS_SHARE
    return MissionPlan(seed, parameters, faults, loses and can_lose_packets)


def _parameters(draw: _Draw, seed: int) -> dict[str, Any]:
    home = [draw.between(2.0, 8.0), draw.between(2.0, 8.0)]
    zones = []
    for _ in range(int(draw.rng.integers(0, 3))):
        x, y = draw.between(12.0, 30.0), draw.between(12.0, 30.0)
        zones.append(box(x, y, draw.between(3.0, 7.0), draw.between(3.0, 7.0)))
    corners = (0.0, 0.0, SIDE_M, 0.0, SIDE_M, SIDE_M, 0.0, SIDE_M)
    speed_mps, acceleration_mps2 = 5.0, 4.0
    return {
        'seed': seed,
        'area.polygon': corners,
        'area.margin_m': 1.0,
        'area.resolution_m': 4.0,
        'no_fly.polygons': tuple(zones),
        'budget.total_m': draw.between(90.0, 150.0),
        'budget.stop_cost_m': 3.0,
        'vehicle.speed_mps': speed_mps,
        'vehicle.acceleration_mps2': acceleration_mps2,
        'vehicle.dwell_s': 0.5,
        'policy.name': str(draw.rng.choice(POLICIES)),
        'model.fit': bool(draw.rng.random() < 0.3),
        'model.lengthscale_m': 8.0,
        'model.noise_std': 0.1,
        'output.record_period_s': 0.2,
        'simulator.seed': seed,
        'simulator.field.kind': 'hot_spots',
        'simulator.field.width_m': SIDE_M,
        'simulator.field.height_m': SIDE_M,
        'simulator.vehicle.speed_mps': speed_mps,
        'simulator.vehicle.acceleration_mps2': acceleration_mps2,
        'simulator.vehicle.start_x': home[0],
        'simulator.vehicle.start_y': home[1],
        'simulator.sensor.rate_hz': 5.0,
        'simulator.sensor.noise_std': 0.05,
        'simulator.node.step_s': 0.05,
        'simulator.node.speed_factor': SPEED_FACTOR,
        'simulator.node.publish_clock': True,
    }


def box(x: float, y: float, width: float, height: float) -> str:
    """
    Return a rectangle as the parameter ``no_fly.polygons`` has it.

    :param x: of the south-west corner, metres.
    :param y: of the south-west corner, metres.
    :param width: metres.
    :param height: metres.
    """
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return '; '.join(f'{east:.3f},{north:.3f}' for east, north in corners)


def _fault(draw: _Draw, kind: str) -> PlannedFault:
    at_s, lasts_s = draw.between(0.0, _LATEST_S), draw.between(0.5, 4.0)
    amounts = {
        # Share of the messages.
        'reading_nan': (0.2, 1.0),
        'reading_dropout': (0.2, 1.0),
        'duplicate': (0.2, 1.0),
        'late': (0.2, 0.8),
        # Powers of ten.
        'reading_outlier': (2.0, 30.0),
        # Metres.
        'pose_jump': (3.0, 1000.0),
        # Seconds of the mission's clock; back or forth.
        'clock_jump': (-100.0, 100.0),
        # A process stays away for so many seconds.
        'kill_explorer': (0.0, 2.0),
        'kill_simulator': (0.0, 2.0),
        'sigterm': (0.0, 2.0),
    }
    # What is left of it seeds the calls.
    low, high = amounts.get(kind, (0.0, 2.0**31))
    return PlannedFault(kind, at_s, lasts_s, draw.between(low, high))
