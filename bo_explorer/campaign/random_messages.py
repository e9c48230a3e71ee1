# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Messages of any type with anything in them that the type allows."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..ros.readings import import_message

_MAX_LENGTH = 6
_LARGEST_32 = 3.4e38
_TEXTS = ('', 'map', 'base_link', 'nan', '/', 'a' * 1000, '\u00e4\u4e2d', '../../etc', '{}', '%s')
_SEQUENCE = re.compile(r'sequence<(?P<inner>[^,>]+)(?:, *(?P<most>\d+))?>')
_ARRAY = re.compile(r'(?P<inner>[^\[]+)\[(?P<length>\d+)\]')
_INTEGER = re.compile(r'(?P<sign>u?)int(?P<bits>8|16|32|64)')


class MessageMaker:
    """
    Makes random messages and mutates good ones.

    :param rng: draws everything.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def random(self, message_type: Any) -> Any:
        """Return a message every field of which is drawn."""
        message = message_type()
        for name, kind in message_type.get_fields_and_field_types().items():
            setattr(message, name, self._value(kind))
        return message

    def mutated(self, message: Any) -> Any:
        """Return a copy with some of its fields drawn anew."""
        result = copy.deepcopy(message)
        for _ in range(int(self._rng.integers(1, 4))):
            self._mutate(result)
        return result

    def _mutate(self, message: Any) -> None:
        """Walk down to a field and draw it anew."""
        fields = message.get_fields_and_field_types()
        name = str(self._rng.choice(list(fields)))
        inner = getattr(message, name)
        if hasattr(inner, 'get_fields_and_field_types') and self._rng.random() < 0.9:
            self._mutate(inner)
        else:
            setattr(message, name, self._value(fields[name]))

    def _value(self, kind: str) -> Any:
        rng = self._rng
        if found := _SEQUENCE.fullmatch(kind):
            most = min(int(found['most'] or _MAX_LENGTH), _MAX_LENGTH)
            return [self._value(found['inner']) for _ in range(int(rng.integers(most + 1)))]
        if found := _ARRAY.fullmatch(kind):
            return [self._value(found['inner']) for _ in range(int(found['length']))]
        if found := _INTEGER.fullmatch(kind):
            return self._integer(int(found['bits']), is_signed=not found['sign'])
        if kind in ('double', 'float', 'float64', 'float32'):
            return self.number(is_double=kind in ('double', 'float64'))
        if kind in ('boolean', 'bool'):
            return bool(rng.random() < 0.5)
        if kind in ('octet', 'byte'):
            return bytes([int(rng.integers(256))])
        if kind.startswith(('string', 'wstring')):
            return str(rng.choice(_TEXTS))
        return self.random(import_message(kind, 'message'))

    def number(self, *, is_double: bool = True) -> float:
        """Return any floating point number, special ones often."""
        rng = self._rng
        largest = 1.7e308 if is_double else _LARGEST_32
        special = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-300 if is_double else 1e-38)
        draw = rng.random()
        if draw < 0.3:
            return float(rng.choice(special))
        if draw < 0.4:
            return float(rng.choice([-largest, largest]))
        if draw < 0.6:
            return float(10.0 ** rng.uniform(-30.0, 30.0) * rng.choice([-1.0, 1.0]))
        return float(rng.uniform(-50.0, 50.0))

    def _integer(self, bits: int, *, is_signed: bool) -> int:
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
        draw = self._rng.random()
        if draw < 0.4:
            return int(low if draw < 0.2 else high)
        return min(max(int(self._rng.integers(-10, 1000)), low), high)


def numbers_in(message: Any) -> Iterator[float]:
    """Yield every floating point number of a message."""
    if isinstance(message, float):
        yield message
    elif hasattr(message, 'get_fields_and_field_types'):
        for name, kind in message.get_fields_and_field_types().items():
            if not ('int' in kind and '/' not in kind) and 'string' not in kind:
                yield from numbers_in(getattr(message, name))
    elif not isinstance(message, (str, bytes, int)):
        for item in message:
            yield from numbers_in(item)
