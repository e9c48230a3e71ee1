# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Runs on a Ray cluster, one core each.

The package must be installed on every node, and real data must lie at the same path there. A run
whose node is lost is made again elsewhere; one whose process dies over and over is recorded as
failed.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from typing import Any

from ...core.errors import ConfigError
from .definition import Task
from .execution import Call, failed
from .journal import RunRecord

# Runs handed to Ray for each core of the cluster: enough that none waits for the next.
_QUEUED = 2

_RETRIES = 3


def run_on_ray(
    call: Call, tasks: Sequence[Task], address: str | None
) -> Generator[RunRecord, None, None]:
    """
    Make runs on a Ray cluster.

    :param call: makes one run.
    :param tasks: begun in this order.
    :param address: of the cluster; ``None``: that of ``RAY_ADDRESS`` or of a cluster this machine
        is part of, or else a cluster of this machine alone, made for these runs.
    :return: records as they come.
    :raises ConfigError: if Ray is not installed or there is no cluster at the address.
    """
    ray = _ray()
    try:
        ray.init(address=address, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigError(
            'address',
            f"'address' must be that of a running Ray cluster, got {address!r}: {error}; "
            'start one with: ray start --head',
        ) from error
    try:
        yield from _drive(ray, call, tasks)
    finally:
        ray.shutdown()


def _drive(ray: Any, call: Call, tasks: Sequence[Task]) -> Generator[RunRecord, None, None]:
    remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(_made)
    shared = ray.put(call)
    waiting = list(reversed(tasks))
    running: dict[Any, tuple[Task, float]] = {}
    while waiting or running:
        # Asked every time: nodes may join and leave.
        room = max(1, _QUEUED * int(ray.cluster_resources().get('CPU', 1)))
        while waiting and len(running) < room:
            task = waiting.pop()
            running[remote.remote(shared, task)] = (task, time.perf_counter())
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            task, began = running.pop(reference)
            try:
                record: RunRecord = ray.get(reference)
            except ray.exceptions.RayError as error:
                record = failed(task, error, time.perf_counter() - began)
            yield record


def _made(call: Call, task: Task) -> RunRecord:
    return call(task)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ConfigError(
            'backend',
            "'backend' must be local where Ray is not installed, got 'ray'; install it with: "
            "pip install 'bo_explorer[ray]'",
        ) from error
    return ray
