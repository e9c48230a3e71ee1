# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Policies by name, with their options."""

from __future__ import annotations

import pytest

from bo_explorer.core.acquisition import ACQUISITIONS
from bo_explorer.core.errors import ConfigError
from bo_explorer.core.policy import POLICIES, make_policy, policy_options


@pytest.mark.parametrize('name', sorted(POLICIES))
def test_every_policy_can_be_made_with_its_defaults(name):
    assert callable(make_policy(name).scores)


def test_every_acquisition_is_a_policy():
    assert set(ACQUISITIONS) <= set(POLICIES)


def test_option_keys_start_with_the_name_of_their_policy():
    for spec in policy_options():
        _, name, _ = spec.key.split('.', 2)
        assert name in POLICIES


def test_options_of_other_policies_are_checked_and_ignored():
    make_policy('ei', {'policy.ucb.beta': 4.0})
    with pytest.raises(ConfigError, match=r'policy\.ucb\.beta'):
        make_policy('ei', {'policy.ucb.beta': -4.0})


def test_an_unknown_option_or_name_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"'policy\.ucb\.bata'.*policy\.ucb\.beta"):
        make_policy('ucb', {'policy.ucb.bata': 1.0})
    with pytest.raises(ConfigError, match='one of .*pbgi'):
        make_policy('gradient_descent')
