# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What came of a mission, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geo.local_frame import LocalFrame
from .findings import Finding
from .mission_file import FlownMission

_ENDS = {
    'budget_exhausted': 'The search ended because the budget was used up',
    'no_legal_candidate': 'The search ended because no place was left to fly to',
    'converged': 'The search ended because no place was worth the way any more',
    'found': 'The search ended because it had found what it was looking for',
    'time_up': 'The search ended because its time was up',
    'returned': 'The search ended because the vehicle was called home',
    'failed': 'The search ended because planning failed',
    'held': 'The vehicle holds its position and waits for help',
    'running': 'The mission had not ended when this was written',
}


@dataclass(frozen=True)
class Check:
    """
    One rule a flight must keep.

    :param text: what is said about it.
    :param is_kept: whether it was kept, or ``None`` where nobody knows.
    """

    text: str
    is_kept: bool | None


def outcome(flown: FlownMission) -> str:
    """Return how the mission ended, a sentence or two."""
    record = flown.record
    end = _ENDS.get(record.outcome, f'The mission ended: {record.outcome}')
    why = f' ({record.reason})' if record.reason else ''
    left = record.budget_m - record.spent_m
    if record.returned_home:
        home = f'The vehicle came home with {left:.0f} m of {record.budget_m:.0f} m left.'
    elif record.outcome == 'running':
        home = f'{record.spent_m:.0f} m of {record.budget_m:.0f} m were spent.'
    else:
        home = (
            f'The vehicle is not home; {record.spent_m:.0f} m of {record.budget_m:.0f} m were '
            'spent.'
        )
    return f'{end}{why}. {home}'


def finding(
    flown: FlownMission, found: Sequence[Finding], unit: str, frame: LocalFrame | None
) -> str:
    """
    Return what was found.

    :param flown: the mission.
    :param found: its places, the best first.
    :param unit: of the sensor, or empty.
    :param frame: where the map frame is on the earth, or ``None``.
    """
    if not found:
        return 'Nothing was measured, so there is no finding.'
    best = found[0]
    where = f'{best.x:.1f} m east, {best.y:.1f} m north of the map origin'
    if not flown.record.is_map:
        where = f'at x {best.x:.1f} m, y {best.y:.1f} m on the searched plane'
    text = (
        f'The best place found is {where}{_on_earth(best, frame)}: '
        f'{value_text(best.value, best.std, unit)}.'
    )
    fraction = flown.summary.get('regret_fraction')
    if fraction is not None:
        share = percent_text(fraction)
        text += f' The true maximum within reach is higher by {share} of the range of the field.'
    return text


def checks(flown: FlownMission) -> list[Check]:
    """Return the rules of the flight and whether they were kept."""
    record, summary = flown.record, flown.summary
    audit = summary.get('audit') or {}
    spent = max(record.spent_m, float(audit.get('flown_m') or 0.0))
    crossings = summary.get('zone_crossings')
    found = [
        Check('home again' if record.returned_home else 'not home', record.returned_home),
        Check(
            'within the budget' if spent <= record.budget_m else 'over the budget',
            spent <= record.budget_m,
        ),
    ]
    if not record.zones:
        found.append(Check('no no-fly zones set', True))
    elif crossings is None:
        found.append(Check('zones: not audited', None))
    else:
        text = 'zones not entered' if crossings == 0 else f'zones entered {crossings} x'
        found.append(Check(text, crossings == 0))
    outside = audit.get('steps_outside_area')
    if outside is not None:
        text = 'area not left' if outside == 0 else f'outside the area {outside} x'
        found.append(Check(text, outside == 0))
    return found


def value_text(value: float, std: float, unit: str = '') -> str:
    """Return a value with its standard deviation, to the digits that mean something."""
    digits = 3
    if math.isfinite(std) and std > 0.0:
        digits = max(0, min(9, 1 - math.floor(math.log10(std))))
    text = f'{value:.{digits}f} ± {std:.{digits}f}'
    return f'{text} {unit}' if unit else text


def percent_text(fraction: float) -> str:
    """Return a part of one as per cent, not to be broken at the end of a line."""
    return f'{100.0 * fraction:.2g}\N{NO-BREAK SPACE}%'


def duration_text(seconds: float) -> str:
    """Return a time in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f'{minutes} min {rest:02d} s' if minutes else f'{rest} s'


def _on_earth(place: Finding, frame: LocalFrame | None) -> str:
    if frame is None:
        return ''
    latitudes, longitudes = frame.to_wgs84(np.array([[place.x, place.y]]))
    return f' (latitude {latitudes[0]:.7f}, longitude {longitudes[0]:.7f})'
