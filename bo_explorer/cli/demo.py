# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One mission flown by two ROS 2 processes, watched and judged through topics."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import numpy as np
from rich.console import Console
from rich.text import Text

from ..core.area import SearchArea
from ..core.mission import MissionState
from ..core.record import MissionRecord
from ..core.types import FloatArray
from ..recording.bag_reader import find_recording
from ..sim.audit import FlightAudit
from .domains import DomainClaim
from .processes import NodeProcess, node_environment, stop_all
from .progress import MissionProgress, make_console
from .result import MissionResult, publish_result
from .scenario import Scenario, write_parameters
from .truth import field_of, truth_of

_ENDED = (MissionState.DONE.value, MissionState.HOLD.value)
_NODES = {
    'simulator': ('bo_explorer.ros.simulator_node', ()),
    'explorer': ('bo_explorer.ros.explorer_node', ('-p', 'use_sim_time:=true')),
}
_STOP_TIMEOUT_S = 10.0
_STARTUP_S = 60.0
_LAST_MAP_S = 1.0


def fly_demo(scenario: Scenario, out: Path, *, timeout_s: float | None = None) -> bool:
    """
    Fly one mission in real processes and write what came of it.

    :param scenario: all settings.
    :param out: folder for the files; made if missing.
    :param timeout_s: give up after this many seconds; ``None``: ten times the longest flight.
    :return: whether the mission ended, both processes ended well, and the vehicle came home within
        its budget and kept out of every no-fly zone.
    :raises BoExplorerError: if area, field or policy cannot be used.
    :raises OSError: if a file cannot be written or a process cannot be started.
    """
    console = make_console()
    truth = truth_of(field_of(scenario), scenario)
    explorer = scenario.explorer
    audit = FlightAudit(
        SearchArea.from_config(explorer.area, explorer.no_fly, explorer.search_plane())
    )
    logs = out / 'log'
    logs.mkdir(parents=True, exist_ok=True)
    parameters = out / 'parameters.yaml'
    recordings = (out / 'recording').resolve()
    write_parameters(parameters, {'recording.folder': str(recordings), **scenario.given})
    if timeout_s is None:
        longest_s = scenario.explorer.total_m / scenario.explorer.vehicle.speed_mps
        timeout_s = _STARTUP_S + 10.0 * longest_s / scenario.clock.speed_factor

    with DomainClaim() as claim:
        domain = claim.number
        console.print(f'starting simulator_node and explorer_node in ROS domain {domain}')
        environment = node_environment(logs, domain)
        os.environ.update(environment)
        with _nodes(parameters, logs, environment) as processes:
            record, cloud = _watch(scenario, audit, processes, domain, console, timeout_s)
            exit_codes = stop_all(processes, _STOP_TIMEOUT_S)
    for process in processes:
        if exit_codes[process.name] != 0:
            _report_death(process, exit_codes[process.name])
    if record is None:
        if not any(exit_codes.values()):
            print('bo_explorer: error: no record of the mission has come.', file=sys.stderr)
        return False
    has_ended = record.state in _ENDED
    if not has_ended:
        print(
            f'bo_explorer: error: the mission had not ended ({record.state}: {record.reason}).',
            file=sys.stderr,
        )
    result = MissionResult(
        record=record,
        audit=audit,
        points=np.column_stack([cloud['x'], cloud['y']]),
        mean=cloud['mean'],
        std=cloud['std'],
        truth=truth,
    )
    is_good = publish_result(result, out, console)
    if 'recording.folder' not in scenario.given:
        console.print(Text(str(find_recording(recordings))), soft_wrap=True)
    return is_good and has_ended and not any(exit_codes.values())


@contextmanager
def _nodes(
    parameters: Path, logs: Path, environment: Mapping[str, str]
) -> Iterator[list[NodeProcess]]:
    """Start the nodes; whatever happens inside, none of them runs afterwards."""
    processes: list[NodeProcess] = []
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        for name, (module, extra) in _NODES.items():
            arguments = ['--ros-args', '--params-file', str(parameters), *extra]
            with _uninterrupted():
                processes.append(NodeProcess(name, module, arguments, environment, logs))
        yield processes
    finally:
        # A second Ctrl-C must not leave a process behind.
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        stop_all(processes, _STOP_TIMEOUT_S)
        signal.signal(signal.SIGINT, interrupt)
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let a signal wait: a node that has been started must be known to whoever stops it."""
    heard: list[int] = []
    before = {
        number: signal.signal(number, lambda number, frame: heard.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if heard:
        raise KeyboardInterrupt


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _watch(
    scenario: Scenario,
    audit: FlightAudit,
    processes: Sequence[NodeProcess],
    domain: int,
    console: Console,
    timeout_s: float,
) -> tuple[MissionRecord | None, dict[str, FloatArray]]:
    """Follow the mission until it ends, a process dies or the time is up."""
    from ..ros.mission_listener import MissionListener

    listener = MissionListener(
        scenario.node.pose,
        lambda pose: audit.add(pose.position),
        domain,
        scenario.explorer.search_plane(),
    )
    give_up_at = time.monotonic() + timeout_s
    try:
        with MissionProgress(console) as progress:
            shown = None
            while time.monotonic() < give_up_at:
                listener.listen(0.1)
                record = listener.record
                if record is not None and record is not shown:
                    shown = record
                    progress.show(record)
                    if record.state in _ENDED:
                        # The last map may still be on its way.
                        give_up_at = min(give_up_at, time.monotonic() + _LAST_MAP_S)
                if any(process.exit_code is not None for process in processes):
                    break
        return listener.record, listener.map()
    finally:
        listener.close()


def _report_death(process: NodeProcess, exit_code: int) -> None:
    print(
        f'bo_explorer: error: {process.name} ended with exit code {exit_code}; its last lines '
        f'({process.log_path}):\n{process.last_lines()}',
        file=sys.stderr,
    )
