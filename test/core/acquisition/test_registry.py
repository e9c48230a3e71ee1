# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Acquisitions are found by name and explain what they do not know."""

from __future__ import annotations

import dataclasses

import pytest

from bo_explorer.core.acquisition import ACQUISITIONS, Acquisition, make_acquisition
from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import Options, walk


def test_the_registry_is_sorted_and_read_only():
    assert list(ACQUISITIONS) == sorted(ACQUISITIONS)
    with pytest.raises(TypeError):
        ACQUISITIONS['new'] = ACQUISITIONS['ei']


@pytest.mark.parametrize('name', ACQUISITIONS)
def test_every_entry_is_a_frozen_options_class_whose_fields_are_declared(name):
    cls = ACQUISITIONS[name]
    assert issubclass(cls, Options)
    assert cls.__dataclass_params__.frozen
    assert [spec.key for spec in walk(cls)] == [field.name for field in dataclasses.fields(cls)]
    assert isinstance(make_acquisition(name), Acquisition)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"unknown policy 'eii'; choose one of \['dist_ucb', "):
        make_acquisition('eii', {})


def test_an_unknown_option_is_refused_with_its_full_key():
    with pytest.raises(ConfigError, match=r"'policy.ucb.bet' .* Did you mean 'policy.ucb.beta'"):
        make_acquisition('ucb', {'bet': 1.0})


def test_a_value_that_breaks_its_rule_is_refused_with_its_full_key():
    with pytest.raises(ConfigError, match=r"'policy.pbgi.price' must be .* above 0 .* got 0.0"):
        make_acquisition('pbgi', {'price': 0.0})


def test_given_options_are_set_and_the_others_keep_their_defaults():
    acquisition = make_acquisition('dist_ucb', {'scaling': 'shift', 'beta': 9})
    assert (acquisition.scaling, acquisition.beta, acquisition.floor) == ('shift', 9.0, 0.05)
