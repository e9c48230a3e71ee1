# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The web server of the view.

Each browser is served by a task of its own that sends what has changed, waits until it is taken,
and then looks again: a slow browser gets fewer pictures and holds nobody up.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from .graph import COMMANDS, Answer, ExplorerGraph
from .guard import Guard
from .picture import PARTS, Picture

logger = logging.getLogger(__name__)

PERIOD_S = 0.2
"""Least time between two pictures."""

_PAGE = Path(__file__).parent / 'page'
_FILES = {
    'view.css': 'text/css',
    'view.js': 'text/javascript',
    'drawing.js': 'text/javascript',
    'colours.js': 'text/javascript',
}
_ANSWER_TIMEOUT_S = 5.0
_SEND_TIMEOUT_S = 30.0
_CLOSE_TIMEOUT_S = 3.0
_HEARTBEAT_S = 20.0
_HEADERS = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ViewServer:
    """
    Serves the page, pictures of the mission, and commands.

    :param picture: what is shown.
    :param graph: takes the commands.
    :param host: address to listen at.
    :param port: TCP port; 0 for any that is free.
    """

    def __init__(self, picture: Picture, graph: ExplorerGraph, host: str, port: int) -> None:
        self._picture = picture
        self._graph = graph
        self._host, self._port = host, port
        self._guard = Guard(host)
        self._sockets: set[web.WebSocketResponse] = set()
        application = web.Application(middlewares=[self._judge])
        application.router.add_get('/', self._send_page)
        application.router.add_get('/live', self._send_pictures)
        application.router.add_post('/command/{name}', self._command)
        for name in _FILES:
            application.router.add_get(f'/{name}', self._send_file)
        application.on_shutdown.append(self._hang_up)
        self._runner = web.AppRunner(application, access_log=None)

    async def start(self) -> str:
        """
        Listen.

        :return: address of the page.
        :raises OSError: if the port is taken.
        """
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        await site.start()
        port = self._runner.addresses[0][1]
        host = f'[{self._host}]' if ':' in self._host else self._host
        return f'http://{host}:{port}/'

    async def close(self) -> None:
        """Say goodbye to every browser; one that does not take it is not waited for."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._runner.cleanup(), _CLOSE_TIMEOUT_S)

    @property
    def n_watching(self) -> int:
        """Browsers that watch now."""
        return len(self._sockets)

    @web.middleware
    async def _judge(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not self._guard.may_look(request.headers):
            raise web.HTTPForbidden(text='this page belongs to another server')
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    async def _send_page(self, request: web.Request) -> web.Response:
        page = (_PAGE / 'index.html').read_text(encoding='utf-8')
        for name, value in (('token', self._guard.token), ('place', self._graph.place)):
            page = page.replace(f'{{{{ {name} }}}}', html.escape(value))
        return web.Response(text=page, content_type='text/html')

    async def _send_file(self, request: web.Request) -> web.Response:
        name = request.path.removeprefix('/')
        text = (_PAGE / name).read_text(encoding='utf-8')
        return web.Response(text=text, content_type=_FILES[name])

    async def _command(self, request: web.Request) -> web.Response:
        name = request.match_info['name']
        if not self._guard.may_command(request.headers):
            raise web.HTTPForbidden(text='only the page of this server may give commands')
        if name not in COMMANDS:
            raise web.HTTPNotFound(text=f'there is no command {name!r}')
        answer = await self._ask(name)
        return web.json_response({'success': answer.success, 'message': answer.message})

    async def _ask(self, name: str) -> Answer:
        try:
            pending = asyncio.wrap_future(self._graph.call(name))
            return await asyncio.wait_for(pending, _ANSWER_TIMEOUT_S)
        except asyncio.TimeoutError:
            return Answer(False, f'no answer from the explorer for {_ANSWER_TIMEOUT_S:.0f} s')

    async def _send_pictures(self, request: web.Request) -> web.StreamResponse:
        # Compressed frames are written by tasks of their own, which outlive the connection.
        websocket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_S, max_msg_size=4096, compress=False
        )
        await websocket.prepare(request)
        self._sockets.add(websocket)
        sender = asyncio.create_task(self._stream(websocket))
        try:
            # Nothing is expected; reading notices the end, and answers what keeps the line open.
            async for message in websocket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self._sockets.discard(websocket)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender
        return websocket

    async def _stream(self, websocket: web.WebSocketResponse) -> None:
        sent: dict[str, Any] = {}
        try:
            while not websocket.closed:
                text = self._news(sent)
                await asyncio.wait_for(websocket.send_str(text), _SEND_TIMEOUT_S)
                await asyncio.sleep(PERIOD_S)
        except (ConnectionError, asyncio.TimeoutError):
            await websocket.close()
        except Exception:
            # An explorer of another version, perhaps: the page says that it hears nothing.
            logger.exception('the newest messages cannot be shown')
            await websocket.close(code=1011)

    def _news(self, sent: dict[str, Any]) -> str:
        """Return the parts that have changed since ``sent``, which is brought up to date."""
        parts = []
        for part in PARTS:
            version = self._picture.version(part)
            if part == 'live' or part not in sent or sent[part] != version:
                sent[part] = version
                parts.append(f'"{part}":{self._picture.text(part)}')
        return '{' + ','.join(parts) + '}'

    async def _hang_up(self, application: web.Application) -> None:
        goodbyes = (each.close(code=1001, message=b'the view ends') for each in self._sockets)
        await asyncio.gather(*goodbyes)
