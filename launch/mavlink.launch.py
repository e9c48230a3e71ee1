# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Start explorer and flight_stack for MAVLink; flight_stack.launch.py has more."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Name the parameters and pass everything on."""
    share = FindPackageShare('bo_explorer')
    parameters = DeclareLaunchArgument(
        'params_file',
        default_value=PathJoinSubstitution([share, 'config', 'mavlink.yaml']),
        description='Parameters of the mission and of flight_stack.',
    )
    everything = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(
            PathJoinSubstitution([share, 'launch', 'flight_stack.launch.py'])
        ),
        launch_arguments={'params_file': LaunchConfiguration('params_file')}.items(),
    )
    return LaunchDescription([parameters, everything])
