# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The slow work of a mission, on a snapshot, so that it may run in another thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from .errors import BoExplorerError
from .explorer import Explorer
from .types import Decision, FloatArray, MapSnapshot, Outcome, Reading

logger = logging.getLogger(__name__)


class Task(Enum):
    """What a job does after it has told the explorer the readings."""

    TELL = 'taking over readings'
    DECIDE = 'choosing the next target'
    RETURN = 'planning the way home'
    FIT = 'fitting the model'

    @property
    def plans_path(self) -> bool:
        """Whether the job ends with a path to fly."""
        return self in (Task.DECIDE, Task.RETURN)


@dataclass
class Job:
    """
    One piece of slow work; made by :meth:`bo_explorer.core.mission.Mission.begin`.

    Only one job may run at a time. :meth:`run` fills ``decision``, ``path``, ``map``, ``error``.

    :param explorer: the planner; nobody else touches it while the job runs.
    :param task: what to do.
    :param readings: readings to tell first.
    :param lead_in: way to the place the new path starts at, shape ``(Q, 2)``, metres; empty where
        no path is planned.
    :param home: where the mission ends, shape ``(2,)``, metres.
    :param available_m: budget the plan may use from the end of the lead-in, metres-equivalent.
    :param total_m: whole budget, metres-equivalent.
    :param started_at: time of the snapshot, seconds.
    :param elapsed_s: mission time at the snapshot, seconds.
    :param present_target: target being flown to, or ``None``.
    """

    explorer: Explorer
    task: Task
    readings: list[Reading]
    lead_in: FloatArray
    home: FloatArray
    available_m: float
    total_m: float
    started_at: float
    elapsed_s: float
    present_target: FloatArray | None = None
    decision: Decision | None = field(default=None, init=False)
    path: FloatArray | None = field(default=None, init=False)
    map: MapSnapshot | None = field(default=None, init=False)
    error: str | None = field(default=None, init=False)
    fit_problem: str | None = field(default=None, init=False)
    """Why a fit has kept the last hyperparameters."""
    is_overtaken: bool = field(default=False, init=False)
    """Whether the vehicle does something else by now; the job itself does not look."""

    afterwards: list[Callable[[], object]] = field(default_factory=list, init=False)
    """Changes of the explorer that have to wait until the job is done."""

    @property
    def is_decision(self) -> bool:
        """Whether the job has chosen a target."""
        return self.decision is not None and self.decision.outcome is Outcome.WAYPOINT

    @property
    def turns_back(self) -> bool:
        """Whether the new path leads back from where the vehicle is heading."""
        if self.path is None or len(self.path) < 2 or len(self.lead_in) < 2:
            return False
        heading = self.lead_in[-1] - self.lead_in[0]
        return bool(heading @ (self.path[1] - self.path[0]) < 0.0)

    def run(self) -> None:
        """Do the work; what goes wrong is kept in ``error``, never raised."""
        try:
            self._run()
        except (BoExplorerError, ArithmeticError, ValueError, RuntimeError) as error:
            logger.exception('%s failed', self.task.value)
            self.error = f'{self.task.value} failed: {error}'

    def _run(self) -> None:
        if self.task is Task.RETURN:
            # Before anything that may fail.
            self.path = self.explorer.travel.path(self.lead_in[-1], self.home)
        accepted = self.explorer.tell(self.readings) if self.readings else 0
        if self.task is Task.FIT:
            report = self.explorer.fit()
            self.fit_problem = None if report.is_fitted else report.message
        elif self.task is Task.DECIDE:
            self.decision = self.explorer.ask(
                self.lead_in[-1],
                home=self.home,
                available_m=self.available_m,
                total_m=self.total_m,
                elapsed_s=self.elapsed_s,
                present_target=self.present_target,
            )
            self.path = self.decision.path
        if accepted or self.task in (Task.FIT, Task.DECIDE):
            self.map = self.explorer.map()
