# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The commented parameter file of the explorer node, written from the declared options.

``python -m bo_explorer.ros.parameter_file > config/explorer.yaml``
"""

from __future__ import annotations

import math
import re
import textwrap
from typing import Any

from ..core.options import OptionSpec
from .settings import explorer_specs

_HEADER = """\
# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
#
# Every parameter of the explorer node with its default; area.polygon and budget.total_m have none
# and stand here for a field of 100 x 100 m. The block /** fits the node under any name and in any
# namespace. Whole numbers are good for floats, but all numbers of one list must be written alike.
# An empty list has no type in ROS 2, hence the lines that are commented out.
/**:
  ros__parameters:
"""

_EXAMPLES = {
    'area.polygon': (0.0, 0.0, 100.0, 0.0, 100.0, 100.0, 0.0, 100.0),
    'budget.total_m': 600.0,
}

_WIDTH = 99

# Words that the YAML reader of ROS 2 takes for true or false.
_TRUTH_VALUES = ('y', 'n', 'yes', 'no', 'on', 'off')


def parameter_file() -> str:
    """Return the file."""
    tree: dict[str, Any] = {}
    for spec in explorer_specs():
        *groups, name = spec.key.split('.')
        branch = tree
        for group in groups:
            branch = branch.setdefault(group, {})
        branch[name] = spec
    return _HEADER + '\n'.join(_lines(tree, ' ' * 4)) + '\n'


def _lines(branch: dict[str, Any], indent: str) -> list[str]:
    lines = []
    for name, value in branch.items():
        if isinstance(value, dict):
            lines += [f'{indent}{name}:', *_lines(value, indent + '  ')]
            continue
        start = f'{indent}# '
        lines += textwrap.wrap(
            _comment(value), _WIDTH, initial_indent=start, subsequent_indent=start
        )
        setting = _EXAMPLES.get(value.key, value.default)
        lines.append(f'{start if setting == () else indent}{_yaml(name)}: {_yaml(setting)}')
    return lines


def _comment(spec: OptionSpec) -> str:
    unit = f' [{spec.unit}]' if spec.unit else ''
    text = spec.description.removesuffix('.') + unit
    if spec.low is None and spec.high is None and not spec.choices:
        return f'{text}.'
    rule = re.sub('^a (finite|whole) number ', '', spec.rule)
    return f'{text}; {rule.removesuffix(" (or .nan for not set)")}.'


def _yaml(value: Any) -> str:
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, float) and math.isnan(value):
        return '.nan'
    if isinstance(value, tuple):
        return '[' + ', '.join(_yaml(item) for item in value) + ']'
    if isinstance(value, str):
        is_plain = re.fullmatch(r'[A-Za-z_][\w/]*', value) and value.lower() not in _TRUTH_VALUES
        return value if is_plain else repr(value)
    return repr(value)


if __name__ == '__main__':
    print(parameter_file(), end='')
