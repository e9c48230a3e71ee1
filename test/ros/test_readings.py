# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Any numeric field of any message as the sensor."""

from __future__ import annotations

import math

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from sensor_msgs.msg import BatteryState, Imu, LaserScan, Temperature
from std_msgs.msg import Bool, Float32, Float64, Int32

from bo_explorer.core.errors import ConfigError
from bo_explorer.ros.config import SensorInputConfig
from bo_explorer.ros.readings import ReadingSource


def source(type_name, field):
    return ReadingSource.from_config(SensorInputConfig(type=type_name, field=field))


@pytest.mark.parametrize(
    ('type_name', 'field', 'message', 'value'),
    [
        ('std_msgs/msg/Float64', 'data', Float64(data=1.5), 1.5),
        ('std_msgs/Int32', 'data', Int32(data=3), 3.0),
        ('std_msgs/msg/Bool', 'data', Bool(data=True), 1.0),
        ('sensor_msgs/msg/Temperature', 'temperature', Temperature(temperature=21.0), 21.0),
        ('sensor_msgs/msg/LaserScan', 'ranges.1', LaserScan(ranges=[1.0, 2.0]), 2.0),
        ('sensor_msgs/msg/LaserScan', 'ranges.-2', LaserScan(ranges=[1.0, 2.0]), 1.0),
        ('sensor_msgs/msg/Imu', 'linear_acceleration.z', Imu(), 0.0),
        ('sensor_msgs/msg/Imu', 'orientation_covariance.8', Imu(), 0.0),
    ],
)
def test_the_value_is_found_by_its_path(type_name, field, message, value):
    assert source(type_name, field).value(message) == value


def test_a_value_that_is_not_finite_passes_unchanged():
    assert math.isnan(source('std_msgs/msg/Float32', 'data').value(Float32(data=math.nan)))


def test_an_array_that_is_too_short_gives_nan():
    assert math.isnan(source('sensor_msgs/msg/LaserScan', 'ranges.3').value(LaserScan()))


@pytest.mark.parametrize(
    ('type_name', 'field', 'key', 'text'),
    [
        ('Float64', 'data', 'sensor.type', 'package/msg/Type'),
        ('no_such_msgs/msg/Thing', 'data', 'sensor.type', 'no_such_msgs'),
        ('std_msgs/msg/NoSuch', 'data', 'sensor.type', 'NoSuch'),
        ('std_msgs/msg/Float64', 'value', 'sensor.field', 'data'),
        ('std_msgs/msg/Float64', 'data.x', 'sensor.field', 'double'),
        ('std_msgs/msg/Float64', 'data.0', 'sensor.field', 'no array'),
        ('std_msgs/msg/String', 'data', 'sensor.field', 'string'),
        ('sensor_msgs/msg/LaserScan', 'ranges', 'sensor.field', 'sequence'),
        ('sensor_msgs/msg/Imu', 'linear_acceleration', 'sensor.field', 'Vector3'),
    ],
)
def test_a_wrong_type_or_field_is_named_at_once(type_name, field, key, text):
    with pytest.raises(ConfigError, match=text) as error:
        source(type_name, field)
    assert error.value.key == key
    assert '\n' not in str(error.value)


@pytest.mark.parametrize(
    ('type_name', 'field'),
    [
        ('std_msgs/msg/Float64', 'data'),
        ('std_msgs/msg/Int32', 'data'),
        ('sensor_msgs/msg/Temperature', 'temperature'),
        ('sensor_msgs/msg/Imu', 'orientation_covariance.8'),
    ],
)
def test_a_filled_message_gives_its_value_back(type_name, field):
    made = source(type_name, field)
    assert made.value(made.filled(7.0)) == 7.0


def test_an_array_of_free_length_cannot_be_filled():
    with pytest.raises(ConfigError, match=r'sensor\.field'):
        source('sensor_msgs/msg/LaserScan', 'ranges.0').filled(1.0)


def test_a_battery_is_a_sensor_too():
    made = source('sensor_msgs/msg/BatteryState', 'voltage')
    assert made.value(BatteryState(voltage=12.5)) == 12.5
