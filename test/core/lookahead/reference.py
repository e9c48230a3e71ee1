# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Rollout the slow way: one mission after the other, a new map for every imagined reading."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import torch
from scipy.stats import norm

from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.optimise import best_candidate
from bo_explorer.core.types import Samples


class Mission:
    """One imagined mission over a calm convex area."""

    def __init__(self, state, position, home, normals):
        self.state, self.home = state, np.asarray(home)
        self.map = state.field_map
        self.places = self.map.candidates
        self.position = np.asarray(position)
        self.normals = iter(normals)
        self.incumbent = float(state.context.incumbent)
        self.n_read = 0
        self.spent = 0.0
        self.improvement = 0.0
        self.acquired = 0.0
        self.visited = []

    def read(self, index, counts=True):
        h, posterior = self.map.hyperparameters, self.map.posterior()
        mean, variance = float(posterior.mean[index]), float(posterior.std[index]) ** 2
        noise = self.map.noise_variance
        step = variance / math.sqrt(variance + noise)
        u = (mean - self.incumbent) / step
        self.improvement += step * (norm.pdf(u) + u * norm.cdf(u))
        value = mean + math.sqrt(variance + noise) * float(next(self.normals, math.nan))
        if math.isnan(value):
            return
        s = self.map.samples
        samples = Samples(
            np.concatenate([s.points, self.places[index][np.newaxis]]),
            np.append(s.values, h.mean + h.signal_std * value),
            np.append(s.counts, 1.0),
        )
        self.map = FieldMap(self.places, h)
        self.map.update(samples)
        self.incumbent = max(self.incumbent, float(self.map.posterior().mean[index]))

    def fly(self, index, value, n_along, start=None):
        target = self.places[index]
        for part in range(1, n_along + 1):
            point = self.position + part / (n_along + 1) * (target - self.position)
            passed = int(np.argmin(np.linalg.norm(self.places - point, axis=1)))
            if passed in (index, start):
                next(self.normals)
            else:
                self.read(passed)
        self.read(index)
        self.spent += np.linalg.norm(target - self.position) + self.state.stop_cost_m
        self.acquired += value
        self.position = target
        self.visited.append(index)
        self.n_read += n_along + 1

    def choose(self, acquisition):
        state, side = self.state, self.state.side_m
        distance = np.linalg.norm(self.places - self.position, axis=1)
        homes = np.linalg.norm(self.places - self.home, axis=1)
        legal = state.legal & (
            distance + state.stop_cost_m + homes <= state.available_m - self.spent
        )
        legal[self.visited] = False
        context = dataclasses.replace(
            state.context,
            incumbent=torch.tensor(self.incumbent, dtype=torch.float64),
            distance=torch.from_numpy(distance / side),
            cost=torch.from_numpy((distance + state.stop_cost_m) / side),
            n_samples=state.context.n_samples + self.n_read,
        )
        scores = acquisition(self.map.posterior(), context).numpy()
        index = best_candidate(scores, legal)
        return index, None if index is None else float(scores[index])


def rollout_values(state, moves, policies, normals, *, position, home, n_along):
    """Return the mean acquisition, improvement and cost (sides) of each first move."""
    base = policies[0]
    first = base(state.posterior, state.context)
    rewards = []
    for move in moves:
        missions = []
        for row in normals:
            mission = Mission(state, position, home, row.tolist())
            mission.fly(int(move), float(first[move]), n_along)
            for acquisition in policies:
                start = mission.visited[-1]
                index, value = mission.choose(acquisition)
                if index is None:
                    break
                mission.fly(index, value, n_along, start)
            missions.append((mission.acquired, mission.improvement, mission.spent / state.side_m))
        rewards.append(np.mean(missions, axis=0))
    return np.array(rewards).T
