# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The account of the battery: what is spent, what is promised, what is left."""

from __future__ import annotations

import math

from .errors import BudgetError


class BudgetLedger:
    """
    An account for which ``total == spent + committed + remaining`` holds at every moment.

    All amounts are metres-equivalent. Flight is never refused, since it has happened: spending
    more than the total makes ``remaining`` negative and is reported as ``overrun``.

    :param total_m: whole budget of the mission, above 0.
    :param reserve_m: part of it that no plan may touch, from 0 to below the total.
    :raises BudgetError: if either is outside its range.
    """

    def __init__(self, total_m: float, reserve_m: float) -> None:
        if not 0.0 < total_m < math.inf:
            raise BudgetError(f"'total_m' must be finite and above 0, got {total_m!r}.")
        if not 0.0 <= reserve_m < total_m:
            raise BudgetError(
                f"'reserve_m' must be at least 0 and below total_m = {total_m!r}, "
                f'got {reserve_m!r}.'
            )
        self._total = float(total_m)
        self._reserve = float(reserve_m)
        self._spent = 0.0
        self._committed = 0.0

    @property
    def total(self) -> float:
        """Whole budget, metres-equivalent."""
        return self._total

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
        """What was spent beyond the total, metres-equivalent; 0 in a sound mission."""
        return max(self._spent - self._total, 0.0)

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
