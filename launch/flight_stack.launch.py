# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Start the explorer, and the node that flies a real vehicle by its waypoints."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

_PASSED_ON = ('params_file', 'namespace', 'use_sim_time', 'autostart', 'log_level', 'rviz')


def generate_launch_description() -> LaunchDescription:
    """Declare the arguments and compose the nodes."""
    share = FindPackageShare('bo_explorer')
    arguments = [
        DeclareLaunchArgument(
            'params_file',
            default_value=PathJoinSubstitution([share, 'config', 'mavros.yaml']),
            description='Parameters of both nodes; flight_stack.stack names the stack.',
        ),
        DeclareLaunchArgument(
            'namespace', default_value='', description='Namespace of every node and topic.'
        ),
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', description='Take the time from /clock.'
        ),
        DeclareLaunchArgument(
            'autostart', default_value='true', description='Configure and activate at once.'
        ),
        DeclareLaunchArgument(
            'log_level', default_value='info', description='Least severity that is logged.'
        ),
        DeclareLaunchArgument('rviz', default_value='false', description='Start RViz as well.'),
    ]
    use_sim_time = ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool)
    stack = Node(
        package='bo_explorer',
        executable='flight_stack',
        name='flight_stack',
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        parameters=[LaunchConfiguration('params_file'), {'use_sim_time': use_sim_time}],
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')],
    )
    explorer = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(
            PathJoinSubstitution([share, 'launch', 'explorer.launch.py'])
        ),
        launch_arguments={name: LaunchConfiguration(name) for name in _PASSED_ON}.items(),
    )
    return LaunchDescription([*arguments, stack, explorer])
