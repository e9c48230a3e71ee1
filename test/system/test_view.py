# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The live view in a browser, over nodes in processes."""

from __future__ import annotations

import re
import signal
from urllib.parse import urlsplit

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')
pytest.importorskip('aiohttp', reason='aiohttp is not installed')

from geometry_msgs.msg import PoseStamped

from bo_explorer.ros import qos

from ..browser import Browser
from .scenarios import small_mission

pytestmark = pytest.mark.system

SLOW = small_mission(
    budget={'total_m': 800},
    vehicle={'speed_mps': 4, 'acceleration_mps2': 8},
    simulator={
        'field': {'kind': 'hot_spots', 'width_m': 40, 'height_m': 40, 'n_hot_spots': 1},
        'vehicle': {'speed_mps': 4, 'acceleration_mps2': 8},
        'sensor': {'rate_hz': 20, 'noise_std': 0.02},
    },
)
IS_DRAWN = """(() => {
  const copy = document.createElement('canvas');
  const pen = copy.getContext('2d', { willReadFrequently: true });
  pen.drawImage(document.getElementById('map'), 0, 0, copy.width, copy.height);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  return new Set(new Uint32Array(data.buffer)).size;
})()"""


@pytest.fixture
def browser(tmp_path):
    browser = Browser(tmp_path / 'profile')
    yield browser
    browser.close()


def text(browser, name):
    return browser.ask(f"document.getElementById('{name}')?.textContent")


def press(browser, name):
    browser.ask(f"document.querySelector('[data-command={name}]').click()")


def can_press(browser, name):
    return browser.ask(f"!document.querySelector('[data-command={name}]').disabled")


def test_a_person_sees_the_mission_and_commands_it(stage, browser):
    observer = stage.observer()
    observer.listen_to_record()
    waypoints = observer.listen(PoseStamped, 'waypoint', qos.STREAM)
    stage.start('simulator_node', SLOW)
    explorer = stage.start('explorer_node', SLOW)
    view = stage.command('view', '--port', '0')
    address = observer.wait(lambda: re.search(r'http://\S+', view.log), 'the address').group()
    observer.wait_for_state('moving', 'measuring')
    browser.size(1200, 900)
    browser.open(address)

    observer.wait(lambda: text(browser, 'state') in ('Flying', 'Measuring'), 'the state')
    observer.wait(lambda: text(browser, 'low'), 'a map')
    observer.wait(lambda: browser.ask(IS_DRAWN) > 20, 'the colours of the map')
    observer.wait(lambda: text(browser, 'free').endswith(' m'), 'the budget')
    observer.wait(lambda: text(browser, 'vehicle').endswith(' m'), 'the vehicle')
    observer.wait(lambda: '±' in text(browser, 'best'), 'the best estimate')
    assert text(browser, 'policy') == 'ucb'
    assert browser.ask("document.getElementById('notice').hidden")
    assert not can_press(browser, 'start') and not can_press(browser, 'resume')

    press(browser, 'pause')
    observer.wait_for_state('paused')
    observer.wait(lambda: text(browser, 'state') == 'Paused', 'the page to say so')
    observer.wait(lambda: text(browser, 'answer') == 'Pause: paused', 'the answer')
    observer.wait(lambda: can_press(browser, 'resume'), 'the button')
    press(browser, 'resume')
    observer.wait_for_state('moving', 'measuring', 'planning')

    browser.open('about:blank')
    before = len(waypoints)
    observer.wait(lambda: len(waypoints) > before + 10, 'waypoints without a browser')
    assert observer.record()['state'] in ('moving', 'measuring', 'planning')

    browser.open(address)
    observer.wait(lambda: can_press(browser, 'return_home'), 'the button')
    press(browser, 'return_home')
    browser.ask("document.querySelector('#confirm button[value=no]').click()")
    assert observer.record()['state'] in ('moving', 'measuring', 'planning')
    press(browser, 'return_home')
    browser.ask("document.getElementById('confirm-go').click()")
    observer.wait_for_state('returning', 'done')
    assert observer.record()['outcome'] == 'returned'

    assert explorer.end(signal.SIGINT) == 0
    observer.wait(lambda: 'No word from the explorer' in text(browser, 'notice'), 'the silence')
    assert view.end(signal.SIGINT) == 0
    assert 'Traceback' not in view.log and 'Traceback' not in explorer.log
    observer.wait(lambda: 'trying again' in text(browser, 'notice'), 'the lost connection')
    complaints = [each for each in browser.complaints if 'ERR_CONNECTION_REFUSED' not in each]
    assert not complaints
    hosts = {urlsplit(url).netloc for url in browser.requests if not url.startswith('data:')}
    assert hosts <= {urlsplit(address).netloc, ''}
