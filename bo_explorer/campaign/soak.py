# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Very many sensor messages through a real explorer process: memory, decisions and the stream.

This process flies the vehicle, sends the readings and receives the waypoints::

    python -m bo_explorer.campaign.soak --messages 100000
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import Float64, String

from ..cli.domains import DomainClaim
from ..cli.processes import NodeProcess, node_environment, stop_all
from ..cli.scenario import write_parameters
from ..ros import conversions, qos
from ..ros.context import open_context
from ..sim.vehicle import PointVehicle

MAX_GAP_S = 0.3
"""Longest silence of the waypoint stream that a flight stack puts up with, seconds."""

PARAMETERS: dict[str, Any] = {
    'area.polygon': (0.0, 0.0, 100.0, 0.0, 100.0, 100.0, 0.0, 100.0),
    'budget.total_m': 1e6,
    'vehicle.speed_mps': 20.0,
    'vehicle.acceleration_mps2': 20.0,
    'vehicle.dwell_s': 0.1,
    'ingest.max_samples': 200,
    'output.record_period_s': 0.5,
}

_TENTHS = 10
_POSE_PERIOD_S = 0.02
_CHUNK_S = 0.5
_STARTUP_S = 60.0
_STOP_TIMEOUT_S = 10.0

# The vehicle is led in these states.
_LED = ('planning', 'moving', 'measuring')


@dataclass
class SoakResult:
    """
    What the process was like, tenth by tenth.

    :param sent: readings sent.
    :param heard: readings the explorer counted.
    :param samples: support points of the map.
    :param rss_mb: resident memory at the end of each tenth, MB.
    :param decision_ms: median decision in each tenth, milliseconds; NaN where there was none.
    :param gaps_s: longest time between two waypoints in each tenth, seconds.
    :param decisions: made in all.
    :param state: of the mission at the end.
    :param exit_code: of the process.
    """

    sent: int = 0
    heard: int = 0
    samples: int = 0
    rss_mb: list[float] = field(default_factory=list)
    decision_ms: list[float] = field(default_factory=list)
    gaps_s: list[float] = field(default_factory=list)
    decisions: int = 0
    state: str = ''
    exit_code: int | None = None


class Soak:
    """
    Runs the explorer and everything it hears.

    :param folder: for parameters and logs.
    :param rate_hz: readings a second.
    :param seed: of the noise.
    """

    def __init__(self, folder: Path, rate_hz: float, seed: int = 0) -> None:
        self._rate = rate_hz
        self._rng = np.random.default_rng(seed)
        self._domain = DomainClaim()
        domain = self._domain.number
        environment = {**node_environment(folder, domain), 'OMP_NUM_THREADS': '1'}
        os.environ.update(environment)
        write_parameters(folder / 'soak.yaml', PARAMETERS)
        self._context = open_context(domain)
        self._node = rclpy.create_node('soak', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._poses = self._node.create_publisher(PoseStamped, 'pose', qos.SENSOR_OUTPUT)
        self._readings = self._node.create_publisher(Float64, 'reading', qos.SENSOR_OUTPUT)
        self._node.create_subscription(String, qos.RECORD, self._take_record, qos.LATCHED)
        self._node.create_subscription(
            PoseStamped, qos.WAYPOINT, self._take_waypoint, qos.WAYPOINT_INPUT
        )
        self._vehicle = PointVehicle(
            np.array([50.0, 50.0]),
            speed_mps=PARAMETERS['vehicle.speed_mps'],
            acceleration_mps2=PARAMETERS['vehicle.acceleration_mps2'],
        )
        self._waypoint: Any = None
        self._waypoint_at: float | None = None
        self._gap_s = 0.0
        self._record: dict[str, Any] = {}
        self._n_decisions = self._sent = 0
        self._pose_due = 0.0
        self._flown_at = time.monotonic()
        arguments = ['--ros-args', '--params-file', str(folder / 'soak.yaml')]
        self._process = NodeProcess(
            'explorer', 'bo_explorer.ros.explorer_node', arguments, environment, folder
        )

    def run(self, messages: int, tell: Any = None) -> SoakResult:
        """
        Send readings until the explorer has heard so many; look at it after each tenth.

        :param messages: readings to be heard: best effort may lose some on the way.
        :param tell: takes a line after each tenth, ``None`` for silence.
        :return: the figures; the process has ended then.
        :raises OSError: if the explorer does not fly, or no more.
        """
        result = SoakResult()
        try:
            self._wait_for_take_off()
            for tenth in range(1, _TENTHS + 1):
                while self._heard < messages * tenth // _TENTHS:
                    self._send(max(int(_CHUNK_S * self._rate), 1))
                    if self._record['state'] not in _LED or self._process.exit_code is not None:
                        raise OSError(f'the explorer flies no more: {self._record["reason"]}')
                self._note(result)
                if tell is not None:
                    tell(
                        f'{self._heard} readings: {result.rss_mb[-1]:.1f} MB, '
                        f'{result.decision_ms[-1]:.1f} ms a decision, '
                        f'longest gap {result.gaps_s[-1]:.3f} s'
                    )
        finally:
            codes = stop_all([self._process], _STOP_TIMEOUT_S)
            self._executor.shutdown(timeout_sec=0.0)
            self._node.destroy_node()
            rclpy.try_shutdown(context=self._context)
            self._domain.release()
        record = self._record
        result.exit_code = codes['explorer']
        result.sent, result.heard = self._sent, self._heard
        result.samples = len(record['samples'])
        result.decisions, result.state = len(record['decision_ms']), record['state']
        return result

    @property
    def _heard(self) -> int:
        return int(self._record.get('n_readings', 0))

    def _wait_for_take_off(self) -> None:
        end = time.monotonic() + _STARTUP_S
        while self._record.get('state') not in _LED:
            if time.monotonic() > end or self._process.exit_code is not None:
                raise OSError(f'the explorer does not fly: {self._process.last_lines()}')
            self._send(1)
        self._gap_s = 0.0

    def _send(self, count: int) -> None:
        started = time.monotonic()
        for number in range(count):
            due = started + number / self._rate
            while True:
                now = time.monotonic()
                if now >= self._pose_due:
                    self._pose_due = max(self._pose_due + _POSE_PERIOD_S, now)
                    self._fly()
                self._executor.spin_once(timeout_sec=min(max(due - now, 0.0), 0.005))
                if time.monotonic() >= due:
                    break
            x, y = self._vehicle.position
            value = float(np.sin(0.1 * x) * np.cos(0.07 * y) + 0.1 * self._rng.normal())
            self._readings.publish(Float64(data=value))
            self._sent += 1

    def _fly(self) -> None:
        now = time.monotonic()
        self._vehicle.step(self._waypoint, now - self._flown_at)
        self._flown_at = now
        x, y = self._vehicle.position
        message = PoseStamped()
        stamp = 1e-9 * self._node.get_clock().now().nanoseconds
        message.header = conversions.header(stamp, 'map')
        message.pose.position.x, message.pose.position.y = float(x), float(y)
        message.pose.position.z = 10.0
        self._poses.publish(message)

    def _take_waypoint(self, message: PoseStamped) -> None:
        now = time.monotonic()
        if self._waypoint_at is not None:
            self._gap_s = max(self._gap_s, now - self._waypoint_at)
        self._waypoint_at = now
        place = message.pose.position
        self._waypoint = np.array([place.x, place.y])

    def _take_record(self, message: String) -> None:
        self._record = json.loads(message.data)

    def _note(self, result: SoakResult) -> None:
        if self._waypoint_at is not None:
            self._gap_s = max(self._gap_s, time.monotonic() - self._waypoint_at)
        result.gaps_s.append(self._gap_s)
        self._gap_s = 0.0
        result.rss_mb.append(resident_mb(self._process.pid))
        decisions = self._record.get('decision_ms', [])
        newest = decisions[self._n_decisions :]
        self._n_decisions = len(decisions)
        result.decision_ms.append(float(np.median(newest)) if newest else float('nan'))


def resident_mb(pid: int) -> float:
    """Return the memory a process has in RAM, MB."""
    pages = int(Path(f'/proc/{pid}/statm').read_text(encoding='ascii').split()[1])
    return pages * os.sysconf('SC_PAGE_SIZE') / 1e6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 1 where the stream had too long a gap."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0] if __doc__ else None)
    parser.add_argument('--messages', type=int, default=100_000, help='heard by the explorer')
    parser.add_argument('--rate', type=float, default=500.0, help='Hz (default: %(default)s)')
    given = parser.parse_args(arguments)
    # Whoever ends this process ends the explorer as well.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        result = Soak(Path(folder), given.rate).run(given.messages, print)
    gap_s = max(result.gaps_s)
    print(
        f'{result.sent} readings sent, {result.heard} heard; {result.samples} support points, '
        f'{result.decisions} decisions; at the end {result.state}, exit code {result.exit_code}'
    )
    print(
        f'memory grew by {result.rss_mb[-1] - result.rss_mb[0]:.1f} MB after the first tenth; '
        f'the last decisions took {result.decision_ms[-1] / result.decision_ms[0]:.2f} of the '
        f'first; longest gap {gap_s:.3f} s'
    )
    return int(gap_s > MAX_GAP_S or result.exit_code != 0)


if __name__ == '__main__':
    sys.exit(main())
