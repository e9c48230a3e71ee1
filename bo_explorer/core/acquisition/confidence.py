# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
How many standard deviations a confidence bound takes: the schedules of ``beta_n``.

``n`` is the number of the sample to be taken, one more than those behind the posterior, and ``D``
the dimension of the field.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..options import Options, option
from .base import AcquisitionContext


@dataclass(frozen=True)
class ConfidenceSchedule(Options):
    """
    The options every confidence bound shares.

    - ``fixed``: ``beta``.
    - ``srinivas``: ``2 log(2 pi^2 n^2 / (3 delta)) + 2 D log(n^2 D sqrt(log(4 D / delta)))``,
      Srinivas et al. (2010), theorem 2, for a side of 1 and its smoothness constants
      ``a = b = r = 1``. Wide: it is a worst-case bound.
    - ``scaled``: ``2 log(D n^2 pi^2 / (6 delta)) / 5``, their theorem 1 divided by 5 as in their
      experiments, with the dimension in the place of the number of points.

    :param schedule: which of them.
    :param beta: squared number of standard deviations of ``fixed``.
    :param delta: probability with which the bound may fail, for the other two.
    """

    schedule: str = option(
        'fixed',
        'How beta, the squared number of standard deviations, grows with the samples.',
        choices=('fixed', 'srinivas', 'scaled'),
    )
    beta: float = option(
        4.0, 'Squared number of standard deviations of the fixed schedule.', low=0.0, high=1e6
    )
    delta: float = option(
        0.1,
        'Probability with which the bound may fail, for the growing schedules.',
        low=0.0,
        open_low=True,
        high=1.0,
    )

    def width(self, context: AcquisitionContext) -> float:
        """Return ``sqrt(beta_n)``, standard deviations."""
        n, d = context.n_samples + 1, context.dimension
        if self.schedule == 'fixed':
            beta = self.beta
        elif self.schedule == 'srinivas':
            beta = 2.0 * math.log(2.0 * math.pi**2 * n**2 / (3.0 * self.delta)) + 2.0 * d * (
                math.log(n**2 * d * math.sqrt(math.log(4.0 * d / self.delta)))
            )
        else:
            beta = 0.4 * math.log(d * n**2 * math.pi**2 / (6.0 * self.delta))
        return math.sqrt(beta)
