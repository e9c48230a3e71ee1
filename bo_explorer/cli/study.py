# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""``bo_explorer study``: an experiment from one command, with everything it leaves in a folder."""

from __future__ import annotations

import argparse
import os
import signal
from pathlib import Path

from ..core.errors import ConfigError
from ..study.registry import STUDIES, find_study

# Beside the checkout, where the real measurements lie.
_DATA = Path(__file__).resolve().parents[2].parent / 'shared' / 'data'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the subcommand."""
    parser.add_argument('name', metavar='NAME', help=f'one of {", ".join(STUDIES)}')
    parser.add_argument(
        '--quick', action='store_true', help='the form that takes under two minutes on two cores'
    )
    parser.add_argument(
        '--out', type=Path, metavar='DIR',
        help='folder for the runs and the results; a study in it that was interrupted goes on '
        '(default: results/NAME, results/NAME-quick)',
    )  # fmt: skip
    parser.add_argument(
        '--workers', type=int, metavar='N', default=os.cpu_count() or 1,
        help='processes on this machine; 0: none but this one (default: the cores, %(default)s)',
    )  # fmt: skip
    parser.add_argument(
        '--backend', choices=('local', 'ray'), default='local',
        help='where runs are made (default: %(default)s)',
    )  # fmt: skip
    parser.add_argument(
        '--address', metavar='HOST:PORT',
        help='of the Ray cluster (default: RAY_ADDRESS, else the one this machine is part of, '
        'else a new one)',
    )  # fmt: skip
    parser.add_argument(
        '--seeds', type=int, metavar='N', help='runs of each policy on each problem'
    )
    parser.add_argument(
        '--first-seed', type=int, default=0, metavar='N', help='default: %(default)s'
    )
    parser.add_argument('--problems', nargs='+', metavar='NAME', help='instead of all')
    parser.add_argument(
        '--policies', nargs='+', metavar='NAME',
        help='instead of all; studies of planners take options: name,option=value,...',
    )  # fmt: skip
    parser.add_argument(
        '--data', type=Path, default=_DATA, metavar='DIR',
        help='folder of real measurements; problems that need one that is absent are left out '
        '(default: shared/data beside the checkout)',
    )  # fmt: skip
    parser.add_argument(
        '--set', action='append', default=[], metavar='KEY=VALUE',
        help='a setting of the study; may be given several times',
    )  # fmt: skip
    parser.add_argument(
        '--retry-failed', action='store_true', help='make the runs that failed once more'
    )


def run_study(options: argparse.Namespace) -> bool:
    """
    Run a study.

    :param options: of :func:`add_arguments`.
    :return: whether every run succeeded.
    :raises ConfigError: if an argument is bad.
    """
    # Imported late: torch takes seconds, --help and a typing error should not.
    from ..study.runner.definition import make_plan
    from ..study.runner.run import make_backend, run_plan
    from .progress import make_console

    study = find_study(options.name)
    form = 'quick' if options.quick else 'full'
    if options.seeds is not None and options.seeds < 1:
        raise ConfigError('seeds', f"'seeds' must be at least 1, got {options.seeds!r}.")
    if options.first_seed < 0:
        raise ConfigError(
            'first_seed', f"'first_seed' must be at least 0, got {options.first_seed!r}."
        )
    plan = make_plan(
        study,
        form,
        data=options.data.resolve(),
        seeds=options.seeds,
        first_seed=options.first_seed,
        problems=options.problems,
        policies=options.policies,
        settings=dict(_assignment(text) for text in options.set),
    )
    name = study.name if form == 'full' else f'{study.name}-quick'
    # Whoever is told to end still writes down what there is.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        results = run_plan(
            plan,
            options.out or Path('results') / name,
            backend=make_backend(
                options.backend, workers=options.workers, address=options.address
            ),
            console=make_console(),
            command=['bo_explorer', *options.given],
            retry_failed=options.retry_failed,
        )
    finally:
        signal.signal(signal.SIGTERM, before)
    return not results.failures


def _assignment(text: str) -> tuple[str, str]:
    key, sign, value = text.partition('=')
    if not sign or not key:
        raise ConfigError('set', f"'--set' must be KEY=VALUE, got {text!r}.")
    return key, value
