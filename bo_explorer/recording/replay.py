# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A recorded mission once more: the same calls in the same order.

With the recorded settings every answer must be the same to the last bit; the first one that is not
is named. Other settings are asked beside it: at each recorded decision, with the readings, the
place and the budget of that moment, where would *they* have sent the vehicle?
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from ..core.config import ExplorerConfig
from ..core.errors import RecordingError
from ..core.explorer import Explorer
from ..core.job import Job, Task
from ..core.logbook import Logbook
from ..core.mission import Mission
from ..core.options import OptionSpec, from_flat, to_flat, walk
from ..core.policy import Policy, make_policy, policy_options
from ..core.record import MissionRecord
from ..core.types import MapSnapshot, Pose
from .journal import CALLS, Event, JournalledMission, plain, result_of, versions

Values = Mapping[str, Any]
"""Settings by key."""

_THREADS = 'output.planning_threads'


@dataclass(frozen=True)
class Choice:
    """
    One decision of a mission.

    :param now: when it was begun, seconds.
    :param recorded: what was found then, as :func:`.journal.result_of` writes it.
    :param replayed: what was found now, with the same settings.
    :param other: what other settings find, ``None`` without any.
    """

    now: float
    recorded: Event
    replayed: Event
    other: Event | None


@dataclass
class Replay:
    """
    What came of a replay.

    :param mission: the mission as it was flown.
    :param choices: its decisions in order.
    :param n_events: calls that were repeated.
    :param n_lost: calls the recording has lost; the replay ends before the first of them.
    :param difference: the first call that was answered otherwise, empty if there is none.
    :param foreign: versions of software that differ from the recording's, each as a sentence.
    :param other: the planner with other settings, ``None`` without any.
    """

    mission: Mission
    choices: list[Choice] = field(default_factory=list)
    n_events: int = 0
    n_lost: int = 0
    difference: str = ''
    foreign: list[str] = field(default_factory=list)
    other: Explorer | None = None

    def record(self) -> MissionRecord:
        """Return the record of the flight, with the belief of the other settings if there are."""
        record = self.mission.record()
        if self.other is None or self.other.field_map is None:
            return record
        log = Logbook(self.other.config, self.other.area)
        log.add_belief(self.other, record.spent_m)
        return dataclasses.replace(
            record,
            policy=self.other.config.policy.name,
            best=log.record.best,
            samples=log.record.samples,
            hyperparameters=log.record.hyperparameters,
        )

    def map(self) -> MapSnapshot | None:
        """Return the last map, that of the other settings if there are."""
        return self.mission.map() if self.other is None else self.other.map()


def replay(
    events: Iterable[Event], change: Callable[[dict[str, Any]], Values] | None = None
) -> Replay:
    """
    Repeat a mission.

    :param events: of :class:`.journal.JournalledMission`, in any order.
    :param change: turns the recorded settings by key into the other ones.
    :return: what came of it.
    :raises RecordingError: if the events are not those of a mission.
    :raises BoExplorerError: if the recorded or the other settings cannot be used.
    """
    ordered = sorted(events, key=lambda event: int(event['seq']))
    if not ordered or ordered[0].get('call') != 'configure':
        raise RecordingError('the recording lacks the beginning of the mission.')
    threads = torch.get_num_threads()
    torch.set_num_threads(int(ordered[0]['parameters'].get(_THREADS, threads)))
    try:
        player = _Player(ordered[0], change)
        for expected, event in enumerate(ordered[1:], start=1):
            if event['seq'] != expected:
                player.replay.n_lost = ordered[-1]['seq'] + 1 - len(ordered)
                break
            if not player.play(event):
                break
        return player.replay
    finally:
        torch.set_num_threads(threads)


def planner_of(values: Values) -> tuple[ExplorerConfig, Policy]:
    """
    Return the settings of the planner and its policy.

    :param values: of the planner, the policies and others, by key.
    :raises ConfigError: if a value breaks its rule.
    """
    config = from_flat(ExplorerConfig, _subset(values, walk(ExplorerConfig)))
    return config, make_policy(config.policy.name, _subset(values, policy_options()))


def are_same(one: Values, other: Values) -> bool:
    """Tell whether two sets of values mean the same planner."""
    return _normal(one) == _normal(other)


class _Player:
    """Makes the calls of a mission and compares the answers."""

    def __init__(
        self, configure: Event, change: Callable[[dict[str, Any]], Values] | None
    ) -> None:
        self._values: dict[str, Any] = dict(configure['parameters'])
        self._change = change
        self._told: list[Event] = []
        self._jobs: dict[int, tuple[Job, float]] = {}
        config, policy = planner_of(self._values)
        mission = JournalledMission(config, policy, self._values, self._told.append)
        self.replay = Replay(mission)
        recorded = configure.get('versions', {})
        self.replay.foreign = [
            f'{name} {recorded.get(name)} then, {version} now'
            for name, version in versions().items()
            if recorded.get(name) != version
        ]
        self._n_stops = 0
        self._make_other()

    def play(self, event: Event) -> bool:
        """Make one call; return whether the next one can be made."""
        name, replay = event['call'], self.replay
        if name not in CALLS:
            raise RecordingError(f'{name!r} is no call this version of bo_explorer knows.')
        try:
            arguments = self._arguments(name, event['args'])
        except KeyError:
            return False
        job = arguments.get('job')
        choice = self._decide(event, job) if isinstance(job, Job) else None
        answer = getattr(replay.mission, name)(**arguments)
        if isinstance(answer, Job) and isinstance(event['answer'], dict):
            self._jobs[event['answer']['job']] = answer, answer.started_at
        if name == 'reset':
            self._make_other()
        elif name == 'reconfigure' and answer:
            self._values.update(event['args']['config'])
            self._reconfigure_other()
        replay.n_events += 1
        if choice is not None:
            replay.choices.append(choice)
        told = self._told[-1]
        self._told.clear()
        if told != event and not replay.difference:
            replay.difference = _difference(event, told)
        return True

    def _arguments(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        hints = _hints(name)
        arguments = {key: self._argument(hints[key], value) for key, value in given.items()}
        if 'config' in given:
            config, policy = planner_of({**self._values, **given['config']})
            arguments['config'] = config
            if 'policy' in given:
                arguments['policy'] = policy
        return arguments

    def _argument(self, kind: Any, value: Any) -> Any:
        if kind is Pose:
            x, y, z, yaw, stamp = value
            return Pose(x, y, z, yaw, stamp)
        if kind is Job:
            return self._jobs.pop(value)[0]
        return float(value) if isinstance(value, str) and kind is not str else value

    def _decide(self, event: Event, job: Job) -> Choice | None:
        """Do the work of a job, and the other planner's beside it."""
        other = self._other_result(job)
        job.run()
        if job.task is not Task.DECIDE:
            return None
        return Choice(job.started_at, event.get('result', {}), result_of(job), other)

    def _make_other(self) -> None:
        if self._change is not None:
            config, policy = planner_of(self._change(dict(self._values)))
            self.replay.other = Explorer(config, policy)
            self._n_stops = 0

    def _reconfigure_other(self) -> None:
        other = self.replay.other
        if other is not None and self._change is not None:
            other.reconfigure(*planner_of(self._change(dict(self._values))))

    def _other_result(self, job: Job) -> Event | None:
        """Return what the other planner makes of a job, done as the mission would have done it."""
        other, flown = self.replay.other, self.replay.mission.explorer
        # A job from before a reset belongs to a mission that is no more.
        if other is None or job.explorer is not flown:
            return None
        stops = flown.stops
        for place in stops[self._n_stops :]:
            other.stopped_at(place)
        self._n_stops = len(stops)
        task = job.task
        if task in (Task.TELL, Task.FIT):
            task = Task.FIT if other.is_fit_due() else Task.TELL
        old, new = flown.config, other.config
        more_m = (new.total_m - new.reserve_m) - (old.total_m - old.reserve_m)
        twin = dataclasses.replace(
            job,
            explorer=other,
            task=task,
            available_m=job.available_m + more_m,
            total_m=job.total_m + (new.total_m - old.total_m),
        )
        twin.run()
        return result_of(twin)


@functools.cache
def _hints(name: str) -> dict[str, Any]:
    """Return the types of the arguments of a call."""
    return typing.get_type_hints(CALLS[name])


def _normal(values: Values) -> list[Any]:
    """Return every setting of the planner and of all policies in a form that compares."""
    config, _ = planner_of(values)
    options = _subset(values, policy_options())
    return [
        plain(to_flat(config)),
        *(plain(s.validated(options.get(s.key, s.default))) for s in policy_options()),
    ]


def _subset(values: Values, specs: Iterable[OptionSpec]) -> dict[str, Any]:
    """Return the values of some options, numbers that JSON does not know read back."""
    found = {}
    for spec in specs:
        if spec.key in values:
            value = values[spec.key]
            is_number = spec.kind == 'float' and isinstance(value, str)
            found[spec.key] = float(value) if is_number else value
    return found


def _difference(recorded: Event, replayed: Event) -> str:
    """Return the first thing two events differ in, as a sentence."""
    for key in [*recorded, *replayed]:
        if recorded.get(key) != replayed.get(key):
            return (
                f'call {recorded["seq"]}, {recorded["call"]}: {key} was {recorded.get(key)!r}, '
                f'is {replayed.get(key)!r}'
            )
    return ''
