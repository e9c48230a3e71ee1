# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A headless Chromium that opens pages, for tests.

It is driven through the pipe of the Chrome DevTools Protocol: messages of JSON ended by a zero
byte, commands on file descriptor 3 and answers on 4. No port is opened.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
FLAGS = (
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
    '--hide-scrollbars',
)
TIMEOUT_S = 60.0

# Puts the pipes where the browser looks for them, whatever their numbers are.
_LAUNCH = """
import fcntl, os, sys
kept = [fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3]]
for number, fd in enumerate(kept, 3):
    os.dup2(fd, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """
    One browser with one page, which remembers what the page complained about and asked for.

    :param profile: an empty folder for its files.
    """

    def __init__(self, profile: Path) -> None:
        program = next((found for name in NAMES if (found := shutil.which(name))), None)
        if program is None:
            pytest.skip('no Chromium is installed: ' + ', '.join(NAMES))
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._numbers = itertools.count(1)
        self._pending = b''
        commands, self._send = os.pipe()
        self._receive, answers = os.pipe()
        arguments = [program, *FLAGS, f'--user-data-dir={profile}', '--remote-debugging-pipe']
        self._process = subprocess.Popen(
            [sys.executable, '-c', _LAUNCH, str(commands), str(answers), *arguments],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._session: str | None = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        attached = self.call('Target.attachToTarget', targetId=target, flatten=True)
        self._session = attached['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(f'{domain}.enable')

    def close(self) -> None:
        """End the browser."""
        self._session = None
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):
            self.call('Browser.close')
        os.close(self._send)
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._receive)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer; events on the way are remembered."""
        number = next(self._numbers)
        message = {'id': number, 'method': method, 'params': parameters}
        if self._session is not None:
            message['sessionId'] = self._session
        os.write(self._send, json.dumps(message).encode() + b'\0')
        while (answer := self._next()).get('id') != number:
            self._remember(answer)
        if 'error' in answer:
            raise RuntimeError(f'{method}: {answer["error"]}')
        result: dict[str, Any] = answer['result']
        return result

    def size(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """Choose the window, in pixels, and whether the screen is a dark one."""
        self.call(
            'Emulation.setDeviceMetricsOverride',
            width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone,
        )  # fmt: skip
        scheme = {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}
        self.call('Emulation.setEmulatedMedia', features=[scheme])

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self.call('Page.navigate', url=url)
        give_up_at = time.monotonic() + TIMEOUT_S
        while self.ask('document.readyState') != 'complete' and time.monotonic() < give_up_at:
            time.sleep(0.02)

    def ask(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, promises awaited."""
        answer = self.call(
            'Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True
        )
        if 'exceptionDetails' in answer:
            raise RuntimeError(f'{expression}: {answer["exceptionDetails"]}')
        return answer['result'].get('value')

    def move_to(self, x: float, y: float) -> None:
        """Move the pointer, in pixels of the window."""
        self.call('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)

    def picture(self, *, whole: bool = True) -> bytes:
        """Return the page, or the window alone, as PNG."""
        answer = self.call(
            'Page.captureScreenshot', format='png', captureBeyondViewport=whole
        )
        return base64.b64decode(answer['data'])

    def paper(self) -> bytes:
        """Return the page as it prints on A4, as PDF."""
        answer = self.call(
            'Page.printToPDF', paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True
        )
        return base64.b64decode(answer['data'])

    def _next(self) -> dict[str, Any]:
        give_up_at = time.monotonic() + TIMEOUT_S
        while b'\0' not in self._pending:
            left = give_up_at - time.monotonic()
            if left <= 0.0 or not select.select([self._receive], [], [], left)[0]:
                raise TimeoutError(f'the browser has not answered for {TIMEOUT_S:.0f} s')
            part = os.read(self._receive, 1 << 16)
            if not part:
                raise RuntimeError('the browser has ended')
            self._pending += part
        line, _, self._pending = self._pending.partition(b'\0')
        message: dict[str, Any] = json.loads(line)
        return message

    def _remember(self, event: dict[str, Any]) -> None:
        method, parameters = event.get('method'), event.get('params', {})
        if method == 'Runtime.exceptionThrown':
            self.complaints.append(str(parameters['exceptionDetails']))
        elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning'):
            self.complaints.append(str(parameters['args']))
        elif method == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
            self.complaints.append(parameters['entry']['text'])
        elif method == 'Network.requestWillBeSent':
            self.requests.append(parameters['request']['url'])
