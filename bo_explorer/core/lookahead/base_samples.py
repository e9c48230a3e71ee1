# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Standard normal numbers that are the same in every decision."""

from __future__ import annotations

from functools import lru_cache

import torch


@lru_cache(maxsize=16)
def base_samples(n_samples: int, n_dimensions: int, seed: int) -> torch.Tensor:
    """
    Return quasi-random standard normal numbers: scrambled Sobol points by inverse distribution.

    With common numbers for every first move, the differences between moves have less variance, and
    the same state always gives the same decision.

    :param n_samples: ``S``; a power of 2 covers the space best.
    :param n_dimensions: ``P``, readings imagined in one future.
    :param seed: of the scrambling.
    :return: float64, not to be changed, shape ``(S, P)``.
    """
    engine = torch.quasirandom.SobolEngine(  # type: ignore[no-untyped-call]
        max(n_dimensions, 1), scramble=True, seed=seed
    )
    uniform = engine.draw(n_samples, dtype=torch.float64)[:, :n_dimensions]
    # The points lie on a lattice of 2^-30 that holds 0.
    normal: torch.Tensor = torch.special.ndtri(uniform.clamp(2.0**-32, 1.0 - 2.0**-32))
    return normal


def middle(n_dimensions: int) -> torch.Tensor:
    """
    Return the one future in which every reading is what is expected.

    :param n_dimensions: ``P``.
    :return: zeros, shape ``(1, P)``.
    """
    return torch.zeros(1, n_dimensions, dtype=torch.float64)
