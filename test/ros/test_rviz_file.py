# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What RViz subscribes to, held against what a real node publishes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from rclpy.parameter import Parameter
from rclpy.qos import (
    DurabilityPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)

from bo_explorer.ros import qos
from bo_explorer.ros.explorer_node import ExplorerNode

FILE = Path(__file__).parents[2] / 'rviz' / 'bo_explorer.rviz'
TYPES = {
    'PointCloud2': 'sensor_msgs/msg/PointCloud2',
    'Map': 'nav_msgs/msg/OccupancyGrid',
    'Path': 'nav_msgs/msg/Path',
    'MarkerArray': 'visualization_msgs/msg/MarkerArray',
    'Pose': 'geometry_msgs/msg/PoseStamped',
}


def displays():
    content = yaml.safe_load(FILE.read_text(encoding='utf-8'))
    shown = [each for each in content['Visualization Manager']['Displays'] if 'Topic' in each]
    return {each['Topic']['Value']: each for each in shown}


def profile(display):
    topic = display['Topic']
    names = {'Best Effort': 'BEST_EFFORT', 'Transient Local': 'TRANSIENT_LOCAL'}

    def policy(kind, key):
        value = topic[f'{key} Policy']
        return kind[names.get(value, value.upper())]

    return QoSProfile(
        depth=topic['Depth'],
        reliability=policy(ReliabilityPolicy, 'Reliability'),
        durability=policy(DurabilityPolicy, 'Durability'),
    )


@pytest.fixture
def node(context):
    values = {'area.polygon': [0, 0, 40, 0, 40, 40, 0, 40], 'budget.total_m': 160}
    node = ExplorerNode(
        context=context,
        parameter_overrides=[Parameter(key, value=value) for key, value in values.items()],
    )
    node.trigger_configure()
    yield node
    node.close()
    node.destroy_node()


def test_rviz_hears_every_topic_it_shows_and_gets_what_was_latched(node):
    shown = displays()
    assert len(shown) >= 7
    for name, display in shown.items():
        wanted = profile(display)
        kind = TYPES[display['Class'].partition('/')[2]]
        if name == 'pose':
            # Flight stacks publish it, some of them best effort.
            assert wanted.reliability is ReliabilityPolicy.BEST_EFFORT
            assert wanted.durability is DurabilityPolicy.VOLATILE
            continue
        (offered,) = node.get_publishers_info_by_topic(name)
        assert offered.topic_type == kind, name
        given = offered.qos_profile
        compatibility, reason = qos_check_compatible(given, wanted)
        assert compatibility is not QoSCompatibility.ERROR, (name, reason)
        assert wanted.durability is given.durability, name


def test_rviz_colours_the_cloud_by_a_field_it_has():
    display = displays()[qos.MAP]
    assert display['Channel Name'] == 'mean' and display['Color Transformer'] == 'Intensity'
