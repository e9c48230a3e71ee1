# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Start the explorer; what flies and what senses is started elsewhere."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Declare the arguments and compose the nodes."""
    share = FindPackageShare('bo_explorer')
    arguments = [
        DeclareLaunchArgument(
            'params_file',
            default_value=PathJoinSubstitution([share, 'config', 'explorer.yaml']),
            description='Parameters of the mission; the arguments below win over it.',
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
    explorer = Node(
        package='bo_explorer',
        executable='explorer_node',
        name='bo_explorer',
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        parameters=[
            LaunchConfiguration('params_file'),
            {
                'use_sim_time': use_sim_time,
                'autostart': ParameterValue(LaunchConfiguration('autostart'), value_type=bool),
            },
        ],
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')],
    )
    rviz = Node(
        package='rviz2',
        executable='rviz2',
        name='rviz',
        namespace=LaunchConfiguration('namespace'),
        arguments=['-d', PathJoinSubstitution([share, 'rviz', 'bo_explorer.rviz'])],
        parameters=[{'use_sim_time': use_sim_time}],
        condition=IfCondition(LaunchConfiguration('rviz')),
    )
    return LaunchDescription([*arguments, explorer, rviz])
