# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The same work done here and by BoTorch, on the same data, in one run, as ratios of time.

- One decision that looks three steps ahead: a rollout on the grid against the one-shot trees of
  ``qMultiStepLookahead`` with [1, 1] and [8, 4] fantasies (8 restarts, 64 raw points). The two
  maximise different things and only the rollout obeys a budget: what is compared is the wait.
- The logarithm of the expected improvement at the same places, from the same posterior model.
- The fit of the hyperparameters, each library with its own priors and optimiser.

Every row gives the wall time, and the time of all processors together, which other work on the
machine hardly changes.

Run from the repository root: ``python -m benchmarks.against_botorch [--quick] [--samples 50]
[--threads 2]``. With both trees it takes about five minutes, more with more samples.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from botorch.acquisition import qMultiStepLookahead
from botorch.acquisition.analytic import LogExpectedImprovement as BotorchLogEi
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.optim import optimize_acqf
from gpytorch.kernels import MaternKernel, ScaleKernel
from gpytorch.mlls import ExactMarginalLogLikelihood

from benchmarks.decision_latency import SIDE, Case, World
from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.config import ModelConfig
from bo_explorer.core.gp.model import fit, initial_hyperparameters
from bo_explorer.core.policy import make_policy

Times = tuple[float, float]
"""Wall and processor time, milliseconds."""


def least_times(work: Callable[[], object], repeats: int, *, warm: bool = True) -> Times:
    """
    Return the least times of several runs.

    :param work: what to time.
    :param repeats: timed runs.
    :param warm: whether to run once before.
    """
    if warm:
        work()
    times = []
    for _ in range(repeats):
        begin, begin_processor = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - begin, time.process_time() - begin_processor))
    wall, processor = zip(*times)
    return 1e3 * min(wall), 1e3 * min(processor)


def botorch_model(world: World) -> SingleTaskGP:
    """Build a model of BoTorch with the data and the kernel of the world."""
    samples = world.field_map.samples
    model = SingleTaskGP(
        torch.tensor(samples.points / SIDE),
        torch.tensor(samples.values).unsqueeze(-1),
        covar_module=ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=2)).double(),
        outcome_transform=None,
    )
    model.covar_module.outputscale = 1.0
    model.covar_module.base_kernel.lengthscale = torch.tensor([0.2, 0.2])
    model.likelihood.noise = 0.01
    return model


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--quick', action='store_true', help='few repeats, small trees')
    parser.add_argument('--samples', type=int, default=50, help='samples behind the models')
    parser.add_argument('--threads', type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    repeats = 5 if arguments.quick else 20
    warnings.filterwarnings('ignore')

    world = World(Case('rollout', n=arguments.samples - 1), 1)
    state = world.grow()
    model = botorch_model(world)
    model.eval()
    unit_box = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)

    def tree(fantasies: list[int]) -> object:
        acquisition = qMultiStepLookahead(
            model, batch_sizes=[1] * len(fantasies), num_fantasies=fantasies
        )
        return optimize_acqf(
            acquisition,
            unit_box,
            q=acquisition.get_augmented_q_batch_size(1),
            num_restarts=8,
            raw_samples=64,
        )

    rows: list[tuple[str, Times, Times]] = []
    rollout = make_policy('rollout', {'policy.rollout.horizon': 2})
    ours = least_times(lambda: rollout.scores(state), repeats)
    for fantasies in ([1, 1],) if arguments.quick else ([1, 1], [8, 4]):
        theirs = least_times(partial(tree, fantasies), 1, warm=False)
        rows.append((f'three steps ahead, {fantasies}', ours, theirs))

    log_ei = make_acquisition('log_ei')
    best = float(state.context.incumbent)
    points = torch.tensor(world.candidates / SIDE).unsqueeze(1)
    places = torch.tensor(world.candidates)

    def our_improvement() -> object:
        return log_ei(state.field_map.posterior_at(places), state.context)

    def their_improvement() -> object:
        with torch.no_grad():
            return BotorchLogEi(model, best_f=best)(points)

    rows.append(
        (
            f'log EI at {len(places)} places',
            least_times(our_improvement, repeats),
            least_times(their_improvement, repeats),
        )
    )

    config, samples = ModelConfig(), world.field_map.samples
    start = initial_hyperparameters(config, SIDE, 2, samples)

    def our_fit() -> object:
        return fit(samples, config, start, side_m=SIDE, spacing_m=SIDE / 50.0)

    def their_fit() -> object:
        fresh = botorch_model(world)
        return fit_gpytorch_mll(ExactMarginalLogLikelihood(fresh.likelihood, fresh))

    rows.append(
        (
            f'fit to {arguments.samples} samples',
            least_times(our_fit, 5),
            least_times(their_fit, 3),
        )
    )
    apart = float(np.abs(_difference(our_improvement, their_improvement)).max())
    print(
        f'{arguments.samples} samples, 2-D, {arguments.threads} threads, least of {repeats} runs, '
        f'ms; log EI apart by at most {apart:.1e}'
    )
    print(
        '| work | here | BoTorch | ratio | here, CPU | BoTorch, CPU | ratio |\n'
        '|---|---|---|---|---|---|---|'
    )
    for name, here, there in rows:
        pairs = ' | '.join(f'{a:.2f} | {b:.2f} | {b / a:.1f}' for a, b in zip(here, there))
        print(f'| {name} | {pairs} |')


def _difference(
    ours: Callable[[], object], theirs: Callable[[], object]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the differences where the improvement is above 1e-8."""
    mine, other = ours(), theirs()
    assert isinstance(mine, torch.Tensor) and isinstance(other, torch.Tensor)
    matters = mine > np.log(1e-8)
    result: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = (mine - other)[matters].numpy()
    return result


if __name__ == '__main__':
    main()
