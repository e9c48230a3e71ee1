# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
L-BFGS-B from several starts at once, every round of evaluations in one batch.

Each start has its own minimiser (SciPy's, with its own line search and memory), so it climbs as if
it were alone; only the evaluations are shared. A batch of ``R`` points costs hardly more than one
where the function is a chain of small tensor operations.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np
import torch
from scipy.optimize import minimize

from .types import FloatArray

Function = Callable[[torch.Tensor], torch.Tensor]
"""Maps points ``(B, D)`` to values ``(B,)``, row by row, differentiable by autograd."""

_Evaluation = tuple[float, FloatArray]
_Minimand = Callable[[FloatArray], _Evaluation]


@dataclass(frozen=True)
class Precision:
    """
    When an ascent ends.

    :param value: least relative gain of a step that counts.
    :param gradient: largest slope along a box side that counts as none.
    :param max_iterations: steps at most.
    """

    value: float = 1e-15
    gradient: float = 1e-9
    max_iterations: int = 200


@dataclass(frozen=True)
class Box:
    """
    A box and its coordinates, 0 .. 1 along each side.

    :param lower: least coordinates, shape ``(D,)``.
    :param upper: greatest coordinates, shape ``(D,)``, at least ``lower``.
    """

    lower: torch.Tensor
    upper: torch.Tensor

    def point(self, unit: torch.Tensor) -> torch.Tensor:
        """Return the points at box coordinates, shape ``(..., D)``."""
        # This form hits both edges exactly; the clamp undoes its rounding on a side of no width.
        return ((1.0 - unit) * self.lower + unit * self.upper).clamp(self.lower, self.upper)

    def unit(self, points: torch.Tensor) -> torch.Tensor:
        """Return the box coordinates of points, shape ``(..., D)``; those outside are clipped."""
        width = self.upper - self.lower
        flat = width <= 0.0
        return torch.where(
            flat, 0.0, (points - self.lower) / torch.where(flat, 1.0, width)
        ).clamp(0.0, 1.0)


class _Abandoned(Exception):
    """The evaluations ended before this minimiser did."""


def ascend(
    function: Function, box: Box, starts: FloatArray, precision: Precision | None = None
) -> tuple[FloatArray, FloatArray]:
    """
    Climb from every start.

    A point where the value or its gradient is not finite counts as infinitely bad: the line
    search turns back before it.

    :param function: what to maximise.
    :param box: where.
    :param starts: in box coordinates, shape ``(R, D)``.
    :param precision: when to stop; by default at the last digits.
    :return: the points reached, in box coordinates, shape ``(R, D)``, and their values ``(R,)``,
        minus infinity where the start had none.
    """
    precision = precision or Precision()
    runs = _together(
        lambda units: _evaluate(function, box, units),
        list(np.asarray(starts, dtype=np.float64)),
        precision,
    )
    points = np.array([point for point, _ in runs]).reshape(np.shape(starts))
    return points, np.array([value for _, value in runs])


def _evaluate(function: Function, box: Box, units: FloatArray) -> list[_Evaluation]:
    """Return the negated values and gradients at box coordinates ``(B, D)``."""
    points = torch.tensor(units, dtype=torch.float64).requires_grad_()
    with torch.enable_grad():
        values = function(box.point(points))
        (gradients,) = torch.autograd.grad(values.sum(), points)
    finite = torch.isfinite(values) & torch.isfinite(gradients).all(dim=-1)
    costs = torch.where(finite, -values.detach(), torch.inf)
    slopes = torch.where(finite.unsqueeze(-1), -gradients, 0.0)
    return [(float(cost), slope.numpy()) for cost, slope in zip(costs, slopes)]


def _minimise(
    function: _Minimand, start: FloatArray, precision: Precision
) -> tuple[FloatArray, float]:
    """Return where one minimiser ends, and the negated value there."""
    result = minimize(
        function,
        start,
        jac=True,
        method='L-BFGS-B',
        bounds=[(0.0, 1.0)] * start.size,
        options={
            'ftol': precision.value,
            'gtol': precision.gradient,
            'maxiter': precision.max_iterations,
        },
    )
    return result.x, -float(result.fun)


def _together(
    evaluate: Callable[[FloatArray], list[_Evaluation]],
    starts: list[FloatArray],
    precision: Precision,
) -> list[tuple[FloatArray, float]]:
    """
    Run one minimiser a start, each in a thread that sleeps until its value is there.

    The batch is ordered by start and every minimiser sees its own values only, so the result does
    not depend on the threads.
    """
    if len(starts) <= 1:
        return [_minimise(lambda x: evaluate(x[None])[0], s, precision) for s in starts]
    requests: SimpleQueue[tuple[int, FloatArray | None]] = SimpleQueue()
    answers: list[SimpleQueue[_Evaluation | None]] = [SimpleQueue() for _ in starts]

    def climb(index: int) -> tuple[FloatArray, float]:
        def ask(point: FloatArray) -> _Evaluation:
            requests.put((index, point.copy()))
            answer = answers[index].get()
            if answer is None:
                raise _Abandoned
            return answer

        try:
            return _minimise(ask, starts[index], precision)
        finally:
            requests.put((index, None))

    with ThreadPoolExecutor(len(starts)) as pool:
        climbs = [pool.submit(climb, index) for index in range(len(starts))]
        try:
            asked: list[tuple[int, FloatArray]] = []
            climbing = len(starts)
            while climbing:
                messages = [requests.get() for _ in range(climbing)]
                asked = [(i, point) for i, point in messages if point is not None]
                asked.sort(key=lambda request: request[0])
                climbing = len(asked)
                if not asked:
                    break
                points = np.stack([point for _, point in asked])
                for (index, _), answer in zip(asked, evaluate(points)):
                    answers[index].put(answer)
        finally:
            # Wakes whoever still waits when an evaluation raised.
            for queue in answers:
                queue.put(None)
    return [climbed.result() for climbed in climbs]
