# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of the commands before and after a flight: report, check, import, tune."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

_PLACES = 5


def add_commands(commands: Any) -> None:
    """
    Declare the commands; what a command runs stands in ``run`` of its parsed arguments.

    :param commands: sub-parsers of the main parser.
    """
    _add_check(commands)
    _add_import(commands)
    _add_report(commands)


def _add_check(commands: Any) -> None:
    check = commands.add_parser(
        'check',
        help='faults of a parameter file, and what its budget allows',
        description=(
            'Check a parameter file: one line for each fault; a picture of area, zones, home and '
            'reach; what the budget allows; warnings about settings that look like a mistake. '
            'A plan of QGroundControl or GeoJSON is converted first. Exit code 1 where there is '
            'a fault, 2 where the file cannot be read.'
        ),
    )
    check.add_argument(
        'file',
        metavar='FILE',
        help='parameter file, name of a shipped scenario, .plan, or .geojson',
    )
    _add_set(check)
    check.add_argument(
        '--start',
        metavar='X,Y',
        help=(
            'where the mission starts, metres (default: home.x and home.y, else the start of the '
            'simulated vehicle, else the middle of the area)'
        ),
    )
    _add_origin(check, 'for a .plan or .geojson (default: its home)')
    check.add_argument(
        '--out',
        type=Path,
        default=Path('check.png'),
        metavar='FILE',
        help='the picture, PNG (default: %(default)s)',
    )
    check.set_defaults(run=_check)


def _add_import(commands: Any) -> None:
    parser = commands.add_parser(
        'import',
        help='area, zones and home from a QGroundControl plan or GeoJSON',
        description=(
            'Convert area, no-fly zones and home to a parameter file in the map frame. From a '
            '.plan: geofence polygons and circles, planned home. From GeoJSON: polygons whose '
            'property role is area or no_fly, and a point whose role is home.'
        ),
    )
    parser.add_argument('file', type=Path, metavar='FILE', help='.plan, .geojson or .json')
    _add_origin(parser, 'must be that of the vehicle (default: home of the file)')
    parser.add_argument(
        '--budget', type=float, metavar='M', help='metres the mission may fly, budget.total_m'
    )
    parser.add_argument(
        '--out', type=Path, metavar='FILE', help='the parameter file (default: standard output)'
    )
    parser.set_defaults(run=_import)


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


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        '--set',
        action='append',
        default=[],
        metavar='KEY=VALUE',
        help="any parameter, instead of the file's value; may be given several times",
    )


def _add_origin(parser: argparse.ArgumentParser, purpose: str) -> None:
    parser.add_argument(
        '--origin',
        metavar='LAT,LON[,ALT]',
        help=(
            'where the origin of the map frame is in WGS84, degrees and metres; '
            f'{purpose}. Write --origin=-36.9,174.8 where the latitude is negative'
        ),
    )


def _check(options: argparse.Namespace) -> bool:
    from .check import CheckOptions, check
    from .scenario import parse_assignments

    return check(
        CheckOptions(
            file=options.file,
            overrides=parse_assignments(options.set),
            start=options.start,
            origin=options.origin,
            out=options.out,
        )
    )


def _import(options: argparse.Namespace) -> bool:
    from .area_import import import_area

    text, notes = import_area(
        options.file, origin=options.origin, budget_m=options.budget, out=options.out
    )
    for note in notes:
        print(f'bo_explorer: note: {note}', file=sys.stderr)
    print(text if options.out is None else options.out, end='' if options.out is None else '\n')
    return True


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
