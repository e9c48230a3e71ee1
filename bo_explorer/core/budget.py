# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The account of the battery: what is spent, what is promised, what is left."""

from __future__ import annotations

import math

from .config import ExplorerConfig
from .errors import BudgetError

# Part of what was granted that the total never shrinks below.
_LEAST_SHARE = 1e-6


class BudgetLedger:
    """
    An account for which ``total == spent + committed + remaining`` holds at every moment.

    All amounts are metres-equivalent. Flight is never refused, since it has happened: spending
    more than the total makes ``remaining`` negative, and more than was granted is reported as
    ``overrun``. The total may shrink, when the battery turns out to be smaller than the plan, and
    recover, but not beyond what was granted unless the user allows it.

    :param total_m: whole budget of the mission, above 0.
    :param reserve_m: part of it that no plan may touch, from 0 to below the total.
    :param most_m: what :meth:`limit` may raise the total to; ``None``: the total given.
    :raises BudgetError: if either is outside its range.
    """

    def __init__(self, total_m: float, reserve_m: float, *, most_m: float | None = None) -> None:
        if not 0.0 < total_m < math.inf:
            raise BudgetError(f"'total_m' must be finite and above 0, got {total_m!r}.")
        if not 0.0 <= reserve_m < total_m:
            raise BudgetError(
                f"'reserve_m' must be at least 0 and below total_m = {total_m!r}, "
                f'got {reserve_m!r}.'
            )
        self._granted = self._total = float(total_m)
        self._most = self._total if most_m is None else max(float(most_m), self._total)
        self._reserve = float(reserve_m)
        self._spent = 0.0
        self._committed = 0.0
        self._is_limited = False

    @classmethod
    def from_config(cls, config: ExplorerConfig) -> BudgetLedger:
        """Open the account a configuration grants."""
        return cls(config.total_m, config.reserve_m, most_m=config.most_m)

    @property
    def total(self) -> float:
        """Whole budget as it is now, metres-equivalent."""
        return self._total

    @property
    def granted(self) -> float:
        """Whole budget as it was given, metres-equivalent."""
        return self._granted

    @property
    def most(self) -> float:
        """What the total may grow to, metres-equivalent; infinite where only a reach limits it."""
        return self._most

    @property
    def is_limited(self) -> bool:
        """Whether the last reach, and not the metres themselves, keeps the total where it is."""
        return self._is_limited

    @property
    def reserve(self) -> float:
        """Part of the total that no plan may touch, metres-equivalent."""
        return self._reserve

    @property
    def spent(self) -> float:
        """What has been flown and measured, metres-equivalent."""
        return self._spent

    @property
    def committed(self) -> float:
        """What is promised to the path being flown, metres-equivalent."""
        return self._committed

    @property
    def remaining(self) -> float:
        """What is neither spent nor committed, metres-equivalent; negative after an overrun."""
        return (self._total - self._spent) - self._committed

    @property
    def available(self) -> float:
        """What a plan may use, metres-equivalent: remaining without the reserve."""
        return self.remaining - self._reserve

    @property
    def overrun(self) -> float:
        """What was spent beyond what was ever allowed, metres-equivalent; 0 in a sound mission."""
        return max(self._spent - max(self._granted, self._total), 0.0)

    def limit(self, reach_m: float) -> None:
        """
        Let the total be what is spent and what can still be flown, however little that is.

        :param reach_m: metres-equivalent that can still be flown, at least 0; infinity: no limit.
        :raises BudgetError: if it is negative or NaN.
        """
        if not reach_m >= 0.0:
            raise BudgetError(f"'reach_m' must be at least 0, got {reach_m!r}.")
        most = self._granted if math.isinf(reach_m) else self._most
        total = min(self._spent + float(reach_m), most)
        self._is_limited = total < most
        # A total of 0 would be no unit to measure parts of it in.
        self._total = max(total, _LEAST_SHARE * self._granted)

    def commit(self, cost: float) -> None:
        """
        Promise ``cost`` to a plan, on top of what is promised already.

        :param cost: metres-equivalent, at least 0.
        :raises BudgetError: if it is negative, not finite or more than remains.
        """
        self._check(cost)
        left = max(self.remaining, 0.0)
        if cost > left:
            raise BudgetError(
                f"'cost' must be at most the remaining {left!r} m, got {cost!r}; "
                'release the earlier commitment or choose a nearer target.'
            )
        self._committed += float(cost)

    def spend(self, cost: float) -> None:
        """
        Book ``cost`` as spent: first from what is committed, then from what remains.

        :param cost: metres-equivalent, at least 0; more than what is left becomes an overrun.
        :raises BudgetError: if it is negative or not finite.
        """
        self._check(cost)
        self._spent += float(cost)
        self._committed = max(self._committed - float(cost), 0.0)

    def release(self) -> None:
        """Give what is committed back to what remains."""
        self._committed = 0.0

    @staticmethod
    def _check(cost: float) -> None:
        if not 0.0 <= cost < math.inf:
            raise BudgetError(f"'cost' must be finite and at least 0, got {cost!r}.")
