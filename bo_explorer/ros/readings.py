# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Any numeric field of any message as the sensor: found by type name and field path."""

from __future__ import annotations

import importlib
import math
import re
from dataclasses import dataclass
from typing import Any

from ..core.errors import ConfigError
from .config import SensorInputConfig

_NUMBERS = frozenset(
    {'float', 'double', 'boolean', 'octet', 'float32', 'float64', 'bool', 'byte'}
    | {f'{sign}int{bits}' for sign in ('', 'u') for bits in (8, 16, 32, 64)}
)
_SEQUENCE = re.compile(r'sequence<(?P<inner>[^,>]+)(, *\d+)?>|(?P<array>[^\[]+)\[\d*\]')


@dataclass(frozen=True)
class ReadingSource:
    """
    Takes the value out of one kind of message.

    :param message_type: the message class.
    :param path: field names and indices that lead to the value.
    """

    message_type: Any
    path: tuple[str | int, ...]

    @classmethod
    def from_config(cls, config: SensorInputConfig) -> ReadingSource:
        """
        Resolve type and field.

        :raises ConfigError: if the type cannot be imported or has no such numeric field.
        """
        message_type = import_message(config.type, 'sensor.type')
        path = tuple(int(p) if p.lstrip('-').isdigit() else p for p in config.field.split('.'))
        _check_path(message_type, path, config.field)
        return cls(message_type, path)

    def value(self, message: Any) -> float:
        """
        Return the value; NaN where an array is too short to hold it.

        :param message: a message of the right type.
        """
        found = message
        for step in self.path:
            if isinstance(step, str):
                found = getattr(found, step)
            elif -len(found) <= step < len(found):
                found = found[step]
            else:
                return math.nan
        return float(found[0]) if isinstance(found, bytes) else float(found)

    def filled(self, value: float) -> Any:
        """
        Return a message whose field holds ``value``, cast to the field's type.

        :raises ConfigError: if the field lies in an array that is empty by default.
        """
        message = self.message_type()
        *leading, last = self.path
        owner: Any = message
        try:
            for step in leading:
                owner = getattr(owner, step) if isinstance(step, str) else owner[step]
            if isinstance(last, str):
                present = getattr(owner, last)
                setattr(owner, last, _like(present, value))
            else:
                owner[last] = _like(owner[last], value)
        except IndexError:
            raise ConfigError(
                'sensor.field',
                f"'sensor.field' must be outside arrays of free length to be simulated, "
                f'got {".".join(str(p) for p in self.path)!r}.',
            ) from None
        return message


def import_message(name: str, key: str) -> Any:
    """
    Import a message class.

    :param name: ``package/msg/Type`` or ``package/Type``.
    :param key: option the name comes from, for the error text.
    :raises ConfigError: if there is no such message here.
    """
    parts = name.split('/')
    if len(parts) not in (2, 3) or not all(p.isidentifier() for p in parts):
        raise ConfigError(key, f"'{key}' must be package/msg/Type, got {name!r}.")
    try:
        module = importlib.import_module(f'{parts[0]}.msg')
        found = getattr(module, parts[-1])
    except (ImportError, AttributeError):
        raise ConfigError(
            key,
            f"'{key}' must be an installed message, got {name!r}; "
            f'is the package {parts[0]!r} installed and sourced?',
        ) from None
    if not hasattr(found, 'get_fields_and_field_types'):
        raise ConfigError(key, f"'{key}' must be a message, got {name!r}.")
    return found


def _check_path(message_type: Any, path: tuple[str | int, ...], text: str) -> None:
    kind = ''
    owner: Any = message_type
    for step in path:
        if isinstance(step, int):
            inner = _SEQUENCE.fullmatch(kind)
            if inner is None:
                raise _field_error(text, f'{kind or message_type.__name__} is no array')
            kind = inner['inner'] or inner['array']
        else:
            fields = {} if owner is None else owner.get_fields_and_field_types()
            if step not in fields:
                raise _field_error(
                    text,
                    f'{step!r} is not among {", ".join(sorted(fields))}'
                    if fields
                    else f'{kind} has no fields',
                )
            kind = fields[step]
        owner = import_message(kind, 'sensor.field') if re.fullmatch(r'\w+/\w+', kind) else None
    if kind not in _NUMBERS:
        raise _field_error(text, f'it is a {kind}')


def _field_error(text: str, why: str) -> ConfigError:
    return ConfigError(
        'sensor.field',
        "'sensor.field' must lead to a number in the message of sensor.type, "
        f'got {text!r}: {why}.',
    )


def _like(present: Any, value: float) -> Any:
    if isinstance(present, bool):
        return bool(value)
    if isinstance(present, int):
        return round(value) if math.isfinite(value) else 0
    if isinstance(present, bytes):
        return bytes([round(min(max(value, 0.0), 255.0))])
    return float(value)
