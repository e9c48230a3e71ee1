# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The web server, asked over HTTP by a client that is no browser."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import Future

import pytest

aiohttp = pytest.importorskip('aiohttp', reason='aiohttp is not installed')
pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.view import server as server_module
from bo_explorer.view.graph import COMMANDS, Answer
from bo_explorer.view.guard import TOKEN_HEADER
from bo_explorer.view.server import ViewServer


class Graph:
    place = 'ROS domain 3, namespace /<drone>'

    def __init__(self):
        self.called = []
        self.is_answering = True

    def call(self, command):
        self.called.append(command)
        answer = Future()
        if self.is_answering:
            answer.set_result(Answer(True, f'{command} done'))
        return answer


class Picture:
    """Counts how often it is looked at."""

    def __init__(self):
        self.number = 0
        self.n_looks = 0
        self.text_of = {'record': '{"track":[]}', 'map': 'null'}

    def version(self, part):
        return None if part == 'live' else self.number

    def text(self, part):
        if part == 'live':
            self.n_looks += 1
            return '{"silent_s":null}'
        return self.text_of[part]


def serve(scenario):
    """Run a coroutine function with a server, its picture, its graph and a client."""

    async def run():
        graph, picture = Graph(), Picture()
        server = ViewServer(picture, graph, '127.0.0.1', 0)
        address = await server.start()
        try:
            async with aiohttp.ClientSession(address) as client:
                await scenario(server, picture, graph, client)
        finally:
            await server.close()

    asyncio.run(run())


async def token_of(client):
    async with client.get('/') as response:
        assert response.status == 200
        return re.search(r'name="token" content="([^"]+)"', await response.text()).group(1)


def test_the_page_is_whole_and_asks_nobody_else():
    async def scenario(server, picture, graph, client):
        async with client.get('/') as response:
            page = await response.text()
            assert 'namespace /&lt;drone&gt;' in page and '{{' not in page
            assert "default-src 'none'" in response.headers['Content-Security-Policy']
            assert response.headers['X-Content-Type-Options'] == 'nosniff'
        texts = [page]
        for name in re.findall(r'(?:src|href)="([\w.]+)"', page):
            async with client.get(f'/{name}') as response:
                assert response.status == 200
                texts.append(await response.text())
        for name in set(re.findall(r"from '\./([\w.]+)'", ''.join(texts))):
            async with client.get(f'/{name}') as response:
                assert response.status == 200 and response.content_type == 'text/javascript'
                texts.append(await response.text())
        assert len(texts) == 5
        assert not re.search(r'https?://(?!www\.w3\.org)', ''.join(texts))

    serve(scenario)


@pytest.mark.parametrize('path', ['/index.html', '/../server.py', '/%2e%2e/server.py', '/x'])
def test_nothing_but_the_page_is_served(path):
    async def scenario(server, picture, graph, client):
        async with client.get(path) as response:
            assert response.status == 404

    serve(scenario)


@pytest.mark.parametrize('command', COMMANDS)
def test_the_page_gives_commands_and_gets_the_answer(command):
    async def scenario(server, picture, graph, client):
        headers = {TOKEN_HEADER: await token_of(client)}
        async with client.post(f'/command/{command}', headers=headers) as response:
            assert await response.json() == {'success': True, 'message': f'{command} done'}
        assert graph.called == [command]

    serve(scenario)


def test_nobody_else_gives_commands():
    async def scenario(server, picture, graph, client):
        good = {TOKEN_HEADER: await token_of(client)}
        for headers in (
            {},
            {TOKEN_HEADER: 'guessed'},
            {**good, 'Origin': 'http://evil.example'},
            {**good, 'Host': 'evil.example'},
        ):
            async with client.post('/command/pause', headers=headers) as response:
                assert response.status == 403
        async with client.post('/command/reset', headers=good) as response:
            assert response.status == 404
        async with client.get('/command/pause', headers=good) as response:
            assert response.status == 405
        assert not graph.called

    serve(scenario)


def test_a_page_of_another_server_cannot_watch():
    async def scenario(server, picture, graph, client):
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await client.ws_connect('/live', headers={'Origin': 'http://evil.example'})
        assert caught.value.status == 403
        async with client.get('/', headers={'Host': 'evil.example'}) as response:
            assert response.status == 403

    serve(scenario)


def test_an_explorer_that_does_not_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(server_module, '_ANSWER_TIMEOUT_S', 0.05)

    async def scenario(server, picture, graph, client):
        graph.is_answering = False
        headers = {TOKEN_HEADER: await token_of(client)}
        async with client.post('/command/pause', headers=headers) as response:
            answer = await response.json()
        assert not answer['success'] and 'no answer' in answer['message']

    serve(scenario)


def test_a_part_is_sent_when_it_has_changed():
    async def scenario(server, picture, graph, client):
        async with client.ws_connect('/live') as websocket:
            assert set(json.loads(await websocket.receive_str())) == {'record', 'map', 'live'}
            assert set(json.loads(await websocket.receive_str())) == {'live'}
            picture.number += 1
            news = [json.loads(await websocket.receive_str()) for _ in range(3)]
            assert sum('record' in each for each in news) == 1
            assert all('live' in each for each in news)

    serve(scenario)


def test_two_browsers_are_told_the_same():
    async def scenario(server, picture, graph, client):
        async with client.ws_connect('/live') as one, client.ws_connect('/live') as other:
            first = json.loads(await one.receive_str())
            assert json.loads(await other.receive_str()) == first
            assert server.n_watching == 2

    serve(scenario)


def test_a_browser_that_does_not_read_gets_fewer_pictures_and_holds_nobody_up(monkeypatch):
    monkeypatch.setattr(server_module, 'PERIOD_S', 0.0)

    async def scenario(server, picture, graph, client):
        picture.text_of['map'] = json.dumps('x' * 4_000_000)
        # A bare connection that shakes hands and then reads nothing.
        address = client._base_url
        reader, writer = await asyncio.open_connection(address.host, address.port, limit=2**10)
        writer.write(
            f'GET /live HTTP/1.1\r\nHost: {address.host}:{address.port}\r\nUpgrade: websocket\r\n'
            'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n'
            'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'.encode()
        )
        for _ in range(200):
            picture.number += 1
            await asyncio.sleep(0.002)
        looks = picture.n_looks
        assert 1 <= looks < 20
        async with client.ws_connect('/live', max_msg_size=0) as websocket:
            for _ in range(5):
                picture.number += 1
                assert 'live' in json.loads(await websocket.receive_str())
        writer.close()

    serve(scenario)


def test_nobody_is_looked_at_for_when_nobody_watches():
    async def scenario(server, picture, graph, client):
        async with client.ws_connect('/live') as websocket:
            await websocket.receive_str()
        while server.n_watching:
            await asyncio.sleep(0.01)
        looks = picture.n_looks
        await asyncio.sleep(3 * server_module.PERIOD_S)
        assert picture.n_looks == looks

    serve(scenario)


def test_the_end_of_the_server_is_told_to_browsers():
    async def scenario(server, picture, graph, client):
        websocket = await client.ws_connect('/live')
        await websocket.receive_str()
        await server.close()
        while (message := await websocket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)

    serve(scenario)


def test_a_message_that_cannot_be_shown_ends_one_connection_and_is_logged(caplog):
    async def scenario(server, picture, graph, client):
        del picture.text_of['map']
        async with client.ws_connect('/live') as websocket:
            assert (await websocket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert 'cannot be shown' in caplog.text
        await token_of(client)

    serve(scenario)
