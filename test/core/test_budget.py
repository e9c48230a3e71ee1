# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The ledger adds up, whatever happens."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.budget import BudgetLedger
from bo_explorer.core.errors import BudgetError

AMOUNTS = st.floats(0.0, 200.0)
OPERATIONS = st.lists(
    st.tuples(st.sampled_from(('commit', 'spend', 'release')), AMOUNTS), max_size=30
)


@settings(derandomize=True, max_examples=300)
@given(OPERATIONS)
def test_total_is_spent_plus_committed_plus_remaining(operations):
    ledger = BudgetLedger(500.0, 25.0)
    flown = 0.0
    for name, amount in operations:
        before = (ledger.spent, ledger.committed, ledger.remaining)
        if name == 'release':
            ledger.release()
            assert ledger.committed == 0.0 and ledger.spent == before[0]
        elif name == 'spend':
            ledger.spend(amount)
            flown += amount
            assert ledger.committed == max(before[1] - amount, 0.0)
        else:
            try:
                ledger.commit(amount)
            except BudgetError:
                assert amount > max(before[2], 0.0)
                assert (ledger.spent, ledger.committed, ledger.remaining) == before
            else:
                assert ledger.committed == pytest.approx(before[1] + amount)
        assert ledger.spent + ledger.committed + ledger.remaining == pytest.approx(500.0)
        assert ledger.spent == pytest.approx(flown)
        assert ledger.available == pytest.approx(ledger.remaining - 25.0)
        assert ledger.overrun == pytest.approx(max(flown - 500.0, 0.0))
        assert ledger.committed >= 0.0


@given(
    st.lists(
        st.tuples(st.sampled_from(('spend', 'limit', 'commit', 'release')), AMOUNTS), max_size=30
    ),
    st.sampled_from((None, 700.0)),
)
def test_a_limited_total_still_adds_up_and_never_exceeds_what_is_allowed(operations, most):
    ledger = BudgetLedger(500.0, 25.0, most_m=most)
    for name, amount in operations:
        if name == 'release':
            ledger.release()
        elif name == 'limit':
            ledger.limit(amount)
            assert ledger.total == pytest.approx(
                max(min(ledger.spent + amount, most or 500.0), 500e-6)
            )
        elif name == 'spend' or amount <= ledger.remaining:
            getattr(ledger, name)(amount)
        assert ledger.spent + ledger.committed + ledger.remaining == pytest.approx(ledger.total)
        assert 0.0 < ledger.total <= (most or 500.0)
        assert ledger.granted == 500.0


def test_a_shrunken_total_recovers_to_what_was_granted_and_no_further():
    ledger = BudgetLedger(100.0, 5.0)
    ledger.spend(20.0)
    ledger.limit(30.0)
    assert (ledger.total, ledger.remaining, ledger.available) == (50.0, 30.0, 25.0)
    ledger.limit(math.inf)
    assert ledger.total == 100.0
    ledger.limit(1e9)
    assert ledger.total == 100.0
    generous = BudgetLedger(100.0, 5.0, most_m=150.0)
    generous.limit(1e9)
    assert generous.total == 150.0
    generous.limit(math.inf)
    assert generous.total == 100.0, 'without any limit what was granted holds'


@pytest.mark.parametrize(
    ('spent', 'reach', 'is_limited'),
    [(20.0, 30.0, True), (140.0, 5.0, True), (20.0, 130.0, False), (20.0, math.inf, False)],
)
def test_the_account_tells_whether_a_reach_or_the_metres_limit_it(spent, reach, is_limited):
    ledger = BudgetLedger(100.0, 5.0, most_m=150.0)
    assert not ledger.is_limited
    ledger.spend(spent)
    ledger.limit(reach)
    assert ledger.is_limited is is_limited


def test_an_empty_battery_is_no_overrun_of_the_budget():
    ledger = BudgetLedger(100.0, 5.0)
    ledger.spend(40.0)
    ledger.limit(0.0)
    assert (ledger.total, ledger.remaining, ledger.overrun) == (40.0, 0.0, 0.0)
    ledger.spend(10.0)
    assert (ledger.remaining, ledger.overrun) == (-10.0, 0.0)


@pytest.mark.parametrize('reach', [-1.0, math.nan, -math.inf])
def test_a_reach_that_makes_no_sense_is_refused(reach):
    ledger = BudgetLedger(100.0, 5.0)
    with pytest.raises(BudgetError, match="'reach_m' must be"):
        ledger.limit(reach)
    assert ledger.total == 100.0


def test_spending_draws_on_what_is_committed_first():
    ledger = BudgetLedger(100.0, 0.0)
    ledger.commit(30.0)
    ledger.spend(20.0)
    assert (ledger.committed, ledger.remaining) == (10.0, 70.0)
    ledger.spend(15.0)
    assert (ledger.committed, ledger.remaining) == (0.0, 65.0)


def test_commitments_add_up_and_release_returns_them():
    ledger = BudgetLedger(100.0, 10.0)
    ledger.commit(30.0)
    ledger.commit(20.0)
    assert (ledger.committed, ledger.available) == (50.0, 40.0)
    ledger.release()
    assert (ledger.committed, ledger.available) == (0.0, 90.0)


def test_a_commitment_beyond_what_remains_is_refused_and_changes_nothing():
    ledger = BudgetLedger(100.0, 0.0)
    ledger.commit(60.0)
    with pytest.raises(BudgetError, match='at most the remaining 40.0'):
        ledger.commit(40.5)
    assert (ledger.committed, ledger.remaining) == (60.0, 40.0)
    ledger.commit(40.0)


def test_flight_beyond_the_total_is_booked_as_an_overrun():
    ledger = BudgetLedger(100.0, 5.0)
    ledger.spend(103.0)
    assert (ledger.spent, ledger.remaining, ledger.overrun) == (103.0, -3.0, 3.0)
    ledger.commit(0.0)
    with pytest.raises(BudgetError):
        ledger.commit(1e-9)


@pytest.mark.parametrize('amount', [-1e-9, math.nan, math.inf, -math.inf])
def test_an_amount_that_is_negative_or_not_finite_is_refused(amount):
    ledger = BudgetLedger(100.0, 0.0)
    for operation in (ledger.commit, ledger.spend):
        with pytest.raises(BudgetError, match="'cost' must be finite and at least 0"):
            operation(amount)
    assert (ledger.spent, ledger.committed) == (0.0, 0.0)


@pytest.mark.parametrize(
    ('total', 'reserve', 'name'),
    [
        (0.0, 0.0, 'total_m'),
        (math.nan, 0.0, 'total_m'),
        (math.inf, 0.0, 'total_m'),
        (10.0, 10.0, 'reserve_m'),
        (10.0, -1.0, 'reserve_m'),
        (10.0, math.nan, 'reserve_m'),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused_by_name(total, reserve, name):
    with pytest.raises(BudgetError, match=f"'{name}' must be"):
        BudgetLedger(total, reserve)
