# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A TCP connection that comes back by itself. Imports no ROS."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Callable

_RETRY_S = 1.0
_PATIENCE_S = 5.0
_IN_PROGRESS = (errno.EINPROGRESS, errno.EALREADY)
_CONNECTED = (0, errno.EISCONN)


class TcpPort:
    """
    What pymavlink needs of a socket; nothing ever waits, also while the other side is away.

    Whoever sends or receives meanwhile gets an OSError, and at most once a second a new connection
    is begun.

    :param connected: a connected socket; it is closed with the port.
    :param clock: seconds, never goes back.
    """

    def __init__(
        self, connected: socket.socket, clock: Callable[[], float] = time.monotonic
    ) -> None:
        connected.setblocking(False)
        self._address = connected.getpeername()
        self._family = connected.family
        self._clock = clock
        self._socket: socket.socket | None = connected
        self._is_connected = True
        self._begun_at = clock()

    def recv(self, size: int) -> bytes:
        """
        Return what has come.

        :param size: greatest number of bytes.
        :raises BlockingIOError: if nothing has come.
        :raises OSError: if the connection is lost.
        """
        connection = self._connection()
        try:
            data = connection.recv(size)
        except BlockingIOError:
            raise
        except OSError:
            self.close()
            raise
        if not data:
            self.close()
            raise OSError(errno.ENOTCONN, 'the other side has closed the connection')
        return data

    def send(self, data: bytes) -> int:
        """
        Send and return how many bytes were taken.

        :raises OSError: if the connection is lost, or takes no more for now.
        """
        connection = self._connection()
        try:
            return connection.send(data)
        except BlockingIOError:
            raise
        except OSError:
            self.close()
            raise

    def fileno(self) -> int:
        """Return the number of the present socket, -1 for none."""
        return -1 if self._socket is None else self._socket.fileno()

    def close(self) -> None:
        """Give the present connection up."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._is_connected = None, False

    def _connection(self) -> socket.socket:
        """Return the socket if it is connected, else go on connecting."""
        now = self._clock()
        if self._socket is None and now - self._begun_at >= _RETRY_S:
            self._begun_at = now
            self._socket = socket.socket(self._family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._socket is not None and not self._is_connected:
            answer = self._socket.connect_ex(self._address)
            self._is_connected = answer in _CONNECTED
            is_waiting = answer in _IN_PROGRESS and now - self._begun_at < _PATIENCE_S
            if not (self._is_connected or is_waiting):
                self.close()
        if self._socket is None or not self._is_connected:
            raise OSError(errno.ENOTCONN, 'the connection is lost')
        return self._socket
