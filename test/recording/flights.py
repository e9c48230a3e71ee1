# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Journalled missions without ROS, and bags of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bo_explorer.core.mission import MissionState
from bo_explorer.core.options import to_flat
from bo_explorer.core.policy import make_policy
from bo_explorer.recording.journal import TOPIC, JournalledMission, decode, encode

from ..core.missions import Flown, config


def small(**groups):
    """Return the settings of a mission of a few decisions."""
    groups = {'budget': {'total_m': 90.0}, 'policy': {'replan_period_s': 1.0}, **groups}
    return config(**groups)


class Recorded(Flown):
    """A flown mission whose calls are written down, through JSON and back."""

    def __init__(self, settings=None, **arguments):
        settings = settings or small()
        super().__init__(settings, **arguments)
        self.texts = []
        self.mission = JournalledMission(
            settings,
            make_policy(settings.policy.name),
            {**to_flat(settings), 'output.planning_threads': 1},
            lambda event: self.texts.append(encode(event)),
        )

    @property
    def events(self):
        return [decode(text) for text in self.texts]


def flown(settings=None):
    """Return a mission that has been flown to its end."""
    return Recorded(settings).begin().until(MissionState.DONE)


def string_cdr(text):
    """Return a std_msgs/String in CDR."""
    typesys = pytest.importorskip('rosbags.typesys')
    store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    message = store.types['std_msgs/msg/String'](data=text)
    return bytes(store.serialize_cdr(message, 'std_msgs/msg/String'))


def write_bag(folder: Path, texts) -> Path:
    """Write events as the node would, without the node."""
    from bo_explorer.recording.bag_writer import BagWriter
    from bo_explorer.recording.message_types import find_message_type

    bag = BagWriter(folder)
    topic = bag.add_topic(f'/{TOPIC}', find_message_type('std_msgs/msg/String'))
    for number, text in enumerate(texts):
        bag.write(topic, 1_000_000_000 + number, string_cdr(text))
    bag.close()
    return folder


def random_life(seed, n_steps=100):
    """Fly a mission that is pulled about: commands, bad readings, low batteries, late jobs."""
    rng = np.random.default_rng(seed)
    life = Recorded(small(policy={'name': ('ucb', 'log_ei', 'thompson')[seed % 3]})).begin()
    job = None
    for _ in range(n_steps):
        life.now += float(rng.uniform(0.0, 0.4))
        life.fly(0.1)
        mission, dice = life.mission, rng.random()
        if dice < 0.05:
            mission.pause(life.now)
        elif dice < 0.25:
            mission.resume(life.now)
        elif dice < 0.27:
            mission.return_home(life.now)
        elif dice < 0.30:
            mission.reset(life.now)
            mission.start(life.now)
        elif dice < 0.40:
            mission.add_reading(float(rng.choice([np.nan, np.inf, -np.inf, 1e300])), life.now)
        elif dice < 0.45:
            mission.update_battery(float(rng.choice([np.nan, 0.9, 0.5])), life.now)
        elif dice < 0.47:
            changed = small(no_fly={'polygons': ('30,30; 34,30; 34,34',)})
            mission.reconfigure(changed, make_policy(changed.policy.name))
        if job is None:
            job = mission.begin(life.now)
        elif rng.random() < 0.5:
            job.run()
            mission.finish(job, float(rng.random()))
            job = None
    return life
