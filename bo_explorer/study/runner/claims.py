# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a paper claims, put to the test one comparison at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from .results import Interval, Results
from .table import Cell, Table

# Of a metric, by its size.
_ROUNDING = 1e-12


class Expected(Enum):
    """What is claimed of a policy beside its rivals; less of a metric is better."""

    AHEAD = 'less than'
    LEVEL = 'level with'
    NO_WORSE = 'no worse than'


class Verdict(Enum):
    """What the confidence interval of a paired difference says of a claim."""

    CONFIRMED = 'confirmed'
    UNDECIDED = 'undecided'
    REFUTED = 'refuted'


@dataclass(frozen=True)
class Claim:
    """
    One sentence of a paper.

    :param text: the claim in our words.
    :param source: where it stands.
    :param metric: of which less is better.
    :param problems: it is made of.
    :param policy: it is made about.
    :param rivals: it is made against.
    :param expected: what should come out.
    :param margin: difference that counts as none, in parts of the rival's mean; for
        ``LEVEL`` and ``NO_WORSE``.
    :param is_absolute: whether the margin is in the unit of the metric instead, as it must be for
        a proportion near 0.
    """

    text: str
    source: str
    metric: str
    problems: tuple[str, ...]
    policy: str
    rivals: tuple[str, ...]
    expected: Expected = Expected.AHEAD
    margin: float = 0.1
    is_absolute: bool = False


@dataclass(frozen=True)
class Comparison:
    """
    A claim on one problem, against one rival.

    :param claim: what was claimed.
    :param problem: on which.
    :param rival: against which.
    :param difference: how much greater the rival's metric is, over paired seeds.
    :param verdict: by the interval of the difference.
    """

    claim: Claim
    problem: str
    rival: str
    difference: Interval
    verdict: Verdict


def verdict(
    difference: Interval, expected: Expected, slack: float, resolution: float = 0.0
) -> Verdict:
    """
    Return what an interval says; one without a width says nothing.

    A few differences that are all the same show no spread, not certainty: so come out metrics
    that count, such as the share of a few hundred examples.

    :param difference: the rival's metric less the policy's.
    :param expected: what was claimed.
    :param slack: difference that counts as none, in units of the metric.
    :param resolution: half width that rounding alone makes.
    """
    low, high = difference.mean - difference.half, difference.mean + difference.half
    if not (math.isfinite(low) and math.isfinite(high)) or difference.half <= resolution:
        return Verdict.UNDECIDED
    if expected is Expected.AHEAD:
        holds, fails = low > 0.0, high < 0.0
    elif expected is Expected.NO_WORSE:
        holds, fails = low >= -slack, high < -slack
    else:
        holds = low >= -slack and high <= slack
        fails = low > slack or high < -slack
    if holds:
        return Verdict.CONFIRMED
    return Verdict.REFUTED if fails else Verdict.UNDECIDED


def compare(results: Results, claims: Iterable[Claim]) -> Iterator[Comparison]:
    """
    Yield every comparison the study has the runs for.

    :param results: of the study.
    :param claims: to be tested.
    """
    for claim in claims:
        for problem in claim.problems:
            for rival in claim.rivals:
                if not (results.has(problem, claim.policy) and results.has(problem, rival)):
                    continue
                yield _compared(results, claim, problem, rival)


def _compared(results: Results, claim: Claim, problem: str, rival: str) -> Comparison:
    theirs, ours = results.paired(claim.metric, rival, claim.policy, (problem,))
    difference = Interval.of(theirs - ours)
    size = abs(Interval.of(theirs).mean)
    slack = claim.margin if claim.is_absolute else claim.margin * size
    said = verdict(difference, claim.expected, slack, _ROUNDING * size)
    return Comparison(claim, problem, rival, difference, said)


def claim_tables(results: Results, claims: Sequence[Claim]) -> list[Table]:
    """
    Return the claims with their verdicts, and the comparisons behind them.

    :param results: of the study.
    :param claims: to be tested.
    :return: nothing where no comparison can be made.
    """
    made = list(compare(results, claims))
    if not made:
        return []
    rows: list[list[Cell]] = []
    for claim in claims:
        own = [comparison.verdict for comparison in made if comparison.claim is claim]
        counts = [own.count(kind) for kind in Verdict]
        rows.append(
            [
                claim.text, claim.source, _tested(claim), *counts,
                _overall(own) if own else 'not run',
            ]
        )  # fmt: skip
    details: list[list[Cell]] = [
        [c.claim.text, c.problem, c.claim.policy, c.claim.metric, c.claim.expected.value,
         c.rival, c.difference, c.verdict.value]
        for c in made
    ]  # fmt: skip
    kinds = tuple(kind.value for kind in Verdict)
    return [
        Table(
            'claims',
            'What the paper claims',
            ('claim', 'source', 'tested as', *kinds, 'in all'),
            rows,
            note=(
                'A comparison is confirmed where the 95 % interval of the paired difference lies '
                'on the side claimed, refuted where it lies on the other, else undecided; so is '
                'one with fewer than two repeats, or with differences that are all the same.'
            ),
        ),
        Table(
            'comparisons',
            'The comparisons behind the claims',
            ('claim', 'problem', 'policy', 'metric', 'expected', 'rival', 'rival less policy',
             'verdict'),
            details,
        ),
    ]  # fmt: skip


def _tested(claim: Claim) -> str:
    margin = ''
    if claim.expected is not Expected.AHEAD:
        within = f'{claim.margin:g}' if claim.is_absolute else f'{100.0 * claim.margin:.0f} %'
        margin = f', within {within}'
    rivals = ', '.join(claim.rivals)
    return f'{claim.metric} of {claim.policy} {claim.expected.value} {rivals}{margin}'


def _overall(verdicts: Sequence[Verdict]) -> str:
    kinds = set(verdicts)
    if len(kinds) == 1:
        return verdicts[0].value
    if Verdict.CONFIRMED in kinds:
        return 'in part'
    return Verdict.REFUTED.value
