# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Random and mutated messages, calls and parameters against the explorer node, in one process.

The callbacks of the node are called as the executor would call them, one after another::

    python -m bo_explorer.campaign.fuzz --count 1000000
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import Point32, PolygonStamped, PoseStamped
from rclpy.logging import LoggingSeverity, set_logger_level
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock  # type: ignore[import-untyped]
from sensor_msgs.msg import BatteryState, PointCloud2
from std_msgs.msg import Float64, String
from std_srvs.srv import Trigger

from ..core.options import OptionSpec
from ..ros.conversions import header, to_time
from ..ros.explorer_node import ExplorerNode
from ..ros.mission_listener import cloud_fields
from ..ros.settings import explorer_specs
from .random_messages import MessageMaker, numbers_in

PARAMETERS: Mapping[str, Any] = {
    'use_sim_time': True,
    'area.polygon': [0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0],
    'area.resolution_m': 8.0,
    'budget.total_m': 5000.0,
    'policy.name': 'ucb',
    'model.fit': False,
    'vehicle.dwell_s': 0.0,
    'ingest.max_samples': 50,
    'model.noise_std': 0.1,
    'model.lengthscale_m': 8.0,
}

# Actions after which a fresh node is begun with: one that is at rest for good tells nothing more.
_ROUND = 2000
_STEP_S = 0.05
_TICK_EVERY = 10
_SLOW_TICK_EVERY = 100

# Timers with longer periods publish what takes long to make.
_SLOW_NS = 0.2e9
_PROGRESS_S = 10.0
_BEGIN_S = 1_000_000.0

# A square of 30 m and what is no polygon; names that are known and some that are not.
_LISTS: tuple[Any, ...] = (
    [],
    [0.0],
    ['x'],
    [True],
    [b'x'],
    [1.0] * 7,
    [math.nan] * 6,
    [0, 0, 30, 0, 30, 30],
    [0.0, 0.0, 30.0, 0.0, 0.0, 30.0],
    ['0,0; 5,0; 5,5'],
    ['0,0; 5,0; nan,5', '30,30; 32,30; 32,32'],
)
_WORDS = ('', 'nonsense', '0,0; 5,0; 5,5', 'log_ei', 'ucb', 'fixed', 'first_pose')
_VALUES: tuple[Any, ...] = (True, False, 0, 1, -1, 7, 2**62, -(2**62), *_WORDS, *_LISTS)


class OutputFault(Exception):
    """The node has said what it must not say."""


class _WatchedNode(ExplorerNode):
    """An explorer node every message of which is looked at before it leaves."""

    def create_lifecycle_publisher(self, *arguments: Any, **options: Any) -> Any:
        publisher = super().create_lifecycle_publisher(*arguments, **options)
        publish = publisher.publish

        def checked(message: Any) -> None:
            check_output(message)
            publish(message)

        publisher.publish = checked
        return publisher


def check_output(message: Any) -> None:
    """
    Look at a message the node publishes.

    :raises OutputFault: if a number in it is not finite.
    """
    if isinstance(message, String):
        json.loads(message.data, parse_constant=_refuse)
    elif isinstance(message, PointCloud2):
        for name, values in cloud_fields(message).items():
            if not np.isfinite(values).all():
                raise OutputFault(f'the field {name} of the map is not finite')
    elif not all(math.isfinite(number) for number in numbers_in(message)):
        raise OutputFault(f'not finite: {message}')


class Fuzzer:
    """
    Feeds one node.

    :param rng: draws everything.
    :param context: of ROS.
    """

    def __init__(self, rng: np.random.Generator, context: Any) -> None:
        self._rng = rng
        self._maker = MessageMaker(rng)
        self._specs: list[OptionSpec] = list(explorer_specs())
        self._now = _BEGIN_S
        self._x = self._y = 20.0
        self.counts: Counter[str] = Counter()
        self.node = _WatchedNode(
            context=context,
            parameter_overrides=[Parameter(k, value=v) for k, v in PARAMETERS.items()],
        )
        set_logger_level(self.node.get_logger().name, LoggingSeverity.FATAL)
        set_logger_level(f'{self.node.get_logger().name}.core', LoggingSeverity.FATAL)
        self._inputs = {s.topic_name.lstrip('/'): s for s in self.node.subscriptions}
        self.node.bring_up()
        self._inputs = {s.topic_name.lstrip('/'): s for s in self.node.subscriptions}
        self._take('clock', Clock(clock=to_time(self._now)))

    def close(self) -> None:
        """Take the node down."""
        self.node.close()
        self.node.destroy_node()

    def act(self, number: int) -> None:
        """
        Do the next thing to the node.

        :param number: of the action; timers run now and then.
        :raises OutputFault: if an output is not finite or a refusal is no sentence.
        """
        draw = self._rng.random()
        if draw < 0.5:
            self._send_good()
        elif draw < 0.9:
            self._send_bad()
        elif draw < 0.96:
            self._set_parameters()
        elif draw < 0.98:
            self._call()
        if number % _TICK_EVERY == 0:
            self._tick(is_slow=number % _SLOW_TICK_EVERY == 0)

    def check_alive(self) -> None:
        """
        Ask the node something it must be able to answer.

        :raises OutputFault: if it does not.
        """
        self._tick(is_slow=True)
        if self.node.get_parameter('policy.name').value is None:
            raise OutputFault('a parameter is gone')

    def _tick(self, *, is_slow: bool) -> None:
        self._now += _STEP_S * _TICK_EVERY
        self._take('clock', Clock(clock=to_time(self._now)))
        for timer in list(self.node.timers):
            if is_slow or timer.timer_period_ns < _SLOW_NS:
                timer.callback()

    def _take(self, topic: str, message: Any) -> None:
        self.counts[topic] += 1
        self._inputs[topic].callback(message)

    def _good(self, topic: str) -> Any:
        if topic == 'clock':
            return Clock(clock=to_time(self._now))
        if topic == 'reading':
            return Float64(data=float(self._rng.normal()))
        if topic == 'battery':
            return BatteryState(percentage=0.8)
        if topic in ('pose', 'set_home'):
            message = PoseStamped(header=header(self._now, 'map'))
            message.pose.position.x, message.pose.position.y = self._x, self._y
            message.pose.position.z = 10.0
            return message
        polygon = PolygonStamped(header=header(self._now, 'map'))
        x, y = self._rng.uniform(0.0, 35.0, 2)
        size = 60.0 if topic == 'set_area' else 3.0
        corners = ((x - size, y - size), (x + size, y - size), (x, y + size))
        polygon.polygon.points = [Point32(x=float(a), y=float(b)) for a, b in corners]
        return polygon

    def _send_good(self) -> None:
        topic = str(self._rng.choice(['pose', 'pose', 'reading']))
        step = self._rng.uniform(-0.5, 0.5, 2)
        self._x = float(np.clip(self._x + step[0], 0.0, 40.0))
        self._y = float(np.clip(self._y + step[1], 0.0, 40.0))
        self._take(topic, self._good(topic))

    def _send_bad(self) -> None:
        topic = str(self._rng.choice(list(self._inputs)))
        if self._rng.random() < 0.5:
            message = self._maker.random(self._inputs[topic].msg_type)
        else:
            message = self._maker.mutated(self._good(topic))
        if topic == 'clock' and message.clock.sec < 0:
            # rclpy's own callback raises; the loop of the node survives that, as a test shows.
            return
        self._take(topic, message)

    def _call(self) -> None:
        own = [s for s in self.node.services if s.srv_type is Trigger]
        service = own[int(self._rng.integers(len(own)))]
        self.counts['calls'] += 1
        answer = service.callback(service.srv_type.Request(), service.srv_type.Response())
        if not answer.message or '\n' in answer.message:
            raise OutputFault(f'{service.srv_name} answers {answer.message!r}')

    def _set_parameters(self) -> None:
        parameters = []
        for _ in range(int(self._rng.integers(1, 4))):
            spec = self._specs[int(self._rng.integers(len(self._specs)))]
            if self._rng.random() < 0.5:
                live = [s for s in self._specs if s.live]
                spec = live[int(self._rng.integers(len(live)))]
            value = _VALUES[int(self._rng.integers(len(_VALUES)))]
            if self._rng.random() < 0.4:
                value = self._maker.number()
            parameters.append(Parameter(spec.key, value=value))
        for result in self.node.set_parameters(parameters):
            self.counts['parameters taken' if result.successful else 'parameters refused'] += 1
            if not result.successful and (not result.reason or '\n' in result.reason):
                raise OutputFault(f'{parameters} refused with {result.reason!r}')
        known = {spec.key: spec for spec in self._specs}
        for parameter in parameters:
            spec = known[parameter.name]
            spec.validated(self.node.get_parameter(spec.key).value)


def fuzz(count: int, seed: int, *, tell: Any = None) -> Counter[str]:
    """
    Do many things to fresh nodes, one node after another.

    :param count: messages, calls and sets of parameters.
    :param seed: of the first node.
    :param tell: takes a line now and then, ``None`` for silence.
    :return: how many of what.
    :raises OutputFault: if an output is not finite or a refusal is no sentence in one line.
    """
    context = rclpy.Context()
    rclpy.init(args=[], context=context)
    total: Counter[str] = Counter()
    told = started = time.monotonic()
    done = 0
    try:
        for number in range(math.ceil(count / _ROUND)):
            fuzzer = Fuzzer(np.random.default_rng([7, seed + number]), context)
            step = -1
            try:
                for step in range(min(_ROUND, count - done)):
                    fuzzer.act(step)
                fuzzer.check_alive()
            except Exception as error:
                error.args = (f'round {seed + number}, action {step}: {error}',)
                raise
            finally:
                fuzzer.close()
            done += step + 1
            total += fuzzer.counts
            if tell is not None and time.monotonic() - told > _PROGRESS_S:
                told = time.monotonic()
                tell(f'{done} of {count}, {told - started:.0f} s')
    finally:
        rclpy.try_shutdown(context=context)
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 0 where nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0] if __doc__ else None)
    parser.add_argument('--count', type=int, default=100_000, help='default: %(default)s')
    parser.add_argument('--seed', type=int, default=0, help='of the first round')
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(ROS_LOG_DIR=folder, ROS_AUTOMATIC_DISCOVERY_RANGE='OFF')
        started = time.monotonic()
        total = fuzz(given.count, given.seed, tell=partial(print, flush=True))
    for name, number in sorted(total.items()):
        print(f'{name:20} {number}')
    print(f'{given.count} actions, nothing found, {time.monotonic() - started:.0f} s')
    return 0


def _refuse(name: str) -> None:
    raise OutputFault(f'{name} in the record')


if __name__ == '__main__':
    sys.exit(main())
