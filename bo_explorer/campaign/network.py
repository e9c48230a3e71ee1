# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Two network namespaces with a cable between them that can be made to lose packets."""

from __future__ import annotations

import os
import subprocess

_TABLE = 'bo_explorer_loss'


class Network:
    """
    A namespace for the explorer, and one for the simulator and everything else.

    :param name: tells the namespaces of one machine apart, at most eight characters.
    :raises OSError: if the machine or the user's rights do not allow it; nothing is left then.
    """

    def __init__(self, name: str) -> None:
        self._names = (f'bo_{name}_e', f'bo_{name}_s')
        explorer, simulator = self._names
        try:
            for namespace in self._names:
                _run('ip', 'netns', 'add', namespace)
            cable = f'link add cable netns {explorer} type veth peer name cable netns {simulator}'
            _run('ip', *cable.split())
            for number, namespace in enumerate(self._names, 1):
                inside = ('ip', '-n', namespace)
                _run(*inside, 'address', 'add', f'10.77.0.{number}/24', 'dev', 'cable')
                for device in ('lo', 'cable'):
                    _run(*inside, 'link', 'set', device, 'up')
                _run(*inside, 'route', 'add', '224.0.0.0/4', 'dev', 'cable')
                # Whether rules can be set is seen now and not in the middle of a mission.
                self._set_loss(namespace, 0)
        except OSError:
            self.close()
            raise

    @property
    def explorer_prefix(self) -> tuple[str, ...]:
        """Command that runs the explorer in its namespace."""
        return ('ip', 'netns', 'exec', self._names[0])

    @property
    def prefix(self) -> tuple[str, ...]:
        """Command that runs everything else in its namespace."""
        return ('ip', 'netns', 'exec', self._names[1])

    def lose(self, percent: int) -> None:
        """
        Drop a share of the packets that come through the cable, on either side.

        :param percent: 0 to 100.
        """
        for namespace in self._names:
            self._set_loss(namespace, percent)

    def close(self) -> None:
        """Remove the namespaces, the cable and its rules."""
        for namespace in self._names:
            subprocess.run(['ip', 'netns', 'del', namespace], capture_output=True, check=False)

    def _set_loss(self, namespace: str, percent: int) -> None:
        rules = (
            f'table inet {_TABLE} {{}}; flush table inet {_TABLE}; '
            f'table inet {_TABLE} {{ chain input {{ type filter hook input priority 0; '
            f'iifname "cable" numgen random mod 100 < {percent} drop; }}; }}'
        )
        if percent == 0:
            rules = f'table inet {_TABLE} {{}}; flush table inet {_TABLE};'
        _run('ip', 'netns', 'exec', namespace, 'nft', rules)


def why_no_network() -> str:
    """Return why packets cannot be lost here, empty where they can."""
    try:
        Network(f'try{os.getpid() % 10000}').close()
    except OSError as error:
        return str(error)
    return ''


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"'{' '.join(command[:6])}': {done.stderr.strip() or done.returncode}")
