# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The reference of all parameters, made from their declarations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ..core.config import ExplorerConfig
from ..core.options import OptionSpec, Scalar, walk
from ..core.policy import policy_options
from ..ros.config import NodeConfig, SimulatorNodeConfig
from ..sim.config import SimulatorConfig

_INTRODUCTION = """\
# Parameters

Made by `bo_explorer parameters`. Every key is a ROS 2 parameter of the node named above its table,
a key of a scenario file, and a key for `--set`. What is required must be given. *Live* parameters
may change while a mission flies; the others are read when the node is configured. The keys under
`pose.`, `sensor.` and `battery.` and `frame_id` hold for both nodes.
"""


def reference() -> str:
    """Return the reference as Markdown."""
    sections = (
        ('Planner (`explorer_node`)', walk(ExplorerConfig)),
        ('Options of the policies (`explorer_node`)', policy_options()),
        ('Topics and rates (`explorer_node`)', walk(NodeConfig)),
        ('Pretend world (`simulator_node`)', walk(SimulatorConfig, 'simulator.')),
        ('Its time (`simulator_node`)', walk(SimulatorNodeConfig, 'simulator.node.')),
    )
    tables = [f'## {title}\n\n' + '\n'.join(_table(specs)) + '\n' for title, specs in sections]
    return '\n'.join([_INTRODUCTION, *tables])


def _table(specs: Iterable[OptionSpec]) -> Iterator[str]:
    yield '| key | default | unit | rule | live | meaning |'
    yield '|---|---|---|---|---|---|'
    for spec in specs:
        cells = (
            f'`{spec.key}`',
            '**required**' if spec.required else _value(spec.default),
            spec.unit,
            spec.rule.replace(' (or .nan for not set)', ''),
            'live' if spec.live else '',
            spec.description,
        )
        yield '| ' + ' | '.join(cell.replace('|', '\\|') for cell in cells) + ' |'


def _value(value: Scalar) -> str:
    if isinstance(value, float) and math.isnan(value):
        return 'not set'
    if isinstance(value, bool):
        return '`true`' if value else '`false`'
    if isinstance(value, tuple):
        return '`[' + ', '.join(str(item) for item in value) + ']`'
    if isinstance(value, str):
        return f'`{value}`' if value else 'empty'
    return f'`{value!r}`'
