# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Who may look and who may press a button."""

from __future__ import annotations

import pytest

from bo_explorer.view.guard import TOKEN_HEADER, Guard, is_loopback

HOST = '127.0.0.1:8080'


@pytest.fixture
def guard():
    return Guard('127.0.0.1')


@pytest.mark.parametrize('host', ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', '10.0.0.5:80'])
def test_the_server_answers_to_addresses_and_to_its_own_name(guard, host):
    assert guard.may_look({'Host': host})
    assert guard.may_look({'Host': host, 'Origin': f'http://{host}'})


@pytest.mark.parametrize('host', ['evil.example:8080', 'evil.example', '', 'localhost.evil'])
def test_a_name_that_resolves_to_this_machine_is_refused(guard, host):
    assert not guard.may_look({'Host': host})
    assert not guard.may_look({'Host': host, 'Origin': f'http://{host}'})


@pytest.mark.parametrize(
    'origin', ['http://evil.example', 'null', 'http://127.0.0.1', 'http://127.0.0.1:8081', '']
)
def test_a_page_of_another_server_sees_nothing(guard, origin):
    assert not guard.may_look({'Host': HOST, 'Origin': origin})


def test_a_command_needs_the_token_of_this_server(guard):
    good = {'Host': HOST, 'Origin': f'http://{HOST}', TOKEN_HEADER: guard.token}
    assert guard.may_command(good)
    assert not guard.may_command({**good, TOKEN_HEADER: Guard('127.0.0.1').token})
    assert not guard.may_command({**good, TOKEN_HEADER: 'ünknown'})
    assert not guard.may_command({'Host': HOST, 'Origin': f'http://{HOST}'})
    assert not guard.may_command({**good, 'Origin': 'http://evil.example'})


@pytest.mark.parametrize(
    'host, expected',
    [
        ('127.0.0.1', True),
        ('127.8.8.8', True),
        ('::1', True),
        ('localhost', True),
        ('0.0.0.0', False),
        ('::', False),
        ('192.168.0.2', False),
        ('drone.local', False),
    ],
)
def test_loopback_is_known(host, expected):
    assert is_loopback(host) is expected
