# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Two hands push two things to two places: 14 numbers [Wang et al. 2018].

A world of Box2D as in the published code: hands of 2 by 0.6, a square of 1 and a disc of radius 1,
friction with the table, commanded velocities with fixed small errors, 100 steps of rest at the
end. Needs ``pip install box2d``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.types import FloatArray
from .base import Evaluation, Problem, unit_cost

DIMENSION = 14
TARGETS = np.array([[-4.4185, -4.3709], [-3.7641, -4.4742]])

_RATE = 100.0
_ITERATIONS = 10
_REST = 100
_STEPS_A_UNIT = 10
_STIFFNESS = 30.0
_ERROR_STD, _ERROR_SEED = 0.01, 0
_LEAST_COST = 0.1

_TURN = 2.0 * np.pi
# Of one hand: place, velocity, duration, angle; then both; then the turning rates.
_LOW = np.array([-5.0, -5.0, 0.0, 0.0, 1.0, 0.0] * 2 + [0.0, 0.0])
_HIGH = np.array([5.0, 5.0, 5.0, 5.0, 30.0, _TURN] * 2 + [_TURN, _TURN])


def controls_at(unit: FloatArray) -> FloatArray:
    """
    Return the physical controls at a point of the unit cube.

    :param unit: shape ``(14,)``.
    """
    controls: FloatArray = _LOW + unit * (_HIGH - _LOW)
    return controls


def push(controls: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Simulate a push.

    :param controls: x, y, vx, vy, duration, angle of one hand, of the other, both turning rates.
    :return: where the things end, and where the hands do, each shape ``(2, 2)``.
    :raises ModuleNotFoundError: if Box2D is not installed.
    """
    import Box2D as box2d

    world = box2d.b2World(gravity=(0.0, 0.0), doSleep=True)
    table = world.CreateStaticBody(
        position=(0.0, 0.0), shapes=box2d.b2PolygonShape(box=(500.0, 500.0))
    )
    things = [
        _body(world, table, box2d.b2PolygonShape(box=(0.5, 0.5)), (0.0, 2.0), 0.0, 0.05, 5.0),
        _body(world, table, box2d.b2CircleShape(radius=1.0), (0.0, -2.0), 0.0, 0.05, 5.0),
    ]
    hands = [
        _body(
            world, table, box2d.b2PolygonShape(box=(1.0, 0.3)),
            tuple(map(float, hand[:2])), float(hand[5]), 0.1, 2.0,
        )
        for hand in (controls[:6], controls[6:12])
    ]  # fmt: skip
    errors = np.random.RandomState(_ERROR_SEED).normal(0.0, _ERROR_STD, 4).reshape(2, 2)
    velocities = np.array([controls[2:4], controls[8:10]]) + errors
    steps = [int(_STEPS_A_UNIT * controls[4]), int(_STEPS_A_UNIT * controls[10])]
    for step in range(max(steps) + _REST):
        for hand, velocity, turning, n in zip(hands, velocities, controls[12:], steps):
            if step < n:
                _drive(hand, velocity, float(turning))
        world.Step(1.0 / _RATE, _ITERATIONS, _ITERATIONS)
    return _places(things), _places(hands)


def _body(
    world: Any,
    table: Any,
    shape: Any,
    place: tuple[float, ...],
    angle: float,
    density: float,
    force: float,
) -> Any:
    body = world.CreateDynamicBody(position=place, angle=angle)
    body.CreateFixture(shape=shape, density=density, friction=0.1 if density == 0.1 else 0.01)
    world.CreateFrictionJoint(bodyA=table, bodyB=body, maxForce=force, maxTorque=2.0)
    return body


def _drive(hand: Any, velocity: FloatArray, turning: float) -> None:
    """Push a hand towards its commanded velocity and turning rate."""
    hand.ApplyTorque(hand.mass * (turning - hand.angularVelocity) * _STIFFNESS, wake=True)
    missing = velocity - np.array(hand.linearVelocity)
    force = hand.mass * missing * _STIFFNESS
    hand.ApplyForce((float(force[0]), float(force[1])), hand.position, wake=True)


def _places(bodies: list[Any]) -> FloatArray:
    return np.array([[body.position[0], body.position[1]] for body in bodies])


def pushing_problem(*, is_cost_aware: bool) -> Problem:
    """
    Return the problem of the least distance of both things from their targets, negated.

    :param is_cost_aware: whether an evaluation costs the distance both hands moved plus 0.1, seen
        only afterwards, or 1.
    """

    def evaluate(point: FloatArray) -> Evaluation:
        controls = controls_at(point)
        things, hands = push(controls)
        missed = float(np.linalg.norm(things - TARGETS, axis=1).sum())
        starts = np.array([controls[:2], controls[6:8]])
        moved = float(np.linalg.norm(hands - starts, axis=1).sum())
        return Evaluation(-missed, moved + _LEAST_COST if is_cost_aware else 1.0)

    return Problem(DIMENSION, evaluate, known_cost=None if is_cost_aware else unit_cost)
