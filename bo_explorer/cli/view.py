# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The command ``view``: a web page of a running mission, until it is interrupted."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from ..core.errors import ConfigError
from .progress import make_console

_HOST = '127.0.0.1'
_PORT = 8080
_FOXGLOVE_PORT = 8765
_PORTS = range(0, 65536)


def add_command(commands: Any) -> None:
    """
    Declare the command.

    :param commands: sub-parsers of the main parser.
    """
    parser = commands.add_parser(
        'view',
        help='a web page of a running mission, with buttons',
        description=(
            'Serve a web page that shows a running mission and can start, pause, resume and call '
            'it home, until Ctrl-C. It listens to topics only: the nodes never wait for it.'
        ),
    )
    parser.add_argument(
        '--namespace', default='', metavar='NS', help='ROS namespace of the explorer'
    )
    parser.add_argument(
        '--domain', type=int, metavar='N', help='ROS domain (default: that of the environment)'
    )
    parser.add_argument(
        '--host',
        default=_HOST,
        metavar='ADDRESS',
        help='address to listen at; 0.0.0.0 for every network (default: %(default)s)',
    )
    parser.add_argument(
        '--port',
        type=int,
        default=_PORT,
        metavar='PORT',
        help='TCP port, 0 for a free one (default: %(default)s)',
    )
    parser.add_argument(
        '--foxglove',
        type=int,
        nargs='?',
        const=_FOXGLOVE_PORT,
        metavar='PORT',
        help=f'serve the topics to Foxglove as well (port: {_FOXGLOVE_PORT})',
    )
    parser.set_defaults(run=run_view)


def run_view(options: argparse.Namespace) -> bool:
    """
    Serve the page until SIGINT or SIGTERM.

    :param options: the parsed arguments.
    :return: ``True``.
    :raises ConfigError: if an option breaks its rule or a library is missing.
    :raises OSError: if a port is taken.
    """
    for name in ('port', 'foxglove'):
        port = getattr(options, name)
        if port is not None and port not in _PORTS:
            raise ConfigError(name, f"'--{name}' must be from 0 to 65535, got {port!r}.")
    try:
        import aiohttp  # noqa: F401
        import rclpy  # noqa: F401
    except ImportError as error:
        missing = {
            'aiohttp': 'the Python package aiohttp, which is missing: pip install aiohttp',
            'rclpy': 'ROS 2, whose rclpy is missing: source its setup file',
        }.get(str(error.name), str(error))
        raise ConfigError('view', f'the live view needs {missing}') from None
    return asyncio.run(_serve(options, make_console()))


async def _serve(options: argparse.Namespace, console: Console) -> bool:
    from ..view.graph import BRIDGED, SHOWN, ExplorerGraph, Topic
    from ..view.guard import is_loopback
    from ..view.picture import Picture
    from ..view.server import ViewServer

    with _signals() as stop:
        bridge = None
        if options.foxglove is not None:
            from ..view.foxglove_bridge import FoxgloveBridge

            bridge = FoxgloveBridge(options.host, options.foxglove)

        def take(topic: Topic, data: bytes) -> None:
            picture.take(topic, data)
            if bridge is not None:
                bridge.take(topic, data)

        picture = Picture(lambda: graph.inputs)
        graph = ExplorerGraph(
            take,
            opened=lambda topic: bridge.add(topic) if bridge is not None else None,
            topics=SHOWN if bridge is None else SHOWN + BRIDGED,
            namespace=options.namespace,
            domain_id=options.domain,
        )
        server = ViewServer(picture, graph, options.host, options.port)
        try:
            address = await server.start()
            _say(console, f'{address} shows the explorer in {graph.place}; Ctrl-C ends it')
            if bridge is not None:
                _say(console, f'Foxglove: ws://{options.host}:{bridge.port}')
            if not is_loopback(options.host):
                print(
                    f'bo_explorer: warning: whoever reaches {options.host} over the network may '
                    'watch and press the buttons; there is no password.',
                    file=sys.stderr,
                )
            await stop.wait()
        finally:
            await server.close()
            graph.close()
            if bridge is not None:
                bridge.close()
    return True


def _say(console: Console, text: str) -> None:
    console.print(Text(text), soft_wrap=True)


@contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """Return what is set by the first signal; a later one changes nothing."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
