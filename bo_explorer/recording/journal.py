# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Every call a mission gets, in order: what is needed to repeat it bit for bit.

A mission has no clock and no threads, so its decisions depend on nothing but its settings and the
sequence of its calls. One event is one call, a dictionary of plain values::

    seq     0, 1, 2, ... without gaps unless some were lost
    call    'configure' (the first; parameters and versions), or the name of a method of Mission
    args    its arguments by name: a pose is [x, y, z, yaw, stamp], a configuration its values by
            key, a job its number
    answer  what it returned: [whether it was done, sentence] of a command; of 'begin' the number
            of the job and its task, or null where nothing is due
    result  of 'finish': what the job has found
    state, reason   where the call has changed them

Numbers are written so that they read back to the same bits; those that JSON does not know are the
strings ``nan``, ``inf`` and ``-inf``.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
import platform
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from .. import __version__
from ..core.config import ExplorerConfig
from ..core.job import Job
from ..core.mission import Mission
from ..core.options import to_flat
from ..core.policy import Policy
from ..core.types import Pose

TOPIC = 'mission_events'
"""Name of the topic the events are recorded under, relative to the namespace of the node."""

Event = dict[str, Any]
"""One call, as the module describes."""

READ_ONLY = frozenset({'setpoint', 'path', 'map', 'record'})
"""Methods of Mission that change nothing a later call depends on; all others are journalled."""


class JournalledMission(Mission):
    """
    A mission that tells every call that may change it.

    Calls a call makes itself are a part of it and are not told.

    :param config: all settings of the planner.
    :param policy: scores the candidates.
    :param values: every setting of the node by key, written down for the replay.
    :param write: takes the events, in order; must not change them.
    :raises GeometryError: if the search area or a zone cannot be used.
    """

    def __init__(
        self,
        config: ExplorerConfig,
        policy: Policy,
        values: Mapping[str, Any],
        write: Callable[[Event], object],
    ) -> None:
        self._write = write
        self._sequence = 0
        self._depth = 0
        self._n_jobs = 0
        self._jobs: list[tuple[int, Job]] = []
        super().__init__(config, policy)
        self._told = (self.state, self.reason)
        self._tell({'call': 'configure', 'parameters': plain(values), 'versions': versions()})

    def _note(self, name: str, arguments: Mapping[str, Any], answer: Any) -> None:
        """Tell one call."""
        event: Event = {
            'call': name,
            'args': {key: self._plain(value) for key, value in arguments.items()},
        }
        if isinstance(answer, Job):
            self._jobs.append((self._n_jobs, answer))
            self._n_jobs += 1
            event['answer'] = {'job': self._plain(answer), 'task': answer.task.name}
        else:
            event['answer'] = plain(answer)
        finished = [value for value in arguments.values() if isinstance(value, Job)]
        if finished:
            event['result'] = result_of(finished[0])
            self._jobs = [(n, job) for n, job in self._jobs if job is not finished[0]]
        self._tell(event)

    def _plain(self, value: Any) -> Any:
        if value is None or isinstance(value, (float, int, str)):
            return plain(value)
        if isinstance(value, Job):
            return next((number for number, job in self._jobs if job is value), None)
        if isinstance(value, Pose):
            return [value.x, value.y, value.z, value.yaw, value.stamp]
        if isinstance(value, ExplorerConfig):
            return plain(to_flat(value))
        return None if isinstance(value, Policy) else plain(value)

    def _tell(self, event: Event) -> None:
        now = (self.state, self.reason)
        if now != self._told:
            self._told = now
            event['state'], event['reason'] = self.state.value, self.reason
        self._write({'seq': self._sequence, **event})
        self._sequence += 1


def _journalled(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of a mission that tells its outermost calls."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def call(self: JournalledMission, *args: Any, **kwargs: Any) -> Any:
        self._depth += 1
        try:
            answer = method(self, *args, **kwargs)
        finally:
            self._depth -= 1
        if self._depth == 0:
            bound = signature.bind(self, *args, **kwargs)
            bound.apply_defaults()
            _, *given = bound.arguments.items()
            self._note(method.__name__, dict(given), answer)
        return answer

    return call


CALLS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        name: method
        for name, method in inspect.getmembers(Mission, inspect.isfunction)
        if not name.startswith('_') and name not in READ_ONLY
    }
)
"""Every method of Mission that is journalled, by name."""

for _name, _method in CALLS.items():
    setattr(JournalledMission, _name, _journalled(_method))


def result_of(job: Job) -> Event:
    """Return what a job has found, in plain values that compare bit for bit."""
    decision = job.decision
    result: Event = {'error': job.error, 'path': plain(job.path)}
    if decision is not None:
        result.update(
            outcome=decision.outcome.value,
            reason=decision.reason,
            target=plain(decision.target),
            score=plain(decision.score),
            cost_m=plain(decision.cost_m),
            home_cost_m=plain(decision.home_cost_m),
            counts=dict(decision.counts),
        )
    return result


def plain(value: Any) -> Any:
    """Return a value that JSON keeps to the last bit."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return repr(float(value))
    return float(value) if isinstance(value, np.floating) else value


def encode(event: Event) -> str:
    """Return an event as standard JSON."""
    return json.dumps(event, allow_nan=False, separators=(',', ':'))


def decode(text: str) -> Event:
    """
    Return the event of a text.

    :raises ValueError: if the text is no event.
    """
    event = json.loads(text)
    if not isinstance(event, dict) or not isinstance(event.get('seq'), int):
        raise ValueError(f'not an event of a mission: {text[:60]!r}.')
    return event


def versions() -> dict[str, str]:
    """Return what the last bits of a decision may depend on besides the input."""
    return {
        'bo_explorer': __version__,
        'python': platform.python_version(),
        'numpy': np.__version__,
        'torch': str(torch.__version__),
        'machine': platform.machine(),
    }
