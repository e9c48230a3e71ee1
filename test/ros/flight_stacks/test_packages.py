# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Optional packages: missing ones are named, with the way to get them."""

from __future__ import annotations

import sys
import types

import pytest

from bo_explorer.core.errors import ConfigError
from bo_explorer.ros.flight_stacks import packages


def test_an_installed_interface_is_returned(monkeypatch):
    module = types.ModuleType('px4_msgs.msg')
    module.VehicleStatus = object()
    monkeypatch.setitem(sys.modules, 'px4_msgs', types.ModuleType('px4_msgs'))
    monkeypatch.setitem(sys.modules, 'px4_msgs.msg', module)
    assert packages.interface('px4_msgs/msg/VehicleStatus') is module.VehicleStatus
    with pytest.raises(ConfigError, match='px4_msgs has no px4_msgs/msg/New: it is too old'):
        packages.interface('px4_msgs/msg/New')


@pytest.mark.parametrize(
    ('kind', 'remedy'),
    [
        ('mavros_msgs/msg/State', 'apt install ros-.*-mavros-msgs'),
        ('px4_msgs/msg/VehicleStatus', 'build the px4_msgs'),
        ('nav2_msgs/action/NavigateToPose', 'apt install ros-.*-nav2-msgs'),
        ('crazyflie_interfaces/srv/GoTo', 'apt install ros-.*-crazyflie-interfaces'),
        ('as2_msgs/action/Takeoff', 'Aerostack2'),
        ('ardupilot_msgs/srv/Takeoff', 'Tools/ros2/ardupilot_msgs'),
    ],
)
def test_a_missing_package_is_named_with_its_remedy(monkeypatch, kind, remedy):
    package = kind.split('/')[0]
    for name in (package, f'{package}.{kind.split("/")[1]}'):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=f'needs the package {package}.*{remedy}'):
        packages.interface(kind)


@pytest.mark.parametrize('name', ['pymavlink.mavutil', 'tf2_ros'])
def test_a_missing_library_is_named_with_its_remedy(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name.split('.')[0], None)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=f'needs the package {name.split(".")[0]}.*install'):
        packages.load(name)
