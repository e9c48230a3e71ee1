# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One mission of the campaign, from the start of its processes to the verdict."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import String

from ..cli.processes import NodeProcess, RunningNode, stop_all
from ..cli.scenario import Scenario, write_parameters
from ..core.mission_state import MissionState
from ..ros import qos
from ..ros.context import open_context
from .calls import ExplorerCalls, Storm, draw_change, mended
from .nursery import Nursery
from .plan import ON_TOPICS, MissionPlan, PlannedFault
from .relay import FaultRelay, remappings
from .witness import Witness

EXPLORER, SIMULATOR = 'explorer', 'simulator'
MODULES = {name: f'bo_explorer.ros.{name}_node' for name in (EXPLORER, SIMULATOR)}

_AT_REST = (MissionState.DONE.value, MissionState.HOLD.value)
_SPIN_S = 0.01
_STOP_TIMEOUT_S = 10.0
# A hung node never answers; one on a cable that loses packets may take long to be discovered.
_ANSWER_TIMEOUT_S = 60.0
_GIVE_UP_S = 240.0
_RESUME_PERIOD_S = 2.0
_REST_S = {MissionState.DONE.value: 0.5, MissionState.HOLD.value: 6.0}

# Wall time after which a new zone must be kept out of.
_GRACE_S = 3.0


class CampaignFlight:
    """
    Flies one plan.

    :param plan: what to fly and what goes wrong.
    :param folder: for parameters, memory and logs; made if missing.
    :param domain_id: ROS domain.
    :param environment: of the processes.
    :param explorer_prefix: command that runs the explorer.
    :param nurseries: where the nodes are born instead, by their names; empty for none.
    """

    def __init__(
        self,
        plan: MissionPlan,
        folder: Path,
        domain_id: int,
        environment: Mapping[str, str],
        explorer_prefix: Sequence[str] = (),
        nurseries: Mapping[str, Nursery] = MappingProxyType({}),
    ) -> None:
        self._plan = plan
        self._folder = folder
        self._environment = environment
        self._nurseries = nurseries
        self._prefix = {EXPLORER: tuple(explorer_prefix), SIMULATOR: ()}
        folder.mkdir(parents=True, exist_ok=True)
        self._values = {**plan.parameters, 'memory.folder': str((folder / 'memory').resolve())}
        self._config = Scenario.from_flat(self._values).explorer
        self._witness = Witness(self._config)
        self._rng = np.random.default_rng([6, plan.seed])
        self._context = open_context(domain_id)
        self._node = rclpy.create_node('fault_campaign', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._relay = FaultRelay(self._node, self._rng, self._witness.see)
        self._calls = ExplorerCalls(self._node)
        self._node.create_subscription(String, qos.RECORD, self._take_record, qos.LATCHED)
        self._running: dict[str, RunningNode] = {}
        self._all: list[RunningNode] = []
        self._timers: list[tuple[float, Callable[[], None]]] = []
        self._storms: list[Storm] = []
        self._ending: dict[str, tuple[float, float]] = {}
        self._resumed_at = self._heard_at = self._changed_at = 0.0
        self.begun: list[str] = []
        """Kinds of the faults that came to pass."""

    def fly(self) -> dict[str, Any]:
        """Fly and judge; whatever happens, no process is left."""
        started = time.monotonic()
        try:
            for name in (SIMULATOR, EXPLORER):
                self._start(name)
            if self._spin_until(lambda: bool(self._witness.record), _GIVE_UP_S):
                took_off = time.monotonic()
                for fault in self._plan.faults:
                    self._later(fault.at_s, self._action(fault))
                self._spin_until(self._is_over, _GIVE_UP_S)
                flown_s = time.monotonic() - took_off
            else:
                flown_s = 0.0
            self._ask_whether_it_lives()
        finally:
            self._stop()
        self._witness.judge()
        return {
            'seed': self._plan.seed,
            'policy': self._plan.parameters['policy.name'],
            'faults': self.begun + ['packet_loss'] * self._plan.loses_packets,
            'broken': self._witness.broken,
            'seconds': time.monotonic() - started,
            'flown_s': flown_s,
            **self._witness.summary(),
        }

    # Processes

    def _start(self, name: str) -> None:
        number = sum(process.name.startswith(name) for process in self._all)
        path = self._folder / f'{name}_{number}.yaml'
        extra = ['-p', 'use_sim_time:=true']
        values = self._values
        if name == SIMULATOR:
            extra = remappings()
            position = self._witness.position
            if position is not None:
                # The vehicle is where it is, whatever happens to the process that speaks for it.
                place = zip(('start_x', 'start_y'), position.tolist())
                values = {**values, **{f'simulator.vehicle.{k}': v for k, v in place}}
        write_parameters(path, values)
        what = (
            f'{name}_{number}',
            MODULES[name],
            ['--ros-args', '--params-file', str(path), *extra],
            self._environment,
            self._folder,
        )
        process: RunningNode
        if name in self._nurseries:
            process = self._nurseries[name].start(*what)
        else:
            process = NodeProcess(*what, self._prefix[name])
        self._running[name] = process
        self._all.append(process)
        if name == EXPLORER and number:
            self._witness.expect_all_of_it()

    def _end_process(self, name: str, number: int, away_s: float) -> None:
        process = self._running.pop(name, None)
        if process is None:
            return
        # A zone that was answered and not yet flown by may be gone with the process.
        self._timers = [timer for timer in self._timers if timer[1] != self._judge_zones]
        process.send(number)
        asked = time.monotonic()

        def look() -> None:
            code = process.exit_code
            if code is None:
                if time.monotonic() - asked > _STOP_TIMEOUT_S:
                    self._break('hung', f'{process.name} did not end by signal {number}')
                    process.wait(0.0)
                self._later(0.05, look)
                return
            # A process that has not come up yet has no handler.
            if number == signal.SIGTERM and code not in (0, -number):
                self._break('crashed', f'{process.name} ended with {code} by SIGTERM')
            self._later(away_s, lambda: self._start(name))

        look()

    def _ask_whether_it_lives(self) -> None:
        if EXPLORER in self._running:
            end = time.monotonic() + _ANSWER_TIMEOUT_S
            while time.monotonic() < end:
                future = self._calls.ask_state()
                if self._spin_until(future.done, 2.0):
                    return
            self._break('hung', 'the explorer does not answer any more')

    def _stop(self) -> None:
        codes = stop_all(list(self._running.values()), _STOP_TIMEOUT_S)
        for name, code in codes.items():
            if code == -signal.SIGKILL:
                self._break('hung', f'{name} did not end by SIGINT')
            elif code != 0:
                self._break('crashed', f'{name} ended with {code}')
        for process in self._all:
            process.wait(0.0)
            text = process.log_path.read_text(encoding='utf-8', errors='replace')
            if 'Traceback' in text:
                self._break('crashed', f'{process.name} printed a traceback')
        self._executor.shutdown(timeout_sec=0.0)
        self._node.destroy_node()
        rclpy.try_shutdown(context=self._context)

    # Time

    def _later(self, delay_s: float, action: Callable[[], None]) -> None:
        self._timers.append((time.monotonic() + delay_s, action))

    def _spin_until(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        end = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > end:
                return False
            self._executor.spin_once(timeout_sec=_SPIN_S)
            self._relay.deliver()
            now = time.monotonic()
            due = [action for at, action in self._timers if at <= now]
            self._timers = [timer for timer in self._timers if timer[0] > now]
            for action in due:
                action()
            self._storms = [storm for storm in self._storms if storm.go_on()]
            self._let_it_go_on()
            for name, process in list(self._running.items()):
                if process.exit_code is not None:
                    self._break('crashed', f'{name} ended by itself with {process.exit_code}')
                    return False
        return True

    def _let_it_go_on(self) -> None:
        is_silent = time.monotonic() - self._heard_at > _RESUME_PERIOD_S
        is_paused = self._witness.state == MissionState.PAUSED.value
        if self._storms or not (is_paused or is_silent):
            return
        if time.monotonic() - self._resumed_at > _RESUME_PERIOD_S:
            self._resumed_at = time.monotonic()
            if is_silent:
                self._calls.set(mended(self._values, self._config.no_fly.polygons))
            self._calls.activate()
            self._calls.command('resume')

    def _is_over(self) -> bool:
        state = self._witness.state
        if state not in _AT_REST or len(self._running) < 2 or self._storms:
            return False
        is_still_to_come = state == MissionState.HOLD.value and bool(self._timers)
        is_at_rest = time.monotonic() - self._changed_at > _REST_S[state]
        is_fresh = time.monotonic() - self._heard_at < _RESUME_PERIOD_S
        return is_at_rest and is_fresh and self._relay.is_well and not is_still_to_come

    # Faults

    def _action(self, fault: PlannedFault) -> Callable[[], None]:
        def act() -> None:
            if self._witness.state == MissionState.DONE.value:
                return
            self.begun.append(fault.kind)
            if fault.kind in ON_TOPICS:
                self._relay.begin(fault)
            elif fault.kind == 'kill_explorer':
                self._end_process(EXPLORER, signal.SIGKILL, fault.amount)
            elif fault.kind == 'kill_simulator':
                self._end_process(SIMULATOR, signal.SIGKILL, fault.amount)
            elif fault.kind == 'sigterm':
                name = (EXPLORER, SIMULATOR)[int(self._rng.integers(2))]
                self._end_process(name, signal.SIGTERM, fault.amount)
            elif fault.kind == 'service_storm':
                rng = np.random.default_rng(int(fault.amount))
                self._storms.append(Storm(self._calls, rng, fault.lasts_s))
            else:
                self._change_parameters(np.random.default_rng(int(fault.amount)))

        return act

    def _change_parameters(self, rng: np.random.Generator) -> None:
        position, home = self._witness.position, self._witness.record['home']
        if position is None:
            return
        zones = self._config.no_fly.polygons
        values = draw_change(rng, position, np.array(home), zones)
        future = self._calls.set(values)
        give_up_at = time.monotonic() + _STOP_TIMEOUT_S

        def look() -> None:
            if not future.done():
                if time.monotonic() < give_up_at:
                    self._later(0.1, look)
                return
            answer = future.result()
            is_taken = answer is not None and all(r.successful for r in answer.results)
            if is_taken and 'no_fly.polygons' in values:
                no_fly = replace(self._config.no_fly, polygons=tuple(values['no_fly.polygons']))
                self._config = replace(self._config, no_fly=no_fly)
                self._later(_GRACE_S, self._judge_zones)

        look()

    def _judge_zones(self) -> None:
        self._witness.change_zones(self._config)

    # Records

    def _take_record(self, message: String) -> None:
        record = json.loads(message.data)
        before = self._witness.state
        self._witness.take_record(record)
        self._heard_at = time.monotonic()
        if self._witness.state != before:
            self._changed_at = time.monotonic()

    def _break(self, rule: str, sentence: str) -> None:
        self._witness.broken.setdefault(rule, sentence)
