# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The explorer as a lifecycle node: parameters and transitions."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from rclpy.exceptions import InvalidTopicNameException
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

from ..core.errors import BoExplorerError
from .logs import RosLogHandler
from .mission_runner import MissionRunner
from .parameters import ParameterStore
from .settings import Settings, explorer_specs
from .spin import run

_STOP_TIMEOUT_S = 0.5


class ExplorerNode(LifecycleNode):  # type: ignore[misc]
    """
    Runs one mission while active.

    :param arguments: keyword arguments of :class:`rclpy.lifecycle.LifecycleNode`.
    """

    def __init__(self, **arguments: Any) -> None:
        self._runner: MissionRunner | None = None
        self._left: Mapping[str, Any] | None = None
        super().__init__('bo_explorer', **arguments)
        self._store = ParameterStore(
            self,
            explorer_specs(),
            is_foreign=lambda key: key.startswith(('simulator.', 'flight_stack.')),
            check=self._check_values,
            is_locked=lambda: self._runner is not None and self._runner.is_running,
            arguments=arguments.get('cli_args'),
        )
        self._area_given = list(self.get_parameter('area.polygon').value or [])
        self._log_handler = RosLogHandler(self.get_logger().get_child('core'))
        core_logger = logging.getLogger('bo_explorer.core')
        core_logger.setLevel(logging.INFO)
        core_logger.addHandler(self._log_handler)

    def bring_up(self) -> None:
        """Configure and activate, if the parameter ``autostart`` says so."""
        if not self.get_parameter('autostart').value:
            return
        if self.trigger_configure() == TransitionCallbackReturn.SUCCESS:
            self.trigger_activate()

    def close(self) -> bool:
        """Release everything; return whether no plan is being made any more."""
        runner = self._runner
        self._release()
        logging.getLogger('bo_explorer.core').removeHandler(self._log_handler)
        return runner is None or runner.wait_for_planning(_STOP_TIMEOUT_S)

    def destroy_node(self) -> None:
        """Destroy the node, so that it is gone from the graph at once."""
        super().destroy_node()
        # rclpy lets go of the state machine only with the garbage, and of the node after it:
        # whoever asks the graph for a living node of that name would be told of the dead one.
        self._state_machine.destroy_when_not_in_use()

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Read the parameters and create mission, inputs and outputs."""
        return self._attempt('configure', self._build)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Start the stream, the planning and, if wanted, the mission."""
        result = self._attempt('activate', self._refresh)
        if result == TransitionCallbackReturn.SUCCESS and self._runner is not None:
            super().on_activate(state)
            self._runner.start()
        return result

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Pause the mission and fall silent: the vehicle gets no waypoint any more."""
        if self._runner is not None:
            self._runner.stop()
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Drop the mission and everything around it."""
        self._release()
        self._left = None
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop and drop everything."""
        self._release()
        return TransitionCallbackReturn.SUCCESS

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Drop everything, so that the node can be configured again."""
        self._release()
        return TransitionCallbackReturn.SUCCESS

    def _attempt(self, what: str, action: Callable[[], None]) -> TransitionCallbackReturn:
        """Run a transition; rclpy would swallow what it raises."""
        try:
            action()
        except (BoExplorerError, InvalidTopicNameException) as error:
            self.get_logger().error(f'cannot {what}: {error}')
            return TransitionCallbackReturn.FAILURE
        except Exception:
            self.get_logger().fatal(f'cannot {what}:\n{traceback.format_exc()}')
            return TransitionCallbackReturn.ERROR
        return TransitionCallbackReturn.SUCCESS

    def _build(self) -> None:
        self._store.has_changed = False
        settings = Settings.from_values(self._store.values())
        self._runner = MissionRunner(
            self, settings, self._area_given, self._newer_settings, self._left
        )
        self._left = None
        given = self._store.given()
        listed = ', '.join(f'{key}={value!r}' for key, value in given.items()) or 'nothing'
        self.get_logger().info(f'configured; set apart from the defaults: {listed}')

    def _check_values(self, values: Mapping[str, Any]) -> None:
        settings = Settings.from_values(values)
        if self._runner is not None:
            self._runner.mission.check_change(settings.explorer)

    def _newer_settings(self) -> Settings | None:
        if not self._store.has_changed:
            return None
        self._store.has_changed = False
        return Settings.from_values(self._store.values())

    def _refresh(self) -> None:
        """Build again where parameters changed while the node was inactive; nothing is lost."""
        settings = Settings.from_values(self._store.values())
        if self._runner is not None:
            if self._runner.settings == settings:
                return
            self._left = self._runner.leave(settings)
            self.get_logger().warning('parameters have changed: everything but the mission is new')
            self._release()
        self._build()

    def _release(self) -> None:
        if self._runner is not None:
            self._runner.destroy()
            self._runner = None


def main(args: list[str] | None = None) -> int:
    """Run the explorer node until it is told to end."""
    return run(ExplorerNode, args)


if __name__ == '__main__':
    sys.exit(main())
