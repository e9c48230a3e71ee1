# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Tuning a two-layer network on two classification tasks: section 5.2 of the first paper.

The four axes of the cube, with the ranges of the paper: batch size 32 to 128; initial learning
rate ``r`` 1e-6 to 1, logarithmic; its schedule ``g`` 1e-6 to 1, logarithmic, the rate of epoch
``e`` (from 0) being ``r / (1 + g e)``; and the hidden units, 0.5 to 4 for each feature. What the
paper does not say is ours: tanh units, plain Adam, 10 epochs, standardised features.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from ...core.types import FloatArray
from .base import Evaluation, Problem, unit_cost

EPOCHS = 10
SPAM_FILE = Path('spambase') / 'spam.csv.gz'

_TRAINING_SHARE = 0.7


@dataclass(frozen=True)
class Classification:
    """
    Examples of two classes, split into training and test.

    :param train_x: standardised features, shape ``(N, F)``.
    :param train_y: 0 or 1, shape ``(N,)``.
    :param test_x: features standardised as those of the training, shape ``(M, F)``.
    :param test_y: 0 or 1, shape ``(M,)``.
    """

    train_x: torch.Tensor
    train_y: torch.Tensor
    test_x: torch.Tensor
    test_y: torch.Tensor


@dataclass(frozen=True)
class TrainingOptions:
    """
    One configuration.

    :param batch_size: examples a step.
    :param rate: initial learning rate.
    :param schedule: how fast it falls, per epoch.
    :param hidden: units of the hidden layer.
    """

    batch_size: int
    rate: float
    schedule: float
    hidden: int


def options_at(point: FloatArray, n_features: int) -> TrainingOptions:
    """
    Return the configuration at a point of the unit cube.

    :param point: shape ``(4,)``.
    :param n_features: of the task.
    """
    return TrainingOptions(
        batch_size=round(32.0 + 96.0 * float(point[0])),
        rate=10.0 ** (-6.0 + 6.0 * float(point[1])),
        schedule=10.0 ** (-6.0 + 6.0 * float(point[2])),
        hidden=max(round((0.5 + 3.5 * float(point[3])) * n_features), 1),
    )


def split(x: FloatArray, y: FloatArray, generator: np.random.Generator) -> Classification:
    """
    Split examples at random, 70 % for training, and standardise by the training's statistics.

    :param x: features, shape ``(N, F)``.
    :param y: 0 or 1, shape ``(N,)``.
    """
    order = generator.permutation(len(y))
    n_train = round(_TRAINING_SHARE * len(y))
    train, test = order[:n_train], order[n_train:]
    mean, std = x[train].mean(axis=0), x[train].std(axis=0)
    scaled = torch.from_numpy((x - mean) / np.where(std > 0.0, std, 1.0))
    labels = torch.from_numpy(y.astype(np.float64))
    return Classification(scaled[train], labels[train], scaled[test], labels[test])


def error_of_test(task: Classification, options: TrainingOptions, seed: int) -> float:
    """
    Train a network and return the share of test examples it gets wrong.

    :param task: examples.
    :param options: configuration.
    :param seed: of the first weights and the order of the examples.
    """
    generator = torch.Generator().manual_seed(seed)
    x, y = task.train_x.float(), task.train_y.float()
    n, n_features = x.shape
    parameters = [
        _weights(n_features, options.hidden, generator),
        torch.zeros(options.hidden),
        _weights(options.hidden, 1, generator).squeeze(1),
        torch.zeros(()),
    ]
    for parameter in parameters:
        parameter.requires_grad_()
    optimiser = torch.optim.Adam(parameters, lr=options.rate)
    for epoch in range(EPOCHS):
        for group in optimiser.param_groups:
            group['lr'] = options.rate / (1.0 + options.schedule * epoch)
        order = torch.randperm(n, generator=generator)
        for first in range(0, n, options.batch_size):
            batch = order[first : first + options.batch_size]
            optimiser.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                _logits(parameters, x[batch]), y[batch]
            )
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    with torch.no_grad():
        is_one = _logits(parameters, task.test_x.float()) > 0.0
    return float((is_one != (task.test_y > 0.5)).double().mean())


def _weights(rows: int, columns: int, generator: torch.Generator) -> torch.Tensor:
    weights: torch.Tensor = torch.randn(rows, columns, generator=generator) / rows**0.5
    return weights


def _logits(parameters: list[torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    inner, inner_bias, outer, outer_bias = parameters
    return torch.tanh(x @ inner + inner_bias) @ outer + outer_bias


def breast_cancer() -> tuple[FloatArray, FloatArray]:
    """
    Return features and labels of the breast cancer task, which scikit-learn carries.

    :raises ModuleNotFoundError: if scikit-learn is not installed.
    """
    from sklearn.datasets import load_breast_cancer

    x, y = load_breast_cancer(return_X_y=True)
    return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)


def spam(data: Path) -> tuple[FloatArray, FloatArray]:
    """
    Return features and labels of the spam task.

    :param data: folder of real measurements, with :data:`SPAM_FILE`.
    """
    with gzip.open(data / SPAM_FILE, 'rt', encoding='utf-8') as file:
        rows = [line.strip().replace('"', '').split(',') for line in file]
    label = rows[0].index('type')
    x = np.array(
        [[float(cell) for k, cell in enumerate(row) if k != label] for row in rows[1:]]
    )
    return x, np.array([float(row[label] == 'spam') for row in rows[1:]])


def tuning_problem(load: Callable[[], tuple[FloatArray, FloatArray]], seed: int) -> Problem:
    """
    Return the problem of the least test error, negated.

    The same point always gives the same error: first weights and order depend on the seed alone.

    :param load: returns features and labels.
    :param seed: of the split and the training.
    """
    x, y = load()
    task = split(x, y, np.random.default_rng([seed, 11]))

    def evaluate(point: FloatArray) -> Evaluation:
        return Evaluation(-error_of_test(task, options_at(point, x.shape[1]), seed), 1.0)

    return Problem(4, evaluate, known_cost=unit_cost)
