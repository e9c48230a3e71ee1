# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Bags: what is written is a rosbag2 for two independent readers, also after kill -9."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytest.importorskip('mcap', reason='mcap is not installed')
pytest.importorskip('rosbags', reason='rosbags is not installed')

from mcap.reader import make_reader
from rosbags.rosbag2 import Reader
from rosbags.typesys import Stores, get_typestore

from bo_explorer.core.errors import RecordingError
from bo_explorer.recording.bag_reader import Recording, find_recording, mend
from bo_explorer.recording.bag_writer import BagWriter
from bo_explorer.recording.journal import TOPIC, decode
from bo_explorer.recording.message_types import find_message_type
from bo_explorer.recording.replay import replay

from .flights import flown, string_cdr, write_bag

ROOT = Path(__file__).parents[2]
STORE = get_typestore(Stores.ROS2_JAZZY)
LATCHED = {
    'history': 'keep_last', 'depth': 1, 'reliability': 'reliable',
    'durability': 'transient_local', 'deadline': {'sec': 9223372036, 'nsec': 854775807},
    'lifespan': {'sec': 9223372036, 'nsec': 854775807}, 'liveliness': 'automatic',
    'liveliness_lease_duration': {'sec': 9223372036, 'nsec': 854775807},
    'avoid_ros_namespace_conventions': False,
}  # fmt: skip


def file_of(bag):
    (file,) = bag.glob('*.mcap')
    return file


@pytest.fixture
def bag(tmp_path):
    """Return a bag with three messages on two topics."""
    writer = BagWriter(tmp_path / 'flight', 'jazzy')
    text = writer.add_topic('/uav/record', find_message_type('std_msgs/msg/String'), [LATCHED])
    pose = writer.add_topic('/uav/pose', find_message_type('geometry_msgs/msg/PoseStamped'))
    point = STORE.types['geometry_msgs/msg/Point'](x=1.5, y=-2.0, z=3.0)
    turn = STORE.types['geometry_msgs/msg/Quaternion'](x=0.0, y=0.0, z=0.0, w=1.0)
    time = STORE.types['builtin_interfaces/msg/Time'](sec=7, nanosec=5)
    header = STORE.types['std_msgs/msg/Header'](stamp=time, frame_id='map')
    inner = STORE.types['geometry_msgs/msg/Pose'](position=point, orientation=turn)
    message = STORE.types['geometry_msgs/msg/PoseStamped'](header=header, pose=inner)
    data = bytes(STORE.serialize_cdr(message, 'geometry_msgs/msg/PoseStamped'))
    writer.write(text, 1_000, string_cdr('one'))
    writer.write(pose, 2_000, data)
    writer.write(text, 3_000, string_cdr('two'))
    writer.close()
    return tmp_path / 'flight'


def test_rosbags_reads_what_was_written(bag):
    with Reader(bag) as reader:
        assert (reader.message_count, reader.start_time, reader.end_time) == (3, 1_000, 3_001)
        read = [
            (c.topic, stamp, STORE.deserialize_cdr(data, c.msgtype))
            for c, stamp, data in reader.messages()
        ]
        qos = reader.topics['/uav/record'].connections[0].ext.offered_qos_profiles
    assert [(topic, stamp) for topic, stamp, _ in read] == [
        ('/uav/record', 1_000), ('/uav/pose', 2_000), ('/uav/record', 3_000),
    ]  # fmt: skip
    assert [m.data for t, _, m in read if t == '/uav/record'] == ['one', 'two']
    assert read[1][2].pose.position.y == -2.0
    assert qos[0].durability.name == 'TRANSIENT_LOCAL'


def test_mcap_decodes_it_from_the_definitions_it_embeds(bag):
    decoder = pytest.importorskip('mcap_ros2.decoder', reason='mcap-ros2-support is missing')
    with file_of(bag).open('rb') as stream:
        reader = make_reader(stream, decoder_factories=[decoder.DecoderFactory()])
        assert reader.get_header().profile == 'ros2'
        read = [(c.topic, m) for _, c, _, m in reader.iter_decoded_messages()]
        (metadata,) = [m for m in reader.iter_metadata() if m.name == 'rosbag2']
    assert [m.data for t, m in read if t == '/uav/record'] == ['one', 'two']
    assert read[1][1].header.frame_id == 'map'
    inner = yaml.safe_load(metadata.metadata['serialized_metadata'])
    assert inner['message_count'] == 3 and inner['version'] == 9


def test_the_metadata_is_that_of_rosbag2(bag):
    document = yaml.safe_load((bag / 'metadata.yaml').read_text())
    metadata = document['rosbag2_bagfile_information']
    assert metadata['storage_identifier'] == 'mcap' and metadata['ros_distro'] == 'jazzy'
    assert metadata['relative_file_paths'] == [file_of(bag).name]
    topics = {
        t['topic_metadata']['name']: (t['message_count'], t['topic_metadata'])
        for t in metadata['topics_with_message_count']
    }
    assert topics['/uav/record'][0] == 2 and topics['/uav/pose'][0] == 1
    assert topics['/uav/record'][1]['offered_qos_profiles'] == [LATCHED]


def test_hashes_are_those_that_rosidl_has_computed():
    installed = sorted(Path(sys.prefix, 'share').glob('*/msg/*.json'))
    if not installed:
        pytest.skip('no message packages are installed')
    for path in installed:
        name = f'{path.parents[1].name}/msg/{path.stem}'
        hashes = {h['type_name']: h['hash_string'] for h in _json(path)['type_hashes']}
        assert find_message_type(name).type_hash == hashes[name]


def _json(path):
    return json.loads(path.read_text())


@pytest.mark.parametrize('name', ['nav_msgs/msg/Odometry', 'sensor_msgs/msg/PointCloud2'])
def test_an_uninstalled_message_is_known_from_jazzy(monkeypatch, name):
    with_installation = find_message_type(name)
    monkeypatch.setattr(sys, 'prefix', '/nowhere')
    monkeypatch.delenv('AMENT_PREFIX_PATH', raising=False)
    without = find_message_type(name)
    assert without.type_hash == with_installation.type_hash


def test_an_unknown_message_is_an_error_that_says_what_to_do():
    with pytest.raises(RecordingError, match='source the workspace'):
        find_message_type('no_such_msgs/msg/Thing')


def test_a_recording_is_never_overwritten(bag):
    with pytest.raises(FileExistsError):
        BagWriter(bag)


def test_a_recording_is_found_by_folder_file_or_the_folder_of_recordings(bag, tmp_path):
    for path in (bag, file_of(bag), bag / 'metadata.yaml', tmp_path):
        with Recording(path) as recording:
            assert recording.is_whole
            assert recording.find_topic('pose') == '/uav/pose'
            assert [m.content.data for m in recording.messages('/uav/record')] == ['one', 'two']


def test_what_is_no_recording_is_refused_in_words(tmp_path):
    (tmp_path / 'empty').mkdir()
    (tmp_path / 'x.mcap').write_bytes(b'not an mcap file at all, but some text')
    (tmp_path / 'x.txt').write_text('text')
    for name in ('empty', 'x.txt', 'missing'):
        with pytest.raises(RecordingError, match='no recording'):
            find_recording(tmp_path / name)
    with pytest.raises(RecordingError, match='no MCAP file'):
        Recording(tmp_path / 'x.mcap')


def test_a_missing_topic_is_an_error_that_lists_those_there_are(bag):
    with Recording(bag) as recording, pytest.raises(RecordingError) as error:
        recording.require_topic('battery')
    assert '/uav/pose  geometry_msgs/msg/PoseStamped' in str(error.value)
    assert '/uav/record  std_msgs/msg/String' in str(error.value)


WRITER = """
import struct, sys, time
from pathlib import Path
from bo_explorer.recording.background import BackgroundWriter
from bo_explorer.recording.bag_writer import BagWriter
from bo_explorer.recording.message_types import find_message_type

writer = BackgroundWriter(BagWriter(Path(sys.argv[1])), flush_period_s=0.05)
kind = find_message_type('std_msgs/msg/String')
writer.put(lambda bag: bag.add_topic('/count', kind))
number = 0
while True:
    text = str(number).encode() + bytes(1)
    data = bytes([0, 1, 0, 0]) + struct.pack('<I', len(text)) + text
    writer.put(lambda bag, data=data, number=number: bag.write(1, 1000 + number, data))
    number += 1
    if number % 100 == 0:
        print(number, flush=True)
    time.sleep(0.0005)
"""


def test_after_kill_9_everything_up_to_the_last_flush_is_read(tmp_path):
    bag = tmp_path / 'killed'
    process = subprocess.Popen(
        [sys.executable, '-c', WRITER, str(bag)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        for line in process.stdout:
            if int(line) >= 1000:
                break
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    counted = yaml.safe_load((bag / 'metadata.yaml').read_text())
    promised = counted['rosbag2_bagfile_information']['message_count']
    with Recording(bag) as recording:
        assert not recording.is_whole
        numbers = [int(m.content.data) for m in recording.messages('/count')]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= promised > 100


def test_a_file_cut_anywhere_is_read_up_to_there(bag, tmp_path):
    whole = file_of(bag).read_bytes()
    seen = set()
    for end in range(60, len(whole), 397):
        cut, mended = tmp_path / 'cut.mcap', tmp_path / 'mended.mcap'
        cut.write_bytes(whole[:end])
        n_messages = mend(cut, mended)
        with Recording(mended) as recording:
            assert recording.is_whole
            assert len(list(recording.messages(*recording.topics))) == n_messages
        seen.add(n_messages)
    assert seen == {0, 3}


def test_damage_inside_a_chunk_ends_the_reading_there(bag, tmp_path):
    data = bytearray(file_of(bag).read_bytes())
    middle = data.find(b'zstd') + 60
    data[middle] ^= 0xFF
    damaged = tmp_path / 'damaged.mcap'
    damaged.write_bytes(data)
    assert mend(damaged, tmp_path / 'mended.mcap') == 0


def test_a_mission_is_repeated_from_its_bag(tmp_path):
    flight = flown()
    write_bag(tmp_path / 'bag', flight.texts)
    with Recording(tmp_path / 'bag') as recording:
        topic = recording.require_topic(TOPIC)
        events = [decode(m.content.data) for m in recording.messages(topic)]
    assert events == flight.events
    assert replay(events).difference == ''
