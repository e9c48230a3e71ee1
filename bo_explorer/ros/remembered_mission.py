# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The memory of the node's mission, if the parameter ``memory.folder`` names a place for it."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from rclpy.node import Node
from rclpy.parameter import Parameter

from ..core.errors import MemoryFileError
from ..core.memory import MissionMemory, resumed
from ..core.mission import Mission, MissionState
from ..core.options import to_flat
from .memory_store import MemoryStore
from .settings import Settings

logger = logging.getLogger(__name__)


_BEHIND = (
    'what is remembered ends before the mission did, since it could not be written: the vehicle '
    'goes home with the samples there are; ~/battery_swap and ~/resume go on with them'
)


class RememberedMission:
    """
    Brings back what was left and keeps what is done; without a folder only what it is given.

    :param settings: name the folder, and what the samples depend on.
    :param area_given: ``area.polygon`` as the node was started with.
    :param left: a mission this process left itself; counts more than what the folder knows of it.
    :raises MemoryFileError: if the folder cannot be used or its files cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        area_given: Sequence[float],
        left: Mapping[str, Any] | None = None,
    ) -> None:
        self._store: MemoryStore | None = None
        self._area_given = list(area_given)
        self._left = left
        self._is_behind = False
        folder = settings.node.memory.folder
        if not folder:
            return
        store = MemoryStore(folder, _identity(settings))
        try:
            known = store.load()
        except Exception:
            store.close()
            raise
        self._store = store
        if left is None and known is not None:
            self._left = _to_be_ended(known) if store.is_behind else known
            self._is_behind = store.is_behind

    @property
    def left(self) -> Mapping[str, Any] | None:
        """The mission that is still to be gone on with."""
        return self._left

    @property
    def problem(self) -> str:
        """Why nothing is written any more; empty where all is well."""
        return '' if self._store is None else self._store.problem

    def resume(self, settings: Settings, node: Node) -> Settings:
        """
        Return the settings to go on with, and bring the parameters up to date.

        :param settings: as they are given now.
        :param node: owns the parameters.
        """
        if self._left is None:
            return settings
        if self._is_behind:
            node.get_logger().warning(_BEHIND)
        explorer = resumed(settings.explorer, MissionMemory.from_dict(self._left))
        parameters = []
        if explorer.no_fly != settings.explorer.no_fly:
            zones = list(explorer.no_fly.polygons)
            parameters.append(Parameter('no_fly.polygons', value=zones))
        if explorer.area != settings.explorer.area:
            parameters.append(Parameter('area.polygon', value=list(explorer.area.polygon)))
        if parameters:
            names = ', '.join(parameter.name for parameter in parameters)
            node.get_logger().warning(f'changed in flight, and so it stays: {names}')
            node.set_parameters(parameters)
        return dataclasses.replace(settings, explorer=explorer)

    def restore(self, mission: Mission, now: float) -> None:
        """
        Let a mission that has not begun go on with what was left; done once.

        :param mission: takes it over.
        :param now: seconds.
        """
        left, self._left = self._left, None
        if left is not None:
            logger.info(mission.restore(left, now)[1])

    def save(self, mission: Mission) -> None:
        """Write what has changed since the last time."""
        if self._store is None or self._left is not None:
            return
        memory = mission.memory
        if memory is not None:
            memory = dataclasses.replace(memory, polygon_given=self._area_given)
        self._store.save(memory)

    def archive(self) -> None:
        """Keep the mission so far under another name: a new one begins."""
        if self._store is not None:
            self._store.archive()

    def close(self) -> None:
        """Bring everything to the disk."""
        if self._store is not None:
            self._store.close()
            self._store = None


def _to_be_ended(memory: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a memory of which nothing but the way home is left to fly.

    What was spent since is unknown, and no plan ever spends what the way home costs.
    """
    if memory['state'] == MissionState.DONE.value:
        return dict(memory)
    return {**memory, 'state': MissionState.RETURNING.value, 'outcome': 'failed'}


def check_same_mission(before: Settings, after: Settings) -> None:
    """
    Refuse settings under which the samples of a mission would mean something else.

    :param before: the samples were taken with.
    :param after: to go on with.
    :raises MemoryFileError: if they differ in what the samples depend on.
    """
    known = _identity(before)
    for key, value in _identity(after).items():
        if value != known[key]:
            raise MemoryFileError(
                f"'{key}' was {known[key]!r} when the mission began, which is {value!r} now: set "
                'it back, or clean the node up to begin another mission.'
            )


def _identity(settings: Settings) -> dict[str, Any]:
    """Return what the samples depend on."""
    sensor = settings.node.sensor
    flat = to_flat(settings.explorer.plane)
    plane = {f'plane.{key}': repr(value) for key, value in flat.items()}
    return {
        'frame_id': settings.node.frame_id,
        'sensor.topic': sensor.topic,
        'sensor.type': sensor.type,
        'sensor.field': sensor.field,
        **plane,
    }
