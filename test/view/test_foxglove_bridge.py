# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The websocket for Foxglove, heard by a plain client; and the layout."""

from __future__ import annotations

import asyncio
import json
import struct
from pathlib import Path

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import PointCloud2

from bo_explorer.ros import conversions, qos
from bo_explorer.ros.mission_listener import cloud_fields
from bo_explorer.view.graph import BRIDGED, SHOWN, Inputs

LAYOUT = Path(__file__).parents[2] / 'foxglove' / 'bo_explorer.json'
TOPICS = [*SHOWN, *BRIDGED, *Inputs().topics()]
_MESSAGE = struct.Struct('<BIQ')


@pytest.fixture
def bridge():
    pytest.importorskip('foxglove', reason='foxglove-sdk is not installed')
    from bo_explorer.view.foxglove_bridge import FoxgloveBridge

    bridge = FoxgloveBridge('127.0.0.1', 0)
    yield bridge
    bridge.close()


def hear(bridge, name, meanwhile=lambda: None):
    """Connect, subscribe to a topic; return what was advertised and the first message."""
    aiohttp = pytest.importorskip('aiohttp', reason='aiohttp is not installed')

    async def run():
        channels = {}
        async with aiohttp.ClientSession() as session:
            address = f'ws://127.0.0.1:{bridge.port}'
            protocols = ['foxglove.sdk.v1']
            async with session.ws_connect(address, protocols=protocols) as websocket:
                while True:
                    message = await websocket.receive(timeout=30.0)
                    if message.type is aiohttp.WSMsgType.BINARY:
                        assert _MESSAGE.unpack_from(message.data)[:2] == (1, 7)
                        return channels, message.data[_MESSAGE.size :]
                    news = json.loads(message.data)
                    if news['op'] == 'advertise':
                        channels.update({each['topic']: each for each in news['channels']})
                        wanted = {'id': 7, 'channelId': channels[name]['id']}
                        await websocket.send_json({'op': 'subscribe', 'subscriptions': [wanted]})
                        meanwhile()

    return asyncio.run(run())


def test_every_topic_is_offered_with_its_definition(bridge):
    for topic in TOPICS:
        bridge.add(topic)
        bridge.add(topic)
    bridge.take(TOPICS[0], b'first')
    channels, _ = hear(bridge, TOPICS[0].name)
    assert set(channels) == {topic.name for topic in TOPICS}
    for channel in channels.values():
        assert (channel['encoding'], channel['schemaEncoding']) == ('cdr', 'ros2msg')
    assert channels['map']['schemaName'] == 'sensor_msgs/msg/PointCloud2'
    assert 'MSG: sensor_msgs/PointField' in channels['map']['schema']


def test_a_late_client_gets_the_last_map_as_it_was_published(bridge):
    topic = next(topic for topic in SHOWN if topic.key == qos.MAP)
    values = np.array([1.0, 2.0])
    cloud = conversions.to_point_cloud(np.zeros((2, 2)), {'mean': values}, 1.0, 'map')
    bridge.add(topic)
    bridge.take(topic, serialize_message(cloud))
    _, data = hear(bridge, 'map')
    heard = deserialize_message(data, PointCloud2)
    assert heard == cloud
    np.testing.assert_array_equal(cloud_fields(heard)['mean'], values)


def test_the_layout_shows_topics_that_exist():
    layout = json.loads(LAYOUT.read_text(encoding='utf-8'))
    panels = layout['configById']
    scene = panels['3D!map']
    shown = set(scene['topics'])
    for config in panels.values():
        shown.update(
            value.split('.')[0]
            for key in ('topicPath', 'topicToRender')
            if (value := config.get(key))
        )
        shown.update(path['value'].split('.')[0] for path in config.get('paths', []))
    assert shown <= {f'/{topic.name}' for topic in TOPICS}
    assert {'/map', '/path', '/markers', '/pose', '/diagnostics'} <= shown
    assert scene['topics']['/map']['colorField'] == 'mean'


def test_every_panel_of_the_layout_stands_somewhere():
    layout = json.loads(LAYOUT.read_text(encoding='utf-8'))

    def panels(node):
        return [node] if isinstance(node, str) else panels(node['first']) + panels(node['second'])

    assert sorted(panels(layout['layout'])) == sorted(layout['configById'])
