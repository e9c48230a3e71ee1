# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Upper confidence bound whose optimism fades with the distance."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..options import option
from ..types import Posterior
from .base import AcquisitionContext
from .confidence import ConfidenceSchedule

_PAPER_FLOOR = 1e-9


@dataclass(frozen=True)
class DistanceUpperConfidenceBound(ConfidenceSchedule):
    """
    ``mu + sqrt(beta_n) sigma / s(d)``: distUCB (IJCAI 2023, doi 10.24963/ijcai.2023/446).

    ``d`` is the travel cost of the leg in sides of the search area, ``l`` the option ``length``:

    - ``shift``: ``s = 1 + d / l``.
    - ``floor``: ``s = max(d, floor) / l``.
    - ``paper``: ``s = d / l``, the equation as printed.

    .. warning::
       With sensor noise the standard deviation does not vanish at the present place, so the
       printed form is infinite there and the vehicle never leaves. Here ``d`` is kept above 1e-9
       sides, which makes that value huge and finite; it does not make the form useful.

    Only the uncertainty is discounted: a far place with a high mean costs nothing to choose. The
    schedule options are those of
    :class:`~bo_explorer.core.acquisition.confidence.ConfidenceSchedule`.

    :param scaling: which ``s``.
    :param floor: least distance that counts, sides.
    :param length: distance at which the discount is 1 (``shift``: a half), sides.
    """

    scaling: str = option(
        'shift', 'How the distance divides the uncertainty.', choices=('shift', 'floor', 'paper')
    )
    floor: float = option(
        0.05,
        'Least distance that counts in the scaling "floor", in sides of the area.',
        low=0.0,
        open_low=True,
        high=100.0,
    )
    length: float = option(
        1.0,
        'Distance that leaves the uncertainty as it is (shift: halves it), in sides of the area.',
        low=0.0,
        open_low=True,
        high=1e3,
    )

    def __call__(self, posterior: Posterior, context: AcquisitionContext) -> torch.Tensor:
        """Return the discounted bound, standard deviations of the field, shape ``(..., M)``."""
        bonus = self.width(context) * posterior.std / self._scale(context.distance)
        return posterior.mean + bonus

    def _scale(self, distance: torch.Tensor) -> torch.Tensor:
        if self.scaling == 'floor':
            return distance.clamp_min(self.floor) / self.length
        if self.scaling == 'shift':
            return 1.0 + distance / self.length
        return distance.clamp_min(_PAPER_FLOOR) / self.length
