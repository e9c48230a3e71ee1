# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
One scenario file, read as both nodes read it.

The file has the shape of a ROS 2 parameter file (``/**: ros__parameters: ...``) or holds the same
keys at its top. Keys below ``simulator.`` belong to the pretend world, the rest to the explorer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..core.config import ExplorerConfig
from ..core.errors import ConfigError
from ..core.options import OptionSpec, Scalar, from_flat, unknown_key, walk
from ..core.policy import Policy, make_policy, policy_options
from ..ros.config import NodeConfig, SimulatorNodeConfig
from ..sim.config import SimulatorConfig

_WORLD = 'simulator.'
_CLOCK = 'simulator.node.'

_PARAMETERS = 'ros__parameters'
_FOREIGN = ('use_sim_time', 'start_type_description_service', 'qos_overrides.', 'flight_stack.')


@dataclass(frozen=True)
class Scenario:
    """
    Everything one mission runs with.

    :param explorer: settings of the planner.
    :param policy_options: options of the policies by full key.
    :param node: settings of the explorer node.
    :param world: the pretend world.
    :param clock: time in the pretend world, as its node runs it.
    :param given: every value that was given, by dotted key.
    """

    explorer: ExplorerConfig
    policy_options: Mapping[str, Any]
    node: NodeConfig
    world: SimulatorConfig
    clock: SimulatorNodeConfig
    given: Mapping[str, Scalar]

    @classmethod
    def from_flat(cls, flat: Mapping[str, Any]) -> Scenario:
        """
        Sort flat values to their owners.

        :param flat: values by dotted key.
        :raises ConfigError: if a key is unknown, a required one is missing or a value breaks its
            rule.
        """
        known = known_options()
        given: dict[str, Scalar] = {}
        shares: dict[str, dict[str, Scalar]] = {}
        for key, value in flat.items():
            if is_foreign(key):
                continue
            if key not in known:
                raise unknown_key(key, known)
            owner, spec = known[key]
            given[key] = spec.validated(value)
            shares.setdefault(owner, {})[key] = given[key]
        scenario = cls(
            explorer=from_flat(ExplorerConfig, shares.get('explorer', {})),
            policy_options=shares.get('policy', {}),
            node=from_flat(NodeConfig, shares.get('node', {})),
            world=from_flat(SimulatorConfig, shares.get('world', {}), _WORLD),
            clock=from_flat(SimulatorNodeConfig, shares.get('clock', {}), _CLOCK),
            given=given,
        )
        scenario.make_policy()
        return scenario

    def make_policy(self) -> Policy:
        """
        Return the policy named by ``policy.name``.

        :raises ConfigError: if there is none of that name or its options contradict each other.
        """
        return make_policy(self.explorer.policy.name, self.policy_options)


def read_scenario(path: Path, overrides: Mapping[str, Any] | None = None) -> Scenario:
    """
    Read a scenario file.

    :param path: a YAML file.
    :param overrides: values by dotted key that stand above those of the file.
    :raises ConfigError: if the file cannot be read, is no YAML (the text names the line) or holds
        a value that breaks its rule.
    """
    return Scenario.from_flat({**read_flat(path), **(overrides or {})})


def read_flat(path: Path) -> dict[str, Any]:
    """
    Read the values of a scenario file by dotted key, unchecked.

    :param path: a YAML file.
    :raises ConfigError: if the file cannot be read or is no YAML mapping.
    """
    try:
        text = path.read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else 'it is not UTF-8 text'
        raise ConfigError('config', f"'{path}' cannot be read: {why}.") from None
    document = _load(text, str(path))
    if not isinstance(document, dict):
        raise ConfigError('config', f"'{path}' must hold parameters by name.")
    sections = [
        content[_PARAMETERS]
        for content in document.values()
        if isinstance(content, dict) and _PARAMETERS in content
    ]
    flat: dict[str, Any] = {}
    for section in sections or [document]:
        if not isinstance(section, dict):
            raise ConfigError(
                'config', f"'{path}': {_PARAMETERS} must hold parameters by name."
            )
        flat.update(_flattened(section))
    return flat


def write_parameters(path: Path, given: Mapping[str, Any]) -> None:
    """
    Write values as a ROS 2 parameter file for any node.

    :param path: where to.
    :param given: values by dotted key; an empty list is left out, since ROS 2 cannot type it.
    :raises OSError: if the file cannot be written.
    """
    values = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in given.items()
        if value != ()
    }
    document = {'/**': {_PARAMETERS: values}}
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding='utf-8')


def find_scenario(name: str) -> Path:
    """
    Return the file a name on the command line means.

    :param name: a path, or the name of a scenario of this package with or without ``.yaml``.
    :raises ConfigError: if there is no such file.
    """
    path = Path(name)
    if path.is_file():
        return path
    shipped = [
        folder / file
        for folder in _config_folders()
        for file in (name, f'{name}.yaml')
        if (folder / file).is_file()
    ]
    if not shipped:
        listed = sorted({f.stem for folder in _config_folders() for f in folder.glob('*.yaml')})
        raise ConfigError(
            'config',
            f"the scenario must be a file or one of {', '.join(listed) or 'none'}, got {name!r}.",
        )
    return shipped[0]


def _config_folders() -> list[Path]:
    """Return where the scenarios of this package are: in its share folder, or in the checkout."""
    folders = [Path(__file__).resolve().parents[2] / 'config']
    try:
        from ament_index_python.packages import get_package_share_directory

        folders.insert(0, Path(get_package_share_directory('bo_explorer')) / 'config')
    except (ImportError, LookupError, OSError):
        pass
    return [folder for folder in folders if folder.is_dir()]


def parse_assignments(assignments: Sequence[str]) -> dict[str, Any]:
    """
    Parse ``key=value`` texts, each value as YAML.

    :param assignments: e.g. ``['budget.total_m=600', 'area.polygon=[0, 0, 9, 0, 9, 9]']``.
    :raises ConfigError: if a text has no ``=`` or its value is no YAML.
    """
    values = {}
    for assignment in assignments:
        key, equals, text = assignment.partition('=')
        if not equals or not key.strip():
            raise ConfigError('set', f"'--set' must be key=value, got {assignment!r}.")
        values[key.strip()] = _load(text, f'--set {key.strip()}')
    return values


class _Loader(yaml.SafeLoader):
    """Reads 1e-3 as a number, as the parameter parser of ROS 2 does."""


_Loader.add_implicit_resolver(
    'tag:yaml.org,2002:float',
    re.compile(r'^[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$'),
    list('-+0123456789.'),
)


def _load(text: str, source: str) -> Any:
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = '' if mark is None else f', line {mark.line + 1}, column {mark.column + 1}'
        raise ConfigError('config', f"'{source}'{where}: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise ConfigError('config', f"'{source}': {error}.".replace('\n', ' ')) from None


def _flattened(section: Mapping[Any, Any], prefix: str = '') -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in section.items():
        if isinstance(value, dict):
            flat.update(_flattened(value, f'{prefix}{key}.'))
        else:
            flat[f'{prefix}{key}'] = value
    return flat


def is_foreign(key: str) -> bool:
    """Whether a parameter belongs to every ROS 2 node, or to ``flight_stack``, which flies it."""
    return key.startswith(_FOREIGN)


def known_options() -> dict[str, tuple[str, OptionSpec]]:
    """Return the owner and the declaration of every key there is."""
    declared = {
        'explorer': walk(ExplorerConfig),
        'node': walk(NodeConfig),
        'policy': policy_options(),
        'world': walk(SimulatorConfig, _WORLD),
        'clock': walk(SimulatorNodeConfig, _CLOCK),
    }
    return {spec.key: (owner, spec) for owner, specs in declared.items() for spec in specs}
