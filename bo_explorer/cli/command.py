# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments, dispatch and exit codes of the ``bo_explorer`` command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.errors import BoExplorerError
from . import aids
from .replay import add_command as add_replay
from .study import add_arguments as add_study_arguments
from .view import add_command as add_view

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

_DEFAULT_SCENARIO = 'terrain_summit'


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command.

    :param arguments: command line without the program, ``None`` for that of the process.
    :return: 0 if the vehicle came home within its budget and kept out of every no-fly zone, or
        every run of a study succeeded; 1 if not, 2 for bad input, 130 if interrupted.
    """
    options = _parser().parse_args(arguments)
    options.given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return EXIT_OK if _run(options) else EXIT_FAILED
    except BoExplorerError as error:
        print(f'bo_explorer: error: {error}', file=sys.stderr)
        return EXIT_BAD_INPUT
    except OSError as error:
        print(f'bo_explorer: error: {error}', file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print('bo_explorer: interrupted', file=sys.stderr)
        return EXIT_INTERRUPTED


def _run(options: argparse.Namespace) -> bool:
    # Imported late: torch and rclpy take seconds, --help and a typing error should not.
    if hasattr(options, 'run'):
        return bool(options.run(options))
    if options.command == 'parameters':
        from .reference import reference

        print(reference(), end='')
        return True
    if options.command == 'study':
        from .study import run_study

        return run_study(options)
    from .scenario import find_scenario, parse_assignments, read_scenario

    path = find_scenario(options.config)
    overrides: dict[str, Any] = {}
    if options.seed is not None:
        overrides.update({'seed': options.seed, 'simulator.seed': options.seed})
    if options.policy is not None:
        overrides['policy.name'] = options.policy
    overrides.update(parse_assignments(options.set))
    if options.command == 'simulate':
        from .simulate import simulate

        return simulate(read_scenario(path, overrides), options.out, base=path.parent)

    from .demo import fly_demo
    from .truth import with_found_file

    overrides['simulator.node.speed_factor'] = options.speed_factor
    overrides['simulator.node.publish_clock'] = True
    scenario = with_found_file(read_scenario(path, overrides), path.parent)
    return fly_demo(scenario, options.out, timeout_s=options.timeout)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='bo_explorer',
        description='Fly a vehicle with one scalar sensor to the peak of an unknown field.',
    )
    parser.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    commands = parser.add_subparsers(dest='command', required=True, metavar='COMMAND')

    simulate = commands.add_parser(
        'simulate',
        help='one mission in one process, without ROS',
        description='Fly one simulated mission in this process, as fast as it goes, without ROS.',
    )
    _add_common(simulate)

    demo = commands.add_parser(
        'demo',
        help='one mission with two ROS 2 nodes, watched live',
        description=(
            'Start the simulator and the explorer as two ROS 2 processes, watch the mission and '
            'check its flight.'
        ),
    )
    _add_common(demo)
    demo.add_argument(
        '--speed-factor',
        type=float,
        default=10.0,
        metavar='F',
        help='simulated seconds per second (default: %(default)s)',
    )
    demo.add_argument(
        '--timeout',
        type=float,
        default=None,
        metavar='S',
        help='give up after this many seconds (default: ten times the longest flight)',
    )
    study = commands.add_parser(
        'study',
        help='an experiment: runs, tables and figures',
        description=(
            'Run an experiment, problems x policies x seeds, and write tables, figures and '
            'everything they rest on into a folder. The same command goes on where an interrupted '
            'one stopped.'
        ),
    )
    add_study_arguments(study)
    commands.add_parser(
        'parameters',
        help='the reference of all parameters, as Markdown',
        description='Print the reference of all parameters as Markdown.',
    )
    add_replay(commands)
    add_view(commands)
    aids.add_commands(commands)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        '--config',
        default=_DEFAULT_SCENARIO,
        metavar='FILE',
        help='scenario file, or the name of a shipped one (default: %(default)s)',
    )
    parser.add_argument(
        '--policy', metavar='NAME', help="how targets are chosen, instead of the file's choice"
    )
    parser.add_argument(
        '--seed', type=int, metavar='N', help="seed of planner and world, instead of the file's"
    )
    parser.add_argument(
        '--out',
        type=Path,
        default=Path('mission'),
        metavar='DIR',
        help='folder for mission.json and mission.png (default: %(default)s)',
    )
    parser.add_argument(
        '--set',
        action='append',
        default=[],
        metavar='KEY=VALUE',
        help="any parameter, instead of the file's value; may be given several times",
    )
