# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration with its real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.cli import demo as demonstration

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 120.0
SCENARIO = """
area.polygon: [0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0]
area.resolution_m: 4.0
no_fly.polygons: ['18,10; 22,10; 22,30; 18,30']
budget.total_m: 120.0
simulator.field: {kind: gp_draw, width_m: 40.0, height_m: 40.0}
simulator.vehicle: {start_x: 5.0, start_y: 5.0}
simulator.sensor.noise_std: 0.05
"""


class Demo:
    """A running demonstration."""

    def __init__(self, out: Path, *arguments: str) -> None:
        self.out = out
        scenario = out / 'scenario.yaml'
        scenario.write_text(SCENARIO)
        command = [sys.executable, '-m', 'bo_explorer.cli', 'demo', '--config', str(scenario)]
        self.process = subprocess.Popen(
            [*command, '--out', str(out), *arguments],
            env={**os.environ, 'PYTHONPATH': os.pathsep.join([str(ROOT), *self._inherited()])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @staticmethod
    def _inherited() -> list[str]:
        return [path for path in os.environ.get('PYTHONPATH', '').split(os.pathsep) if path]

    def nodes(self) -> list[int]:
        """Return the processes that run with the parameters of this demonstration."""
        mine = str(self.out / 'parameters.yaml').encode()
        found = []
        for folder in Path('/proc').glob('[0-9]*'):
            try:
                arguments = (folder / 'cmdline').read_bytes().split(b'\0')
            except OSError:
                continue
            if mine in arguments:
                found.append(int(folder.name))
        return found

    def wait_for(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + TIMEOUT_S
        while not condition():
            assert time.monotonic() < end
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.02)

    def is_flying(self) -> bool:
        log = self.out / 'log' / 'explorer.log'
        return log.exists() and 'moving' in log.read_text()

    def finish(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, out, err


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Demo]]:
    demos = []

    def begin(*arguments: str) -> Demo:
        demos.append(Demo(tmp_path, *arguments))
        return demos[-1]

    yield begin
    for demo in demos:
        if demo.process.poll() is None:
            demo.process.kill()
        for pid in demo.nodes():
            os.kill(pid, signal.SIGKILL)


def test_a_demonstration_flies_home_and_leaves_its_files(start) -> None:
    """Field case J5."""
    demo = start('--seed', '3')
    code, out, err = demo.finish()
    assert code == 0, out + err
    mission = json.loads((demo.out / 'mission.json').read_text())
    assert mission['returned_home'] is True
    assert mission['seed'] == 3
    assert mission['zone_crossings'] == 0
    assert 0.0 < mission['audit']['flown_m'] <= 120.0
    assert (demo.out / 'mission.png').stat().st_size > 10_000
    assert 'returning' in out
    assert demo.nodes() == []


def test_an_interrupt_ends_both_nodes(start) -> None:
    demo = start()
    demo.wait_for(demo.is_flying)
    assert len(demo.nodes()) == 2
    demo.process.send_signal(signal.SIGINT)
    code, _, err = demo.finish()
    assert code == 130
    assert 'interrupted' in err
    assert 'Traceback' not in err
    assert demo.nodes() == []


def test_an_interrupt_during_the_start_ends_both_nodes(start) -> None:
    demo = start()
    demo.wait_for(lambda: len(demo.nodes()) == 2)
    demo.process.send_signal(signal.SIGTERM)
    code, _, err = demo.finish()
    assert code == 130
    assert 'Traceback' not in err
    assert demo.nodes() == []


def test_the_last_words_of_a_node_that_dies_are_shown(start) -> None:
    demo = start()
    demo.wait_for(demo.is_flying)
    for pid in demo.nodes():
        if b'explorer_node' in Path(f'/proc/{pid}/cmdline').read_bytes():
            os.kill(pid, signal.SIGKILL)
    code, _, err = demo.finish()
    assert code == 1
    assert 'explorer ended with exit code -9' in err
    assert 'waiting -> moving' in err
    assert demo.nodes() == []


def test_a_mission_that_takes_too_long_is_given_up(start) -> None:
    demo = start('--timeout', '8', '--speed-factor', '1')
    code, _, err = demo.finish()
    assert code == 1
    assert 'had not ended' in err or 'no record' in err
    assert demo.nodes() == []


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_until_what_was_started_is_known(number) -> None:
    before = signal.getsignal(number)
    known = []
    with pytest.raises(KeyboardInterrupt):
        with demonstration._uninterrupted():
            signal.raise_signal(number)
            known.append('started')
    assert known == ['started']
    assert signal.getsignal(number) is before
