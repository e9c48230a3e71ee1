# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""All runs of a study, asked for by metric, problem and policy; means with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from ...core.types import FloatArray
from .definition import Metrics, Settings, Task
from .journal import OK, RunRecord

CONFIDENCE = 0.95
"""Of every interval."""


@dataclass(frozen=True)
class Interval:
    """
    A mean and its confidence interval.

    :param mean: NaN without a value.
    :param half: half the width of the interval; NaN with fewer than two values.
    :param n: values it rests on.
    """

    mean: float
    half: float
    n: int

    @classmethod
    def of(cls, values: ArrayLike) -> Interval:
        """
        Return the mean of independent values with Student's interval.

        :param values: NaN where unknown; such do not count.
        """
        known = np.asarray(values, dtype=np.float64).ravel()
        known = known[np.isfinite(known)]
        n = len(known)
        if n == 0:
            return cls(math.nan, math.nan, 0)
        half = math.nan
        if n > 1:
            quantile = float(stats.t.ppf(0.5 + 0.5 * CONFIDENCE, n - 1))
            half = quantile * float(known.std(ddof=1)) / math.sqrt(n)
        return cls(float(known.mean()), half, n)


class Results:
    """
    What a study found.

    :param tasks: every run there should be.
    :param records: every run there is.
    :param settings: of the study.
    """

    def __init__(
        self, tasks: Sequence[Task], records: Mapping[Task, RunRecord], settings: Settings
    ) -> None:
        self.tasks = tuple(tasks)
        self.settings = settings
        self._records = {task: records[task] for task in self.tasks if task in records}
        self.problems = tuple(dict.fromkeys(task.problem for task in self.tasks))
        self.policies = tuple(dict.fromkeys(task.policy for task in self.tasks))

    @property
    def records(self) -> tuple[RunRecord, ...]:
        """Every run there is, in the order of the tasks."""
        return tuple(self._records.values())

    @property
    def failures(self) -> tuple[RunRecord, ...]:
        """Runs that failed."""
        return tuple(record for record in self._records.values() if record.status != OK)

    def has(self, problem: str, policy: str) -> bool:
        """Return whether the study asks for this policy on this problem."""
        return any(task.problem == problem and task.policy == policy for task in self.tasks)

    def of(self, problem: str, policy: str) -> dict[int, RunRecord]:
        """Return the good runs of a policy on a problem, by seed."""
        return {
            task.seed: record
            for task, record in self._records.items()
            if task.problem == problem and task.policy == policy and record.status == OK
        }

    def by_seed(self, metric: str, problem: str, policy: str) -> dict[int, float]:
        """
        Return a metric of the good runs by seed; NaN where a run does not know it.

        :param metric: its name; ``name[k]`` is the value ``k``, from 0, of one that is a list.
        """
        return {
            seed: _value(record.metrics, metric)
            for seed, record in self.of(problem, policy).items()
        }

    def values(self, metric: str, problem: str, policy: str) -> FloatArray:
        """Return a metric of the good runs in the order of the seeds, shape ``(N,)``."""
        return np.array(list(self.by_seed(metric, problem, policy).values()), dtype=np.float64)

    def curves(self, metric: str, problem: str, policy: str) -> FloatArray:
        """
        Return a metric that is a list in every run.

        :return: NaN beyond the end of the shorter ones, shape ``(N, T)``.
        """
        runs = [r.metrics[metric] for r in self.of(problem, policy).values()]
        length = max((len(run) for run in runs), default=0)
        table = np.full((len(runs), length), np.nan)
        for row, run in zip(table, runs):
            row[: len(run)] = [_number(value) for value in run]
        return table

    def interval(self, metric: str, problem: str, policy: str) -> Interval:
        """Return the mean of a metric over the seeds."""
        return Interval.of(self.values(metric, problem, policy))

    def overall(
        self, metric: str, policy: str, problems: Iterable[str] | None = None
    ) -> Interval:
        """
        Return the mean of a metric over problems and seeds.

        The interval is over the seeds' means, so a problem that is hard for everybody does not
        widen it; a seed counts where every problem has its value.

        :param problems: all of them if left out.
        """
        return Interval.of(list(self._by_seed_over(metric, policy, problems).values()))

    def difference(
        self, metric: str, policy: str, reference: str, problems: Iterable[str] | None = None
    ) -> Interval:
        """
        Return how much greater a metric is than with another policy, over paired seeds.

        :param policy: minuend.
        :param reference: subtrahend.
        :param problems: all of them if left out.
        """
        ours, theirs = self.paired(metric, policy, reference, problems)
        return Interval.of(ours - theirs)

    def paired(
        self, metric: str, policy: str, reference: str, problems: Iterable[str] | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """
        Return a metric of two policies over the seeds both have, each shape ``(N,)``.

        :param policy: one.
        :param reference: the other.
        :param problems: all of them if left out.
        """
        chosen = None if problems is None else tuple(problems)
        ours = self._by_seed_over(metric, policy, chosen)
        theirs = self._by_seed_over(metric, reference, chosen)
        both = [seed for seed in ours if seed in theirs]
        return np.array([ours[seed] for seed in both]), np.array([theirs[seed] for seed in both])

    def _by_seed_over(
        self, metric: str, policy: str, problems: Iterable[str] | None
    ) -> dict[int, float]:
        chosen = self.problems if problems is None else tuple(problems)
        columns = [self.by_seed(metric, problem, policy) for problem in chosen]
        if not columns:
            return {}
        shared = set(columns[0]).intersection(*columns[1:])
        means = {
            seed: float(np.mean([column[seed] for column in columns])) for seed in sorted(shared)
        }
        return {seed: mean for seed, mean in means.items() if math.isfinite(mean)}


def _value(metrics: Metrics, name: str) -> float:
    whole, _, place = name.partition('[')
    value = metrics.get(whole)
    if place:
        k = int(place.removesuffix(']'))
        value = value[k] if isinstance(value, list) and k < len(value) else None
    return _number(value)


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan
