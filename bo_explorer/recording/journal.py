# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Every call a mission gets, in order: what is needed to repeat it bit for bit.

A mission has no clock and no threads, so its decisions depend on nothing but its settings and the
sequence of its calls. One event is one call, a dictionary of plain values::

    seq        0, 1, 2, ... without gaps unless some were lost
    call       'configure' (the first), or the name of a method of Mission
    now, ...   its arguments; a pose is [x, y, z, yaw, stamp]
    answer     of a command, [whether it was done, sentence]
    job, task  of 'begin' and 'finish': number of the job, and what it does; null: nothing is due
    result     of 'finish': what the job has found
    state, reason   where the call has changed them

Numbers are written so that they read back to the same bits; those that JSON does not know are the
strings ``nan``, ``inf`` and ``-inf``.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import torch

from .. import __version__
from ..core.config import ExplorerConfig
from ..core.job import Job
from ..core.mission import Mission
from ..core.options import to_flat
from ..core.policy import Policy
from ..core.types import Pose

T = TypeVar('T')

TOPIC = 'mission_events'
"""Name of the topic the events are recorded under, relative to the namespace of the node."""

Event = dict[str, Any]
"""One call, as the module describes."""

READ_ONLY = frozenset(
    {'config', 'state', 'reason', 'ledger', 'explorer', 'target'}
    | {'setpoint', 'path', 'map', 'record'}
)
"""Members of Mission that change nothing a later call depends on."""


class JournalledMission(Mission):
    """
    A mission that tells every call that may change it.

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
        self._tell({'call': 'configure', 'parameters': plain(dict(values)), **versions()})

    def start(self, now: float) -> tuple[bool, str]:
        """Start the mission, as :meth:`Mission.start` does."""
        return self._command(super().start, now=now)

    def pause(self, now: float) -> tuple[bool, str]:
        """Stop and stay, as :meth:`Mission.pause` does."""
        return self._command(super().pause, now=now)

    def resume(self, now: float) -> tuple[bool, str]:
        """Go on, as :meth:`Mission.resume` does."""
        return self._command(super().resume, now=now)

    def return_home(self, now: float, reason: str = 'called home') -> tuple[bool, str]:
        """End the search, as :meth:`Mission.return_home` does."""
        return self._command(super().return_home, now=now, reason=reason)

    def reset(self, now: float) -> tuple[bool, str]:
        """Begin anew, as :meth:`Mission.reset` does."""
        return self._command(super().reset, now=now)

    def reconfigure(self, config: ExplorerConfig, policy: Policy) -> bool:
        """Go on with other live settings, as :meth:`Mission.reconfigure` does."""
        is_done = self._inside(lambda: super(JournalledMission, self).reconfigure(config, policy))
        self._tell({'call': 'reconfigure', 'parameters': plain(to_flat(config)), 'done': is_done})
        return is_done

    def update_pose(self, pose: Pose, now: float) -> None:
        """Take over a pose, as :meth:`Mission.update_pose` does."""
        self._inside(lambda: super(JournalledMission, self).update_pose(pose, now))
        place = [pose.x, pose.y, pose.z, pose.yaw, pose.stamp]
        self._tell({'call': 'update_pose', 'now': now, 'pose': place})

    def add_reading(self, value: float, stamp: float) -> None:
        """Queue a reading, as :meth:`Mission.add_reading` does."""
        self._inside(lambda: super(JournalledMission, self).add_reading(value, stamp))
        self._tell({'call': 'add_reading', 'value': plain(value), 'stamp': plain(stamp)})

    def update_battery(self, fraction: float | None, now: float) -> None:
        """Take over the state of charge, as :meth:`Mission.update_battery` does."""
        self._inside(lambda: super(JournalledMission, self).update_battery(fraction, now))
        self._tell({'call': 'update_battery', 'now': now, 'fraction': plain(fraction)})

    def begin(self, now: float) -> Job | None:
        """Return the work that is due, as :meth:`Mission.begin` does."""
        job = self._inside(lambda: super(JournalledMission, self).begin(now))
        event: Event = {'call': 'begin', 'now': now, 'job': None}
        if job is not None:
            self._jobs.append((self._n_jobs, job))
            event['job'], event['task'] = self._n_jobs, job.task.name
            self._n_jobs += 1
        self._tell(event)
        return job

    def finish(self, job: Job, elapsed_s: float) -> None:
        """Take over what a job found, as :meth:`Mission.finish` does."""
        self._inside(lambda: super(JournalledMission, self).finish(job, elapsed_s))
        number = next((n for n, begun in self._jobs if begun is job), None)
        self._jobs = [(n, begun) for n, begun in self._jobs if begun is not job]
        self._tell(
            {
                'call': 'finish',
                'job': number,
                'task': job.task.name,
                'elapsed_s': elapsed_s,
                'result': result_of(job),
            }
        )

    def _command(
        self, method: Callable[..., tuple[bool, str]], **arguments: Any
    ) -> tuple[bool, str]:
        answer = self._inside(lambda: method(**arguments))
        self._tell({'call': method.__name__, **arguments, 'answer': list(answer)})
        return answer

    def _inside(self, call: Callable[[], T]) -> T:
        """Make a call; those it makes itself are a part of it and are not told."""
        self._depth += 1
        try:
            return call()
        finally:
            self._depth -= 1

    def _tell(self, event: Event) -> None:
        if self._depth:
            return
        now = (self.state, self.reason)
        if now != self._told:
            self._told = now
            event['state'], event['reason'] = self.state.value, self.reason
        self._write({'seq': self._sequence, **event})
        self._sequence += 1


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


def versions() -> dict[str, Any]:
    """Return what the last bits of a decision may depend on besides the input."""
    found = {
        'bo_explorer': __version__,
        'python': platform.python_version(),
        'numpy': np.__version__,
        'torch': str(torch.__version__),
        'machine': platform.machine(),
    }
    return {'versions': found}
