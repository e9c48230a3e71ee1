# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Declared options: one description of a parameter from which every use of it derives.

A configuration class is a frozen dataclass under :class:`Options`. Each field is made with
:func:`option` (a value) or :func:`group` (a nested class). The metadata feeds validation, error
texts, ROS parameter descriptors and the parameter reference.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from .errors import ConfigError

Scalar = bool | int | float | str | tuple[float, ...] | tuple[str, ...]
T = TypeVar('T', bound='Options')

_METADATA_KEY = 'bo_explorer'


@dataclass(frozen=True)
class OptionSpec:
    """
    Everything known about one option.

    :param key: dotted name, e.g. ``budget.total_m``.
    :param kind: ``bool``, ``int``, ``float``, ``str``, ``floats`` or ``strings``.
    :param default: value when nothing is given.
    :param description: one line for people.
    :param unit: SI unit or empty.
    :param low: least allowed number, or ``None``.
    :param high: greatest allowed number, or ``None``.
    :param open_low: whether ``low`` itself is refused.
    :param choices: allowed strings, or empty for any.
    :param optional: whether NaN (for a float) means "not set".
    :param required: whether a value must be given.
    :param alternatives: names in the same group that may be given in place of a required one.
    :param live: whether the value may change while a mission flies.
    """

    key: str
    kind: str
    default: Scalar
    description: str
    unit: str = ''
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False
    required: bool = False
    alternatives: tuple[str, ...] = ()
    live: bool = False

    @property
    def rule(self) -> str:
        """The rule in words, for error texts and the reference."""
        noun = {
            'bool': 'true or false',
            'int': 'a whole number',
            'float': 'a finite number',
            'str': 'a string',
            'floats': 'a list of finite numbers',
            'strings': 'a list of strings',
        }[self.kind]
        if self.choices:
            return 'one of ' + ', '.join(self.choices)
        parts = [noun]
        if self.low is not None:
            parts.append(f'{"above" if self.open_low else "at least"} {self.low:g}')
        if self.high is not None:
            parts.append(f'at most {self.high:g}')
        text = ' and '.join([' '.join(parts[:2]), *parts[2:]]) if len(parts) > 1 else noun
        return text + (' (or .nan for not set)' if self.optional else '')

    def validated(self, value: Any) -> Scalar:
        """
        Return ``value`` in the option's own type.

        :raises ConfigError: if it breaks the rule; the text names key, rule and value.
        """
        result = self._converted(value)
        if result is None or not self._within(result):
            raise ConfigError(self.key, f"'{self.key}' must be {self.rule}, got {value!r}.")
        return result

    def _converted(self, value: Any) -> Scalar | None:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if self.kind == 'bool':
            return value if isinstance(value, bool) else None
        if self.kind == 'int':
            return int(value) if is_number and float(value).is_integer() else None
        if self.kind == 'float':
            return float(value) if is_number else None
        if self.kind == 'str':
            return value if isinstance(value, str) else None
        if isinstance(value, (str, bytes)) or not hasattr(value, '__iter__'):
            return None
        items = list(value)
        if self.kind == 'strings':
            return tuple(items) if all(isinstance(i, str) for i in items) else None
        if any(isinstance(i, bool) or not isinstance(i, (int, float)) for i in items):
            return None
        return tuple(float(i) for i in items)

    def _within(self, value: Scalar) -> bool:
        if isinstance(value, str):
            return not self.choices or value in self.choices
        numbers = [v for v in (value if isinstance(value, tuple) else (value,))]
        for number in numbers:
            if isinstance(number, (bool, str)):
                continue
            if math.isnan(number) and self.optional:
                continue
            if not math.isfinite(number):
                return False
            if self.low is not None and not (
                number > self.low if self.open_low else number >= self.low
            ):
                return False
            if self.high is not None and not number <= self.high:
                return False
        return True


def option(
    default: Any,
    description: str,
    *,
    unit: str = '',
    low: float | None = None,
    high: float | None = None,
    open_low: bool = False,
    choices: tuple[str, ...] = (),
    optional: bool = False,
    required: bool = False,
    alternatives: tuple[str, ...] = (),
    live: bool = False,
) -> Any:
    """Declare one option of a configuration class; parameters as in :class:`OptionSpec`."""
    spec = {
        'description': description,
        'unit': unit,
        'low': low,
        'high': high,
        'open_low': open_low,
        'choices': choices,
        'optional': optional,
        'required': required,
        'alternatives': alternatives,
        'live': live,
    }
    return dataclasses.field(default=default, metadata={_METADATA_KEY: spec})


def group(cls: type[T]) -> Any:
    """Declare a nested configuration class."""
    return dataclasses.field(default_factory=cls)


class Options:
    """
    Base of every configuration class: validates its options when it is made.

    A subclass may override :meth:`check` for rules that tie several options together.
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

    def __post_init__(self) -> None:
        for name, spec in own_options(type(self)).items():
            object.__setattr__(self, name, spec.validated(getattr(self, name)))
        self.check()

    def check(self) -> None:
        """Raise :class:`ConfigError` where options contradict each other."""


def own_options(cls: type[Options], prefix: str = '') -> dict[str, OptionSpec]:
    """Return the options declared by ``cls`` itself, by field name, without nested groups."""
    hints = _hints(cls)
    specs = {}
    for field in dataclasses.fields(cls):
        if _METADATA_KEY in field.metadata:
            specs[field.name] = OptionSpec(
                key=prefix + field.name,
                kind=_kind(hints[field.name]),
                default=typing.cast(Scalar, field.default),
                **field.metadata[_METADATA_KEY],
            )
    return specs


def groups(cls: type[Options]) -> dict[str, type[Options]]:
    """Return the nested configuration classes of ``cls``, by field name."""
    hints = _hints(cls)
    return {
        field.name: hints[field.name]
        for field in dataclasses.fields(cls)
        if isinstance(hints[field.name], type) and issubclass(hints[field.name], Options)
    }


def walk(cls: type[Options], prefix: str = '') -> Iterator[OptionSpec]:
    """Yield every option of ``cls`` and its groups with its full dotted key, in order."""
    own, nested = own_options(cls, prefix), groups(cls)
    for field in dataclasses.fields(cls):
        if field.name in own:
            yield own[field.name]
        elif field.name in nested:
            yield from walk(nested[field.name], f'{prefix}{field.name}.')


def from_flat(cls: type[T], flat: Mapping[str, Any], prefix: str = '') -> T:
    """
    Build ``cls`` from dotted keys.

    :param flat: e.g. ``{'budget.total_m': 300, 'seed': 1}``; every key must belong to ``cls``.
    :param prefix: prepended to every key, in the look-up and in error texts.
    :raises ConfigError: if a key is unknown, a required one is missing or a value breaks its rule.
    """
    known = {spec.key: spec for spec in walk(cls, prefix)}
    for key in flat:
        if key not in known:
            raise unknown_key(key, known)
    values = {key: known[key].validated(value) for key, value in flat.items()}
    for key, spec in known.items():
        group = key[: len(key) - len(key.rpartition('.')[2])]
        names = [key, *(group + name for name in spec.alternatives)]
        if spec.required and all(_is_unset(values.get(n, known[n].default)) for n in names):
            raise ConfigError(
                key, f"'{key}' is required: {spec.description} It must be {spec.rule}."
            )
    return _build(cls, values, prefix)


def to_flat(options: Options, prefix: str = '') -> dict[str, Scalar]:
    """Return every option of ``options`` and its groups by dotted key."""
    flat: dict[str, Scalar] = {}
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        if isinstance(value, Options):
            flat.update(to_flat(value, f'{prefix}{field.name}.'))
        elif _METADATA_KEY in field.metadata:
            flat[prefix + field.name] = value
    return flat


def unknown_key(key: str, known: typing.Iterable[str]) -> ConfigError:
    """Return the error for a key nobody declared, with the nearest known ones."""
    close = difflib.get_close_matches(key, list(known), n=3)
    hint = f' Did you mean {" or ".join(repr(c) for c in close)}?' if close else ''
    return ConfigError(key, f"'{key}' is not a known parameter.{hint}")


def _build(cls: type[T], values: Mapping[str, Scalar], prefix: str) -> T:
    arguments: dict[str, Any] = {}
    for name in own_options(cls):
        if prefix + name in values:
            arguments[name] = values[prefix + name]
    for name, nested in groups(cls).items():
        arguments[name] = _build(nested, values, f'{prefix}{name}.')
    try:
        return cls(**arguments)
    except ConfigError as error:
        key = error.key
        if prefix and not key.startswith(prefix):
            message = str(error).replace(f"'{key}'", f"'{prefix}{key}'", 1)
            raise ConfigError(prefix + key, message) from None
        raise


def _is_unset(value: Scalar) -> bool:
    return value == '' or value == () or (isinstance(value, float) and math.isnan(value))


_HINTS: dict[Any, Mapping[str, Any]] = {}
"""Types of the fields by class: to evaluate them takes most of the time of reading a file."""


def _hints(cls: type[Options]) -> Mapping[str, Any]:
    """Return the types of the fields of ``cls``."""
    if cls not in _HINTS:
        _HINTS[cls] = typing.get_type_hints(cls)
    return _HINTS[cls]


def _kind(hint: Any) -> str:
    kinds = {bool: 'bool', int: 'int', float: 'float', str: 'str'}
    if hint in kinds:
        return kinds[hint]
    if isinstance(hint, types.GenericAlias) and hint.__origin__ is tuple:
        return {float: 'floats', str: 'strings'}[hint.__args__[0]]
    raise TypeError(f'no option can have the type {hint!r}')
