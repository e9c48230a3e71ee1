# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Declared options as ROS parameters.

A bad or unknown value never kills the node: it is kept as a problem, named when the node is
configured, and gone once the parameter is set well.
"""

from __future__ import annotations

import difflib
import math
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node
from rclpy.parameter import Parameter

from ..core.errors import BoExplorerError, ConfigError
from ..core.options import OptionSpec, unknown_key
from .arguments import last_given

_OF_RCLPY = ('use_sim_time', 'start_type_description_service', 'qos_overrides.')


class ParameterStore:
    """
    The options of a node as its parameters.

    :param node: declares the parameters.
    :param specs: every option the node knows.
    :param is_foreign: tells whether an unknown key belongs to somebody else in the same file.
    :param check: takes the values by key as they would be, raises :class:`BoExplorerError` where
        they contradict each other; asked only while ``is_locked``.
    :param is_locked: whether only live options may change.
    :param arguments: of the node; ``None``: those of the process.
    """

    def __init__(
        self,
        node: Node,
        specs: Iterable[OptionSpec],
        *,
        is_foreign: Callable[[str], bool] = lambda key: False,
        check: Callable[[Mapping[str, Any]], object] = lambda values: None,
        is_locked: Callable[[], bool] = lambda: False,
        arguments: Sequence[str] | None = None,
    ) -> None:
        self._node = node
        self._specs = {spec.key: spec for spec in specs}
        self._check = check
        self._is_locked = is_locked
        self._problems: dict[str, ConfigError] = {}
        self.has_changed = False
        """Whether a parameter was set since the reader last lowered this flag."""
        for spec in self._specs.values():
            node.declare_parameter(
                spec.key, _to_ros(spec.default), descriptor(spec), ignore_override=True
            )
        node.add_on_set_parameters_callback(self._on_set)
        self._is_foreign = is_foreign
        names = node.get_name(), node.get_fully_qualified_name()
        last = last_given(sys.argv if arguments is None else arguments, names)
        self._apply_overrides(node._parameter_overrides, last)

    def values(self) -> dict[str, Any]:
        """
        Return every value by key, in the option's own type.

        :raises ConfigError: if a given value is bad or a given key unknown.
        """
        for problem in self._problems.values():
            raise problem
        return {
            key: spec.validated(self._node.get_parameter(key).value)
            for key, spec in self._specs.items()
        }

    def given(self) -> dict[str, Any]:
        """Return the values that are not the default, by key."""
        return {
            key: value
            for key, value in self.values().items()
            if not _same(value, self._specs[key].validated(self._specs[key].default))
        }

    def _apply_overrides(
        self, overrides: Mapping[str, Parameter], last: Mapping[str, Any]
    ) -> None:
        for key, parameter in overrides.items():
            if _is_whole(parameter.value) and _is_fraction(last.get(key)):
                parameter = Parameter(key, value=last[key])
            if key in self._specs:
                try:
                    self._specs[key].validated(parameter.value)
                except ConfigError as error:
                    self._problems[key] = error
                    continue
                self._node.set_parameters([parameter])
            elif not (key.startswith(_OF_RCLPY) or self._is_foreign(key)):
                self._report_unknown(key)

    def _report_unknown(self, key: str) -> None:
        """
        Take a key nobody declared for a slip of the pen, or for another node's.

        A file with one ``/**`` block may serve several nodes, so only a key of one of our groups
        or close to one of our keys is a problem.
        """
        error = unknown_key(key, self._specs)
        groups = {known.split('.')[0] for known in self._specs if '.' in known}
        if key.split('.')[0] in groups or difflib.get_close_matches(key, self._specs, cutoff=0.8):
            self._problems[key] = error
        else:
            self._node.get_logger().warning(f'{error} It is ignored.')

    def _on_set(self, parameters: list[Parameter]) -> SetParametersResult:
        ours = [p for p in parameters if p.name in self._specs]
        try:
            for parameter in ours:
                self._validate(parameter)
            if ours and self._is_locked():
                changes = {p.name: self._specs[p.name].validated(p.value) for p in ours}
                self._check({**self.values(), **changes})
        except BoExplorerError as error:
            return SetParametersResult(successful=False, reason=str(error))
        for parameter in ours:
            self._problems.pop(parameter.name, None)
            self.has_changed = True
        return SetParametersResult(successful=True)

    def _validate(self, parameter: Parameter) -> None:
        spec = self._specs[parameter.name]
        value = spec.validated(parameter.value)
        if spec.live or not self._is_locked():
            return
        if not _same(value, spec.validated(self._node.get_parameter(spec.key).value)):
            raise ConfigError(
                spec.key,
                f"'{spec.key}' cannot change while the node is active, got {parameter.value!r}; "
                'deactivate or restart the node first.',
            )


def descriptor(spec: OptionSpec) -> ParameterDescriptor:
    """Return the descriptor of an option: description, unit, rule and range."""
    unit = f' [{spec.unit}]' if spec.unit else ''
    constraints = f'must be {spec.rule}'
    if not spec.live:
        constraints += '; not while the node is active'
    result = ParameterDescriptor(
        name=spec.key,
        description=spec.description + unit,
        additional_constraints=constraints,
        # The rule is the option's own: a whole number is good for a float.
        dynamic_typing=True,
    )
    # NaN stands for "not set", and rclpy finds NaN outside of every range.
    if spec.optional or (spec.low is None and spec.high is None):
        return result
    if spec.kind == 'float':
        widest = sys.float_info.max
        low = -widest if spec.low is None else float(spec.low)
        high = widest if spec.high is None else float(spec.high)
        result.floating_point_range = [FloatingPointRange(from_value=low, to_value=high, step=0.0)]
    elif spec.kind == 'int':
        low_int = -(2**63) if spec.low is None else math.ceil(spec.low)
        high_int = 2**63 - 1 if spec.high is None else math.floor(spec.high)
        result.integer_range = [IntegerRange(from_value=low_int, to_value=high_int, step=0)]
    return result


def _to_ros(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _is_whole(value: Any) -> bool:
    parts = value if isinstance(value, (list, tuple, array)) else [value]
    return len(parts) > 0 and all(type(part) is int for part in parts)


def _is_fraction(value: Any) -> bool:
    parts = value if isinstance(value, list) else [value]
    return any(type(part) is float for part in parts)


def _same(a: Any, b: Any) -> bool:
    both_unset = isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)
    return bool(both_unset or a == b)
