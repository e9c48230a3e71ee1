# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Start a simulated vehicle in a simulated field, and the explorer that flies it."""

from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node, SetParameter
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
            default_value=PathJoinSubstitution([share, 'config', 'explorer.yaml']),
            description='Scenario: the parameters of both nodes.',
        ),
        DeclareLaunchArgument(
            'namespace', default_value='', description='Namespace of every node and topic.'
        ),
        DeclareLaunchArgument(
            'use_sim_time',
            default_value='false',
            description='Take the time from /clock, which the simulator then publishes.',
        ),
        DeclareLaunchArgument(
            'autostart', default_value='true', description='Configure and activate at once.'
        ),
        DeclareLaunchArgument(
            'log_level', default_value='info', description='Least severity that is logged.'
        ),
        DeclareLaunchArgument('rviz', default_value='false', description='Start RViz as well.'),
        DeclareLaunchArgument(
            'recording_folder',
            default_value='mission/recording',
            description='Folder of recordings, unless params_file has recording.folder.',
        ),
    ]
    simulator = Node(
        package='bo_explorer',
        executable='simulator_node',
        name='simulator',
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        parameters=[
            LaunchConfiguration('params_file'),
            {
                'simulator.node.publish_clock': ParameterValue(
                    LaunchConfiguration('use_sim_time'), value_type=bool
                ),
                'use_sim_time': False,
            },
        ],
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')],
    )
    explorer = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(
            PathJoinSubstitution([share, 'launch', 'explorer.launch.py'])
        ),
        launch_arguments={name: LaunchConfiguration(name) for name in _PASSED_ON}.items(),
    )
    # A parameter of the whole group stands below those of params_file.
    recorded = GroupAction(
        [SetParameter('recording.folder', LaunchConfiguration('recording_folder')), explorer]
    )
    return LaunchDescription([*arguments, simulator, recorded])
