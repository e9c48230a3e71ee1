# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Missions of both nodes as real processes, with random faults, judged on ground truth.

A campaign that was interrupted goes on where it was; packets are lost where the machine lets
network namespaces be made (root, ``ip``, ``nft``)::

    python -m bo_explorer.campaign.fault_campaign --missions 1000 --seed 0 --workers 2 --out DIR
    python -m bo_explorer.campaign.fault_campaign --only 123
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ..cli.progress import make_console
from .network import Network, why_no_network
from .plan import FAULTS, LOSS_PERCENT, draw_plan
from .witness import RULES

RESULTS = 'missions.jsonl'

# Columns where nobody's terminal says how many.
_PLAIN_WIDTH = 140
_STOP_TIMEOUT_S = 30.0


class Worker:
    """
    A process that flies one mission after another, with a network of its own where possible.

    :param number: tells the workers apart.
    :param folder: for the files of the missions.
    :param has_network: make two network namespaces.
    :param keep: keep the files of every mission.
    :param preload: fork the nodes from a process that has loaded their libraries.
    :raises OSError: if it cannot be started.
    """

    def __init__(
        self, number: int, folder: Path, *, has_network: bool, keep: bool, preload: bool
    ) -> None:
        self._arguments = ['--folder', str(folder)]
        self._arguments += ['--keep'] * keep + ['--preload'] * preload
        self._network: Network | None = None
        prefix: tuple[str, ...] = ()
        if has_network:
            self._network = Network(f'{os.getpid() % 100_000}{number}')
            prefix = self._network.prefix
            inner = shlex.join(self._network.explorer_prefix)
            self._arguments += ['--explorer-prefix', inner]
        self._command = [*prefix, sys.executable, '-m', 'bo_explorer.campaign.worker']
        self._process: subprocess.Popen[str] | None = None

    def fly(self, seed: int) -> dict[str, Any]:
        """Fly one mission; return what came of it, plain values."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [*self._command, *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        if pipe_in is None or pipe_out is None:
            raise OSError('the worker has no pipes')
        plan = draw_plan(seed, can_lose_packets=self._network is not None)
        if self._network is not None:
            self._network.lose(LOSS_PERCENT if plan.loses_packets else 0)
        try:
            pipe_in.write(f'{seed}\n')
            pipe_in.flush()
            line = pipe_out.readline()
        except BrokenPipeError:
            line = ''
        if not line:
            self._process.wait()
            broken = {'crashed': f'the worker ended with {self._process.returncode}'}
            return {'seed': seed, 'faults': plan.kinds, 'broken': broken}
        result: dict[str, Any] = json.loads(line)
        return result

    def end(self) -> None:
        """End the process and its nodes; another thread may be flying."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def close(self) -> None:
        """Release pipes and network; nobody flies any more."""
        if self._process is not None:
            self._process.communicate()
        if self._network is not None:
            self._network.close()


def fly_campaign(
    seeds: Iterable[int],
    workers: int,
    out: Path,
    console: Console,
    *,
    keep: bool = False,
    preload: bool = False,
) -> list[dict[str, Any]]:
    """
    Fly what has not been flown yet.

    :param seeds: of the missions.
    :param workers: processes that fly side by side.
    :param out: gets the results and the files of missions that broke a rule.
    :param console: is told how it goes.
    :param keep: keep the files of every mission.
    :param preload: fork the nodes from a process that has loaded their libraries.
    :return: what came of all the missions with these seeds, plain values.
    :raises OSError: if a file cannot be written or a process cannot be started.
    """
    out.mkdir(parents=True, exist_ok=True)
    wanted = list(seeds)
    known = {result['seed']: result for result in read_results(out / RESULTS)}
    left: queue.SimpleQueue[int] = queue.SimpleQueue()
    for seed in wanted:
        if seed not in known:
            left.put(seed)
    reason = why_no_network()
    if reason:
        console.print(f'no packets are lost: {reason}')
    n_left = left.qsize()
    console.print(f'{n_left} of {len(wanted)} missions to fly')
    arrived: queue.SimpleQueue[dict[str, Any] | OSError] = queue.SimpleQueue()
    crew = [
        Worker(number, out, has_network=not reason, keep=keep, preload=preload)
        for number in range(min(workers, n_left))
    ]

    def work(worker: Worker) -> None:
        try:
            while True:
                arrived.put(worker.fly(left.get_nowait()))
        except queue.Empty:
            return
        except OSError as error:
            arrived.put(error)

    threads = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in crew]
    try:
        for thread in threads:
            thread.start()
        with (out / RESULTS).open('a', encoding='utf-8') as stream:
            for number in range(1, n_left + 1):
                result = arrived.get()
                if isinstance(result, OSError):
                    raise result
                known[result['seed']] = result
                stream.write(json.dumps(result) + '\n')
                stream.flush()
                console.print(f'{number}/{n_left} {line_of(result)}')
    finally:
        while not left.empty():
            left.get()
        for worker in crew:
            worker.end()
        for worker, thread in zip(crew, threads):
            if thread.ident is not None:
                thread.join()
            worker.close()
    return [known[seed] for seed in wanted]


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return what is in a file of results; a last line that is not whole is cut off."""
    if not path.exists():
        return []
    text = path.read_text(encoding='utf-8')
    whole = text[: text.rfind('\n') + 1]
    if whole != text:
        path.write_text(whole, encoding='utf-8')
    return [json.loads(line) for line in whole.splitlines()]


def line_of(result: dict[str, Any]) -> str:
    """Return a result in one line, and another one for each rule that was broken."""
    faults = ', '.join(result['faults']) or 'no fault'
    seconds = result.get('seconds', 0.0)
    lines = [f'seed {result["seed"]}: {result.get("state")}, {seconds:.0f} s, {faults}']
    lines += [f'    {rule}: {sentence}' for rule, sentence in result['broken'].items()]
    return '\n'.join(lines)


def summary(results: Sequence[dict[str, Any]], console: Console) -> None:
    """Print how the missions went, fault by fault."""
    table = Table(title='Fault campaign')
    table.add_column('fault')
    for heading in ('missions', 'home', 'hold', *RULES):
        table.add_column(heading, justify='right')
    for kind in (*FAULTS, 'none', 'all'):
        chosen = [r for r in results if kind in (*(r['faults'] or ['none']), 'all')]
        if not chosen:
            continue
        states = Counter(r.get('state') for r in chosen)
        broken = Counter(rule for r in chosen for rule in r['broken'])
        counts = (len(chosen), states['done'], states['hold'], *(broken[rule] for rule in RULES))
        table.add_row(kind, *map(str, counts), end_section=kind == 'none')
    console.print(table)
    seconds = [r['seconds'] for r in results if 'seconds' in r]
    if seconds:
        console.print(
            f'{sum(seconds) / len(seconds):.1f} s a mission, the longest {max(seconds):.0f} s; '
            f'{sum(r.get("unseen_steps", 0) for r in results)} steps of the vehicle unseen'
        )
    holds = Counter(r['reason'] for r in results if r.get('state') == 'hold')
    for reason, count in holds.most_common():
        console.print(f'hold: {reason} ({count})')


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the campaign from the command line.

    :return: 0 where no rule was broken, 1 elsewhere, 130 if interrupted.
    """
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0] if __doc__ else None)
    parser.add_argument('--missions', type=int, default=100, help='default: %(default)s')
    parser.add_argument('--seed', type=int, default=0, help='of the first (default: %(default)s)')
    parser.add_argument('--workers', type=int, default=1, help='missions side by side')
    parser.add_argument('--out', type=Path, help='folder of the results')
    parser.add_argument('--keep', action='store_true', help='keep the files of every mission')
    parser.add_argument(
        '--preload', action='store_true', help='load the libraries once, then fork the nodes'
    )
    parser.add_argument('--only', type=int, help='fly this one mission and tell all about it')
    given = parser.parse_args(arguments)
    console = make_console(_PLAIN_WIDTH, soft_wrap=True)
    seeds = range(given.seed, given.seed + given.missions)
    out = given.out
    if given.only is not None:
        seeds = range(given.only, given.only + 1)
        console.print(draw_plan(given.only, can_lose_packets=not why_no_network()))
        out = Path(tempfile.mkdtemp(prefix='fault_campaign_'))
        console.print(f'logs, parameters and memory: {out}')
    elif out is None:
        out = Path('fault_campaign')
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        results = fly_campaign(
            seeds,
            given.workers,
            out,
            console,
            keep=given.keep or given.only is not None,
            preload=given.preload,
        )
    except KeyboardInterrupt:
        console.print('interrupted; the same command goes on')
        return 130
    except OSError as error:
        console.print(f'error: {error}')
        return 1
    if given.only is not None:
        console.print_json(json.dumps(results[0]))
    summary(results, console)
    return int(any(result['broken'] for result in results))


if __name__ == '__main__':
    sys.exit(main())
