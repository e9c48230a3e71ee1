# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of the commands before and after a flight: report, check, import, tune."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

_PLACES = 5


def add_commands(commands: Any) -> None:
    """
    Declare the commands; what a command runs stands in ``run`` of its parsed arguments.

    :param commands: sub-parsers of the main parser.
    """
    _add_report(commands)


def _add_report(commands: Any) -> None:
    report = commands.add_parser(
        'report',
        help='a mission as one page of HTML, its findings as CSV and GeoJSON',
        description=(
            'Write what came of a mission as one page of HTML that works offline and prints, and '
            'beside it the best places as findings.csv and, with --origin, findings.geojson.'
        ),
    )
    report.add_argument(
        'mission',
        type=Path,
        metavar='MISSION_OR_BAG',
        help='a mission.json, a folder that holds one, or a recording beside one',
    )
    report.add_argument(
        '--out',
        type=Path,
        metavar='FILE',
        help='the page (default: report.html beside the mission.json)',
    )
    _add_origin(report, 'names the findings in WGS84 as well and writes GeoJSON')
    report.add_argument(
        '--unit', default='', metavar='TEXT', help="the sensor's unit, for labels (default: none)"
    )
    report.add_argument(
        '--title', metavar='TEXT', help='heading of the page (default: name of the folder)'
    )
    report.add_argument(
        '--places',
        type=int,
        default=_PLACES,
        metavar='N',
        help='most places to name as findings (default: %(default)s)',
    )
    report.set_defaults(run=_report)


def _add_origin(parser: argparse.ArgumentParser, purpose: str) -> None:
    parser.add_argument(
        '--origin',
        metavar='LAT,LON[,ALT]',
        help=(
            'where the origin of the map frame is in WGS84, degrees and metres; '
            f'{purpose}. Write --origin=-36.9,174.8 where the latitude is negative'
        ),
    )


def _report(options: argparse.Namespace) -> bool:
    from .report import ReportOptions, write_report

    return write_report(
        ReportOptions(
            mission=options.mission,
            out=options.out,
            origin=options.origin,
            unit=options.unit,
            title=options.title,
            places=options.places,
        )
    )
