# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of the commands before and after a flight: report, check, import, tune."""

from __future__ import annotations

import argparse
import os
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
    _add_tune(commands)


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
            'where the mission starts, metres (default: the start of the simulated vehicle, else '
            'home.x and home.y, else the middle of the area)'
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
        help=(
            'a mission.json, a folder that holds one, or a recording of the explorer node, which '
            'is replayed unless a mission.json lies in it or beside it'
        ),
    )
    report.add_argument(
        '--out',
        type=Path,
        metavar='FILE',
        help='the page, or a folder for it (default: report.html beside what was read)',
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


def _add_tune(commands: Any) -> None:
    tune = commands.add_parser(
        'tune',
        help='policies and settings compared on a field like yours',
        description=(
            'Fly missions in the same pretend worlds with several policies and settings, and '
            'propose what to write into the file. The worlds are those of the simulator section '
            'of the file, a new seed each; for a file without one, fields are drawn from a '
            'Gaussian process with the lengthscale and noise of the model section. The same call '
            'goes on where an interrupted one stopped. Exit code 1 where a mission did not come '
            'home.'
        ),
    )
    tune.add_argument(
        '--config',
        required=True,
        metavar='FILE',
        help='parameter file, or the name of a shipped scenario',
    )
    tune.add_argument(
        '--policies',
        nargs='*',
        metavar='NAME',
        help='policies to try beside that of the file (default: some quick ones)',
    )
    tune.add_argument(
        '--vary',
        action='append',
        default=[],
        metavar='KEY=V1|V2|...',
        help='values of a parameter to try; given several times, all combinations are tried',
    )
    tune.add_argument(
        '--seeds',
        type=int,
        default=20,
        metavar='N',
        help='worlds to fly in, at least 2 (default: %(default)s)',
    )
    _add_set(tune)
    tune.add_argument(
        '--start', metavar='X,Y', help='where missions start, for a file without a simulator'
    )
    tune.add_argument(
        '--noise',
        type=float,
        default=0.1,
        metavar='SHARE',
        help=(
            'standard deviation of a reading in parts of that of the field, for a file without a '
            'simulator (default: %(default)s)'
        ),
    )
    tune.add_argument(
        '--workers',
        type=int,
        metavar='N',
        help='processes; 0: in this one (default: one for each core)',
    )
    tune.add_argument(
        '--out',
        type=Path,
        default=Path('tune'),
        metavar='DIR',
        help='folder for runs.jsonl and tune.csv (default: %(default)s)',
    )
    tune.set_defaults(run=_tune)


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


def _tune(options: argparse.Namespace) -> bool:
    from .scenario import parse_assignments
    from .tune import POLICIES, TuneOptions, tune

    return tune(
        TuneOptions(
            config=options.config,
            policies=POLICIES if options.policies is None else options.policies,
            vary=options.vary,
            seeds=options.seeds,
            overrides=parse_assignments(options.set),
            start=options.start,
            noise=options.noise,
            workers=os.cpu_count() or 1 if options.workers is None else options.workers,
            out=options.out,
        )
    )
