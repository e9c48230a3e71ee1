# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings of others: real ones become maps, and what cannot be used is refused in words."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip('rosbags', reason='rosbags is not installed')

from bo_explorer.core.errors import RecordingError
from bo_explorer.core.types import Pose
from bo_explorer.geo.local_frame import LocalFrame
from bo_explorer.recording import foreign
from bo_explorer.recording.bag_reader import Recording
from bo_explorer.recording.replay import planner_of
from bo_explorer.recording.survey import rectangle_round, survey

from .flights import write_bag

DATA = Path(__file__).parents[3] / 'shared' / 'data'
BAGS = DATA / 'rosbag2_real'
needs_data = pytest.mark.skipif(not BAGS.is_dir(), reason=f'{BAGS} is not there')


def map_of(poses, values, **settings):
    places = np.array([pose.position for pose in poses])
    given = {'area.polygon': rectangle_round(places), 'budget.total_m': 1.0, **settings}
    return survey(*planner_of(given), poses, values)


@needs_data
def test_a_robot_in_a_flat_finds_where_a_beacon_is_loudest():
    with Recording(BAGS / 'ble_robot_mcap') as recording:
        poses = foreign.read_poses(recording, '/pose')
        values = foreign.read_values(recording, '/rssi_3', 'data')
    result = map_of(poses, values)
    best = np.array([result.record.best.x, result.record.best.y])
    with (DATA / 'ble_rss_flat' / 'anchors.csv').open() as file:
        anchors = {row['id']: (float(row['x']), float(row['y'])) for row in csv.DictReader(file)}
    apart = {name: float(np.hypot(*(best - place))) for name, place in anchors.items()}
    assert min(apart, key=apart.get) == '3' and apart['3'] < 1.5
    assert result.record.n_readings == 719 and result.record.rejections == {}

    # The loudest place by plain averages over half a metre, without any model.
    stamps = np.array([pose.stamp for pose in poses])
    track = np.array([pose.position for pose in poses])
    at = np.array([stamp for _, stamp in values])
    places = np.column_stack([np.interp(at, stamps, track[:, k]) for k in (0, 1)])
    loud = np.array([value for value, _ in values])
    means = [loud[np.hypot(*(places - place).T) < 0.5].mean() for place in places]
    assert np.hypot(*(places[np.argmax(means)] - best)) < 1.0


@needs_data
def test_a_drone_with_a_satellite_receiver_is_put_on_the_map():
    with Recording(BAGS / 'uav_co2_day1_200m_mcap') as recording:
        assert foreign.is_geographic(recording, '/fix')
        fixes = foreign.read_fixes(recording, '/fix')
        frame = LocalFrame(float(fixes[0, 0]), float(fixes[0, 1]))
        poses = foreign.read_poses(recording, '/fix', frame.to_local)
        values = foreign.read_values(recording, '/co2_ppm', 'data')
    settings = {'model.fit': False, 'model.noise_std': 80.0, 'ingest.max_samples': 200}
    result = map_of(poses, values, **settings)
    area = np.array(result.record.area[0])
    assert 200.0 < np.ptp(area[:, 0]) < 300.0 and 200.0 < np.ptp(area[:, 1]) < 300.0
    assert result.record.n_readings == 2658 and result.record.rejections == {}
    # The sensor drifts, and the source (a parked car) is no peak: what must hold is the scale.
    assert 400.0 <= result.map.mean.min() and result.map.mean.max() <= 870.0


@needs_data
@pytest.mark.parametrize('field', ['nothing', 'data.x', '0', 'data.0'])
def test_a_field_that_leads_to_no_number_is_refused(field):
    with (
        Recording(BAGS / 'ble_robot_mcap') as recording,
        pytest.raises(RecordingError, match='reading field'),
    ):
        foreign.read_values(recording, '/rssi_1', field)


def test_a_topic_without_places_is_refused_with_what_would_do(tmp_path):
    with Recording(write_bag(tmp_path / 'bag', ['a', 'b'])) as recording:
        with pytest.raises(RecordingError, match='nav_msgs/msg/Odometry') as error:
            foreign.read_poses(recording, '/mission_events')
        assert 'std_msgs/msg/String' in str(error.value)


def line(n=50):
    """Return poses along a line and a field that rises to x = 7."""
    poses = [Pose(0.2 * i, 0.01 * i, stamp=float(i)) for i in range(n)]
    values = [(-abs(pose.x - 7.0), pose.stamp + 0.25) for pose in poses]
    return poses, values


def test_a_survey_finds_the_maximum_of_a_known_field():
    result = map_of(*line())
    assert abs(result.record.best.x - 7.0) < 0.3
    assert abs(result.record.best.mean) < 0.3
    assert result.record.flown_m == pytest.approx(49 * np.hypot(0.2, 0.01))
    assert len(result.record.best_history) >= 1


def test_readings_without_a_pose_are_counted():
    poses, values = line()
    result = map_of(poses, [*values, (1.0, 500.0), (2.0, 501.0)])
    assert result.record.rejections == {'no_pose': 2}
    assert result.record.n_readings == 52


def test_a_recording_without_a_usable_reading_is_refused_with_the_reasons():
    poses, _ = line()
    with pytest.raises(RecordingError, match='3 not_finite'):
        map_of(poses, [(np.nan, 1.0), (np.inf, 2.0), (np.nan, 3.0)])


def test_a_vehicle_that_has_not_moved_gives_no_map():
    with pytest.raises(RecordingError, match='not moved'):
        rectangle_round(np.zeros((5, 2)))
