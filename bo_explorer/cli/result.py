# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What came of a mission: files, a table, and whether its flight kept the rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..core.record import MissionRecord
from ..core.types import FloatArray
from ..report.belief import Belief
from ..report.ground_truth import GroundTruth
from ..report.mission_json import summarise, write_json
from ..report.mission_picture import draw_mission
from ..sim.audit import FlightAudit


@dataclass(frozen=True)
class MissionResult:
    """
    A flown mission and its judgement from outside the planner.

    :param record: what the planner knows.
    :param audit: what the vehicle really did.
    :param points: places of the last map, shape ``(M, 2)``, metres.
    :param mean: posterior mean there, sensor unit, shape ``(M,)``.
    :param std: posterior standard deviation there, sensor unit, shape ``(M,)``.
    :param truth: the true field.
    """

    record: MissionRecord
    audit: FlightAudit
    points: FloatArray
    mean: FloatArray
    std: FloatArray
    truth: GroundTruth

    @property
    def is_within_budget(self) -> bool:
        """Whether both the planner's account and the audited flight are within the budget."""
        return max(self.record.spent_m, self.audit.flown_m) <= self.record.budget_m

    @property
    def is_good(self) -> bool:
        """Whether the vehicle came home within its budget and kept out of every zone."""
        return (
            self.record.returned_home and self.is_within_budget and self.audit.zone_crossings == 0
        )


def publish_result(result: MissionResult, out: Path, console: Console) -> bool:
    """
    Write ``mission.json`` and ``mission.png`` and print the result.

    :param result: the mission.
    :param out: an existing folder.
    :param console: where to print.
    :return: whether the flight kept the rules.
    :raises OSError: if a file cannot be written.
    """
    summary = summarise(
        result.record,
        truth=result.truth,
        zone_crossings=result.audit.zone_crossings,
        belief=Belief(
            result.points, result.mean, result.std, result.truth.value(result.points)
        ),
    )
    summary['audit'] = {
        'flown_m': result.audit.flown_m,
        'zone_crossings': result.audit.zone_crossings,
        'steps_outside_area': result.audit.outside,
    }
    document, picture = out / 'mission.json', out / 'mission.png'
    write_json(document, summary)
    draw_mission(
        picture,
        result.record,
        points=result.points,
        mean=result.mean,
        std=result.std,
        truth=result.truth,
    )
    console.print(_table(result, summary))
    for file in (document, picture):
        console.print(Text(str(file)), soft_wrap=True)
    return result.is_good


def _table(result: MissionResult, summary: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style='bold', no_wrap=True)
    table.add_column()
    record, truth, best = result.record, result.truth, result.record.best
    times = summary['decision_ms']
    table.add_row('outcome', f'{record.outcome}: {record.reason}')
    table.add_row('home', _verdict(record.returned_home, 'yes', 'no'))
    table.add_row(
        'budget',
        _verdict(
            result.is_within_budget,
            f'{record.spent_m:.1f} of {record.budget_m:.1f} m spent, '
            f'{result.audit.flown_m:.1f} m flown',
            f'OVERRUN: {record.spent_m:.1f} m spent, {result.audit.flown_m:.1f} m flown '
            f'of {record.budget_m:.1f} m',
        ),
    )
    crossings = result.audit.zone_crossings
    table.add_row(
        'no-fly zones', _verdict(crossings == 0, 'not entered', f'entered {crossings} x')
    )
    if best is not None:
        table.add_row(
            'best estimate', f'{best.mean:.4g} +- {best.std:.2g} at ({best.x:.1f}, {best.y:.1f})'
        )
        table.add_row(
            'true summit',
            f'{truth.maximum:.4g} at ({truth.summit[0]:.1f}, {truth.summit[1]:.1f})',
        )
        table.add_row(
            'regret',
            f"{summary['regret']:.3g}, {100.0 * summary['regret_fraction']:.2f} % of the range",
        )
    table.add_row(
        'data',
        f"{record.n_readings} readings, {summary['n_support']} samples, "
        f'{len(record.waypoints)} targets',
    )
    if times['p50'] is not None:
        table.add_row(
            'decisions',
            f"{len(record.decision_ms)}, {times['p50']:.0f} ms median, {times['p95']:.0f} ms p95",
        )
    return table


def _verdict(is_good: bool, good: str, bad: str) -> Text:
    return Text(good, style='green') if is_good else Text(bad, style='bold red')
