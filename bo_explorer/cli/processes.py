# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The nodes of a demonstration as processes of the operating system."""

from __future__ import annotations

import abc
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_TAIL_LINES = 12


class RunningNode(abc.ABC):
    """A node in a process, however it was started."""

    name: str
    log_path: Path

    @property
    @abc.abstractmethod
    def exit_code(self) -> int | None:
        """How the process ended, or ``None`` while it runs."""

    @abc.abstractmethod
    def send(self, number: int) -> None:
        """Send a signal, if the process still runs."""

    @abc.abstractmethod
    def wait(self, timeout_s: float) -> int:
        """
        Wait for the end; a process that does not end in time is killed.

        :param timeout_s: seconds.
        :return: exit code, negative for a signal.
        """

    def interrupt(self) -> None:
        """Ask the process to end, if it still runs."""
        self.send(signal.SIGINT)


class NodeProcess(RunningNode):
    """
    A node in a process of its own; what it prints goes into a file.

    :param name: for people and for the file.
    :param module: module that is run.
    :param arguments: its command line.
    :param environment: all its environment variables.
    :param log_folder: folder of the file.
    :param prefix: command that runs the process, before the interpreter.
    :raises OSError: if the process cannot be started.
    """

    def __init__(
        self,
        name: str,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log_folder: Path,
        prefix: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.log_path = log_folder / f'{name}.log'
        with self.log_path.open('wb') as log:
            # A session of its own: Ctrl-C reaches this program alone, which then stops the nodes.
            self._process = subprocess.Popen(
                [*prefix, sys.executable, '-m', module, *arguments],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How the process ended, or ``None`` while it runs."""
        return self._process.poll()

    def send(self, number: int) -> None:
        """Send a signal, if the process still runs."""
        if self.exit_code is None:
            self._process.send_signal(number)

    def wait(self, timeout_s: float) -> int:
        """
        Wait for the end; a process that does not end in time is killed.

        :param timeout_s: seconds.
        :return: exit code, negative for a signal.
        """
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def last_lines(self) -> str:
        """Return the end of what the process printed."""
        text = self.log_path.read_text(encoding='utf-8', errors='replace')
        return '\n'.join(text.splitlines()[-_TAIL_LINES:])


def stop_all(processes: Sequence[RunningNode], timeout_s: float) -> dict[str, int]:
    """
    Interrupt processes together and wait for their ends.

    :param timeout_s: most seconds to wait for each.
    :return: exit codes by name.
    """
    for process in processes:
        process.interrupt()
    return {process.name: process.wait(timeout_s) for process in processes}


def node_environment(log_folder: Path, domain_id: int) -> dict[str, str]:
    """
    Return an environment in which nodes see only nodes of the same domain on this machine.

    :param log_folder: where ROS 2 writes its own logs.
    :param domain_id: of the mission.
    """
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ('ROS_LOCALHOST_ONLY', 'ROS_STATIC_PEERS', 'ROS_DISCOVERY_SERVER')
    }
    environment.update(
        ROS_DOMAIN_ID=str(domain_id),
        ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST',
        FASTDDS_BUILTIN_TRANSPORTS='UDPv4',
        ROS_LOG_DIR=str(log_folder.resolve()),
        RCUTILS_COLORIZED_OUTPUT='0',
        PYTHONUNBUFFERED='1',
    )
    return environment
