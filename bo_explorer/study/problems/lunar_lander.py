# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A controller of the lunar lander with 12 weights [Eriksson et al. 2019, TuRBO].

The mean reward over landings on seeded terrains. The published experiment runs fifty terrains of
Gym's environment; this is Gymnasium's. A landing ends after 1000 steps, the limit of that
environment, where the published code flies up to 5000: whatever only hovers costs less here. Needs
``pip install gymnasium box2d``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.types import FloatArray
from .base import Evaluation, Problem, unit_cost

DIMENSION = 12

_MOST_STEPS = 1000
_STEPS_A_COST = 16.0
_NOTHING, _LEFT, _MAIN, _RIGHT = range(4)


def action(state: FloatArray, weights: FloatArray) -> int:
    """
    Return what the controller does.

    It leans towards the pad, hovers the higher the further it is away, and fires the engine whose
    error is greatest.

    :param state: x, y, their rates, angle, its rate, and whether each leg touches the ground.
    :param weights: shape ``(12,)``.
    """
    x, y, vx, vy, angle, turning, left, right = state
    w = weights
    lean = float(np.clip(w[0] * x + w[1] * vx, -w[2], w[2]))
    turn = (lean - angle) * w[4] - turning * w[5]
    rise = (w[3] * abs(x) - y) * w[6] - vy * w[7]
    if left or right:
        turn, rise = w[8], -vy * w[9]
    if rise > abs(turn) and rise > w[10]:
        return _MAIN
    if turn < -w[11]:
        return _RIGHT
    return _LEFT if turn > w[11] else _NOTHING


def land(environment: Any, weights: FloatArray, terrain: int) -> tuple[float, int]:
    """
    Land once.

    :param environment: Gymnasium's lunar lander.
    :param weights: of the controller, shape ``(12,)``.
    :param terrain: its seed.
    :return: the reward, and the steps it took.
    """
    state, _ = environment.reset(seed=terrain)
    reward, steps, is_over = 0.0, 0, False
    while steps < _MOST_STEPS and not is_over:
        state, gained, is_over, _, _ = environment.step(action(state, weights))
        reward += float(gained)
        steps += 1
    return reward, steps


def landing_problem(*, is_cost_aware: bool, terrains: int = 50) -> Problem:
    """
    Return the problem of the greatest mean reward.

    :param is_cost_aware: whether an evaluation costs a sixteenth of its mean steps, seen only
        afterwards, or 1.
    :param terrains: landings of an evaluation.
    :raises ModuleNotFoundError: if Gymnasium or Box2D is not installed.
    """
    from gymnasium.envs.box2d.lunar_lander import LunarLander

    environment = LunarLander()

    def evaluate(point: FloatArray) -> Evaluation:
        landings = np.array([land(environment, point, seed) for seed in range(terrains)])
        reward, steps = landings.mean(axis=0)
        return Evaluation(float(reward), float(steps) / _STEPS_A_COST if is_cost_aware else 1.0)

    return Problem(DIMENSION, evaluate, known_cost=None if is_cost_aware else unit_cost)
