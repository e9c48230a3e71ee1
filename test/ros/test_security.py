# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The SROS2 policy allows what the nodes really do, and nothing else."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from rclpy.parameter import Parameter

ROOT = Path(__file__).parents[2]
POLICY = ElementTree.parse(ROOT / 'security' / 'policy.xml').getroot()
NODES = ('explorer', 'flight_stack', 'simulator', 'view')
VERBS = ('publish', 'subscribe', 'reply', 'request', 'execute', 'call')
SECONDS = 20.0
EXPLORER = {
    'area.polygon': [0.0, 0.0, 40.0, 0.0, 40.0, 40.0, 0.0, 40.0],
    'budget.total_m': 90.0,
    'use_sim_time': True,
}
FLIGHT_STACK = {
    'flight_stack.stack': 'mavlink',
    'flight_stack.mavlink.url': 'udpin:127.0.0.1:0',
}


def given(values):
    return [Parameter(key, value=value) for key, value in values.items()]


def allowed(enclave):
    """Return what the policy allows, full names by verb."""
    profiles = POLICY.findall(f".//enclave[@path='/bo_explorer/{enclave}']/profiles/profile")
    assert len(profiles) == 1
    namespace, node = profiles[0].attrib['ns'], profiles[0].attrib['node']
    found = {verb: set() for verb in VERBS}
    for rules in profiles[0]:
        (verb,) = rules.attrib
        assert rules.attrib[verb] == 'ALLOW' and verb in VERBS
        for rule in rules:
            name = re.sub('^~', f'{namespace.rstrip("/")}/{node}', rule.text)
            full = name if name.startswith('/') else f'{namespace}{name}'
            assert full not in found[verb], f'{full} stands there twice'
            found[verb].add(full)
    return found


def done(node):
    """Return what a living node does, full names by verb."""
    name, namespace = node.get_name(), node.get_namespace()
    graph = {
        'publish': node.get_publisher_names_and_types_by_node,
        'subscribe': node.get_subscriber_names_and_types_by_node,
        'reply': node.get_service_names_and_types_by_node,
        'request': node.get_client_names_and_types_by_node,
    }
    return {
        # The view is named after its process, so that several can be there.
        verb: {re.sub(r'_view_\d+', '_view_*', entry[0]) for entry in ask(name, namespace)}
        for verb, ask in graph.items()
    }


@pytest.fixture(params=NODES)
def case(request, context, tmp_path):
    """Yield the name of an enclave and its node, brought up with all it has."""
    if request.param == 'view':
        graph = pytest.importorskip('bo_explorer.view.graph', reason='the view is not installed')
        view = graph.ExplorerGraph(lambda *_: None, domain_id=context.get_domain_id())
        yield 'view', view._node
        view.close()
        return
    if request.param == 'explorer':
        from bo_explorer.ros.explorer_node import ExplorerNode

        node = ExplorerNode(context=context, parameter_overrides=given(EXPLORER))
    elif request.param == 'simulator':
        from bo_explorer.ros.simulator_node import SimulatorNode

        clock = given({'simulator.node.publish_clock': True})
        node = SimulatorNode(context=context, parameter_overrides=clock)
    else:
        pytest.importorskip('pymavlink', reason='pymavlink is not installed')
        from bo_explorer.ros.flight_stack import FlightStackNode

        node = FlightStackNode(context=context, parameter_overrides=given(FLIGHT_STACK))
    node.bring_up()
    yield request.param, node
    node.close()
    node.destroy_node()


def test_a_node_may_do_what_it_does_and_nothing_else(case):
    enclave, node = case
    wanted = allowed(enclave)
    # No node of this package has an action of its own.
    assert not wanted.pop('execute') and not wanted.pop('call')
    end = time.monotonic() + SECONDS
    while (found := done(node)) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    assert found == wanted


def test_every_enclave_is_one_of_a_node():
    paths = [enclave.attrib['path'] for enclave in POLICY.iter('enclave')]
    assert sorted(paths) == [f'/bo_explorer/{node}' for node in NODES]
    assert POLICY.attrib['version'] == '0.2.0'
