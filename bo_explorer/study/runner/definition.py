# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a study is: runs over problems, policies and seeds, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .results import Results
    from .table import Table

Settings = Mapping[str, Any]
"""
Settings of a study by name: booleans, numbers and strings.

``data``, the folder of real measurements, is in every mapping a run is given, as a path.
"""

Metrics = Mapping[str, Any]
"""What a run found: numbers, strings, and lists of numbers for curves. NaN means unknown."""


class Task(NamedTuple):
    """
    One run.

    :param problem: name of the problem.
    :param policy: name of the policy, with its options where the study reads such.
    :param seed: the same number makes the same problem for every policy.
    """

    problem: str
    policy: str
    seed: int


@dataclass(frozen=True)
class Block:
    """
    Problems x policies x seeds.

    :param problems: names.
    :param policies: names.
    :param seeds: how many, counted from the first.
    """

    problems: tuple[str, ...]
    policies: tuple[str, ...]
    seeds: int


@dataclass(frozen=True)
class Form:
    """
    How much of a study is run.

    :param blocks: what is run; a run of several blocks is made once.
    :param settings: defaults by name; a setting the user gives takes the type of its default.
    """

    blocks: tuple[Block, ...]
    settings: Settings = field(default_factory=dict)


def _every_policy(policy: str) -> None:
    """Accept a policy: the study finds out in its runs."""


def _always_there(problem: str, settings: Settings) -> str | None:
    """Return that nothing is missing."""
    return None


@dataclass(frozen=True)
class Study:
    """
    An experiment that anyone can repeat with ``bo_explorer study NAME``.

    A study is made of functions of a module, so that workers in other processes, and on other
    machines, find them by name::

        def _run(task: Task, settings: Settings) -> Metrics:
            rng = np.random.default_rng([task.seed, 0])
            best = PROBLEMS[task.problem](rng).searched_by(task.policy, settings['iterations'])
            return {'regret': best.regrets[-1], 'curve': best.regrets}

        def _tables(results: Results) -> list[Table]:
            rows = [
                (policy, *(results.interval('regret', p, policy) for p in results.problems))
                for policy in results.policies
            ]
            return [Table('regret', 'Regret at the end', ('policy', *results.problems), rows)]

        def _figures(results: Results) -> dict[str, Figure]:
            return {'regret': curves_figure(results, 'curve', x='iteration', y='regret')}

        EXAMPLE = Study(
            name='example',
            summary='Two policies on one problem.',
            quick=Form((Block(('branin',), ('ei', 'pbgi'), seeds=2),), {'iterations': 5}),
            full=Form((Block(('branin',), ('ei', 'pbgi'), seeds=30),), {'iterations': 100}),
            run=_run,
            tables=_tables,
            figures=_figures,
        )

    and one line of :data:`~bo_explorer.study.registry.STUDIES` names the module it stands in.

    :param name: of the subcommand.
    :param summary: one sentence.
    :param quick: under two minutes on two cores.
    :param full: what the results in the documentation rest on.
    :param run: makes one run; draws all its randomness from the seed. What it raises is recorded.
    :param tables: made of all runs, those that failed included in the results.
    :param figures: by file name without suffix.
    :param check_policy: raises ConfigError for a policy the study cannot run.
    :param missing: says why a problem cannot be run here, or ``None``; such are left out, and the
        results say so.
    """

    name: str
    summary: str
    quick: Form
    full: Form
    run: Callable[[Task, Settings], Metrics]
    tables: Callable[[Results], Sequence[Table]]
    figures: Callable[[Results], Mapping[str, Figure]]
    check_policy: Callable[[str], None] = _every_policy
    missing: Callable[[str, Settings], str | None] = _always_there


@dataclass(frozen=True)
class Plan:
    """
    What a form of a study comes to with the user's choices.

    :param study: the experiment.
    :param form: ``quick`` or ``full``.
    :param tasks: every run, by seed, then problem, then policy: an interrupted study has run all
        policies equally often.
    :param settings: with the user's changes, and ``data``.
    :param skipped: why a problem is left out, by problem.
    """

    study: Study
    form: str
    tasks: tuple[Task, ...]
    settings: Settings
    skipped: Mapping[str, str]

    @property
    def problems(self) -> tuple[str, ...]:
        """Names of the problems that are run."""
        return tuple(dict.fromkeys(task.problem for task in self.tasks))

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the policies that are run."""
        return tuple(dict.fromkeys(task.policy for task in self.tasks))


def make_plan(
    study: Study,
    form: str,
    *,
    data: Path,
    seeds: int | None = None,
    first_seed: int = 0,
    problems: Sequence[str] | None = None,
    policies: Sequence[str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> Plan:
    """
    Decide what is run.

    :param study: the experiment.
    :param form: ``quick`` or ``full``.
    :param data: folder of real measurements; may be absent.
    :param seeds: instead of the form's, for every block; one without any is only run where its
        problems are named.
    :param first_seed: where seeds are counted from.
    :param problems: instead of all; each must be one of the full form's or the quick form's.
    :param policies: instead of the form's, in every block.
    :param settings: instead of the defaults, as text.
    :raises ConfigError: if a problem, a policy or a setting is unknown, or nothing is left to run.
    """
    chosen = study.quick if form == 'quick' else study.full
    known = [name for f in (study.quick, study.full) for b in f.blocks for name in b.problems]
    for name in problems or ():
        if name not in known:
            listed = ', '.join(dict.fromkeys(known))
            raise ConfigError('problems', f"'problems' must be of {listed}, got {name!r}.")
    blocks = [block for block in chosen.blocks if block.seeds]
    if problems is not None:
        blocks = _only(chosen.blocks, problems)
    for name in policies or ():
        study.check_policy(name)
    values = {**_changed(chosen.settings, settings or {}), 'data': data}
    skipped = {}
    for name in dict.fromkeys(p for b in blocks for p in b.problems):
        reason = study.missing(name, values)
        if reason is not None:
            skipped[name] = reason
    tasks = [
        Task(problem, policy, first_seed + k)
        for block in blocks
        for problem in block.problems
        if problem not in skipped
        for policy in (block.policies if policies is None else policies)
        for k in range(block.seeds if seeds is None else seeds)
    ]
    unique = sorted(dict.fromkeys(tasks), key=lambda task: task.seed)
    if not unique:
        why = '; '.join(skipped.values()) or 'no seeds'
        raise ConfigError('problems', f"'problems' must leave something to run, got none: {why}.")
    return Plan(study, form, tuple(unique), values, skipped)


def _only(blocks: Iterable[Block], problems: Sequence[str]) -> list[Block]:
    """Return the blocks with these problems alone; those of the other form join the first."""
    kept = [
        Block(tuple(p for p in block.problems if p in problems), block.policies, block.seeds)
        for block in blocks
    ]
    there = {p for block in kept for p in block.problems}
    added = tuple(p for p in problems if p not in there)
    first = kept[0]
    return [Block(first.problems + added, first.policies, first.seeds), *kept[1:]]


def _changed(defaults: Settings, given: Mapping[str, str]) -> dict[str, Any]:
    values = dict(defaults)
    for key, text in given.items():
        if key not in defaults:
            listed = ', '.join(defaults) or 'none'
            raise ConfigError(key, f"'{key}' must be a setting of the study, of {listed}.")
        values[key] = _parsed(key, text, defaults[key])
    return values


def _parsed(key: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text not in ('true', 'false'):
            raise ConfigError(key, f"'{key}' must be true or false, got {text!r}.")
        return text == 'true'
    if not isinstance(default, (int, float)):
        return text
    kind = type(default)
    try:
        return kind(text)
    except ValueError:
        raise ConfigError(key, f"'{key}' must be of type {kind.__name__}, got {text!r}.") from None
