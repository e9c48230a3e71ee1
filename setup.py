# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Build rules; the dependencies on ROS packages stand in package.xml."""

from glob import glob

from setuptools import find_packages, setup

package_name = 'bo_explorer'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(exclude=['test', 'test.*']),
    package_data={package_name: ['py.typed', 'sim/data/*', 'report/template/*', 'view/page/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{package_name}']),
        (f'share/{package_name}', ['package.xml']),
        (f'share/{package_name}/config', sorted(glob('config/*.yaml'))),
        (f'share/{package_name}/foxglove', sorted(glob('foxglove/*.json'))),
        (f'share/{package_name}/launch', sorted(glob('launch/*.launch.py'))),
        (f'share/{package_name}/rviz', sorted(glob('rviz/*.rviz'))),
        (f'share/{package_name}/security', ['security/policy.xml']),
    ],
    python_requires='>=3.10',
    install_requires=[
        'setuptools',
        'numpy',
        'scipy',
        'torch>=2.0',
        'gpytorch>=1.11',
        'shapely>=2.0',
        'matplotlib',
        'pillow',
        'pyyaml',
        'jinja2',
        'pyproj>=3.3',
        'mcap>=1.6',
        'rosbags>=0.10',
        'rich',
        'aiohttp',
    ],
    extras_require={
        'foxglove': ['foxglove-sdk'],
        'mavlink': ['pymavlink', 'pyserial'],
        'ray': ['ray'],
        'study': ['box2d', 'gymnasium', 'pygame-ce', 'scikit-learn'],
        'test': ['flake8', 'hypothesis', 'mypy', 'pydocstyle', 'pytest', 'pytest-timeout'],
    },
    zip_safe=True,
    author='The bo_explorer authors',
    maintainer='bo_explorer maintainers',
    maintainer_email='bo_explorer@example.com',
    description=(
        'Flies a vehicle with one scalar sensor to the peak of an unknown field and home again, '
        'within one battery.'
    ),
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'bo_explorer = bo_explorer.cli:main',
            'explorer_node = bo_explorer.ros.executables:explorer_node',
            'flight_stack = bo_explorer.ros.executables:flight_stack',
            'simulator_node = bo_explorer.ros.executables:simulator_node',
        ],
    },
)
