# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Real processes that meet over DDS, and an observer that waits for what it wants to see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..ros_isolation import isolated_environment, next_domain_id

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60.0


class Process:
    """A node in a process of its own."""

    def __init__(self, popen: subprocess.Popen, log: Path) -> None:
        self.popen = popen
        self._log = log
        self.is_ended = False

    @property
    def log(self) -> str:
        """Everything the process has said."""
        return self._log.read_text()

    def end(self, number: int, timeout_s: float = 10.0) -> int:
        """Send a signal and return the exit code."""
        self.is_ended = True
        self.popen.send_signal(number)
        return self.popen.wait(timeout_s)


class Observer:
    """A node of the test's own that listens, speaks and waits."""

    def __init__(self, context: Any, processes: list[Process]) -> None:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor

        self.node = rclpy.create_node('observer', context=context)
        self._executor = SingleThreadedExecutor(context=context)
        self._executor.add_node(self.node)
        self._processes = processes
        self.heard: dict[str, list[Any]] = {}

    def close(self) -> None:
        """Take the node down."""
        self._executor.remove_node(self.node)
        self._executor.shutdown()
        self.node.destroy_node()

    def listen(self, message_type: Any, topic: str, profile: Any) -> list[Any]:
        """Return the list every message of a topic will be added to."""
        heard = self.heard.setdefault(topic, [])
        self.node.create_subscription(message_type, topic, heard.append, profile)
        return heard

    def listen_to_record(self, topic: str = 'record') -> None:
        """Listen to the mission record."""
        from std_msgs.msg import String

        from bo_explorer.ros import qos

        self.listen(String, topic, qos.LATCHED)

    def record(self, topic: str = 'record') -> dict[str, Any]:
        """Return the newest mission record, empty before the first."""
        heard = self.heard[topic]
        return json.loads(heard[-1].data) if heard else {}

    def wait(
        self,
        condition: Callable[[], Any],
        what: str,
        *,
        meanwhile: Callable[[], Any] = lambda: None,
        timeout_s: float = TIMEOUT_S,
    ) -> Any:
        """Spin until the condition holds and return what it gave; every process must live on."""
        end = time.monotonic() + timeout_s
        while not (result := condition()):
            assert time.monotonic() < end, f'waited in vain for {what}'
            for process in self._processes:
                assert process.is_ended or process.popen.poll() is None, 'a node has died'
            meanwhile()
            self._executor.spin_once(timeout_sec=0.05)
        return result

    def wait_for_state(self, *states: str, topic: str = 'record', **arguments: Any) -> dict:
        """Wait until the mission is in one of the states and return its record."""
        self.wait(
            lambda: self.record(topic).get('state') in states, f'state {states}', **arguments
        )
        return self.record(topic)

    def call(self, service_type: Any, name: str, request: Any = None) -> Any:
        """Call a service and return its response."""
        client = self.node.create_client(service_type, name)
        self.wait(client.service_is_ready, f'service {name}')
        future = client.call_async(request or service_type.Request())
        self.wait(future.done, f'answer of {name}')
        self.node.destroy_client(client)
        return future.result()


class Stage:
    """One test's domain: starts nodes in it and observers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._domain = next_domain_id()
        self._environment = isolated_environment(folder / 'log')
        os.environ.update(self._environment)
        self._processes: list[Process] = []
        self._observers: list[tuple[Any, Observer]] = []

    def start(self, executable: str, parameters: dict[str, Any], *arguments: str) -> Process:
        """Start a node with parameters and further ROS arguments."""
        import yaml

        number = len(self._processes)
        file = self._folder / f'{number}.yaml'
        file.write_text(yaml.safe_dump({'/**': {'ros__parameters': parameters}}))
        module = f'bo_explorer.ros.{executable}'
        return self._launch(module, '--ros-args', '--params-file', str(file), *arguments)

    def command(self, *arguments: str) -> Process:
        """Start the command of the package."""
        return self._launch('bo_explorer.cli', *arguments)

    def _launch(self, module: str, *arguments: str) -> Process:
        log = self._folder / f'{len(self._processes)}_{module}.log'
        with log.open('w') as stream:
            popen = subprocess.Popen(
                [sys.executable, '-m', module, *arguments],
                cwd=self._folder,
                env={
                    **os.environ,
                    **self._environment,
                    'ROS_DOMAIN_ID': str(self._domain),
                    'PYTHONPATH': os.pathsep.join([str(ROOT), os.environ.get('PYTHONPATH', '')]),
                },
                stdout=stream,
                stderr=subprocess.STDOUT,
            )
        self._processes.append(Process(popen, log))
        return self._processes[-1]

    def observer(self) -> Observer:
        """Return a fresh observer, a late joiner if nodes run already."""
        import rclpy

        context = rclpy.Context()
        rclpy.init(args=[], context=context, domain_id=self._domain)
        observer = Observer(context, self._processes)
        self._observers.append((context, observer))
        return observer

    def close(self) -> None:
        """End everything and show what the nodes said."""
        for context, observer in self._observers:
            observer.close()
            context.try_shutdown()
        for process in self._processes:
            if process.popen.poll() is None:
                process.popen.kill()
                process.popen.wait()
            print(f'--- {process.popen.args[2]}\n{process.log}')


@pytest.fixture
def stage(tmp_path):
    """Return an empty stage in a domain of its own."""
    pytest.importorskip('rclpy', reason='ROS 2 is not installed')
    pytest.importorskip('yaml')
    stage = Stage(tmp_path)
    yield stage
    stage.close()
