# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The planner: tell it readings, ask it where to go."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable

import numpy as np
import torch

from .acquisition.base import AcquisitionContext
from .area import SearchArea
from .config import ExplorerConfig
from .errors import ModelError
from .gp.field_map import FieldMap
from .gp.hyperparameters import Hyperparameters
from .gp.model import FitReport, fit, initial_hyperparameters
from .grid import spacing_of
from .hysteresis import kept_or_better
from .ingest import Ingest
from .lookahead.base import BUDGET_TOLERANCE
from .optimise import best_candidate
from .policy import PlanningState, Policy, price_falls
from .stopping import StopState, first_stop, make_stop_rules, nothing_left
from .travel import CandidateRoutes, TravelCost
from .tried_places import TriedPlaces
from .types import (
    BoolArray,
    Decision,
    Estimate,
    FloatArray,
    MapSnapshot,
    Outcome,
    Posterior,
    Reading,
    Samples,
)

logger = logging.getLogger(__name__)


class Explorer:
    """
    Keeps the map and chooses the next target; holds no vehicle and no clock.

    :param config: all settings.
    :param policy: scores the candidates.
    :raises GeometryError: if the search area or a zone cannot be used.
    """

    def __init__(self, config: ExplorerConfig, policy: Policy) -> None:
        self.config = config
        self._survey(config)
        cell = config.ingest.cell_m
        self._ingest = Ingest(
            config.ingest,
            cell_m=self.spacing_m if math.isnan(cell) else cell,
            contains=lambda points: self.area.contains(points),
        )
        separation = config.policy.min_separation_m
        if math.isnan(separation):
            separation = self.spacing_m if math.isnan(cell) else cell
        self._tried = TriedPlaces(
            separation,
            max(config.vehicle.arrival_radius_m, self.area.tolerance_m),
            self.spacing_m,
        )
        self._policy = policy
        self._rules = make_stop_rules(config.stop)
        self._generator = np.random.default_rng(config.seed)
        self._map: FieldMap | None = None
        self._fitted_at = 0
        self._is_fitted = False
        self._n_decays = 0

    def reconfigure(self, config: ExplorerConfig, policy: Policy) -> None:
        """
        Go on with other live settings; what was learned is kept.

        :param config: differs from the present one in live options only.
        :param policy: scores the candidates from now on.
        :raises GeometryError: if a zone cannot be used; nothing has changed then.
        """
        if (config.area, config.no_fly) != (self.config.area, self.config.no_fly):
            self._survey(config)
            if self._map is not None:
                samples = self._map.samples
                self._map = FieldMap(self.candidates, self._map.hyperparameters)
                self._map.update(samples)
        if config.stop != self.config.stop:
            self._rules = make_stop_rules(config.stop)
        self.config, self._policy = config, policy

    def _survey(self, config: ExplorerConfig) -> None:
        """Lay the candidates out and prepare the ways between them, all or nothing."""
        area = SearchArea.from_config(config.area, config.no_fly, config.search_plane())
        travel = TravelCost(
            area,
            stop_cost_m=config.budget.stop_cost_m,
            speed_mps=config.vehicle.speed_mps,
            wind_mps=(config.vehicle.wind_east_mps, config.vehicle.wind_north_mps),
        )
        candidates = area.candidates(config.area.resolution_m)
        self.routes = CandidateRoutes(travel, candidates)
        self.area, self.travel, self.candidates = area, travel, candidates
        self.spacing_m = spacing_of(candidates, area.side)

    @property
    def ingest(self) -> Ingest:
        """The gate the readings pass, with its counts."""
        return self._ingest

    @property
    def field_map(self) -> FieldMap | None:
        """The map, or ``None`` before the first accepted reading."""
        return self._map

    def tell(self, readings: Iterable[Reading]) -> int:
        """
        Take over readings and bring the map up to date.

        :param readings: in the order of their stamps.
        :return: how many were accepted.
        """
        accepted = self._ingest.add(readings)
        if accepted:
            samples = self._ingest.samples
            # Merged samples are fewer; fits go on from there.
            self._fitted_at = min(self._fitted_at, len(samples))
            if not self._is_fitted:
                self._restart_map()
            self._update_map(samples)
        return accepted

    def restore(
        self,
        samples: Samples,
        learned: Hyperparameters | None,
        stops: Iterable[FloatArray],
    ) -> None:
        """
        Begin with what another explorer knew.

        :param samples: it had accepted.
        :param learned: hyperparameters it had learned, or ``None`` without a fit.
        :param stops: places it had stopped at, each shape ``(2,)``, metres.
        """
        self._ingest.restore(samples)
        self._tried.stops.extend(np.array(stop, dtype=np.float64) for stop in stops)
        if not len(samples):
            return
        self._restart_map()
        if learned is not None:
            self._map = FieldMap(self.candidates, learned)
            self._is_fitted, self._fitted_at = True, len(samples)
        self._update_map(samples)

    @property
    def learned(self) -> Hyperparameters | None:
        """Hyperparameters of the last fit, or ``None`` before the first."""
        return self._map.hyperparameters if self._map is not None and self._is_fitted else None

    def is_fit_due(self) -> bool:
        """Whether the samples have grown enough to learn the hyperparameters again."""
        model, n = self.config.model, len(self._ingest.samples)
        if not model.fit or n < model.fit_min_samples or self._map is None:
            return False
        return self._fitted_at == 0 or n >= model.fit_growth * self._fitted_at

    def fit(self) -> FitReport:
        """
        Learn the hyperparameters; a fit that fails keeps the last good ones.

        :return: what came of it.
        :raises ValueError: if there is no sample yet.
        """
        field_map = self._map_or_raise()
        samples = self._ingest.samples
        self._fitted_at = len(samples)
        report = fit(
            samples,
            self.config.model,
            field_map.hyperparameters,
            side_m=self.area.side,
            spacing_m=self.spacing_m,
        )
        if report.is_fitted:
            self._is_fitted = True
            field_map.set_hyperparameters(report.hyperparameters)
        else:
            logger.warning('fit kept the last hyperparameters: %s', report.message)
        return report

    @property
    def best(self) -> Estimate | None:
        """The sampled place with the highest posterior mean, or ``None`` without samples."""
        if self._map is None or not len(self._map.samples):
            return None
        posterior = self._map.sample_posterior()
        index = int(torch.argmax(posterior.mean))
        h = self._map.hyperparameters
        x, y = self._map.samples.points[index]
        return Estimate(
            x=float(x),
            y=float(y),
            mean=h.mean + h.signal_std * float(posterior.mean[index]),
            std=h.signal_std * float(posterior.std[index]),
        )

    def map(self) -> MapSnapshot | None:
        """Return the belief at the candidates, or ``None`` without samples."""
        if self._map is None:
            return None
        posterior, h = self._map.posterior(), self._map.hyperparameters
        return MapSnapshot(
            points=self.candidates,
            mean=h.mean + h.signal_std * posterior.mean.numpy(),
            std=h.signal_std * posterior.std.numpy(),
            spacing_m=self.spacing_m,
        )

    @property
    def stops(self) -> tuple[FloatArray, ...]:
        """Places the vehicle stopped at to measure, in order, each of shape ``(2,)``, metres."""
        return tuple(self._tried.stops)

    def stopped_at(self, position: FloatArray) -> None:
        """Remember a place where the vehicle stopped to measure, shape ``(2,)``, metres."""
        self._tried.stops.append(np.array(position, dtype=np.float64))

    def avoid(self, target: FloatArray) -> None:
        """Choose no target near this place, shape ``(2,)``, for a while: it cannot be reached."""
        self._tried.avoid(target)

    def ask(
        self,
        position: FloatArray,
        *,
        home: FloatArray,
        available_m: float,
        total_m: float,
        elapsed_s: float = 0.0,
        present_target: FloatArray | None = None,
    ) -> Decision:
        """
        Choose the next target.

        A candidate is legal when the way there, the stop and the way home from it fit into
        ``available_m`` and both ways keep inside the area and outside every zone.

        :param position: where the next path starts, shape ``(2,)``, metres.
        :param home: where the mission must end, shape ``(2,)``, metres.
        :param available_m: budget left for plans (remaining minus reserve), metres-equivalent.
        :param total_m: budget of the whole mission, metres-equivalent.
        :param elapsed_s: mission time so far, seconds.
        :param present_target: target flown to now; a new one must beat it clearly.
        :return: the decision; expected ends are outcomes, not exceptions.
        """
        best = self.best
        if self._map is None or best is None:
            return Decision(Outcome.NOT_ENOUGH_DATA, 'no reading has been accepted yet')
        legs = self.routes.costs_from(position)
        homes = self.routes.costs_to(home)
        stop_cost = self.travel.stop_cost_m
        reachable = np.isfinite(legs) & np.isfinite(homes)
        needed = np.where(reachable, legs + stop_cost + homes, np.inf)
        fresh = reachable & self._tried.fresh(self.candidates, position, present_target)
        legal = fresh & (needed <= available_m - BUDGET_TOLERANCE * total_m)
        counts = {
            'candidates': len(self.candidates),
            'reachable': int(reachable.sum()),
            'fresh': int(fresh.sum()),
            'affordable': int(legal.sum()),
        }
        state = self._planning_state(legs, homes, legal, available_m, total_m)
        stop = first_stop(
            self._rules,
            StopState(elapsed_s, best, state.posterior, state.context, legal),
        )
        if stop is not None:
            return Decision(stop.outcome, stop.reason, counts=counts)
        if not legal.any():
            return nothing_left(reachable, fresh, counts)
        return self._choose(state, position, needed, present_target, counts)

    def _choose(
        self,
        state: PlanningState,
        position: FloatArray,
        needed: FloatArray,
        present_target: FloatArray | None,
        counts: dict[str, int],
    ) -> Decision:
        scores = self._policy.scores(state)
        self._n_decays += price_falls(self._policy, state)
        legal = state.legal.copy()
        present = None
        if present_target is not None:
            away = np.linalg.norm(self.candidates - present_target, axis=1)
            present = int(np.argmin(away))
        while True:
            index = best_candidate(scores, legal)
            if index is None:
                return Decision(
                    Outcome.NO_LEGAL_CANDIDATE,
                    'no candidate has both a score and a legal path',
                    counts=counts,
                )
            if present is not None:
                least_gain = self.config.policy.hysteresis
                index = kept_or_better(index, present, scores, legal, least_gain)
            target = self.candidates[index]
            path = self.travel.path(position, target)
            if path is not None:
                break
            legal[index] = False
        return Decision(
            Outcome.WAYPOINT,
            f'target ({target[0]:.1f}, {target[1]:.1f}) with score {scores[index]:.4g}',
            target=target,
            path=path,
            cost_m=float(state.leg_costs_m[index]) + state.stop_cost_m,
            home_cost_m=float(state.home_costs_m[index]),
            score=float(scores[index]),
            counts=counts,
        )

    def _planning_state(
        self,
        legs: FloatArray,
        homes: FloatArray,
        legal: BoolArray,
        available_m: float,
        total_m: float,
    ) -> PlanningState:
        field_map, side = self._map_or_raise(), self.area.side
        # Candidates no path leads to are never chosen; a large finite cost keeps scores finite.
        distance = torch.from_numpy(np.where(np.isfinite(legs), legs, 1e6 * side) / side)
        posterior: Posterior = field_map.posterior()
        context = AcquisitionContext(
            incumbent=field_map.sample_posterior().mean.max(),
            distance=distance,
            cost=distance + self.travel.stop_cost_m / side,
            remaining=max(available_m, 0.0) / side,
            total=total_m / side,
            n_samples=len(field_map.samples),
            dimension=self.candidates.shape[1],
            n_decays=self._n_decays,
        )
        return PlanningState(
            field_map=field_map,
            posterior=posterior,
            context=context,
            legal=legal,
            routes=self.routes,
            leg_costs_m=legs,
            home_costs_m=homes,
            available_m=available_m,
            stop_cost_m=self.travel.stop_cost_m,
            side_m=side,
            generator=self._generator,
        )

    def _restart_map(self) -> None:
        """Let the scale follow the data as long as no fit has found it."""
        hyperparameters = initial_hyperparameters(
            self.config.model, self.area.side, self.candidates.shape[1], self._ingest.samples
        )
        if self._map is None or self._map.hyperparameters != hyperparameters:
            self._map = FieldMap(self.candidates, hyperparameters)

    def _update_map(self, samples: Samples) -> None:
        field_map = self._map_or_raise()
        try:
            field_map.update(samples)
        except ModelError as error:
            # New rows can fail on top of old ones where all together do not.
            logger.warning('the map is built anew: %s', error)
            self._map = FieldMap(self.candidates, field_map.hyperparameters)
            self._map.update(samples)

    def _map_or_raise(self) -> FieldMap:
        if self._map is None:
            raise ValueError('the map needs at least one accepted reading.')
        return self._map
