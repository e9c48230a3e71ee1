# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A process that has loaded the nodes' libraries and forks nodes: they start in no time.

Most of what a short mission costs is loading PyTorch, once for each start and restart. A node born
here is a process of its own as any other; only its imports are done.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..cli.processes import RunningNode

_LOADING_S = 60.0
_POLL_S = 0.02


class BornProcess(RunningNode):
    """
    A node that was forked.

    :param name: for people and for the file.
    :param log_path: what it prints.
    :param pid: number of the process.
    :param codes: gets the exit codes by number of the process.
    """

    def __init__(self, name: str, log_path: Path, pid: int, codes: Mapping[int, int]) -> None:
        self.name = name
        self.log_path = log_path
        self.pid = pid
        self._codes = codes

    @property
    def exit_code(self) -> int | None:
        """How the process ended, or ``None`` while it runs."""
        return self._codes.get(self.pid)

    def send(self, number: int) -> None:
        """Send a signal, if the process still runs."""
        if self.exit_code is None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                # It has ended; its code is on the way.
                return

    def wait(self, timeout_s: float) -> int:
        """
        Wait for the end; a process that does not end in time is killed.

        :param timeout_s: seconds.
        :return: exit code, negative for a signal.
        """
        end = time.monotonic() + timeout_s
        while (code := self.exit_code) is None:
            if time.monotonic() > end:
                self.send(signal.SIGKILL)
            time.sleep(_POLL_S)
        return code


class Nursery:
    """
    Has nodes born.

    :param modules: of the nodes, loaded at once.
    :param prefix: command that runs the nursery, and so all that is born in it.
    :raises OSError: if it cannot be started, or a module not be loaded.
    """

    def __init__(self, modules: Sequence[str], prefix: Sequence[str] = ()) -> None:
        self._codes: dict[int, int] = {}
        self._born: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [*prefix, sys.executable, '-m', __name__, *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, 'OMP_NUM_THREADS': '1'},
            start_new_session=True,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self._next_pid()
        except OSError:
            self.close()
            raise

    def start(
        self,
        name: str,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log_folder: Path,
    ) -> BornProcess:
        """
        Start a node.

        :param name: for people and for the file.
        :param module: one of the modules.
        :param arguments: its command line.
        :param environment: all its environment variables.
        :param log_folder: folder of the file.
        :raises OSError: if the nursery has ended.
        """
        log_path = log_folder / f'{name}.log'
        # A node that is killed at once has said nothing, and says so.
        log_path.touch()
        request = {
            'module': module,
            'arguments': list(arguments),
            'environment': dict(environment),
            'log': str(log_path.resolve()),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + '\n')
        self._process.stdin.flush()
        return BornProcess(name, log_path, self._next_pid(), self._codes)

    def close(self) -> None:
        """End the nursery and whatever still lives in it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._listener.join()
        self._process.stdout.close()

    def _next_pid(self) -> int:
        try:
            pid = self._born.get(timeout=_LOADING_S)
        except queue.Empty:
            pid = None
        if pid is None:
            raise OSError('the nursery has no nodes any more')
        return pid

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            kind, _, rest = line.partition(' ')
            if kind == 'born':
                self._born.put(int(rest))
            else:
                pid, code = map(int, rest.split())
                self._codes[pid] = code
        self._born.put(None)


def _bear(request: Mapping[str, Any]) -> None:
    """Become a node; never returns."""
    code = 1
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        log = os.open(request['log'], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, place in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(descriptor, place)
        os.environ.clear()
        os.environ.update(request['environment'])
        sys.argv = [request['module'], *request['arguments']]
        code = int(sys.modules[request['module']].main())
    except BaseException:  # noqa: BLE001  nothing may go on as a second nursery
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _reap(living: set[int]) -> None:
    for pid in list(living):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            living.remove(pid)
            print('ended', pid, os.waitstatus_to_exitcode(status), flush=True)


def main(modules: Sequence[str]) -> None:
    """
    Fork a node for each line of JSON, until there are no more lines.

    :param modules: to load.
    """
    for module in modules:
        importlib.import_module(module)
    print('born', os.getpid(), flush=True)
    living: set[int] = set()
    while True:
        ready, _, _ = select.select([sys.stdin], [], [], _POLL_S)
        _reap(living)
        if not ready:
            continue
        line = sys.stdin.readline()
        if not line:
            break
        pid = os.fork()
        if pid == 0:
            _bear(json.loads(line))
        living.add(pid)
        print('born', pid, flush=True)
    for pid in living:
        os.kill(pid, signal.SIGKILL)


if __name__ == '__main__':
    main(sys.argv[1:])
