# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Flies the missions it reads the seeds of, and writes what came of each, a line of JSON each.

A process of its own, so that it can live in a network namespace.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..cli.domains import DomainClaim
from ..cli.processes import node_environment
from .flight import EXPLORER, MODULES, SIMULATOR, CampaignFlight
from .nursery import Nursery
from .plan import draw_plan


def fly_seed(
    seed: int,
    folder: Path,
    prefix: Sequence[str],
    *,
    keep: bool = False,
    nurseries: Mapping[str, Nursery] = MappingProxyType({}),
) -> dict[str, Any]:
    """
    Fly one mission.

    :param seed: of its plan.
    :param folder: gets a folder of the mission, which is kept where a rule was broken.
    :param prefix: command that runs the explorer in another namespace, empty for none.
    :param keep: keep the folder of every mission.
    :param nurseries: where the nodes are born, by their names; empty for none.
    :return: what came of it, plain values.
    """
    own = folder / f'mission_{seed}'
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    # A mission with a network of its own has every domain of it.
    claim = None if prefix else DomainClaim()
    domain = 1 if claim is None else claim.number
    environment = node_environment(own, domain)
    environment['OMP_NUM_THREADS'] = '1'
    if prefix:
        environment['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'SUBNET'
    os.environ.update(environment)
    plan = draw_plan(seed, can_lose_packets=bool(prefix))
    try:
        result = CampaignFlight(plan, own, domain, environment, prefix, nurseries).fly()
    except Exception:  # noqa: BLE001  a campaign goes on, and every crash is a finding
        result = {
            'seed': seed,
            'faults': plan.kinds,
            'broken': {'crashed': traceback.format_exc()},
        }
    if claim is not None:
        claim.release()
    if not keep and not result['broken']:
        shutil.rmtree(own, ignore_errors=True)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Fly until there are no more seeds."""
    parser = argparse.ArgumentParser(description='Flies missions of the fault campaign.')
    parser.add_argument('--folder', type=Path, required=True)
    parser.add_argument('--explorer-prefix', default='')
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--preload', action='store_true')
    given = parser.parse_args(arguments)
    prefix = shlex.split(given.explorer_prefix)
    # A worker that is told to end still ends its nodes.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    nurseries: dict[str, Nursery] = {}
    try:
        if given.preload:
            for name, before in ((EXPLORER, prefix), (SIMULATOR, ())):
                nurseries[name] = Nursery([MODULES[name]], before)
        for line in sys.stdin:
            seed = int(line)
            result = fly_seed(seed, given.folder, prefix, keep=given.keep, nurseries=nurseries)
            print(json.dumps(result), flush=True)
    except KeyboardInterrupt:
        return 130
    finally:
        for nursery in nurseries.values():
            nursery.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
