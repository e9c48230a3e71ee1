# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies that lean on an acquisition chosen by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

from ..acquisition import make_acquisition
from ..acquisition.base import Acquisition, AcquisitionContext

T = TypeVar('T', bound='Following')


class Following:
    """
    Knows the acquisition behind a name; for dataclasses with these two fields.

    :param base: name of an acquisition; it has the options set for it, ``policy.<base>.*``.
    :param acquisition: the acquisition of that name; its defaults if left out.
    """

    base: str
    acquisition: Acquisition | None

    def follow(self: T, make: Callable[[str], Acquisition]) -> T:
        """
        Return the same policy with a base that has its own options.

        :param make: makes an acquisition of a name.
        """
        policy: Any = self
        followed: T = dataclasses.replace(policy, acquisition=make(self.base))
        return followed

    @property
    def followed(self) -> Acquisition:
        """The acquisition of the name."""
        return make_acquisition(self.base) if self.acquisition is None else self.acquisition

    def price(self, context: AcquisitionContext) -> float | None:
        """Return the price the base bets with, ``None`` for a base without one."""
        return price_of(self.followed, context)


def price_of(acquisition: Acquisition, context: AcquisitionContext) -> float | None:
    """
    Return the price of a Pandora's-box acquisition, ``None`` for any other.

    :param acquisition: any.
    :param context: costs and incumbent.
    """
    price = getattr(acquisition, 'price_in', None)
    return None if price is None else float(price(context))
