# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Who may look, and who may press a button.

Any web page that is open in a browser can send requests to a server on the same machine. So a
request must name this server by an address or by its own name (a page that has a name resolve to
this machine is refused), must not come from a page of another server, and a command must carry the
token that only this server's own page knows.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

TOKEN_HEADER = 'X-View-Token'


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches a server that listens at ``host``."""
    if host == 'localhost':
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """
    Judges requests to one server.

    :param host: address or name it listens at.
    """

    def __init__(self, host: str) -> None:
        self.token = secrets.token_urlsafe(32)
        """Known to this server and its page."""
        own = socket.gethostname().lower()
        self._names = {host.lower(), 'localhost', own, f'{own}.local'}

    def may_look(self, headers: Mapping[str, str]) -> bool:
        """
        Tell whether a request comes from this server's page or from no page at all.

        :param headers: of the request; names are looked up as ``Host`` and ``Origin``.
        """
        host = headers.get('Host', '')
        if not self._is_own(_host_name(f'//{host}')):
            return False
        origin = headers.get('Origin')
        return origin is None or urlsplit(origin).netloc == host

    def may_command(self, headers: Mapping[str, str]) -> bool:
        """
        Tell whether a request was made by this server's page.

        :param headers: of the request.
        """
        given = headers.get(TOKEN_HEADER, '')
        return self.may_look(headers) and hmac.compare_digest(
            given.encode(), self.token.encode()
        )

    def _is_own(self, name: str) -> bool:
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _host_name(address: str) -> str:
    try:
        return (urlsplit(address).hostname or '').lower()
    except ValueError:
        return ''
