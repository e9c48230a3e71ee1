# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission while it flies: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..core.record import MissionRecord

_BAR_WIDTH = 40
_PLAIN_WIDTH = 120
_PASSING = frozenset({'planning', 'measuring'})
"""States that come and go at every target: too many for plain lines."""


def make_console(plain_width: int = _PLAIN_WIDTH, *, soft_wrap: bool = False) -> Console:
    """
    Return a console on standard output.

    :param plain_width: columns where nobody's terminal says how many.
    :param soft_wrap: leave long lines to the terminal.
    """
    console = Console(highlight=False, soft_wrap=soft_wrap)
    if not console.is_terminal:
        console.width = plain_width
    return console


class MissionProgress:
    """
    Shows the newest record; to be entered as a context.

    :param console: where to show it.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=8) if console.is_terminal else None
        self._last_line = ''

    def __enter__(self) -> MissionProgress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, record: MissionRecord) -> None:
        """Show a record; elsewhere than on a terminal only what is news in it."""
        if self._live is not None:
            self._live.update(_panel(record))
            return
        line = f'{record.state}: {record.reason}'
        if record.state not in _PASSING and line != self._last_line:
            self._last_line = line
            share = f'{record.spent_m:6.0f} of {record.budget_m:.0f} m'
            self._console.print(Text(f'{share}  {line}  {_best(record)}'), soft_wrap=True)


def _panel(record: MissionRecord) -> Group:
    budget = Table.grid(padding=(0, 2))
    budget.add_row(
        Text(record.state, style='bold cyan'),
        ProgressBar(
            total=max(record.budget_m, 1e-9),
            completed=min(record.spent_m, record.budget_m),
            width=_BAR_WIDTH,
        ),
        Text(f'{record.spent_m:.0f} of {record.budget_m:.0f} m'),
        Text(f'{len(record.samples)} samples', style='dim'),
    )
    return Group(budget, Text(record.reason), Text(_best(record), style='bold'))


def _best(record: MissionRecord) -> str:
    best = record.best
    if best is None:
        return ''
    return f'best {best.mean:.4g} +- {best.std:.2g} at ({best.x:.1f}, {best.y:.1f})'
