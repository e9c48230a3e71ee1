# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One flat parameter space, three owners: the planner, the node, the policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.config import ExplorerConfig
from ..core.options import OptionSpec, from_flat, walk
from ..core.policy import Policy, make_policy, policy_options
from .config import NodeConfig


@dataclass(frozen=True)
class Settings:
    """
    Everything the explorer node runs with.

    :param explorer: settings of the planner.
    :param node: topics, types, rates.
    :param policy: options of the policies by full key.
    """

    explorer: ExplorerConfig
    node: NodeConfig
    policy: Mapping[str, Any]

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Settings:
        """
        Sort flat values to their owners.

        :param values: every option by key.
        :raises ConfigError: if a required value is missing or values contradict each other.
        """
        settings = cls(
            explorer=from_flat(ExplorerConfig, _subset(values, walk(ExplorerConfig))),
            node=from_flat(NodeConfig, _subset(values, walk(NodeConfig))),
            policy=_subset(values, policy_options()),
        )
        settings.make_policy()
        return settings

    def make_policy(self) -> Policy:
        """
        Return the policy named by ``policy.name``.

        :raises ConfigError: if there is none of that name or its options contradict each other.
        """
        return make_policy(self.explorer.policy.name, self.policy)


def explorer_specs() -> Iterator[OptionSpec]:
    """Yield every option of the explorer node."""
    yield from walk(ExplorerConfig)
    yield from walk(NodeConfig)
    yield from policy_options()


def _subset(values: Mapping[str, Any], specs: Iterator[OptionSpec]) -> dict[str, Any]:
    return {spec.key: values[spec.key] for spec in specs}
