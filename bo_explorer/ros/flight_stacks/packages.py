# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Message packages of flight stacks, imported when a stack is chosen.

None of them is a dependency of this package: whoever flies a stack has its messages installed.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from ...core.errors import ConfigError

_INSTALL = {
    'ardupilot_msgs': 'build it from Tools/ros2/ardupilot_msgs of the ArduPilot sources',
    'as2_msgs': 'build Aerostack2 from source, or sudo apt install ros-$ROS_DISTRO-as2-msgs',
    'crazyflie_interfaces': 'sudo apt install ros-$ROS_DISTRO-crazyflie-interfaces',
    'geographic_msgs': 'sudo apt install ros-$ROS_DISTRO-geographic-msgs',
    'mavros_msgs': 'sudo apt install ros-$ROS_DISTRO-mavros-msgs',
    'nav2_msgs': 'sudo apt install ros-$ROS_DISTRO-nav2-msgs',
    'px4_msgs': 'build the px4_msgs of the release that runs on the vehicle',
    'pymavlink': 'pip install pymavlink',
    'tf2_ros': 'sudo apt install ros-$ROS_DISTRO-tf2-ros-py',
}


def interface(kind: str) -> Any:
    """
    Return the class of a message, service or action.

    :param kind: package/msg/Type, package/srv/Type or package/action/Type.
    :raises ConfigError: if the package is not installed, or has no such type.
    """
    package, folder, name = kind.split('/')
    module = load(f'{package}.{folder}')
    try:
        return getattr(module, name)
    except AttributeError:
        raise ConfigError(
            'flight_stack.stack',
            f'the installed package {package} has no {kind}: it is too old for this stack. '
            f'To install a newer one: {_INSTALL[package]}.',
        ) from None


def load(name: str) -> ModuleType:
    """
    Return a module of an optional package.

    :param name: dotted; its first part is a package this module knows.
    :raises ConfigError: if it is not installed; the text says how to install it.
    """
    package = name.split('.')[0]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ConfigError(
            'flight_stack.stack',
            f'this flight stack needs the package {package}, which cannot be imported ({error}). '
            f'To install it: {_INSTALL[package]}.',
        ) from error
