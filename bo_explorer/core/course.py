# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The plan being flown: where it leads, what is promised to it, when it is reconsidered."""

from __future__ import annotations

import math

from .area import SearchArea
from .budget import BudgetLedger
from .config import ExplorerConfig
from .explorer import Explorer
from .flight import Flight
from .job import Job
from .types import Decision, FloatArray

# Part of the side of the area flown between two decisions where the user has not set a time.
_REPLAN_SIDES = 0.1


class Course:
    """
    Follows one plan at a time and keeps its cost promised in the ledger.

    :param config: all settings of the planner.
    :param explorer: keeps area and costs.
    :param ledger: the account that is charged.
    """

    def __init__(self, config: ExplorerConfig, explorer: Explorer, ledger: BudgetLedger) -> None:
        self._config = config
        self._explorer = explorer
        self._ledger = ledger
        self.flight = Flight(config, explorer.area, explorer.travel, ledger)
        self.home_cost_m = 0.0
        """Cost of the way home from the target, metres-equivalent."""
        self._has_turned_back = False
        self.replan_at = math.nan
        """When the target is to be reconsidered, seconds; NaN: on arrival only."""
        self.leads_home = False
        """Whether the path being flown is the way home."""

    @property
    def available_m(self) -> float:
        """
        Budget a plan may use from where the vehicle is, metres-equivalent.

        Kept back is what flying may cost more than its path, there and on the way home.
        """
        kept_back = 2.0 * self.flight.allowance_m
        return self._ledger.available + self._ledger.committed - kept_back

    def is_affordable(self) -> bool:
        """Whether the path being flown, its stop and the way home from it are still paid for."""
        stop_cost = self._explorer.travel.stop_cost_m
        needed = self.flight.path_cost() + stop_cost + self.home_cost_m
        left = self._ledger.available + self._ledger.committed
        return needed + self.flight.allowance_m <= left

    def reconfigure(self, config: ExplorerConfig) -> None:
        """Go on with other live settings; the path being flown stays."""
        if (config.area, config.no_fly) != (self._config.area, self._config.no_fly):
            self.flight.change_area(config, self._explorer.area)
        self._config = config

    def plan_with(self, explorer: Explorer) -> None:
        """Take area and costs from another planner with the same settings."""
        self._explorer = explorer

    def refuel(self) -> BudgetLedger:
        """Charge a fresh account from now on; return it."""
        self._ledger = BudgetLedger.from_config(self._config)
        self.flight.charge_to(self._ledger)
        return self._ledger

    def replaces(self, job: Job, decision: Decision) -> bool:
        """
        Tell whether a decision leads elsewhere than the present plan, and set its next review.

        :param job: that has made the decision.
        :param decision: with a target.
        """
        period = self._replan_period_s()
        self.replan_at = job.started_at + period if period > 0.0 else math.nan
        if job.present_target is None:
            self._has_turned_back = False
            return True
        if (job.present_target == decision.target).all():
            return False
        # One turn back a leg: a vehicle that may turn back twice can dither for ever.
        if job.turns_back and self._has_turned_back:
            return False
        self._has_turned_back = job.turns_back or self._has_turned_back
        return True

    def follow(self, path: FloatArray, now: float, *, home_cost_m: float) -> bool:
        """
        Fly to a target and stop there.

        :param path: vertices, first the end of the lead-in, shape ``(Q, 2)``.
        :param now: seconds.
        :param home_cost_m: of the way home from the target, metres-equivalent.
        :return: whether the vehicle is at the end of it already.
        """
        self.home_cost_m = home_cost_m
        has_arrived = self.flight.fly(path, now)
        self._commit(self.flight.path_cost() + self._explorer.travel.stop_cost_m)
        return has_arrived

    def follow_home(self, path: FloatArray, now: float) -> bool:
        """
        Fly home.

        :param path: vertices, first the end of the lead-in, shape ``(Q, 2)``.
        :param now: seconds.
        :return: whether the vehicle is at the end of it already.
        """
        self.leads_home = True
        has_arrived = self.flight.fly(path, now)
        self._commit(self.flight.path_cost())
        return has_arrived

    def stop(self) -> None:
        """Pay for a stop at the target, on the path that led there."""
        self.flight.go_on()
        self.flight.charge_stop()
        self._ledger.release()

    def give_up(self, blind_s: float = 0.0, within: SearchArea | None = None) -> None:
        """
        Brake on the present path.

        :param blind_s: time since the last pose, seconds.
        :param within: stop before the path leaves this area, as far as momentum allows.
        """
        self.leads_home = False
        self.flight.brake(blind_s, within)
        self._ledger.release()

    def lose(self) -> None:
        """Drop the present path: it no longer starts where the vehicle is."""
        self.leads_home = False
        self.flight.drop_path()
        self._ledger.release()

    def _replan_period_s(self) -> float:
        """Time between two decisions on one leg, seconds; 0 where targets are kept."""
        period = self._config.policy.replan_period_s
        if math.isnan(period):
            return _REPLAN_SIDES * self._explorer.area.side / self._config.vehicle.speed_mps
        return period

    def _commit(self, cost_m: float) -> None:
        self._ledger.release()
        self._ledger.commit(min(cost_m, max(self._ledger.remaining, 0.0)))
