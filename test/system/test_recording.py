# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings that real nodes make."""

from __future__ import annotations

import signal

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')
pytest.importorskip('mcap', reason='mcap is not installed')
pytest.importorskip('rosbags', reason='rosbags is not installed')

import yaml
from std_srvs.srv import Trigger

from bo_explorer.recording.bag_reader import Recording, find_recording
from bo_explorer.recording.journal import TOPIC, decode
from bo_explorer.recording.replay import replay

from .scenarios import small_mission

pytestmark = pytest.mark.system


def events_of(recording):
    topic = recording.require_topic(TOPIC)
    return [decode(message.content.data) for message in recording.messages(topic)]


def test_a_flown_mission_is_recorded_and_repeated_bit_for_bit(stage, tmp_path):
    parameters = small_mission(
        recording={'folder': str(tmp_path / 'bags')}, model={'fit': True}, budget={'total_m': 120}
    )
    observer = stage.observer()
    observer.listen_to_record()
    stage.start('simulator_node', parameters)
    explorer = stage.start('explorer_node', parameters)
    observer.wait_for_state('waiting', 'moving', 'planning', 'measuring')
    assert observer.call(Trigger, '/bo_explorer/pause').success
    assert observer.call(Trigger, '/bo_explorer/resume').success
    publishers = observer.node.get_publishers_info_by_topic
    live = {
        topic: str(
            # A service may be found before the topics of the same node.
            observer.wait(lambda topic=topic: publishers(topic), topic)[0].topic_type_hash
        )
        for topic in ('/pose', '/reading', '/battery', '/map', '/record', '/diagnostics')
    }
    record = observer.wait_for_state('done')
    assert explorer.end(signal.SIGINT) == 0
    assert 'lost 0' in explorer.log and 'Traceback' not in explorer.log

    folder = find_recording(tmp_path / 'bags')
    metadata = yaml.safe_load((folder / 'metadata.yaml').read_text())
    topics = {
        topic['topic_metadata']['name']: topic
        for topic in metadata['rosbag2_bagfile_information']['topics_with_message_count']
    }
    for topic, type_hash in live.items():
        assert topics[topic]['topic_metadata']['type_description_hash'] == type_hash, topic
        assert topics[topic]['message_count'] > 0, topic
    (profile,) = topics['/map']['topic_metadata']['offered_qos_profiles']
    assert profile['durability'] == 'transient_local'

    with Recording(folder) as recording:
        assert recording.is_whole
        events = events_of(recording)
        stamps = [message.stamp_s for message in recording.messages('/pose')]
    assert stamps == sorted(stamps) and stamps[0] > 1e9
    assert {'pause', 'resume', 'start'} <= {event['call'] for event in events}
    result = replay(events)
    assert result.difference == '' and result.n_lost == 0
    assert result.record().waypoints == record['waypoints']
    assert [c.replayed for c in result.choices] == [c.recorded for c in result.choices]
    assert len(result.choices) >= 2


def test_a_killed_node_leaves_a_recording_that_is_repeated_up_to_its_last_flush(stage, tmp_path):
    parameters = small_mission(
        recording={'folder': str(tmp_path / 'bags')}, budget={'total_m': 2000}
    )
    observer = stage.observer()
    observer.listen_to_record()
    stage.start('simulator_node', parameters)
    explorer = stage.start('explorer_node', parameters)
    observer.wait(lambda: len(observer.record().get('waypoints', [])) >= 8, 'eight targets')
    explorer.end(signal.SIGKILL)
    with Recording(tmp_path / 'bags') as recording:
        assert not recording.is_whole
        result = replay(events_of(recording))
    assert result.difference == '' and len(result.choices) >= 2


def test_a_folder_that_cannot_be_written_is_refused_on_the_ground(stage, tmp_path):
    (tmp_path / 'file').write_text('in the way')
    parameters = small_mission(recording={'folder': str(tmp_path / 'file')})
    observer = stage.observer()
    explorer = stage.start('explorer_node', parameters)
    observer.wait(lambda: 'cannot configure' in explorer.log, 'the refusal')
    assert "'recording.folder' must be a folder" in explorer.log
    assert explorer.end(signal.SIGINT) == 0
