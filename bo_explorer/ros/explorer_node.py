# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The explorer as a lifecycle node.

Every callback runs in the executor's thread and is cheap; only :meth:`Job.run` runs in the
planning thread, so the mission needs no lock. All callbacks share the node's mutually exclusive
group.

The mission counts time on the node's clock. Timers run on the steady clock: a waypoint stream that
follows a paused or late ``/clock`` would stop under a flying vehicle.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.exceptions import InvalidTopicNameException
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from std_srvs.srv import Trigger

from ..core.errors import BoExplorerError
from ..core.mission import Mission
from ..core.types import Pose
from .inputs import MissionInputs
from .logs import RosLogHandler
from .parameters import ParameterStore
from .publishers import MissionPublishers
from .settings import Settings, explorer_specs
from .spin import run
from .worker import PlanningWorker

_WORK_PERIOD_S = 0.05
_DIAGNOSTICS_PERIOD_S = 1.0
_CLOCK_WARN_PERIOD_S = 5.0
_STOP_TIMEOUT_S = 0.5
_COMMANDS = ('start', 'pause', 'resume', 'return_home', 'reset')


class ExplorerNode(LifecycleNode):  # type: ignore[misc]
    """
    Runs one mission while active.

    :param arguments: keyword arguments of :class:`rclpy.lifecycle.LifecycleNode`.
    """

    def __init__(self, **arguments: Any) -> None:
        self._settings: Settings | None = None
        self._mission: Mission | None = None
        self._inputs: MissionInputs | None = None
        self._outputs: MissionPublishers | None = None
        self._worker: PlanningWorker | None = None
        self._command_services: list[Any] = []
        self._activity: list[Any] = []
        self._is_active = False
        self._is_start_due = False
        self._is_paused_by_lifecycle = False
        self._announced: tuple[object, str] | None = None
        self._clock_warned_at = -_CLOCK_WARN_PERIOD_S
        super().__init__('bo_explorer', **arguments)
        self._store = ParameterStore(
            self,
            explorer_specs(),
            is_foreign=lambda key: key.startswith('simulator.'),
            check=Settings.from_values,
            is_locked=lambda: self._is_active,
        )
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._job_done = self.create_guard_condition(self._work)
        self._log_handler = RosLogHandler(self.get_logger().get_child('core'))
        core_logger = logging.getLogger('bo_explorer.core')
        core_logger.setLevel(logging.INFO)
        core_logger.addHandler(self._log_handler)

    # What the process asks of the node

    def bring_up(self) -> None:
        """Configure and activate, if the parameter ``autostart`` says so."""
        if not self.get_parameter('autostart').value:
            return
        if self.trigger_configure() == TransitionCallbackReturn.SUCCESS:
            self.trigger_activate()

    def close(self) -> bool:
        """Release everything; return whether no plan is being made any more."""
        worker = self._worker
        self._stop_activity()
        self._release()
        logging.getLogger('bo_explorer.core').removeHandler(self._log_handler)
        return worker is None or worker.stop(_STOP_TIMEOUT_S)

    # Transitions

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Read the parameters and create mission, inputs and outputs."""
        return self._attempt('configure', self._build)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Start the stream, the planning and, if wanted, the mission."""
        result = self._attempt('activate', self._refresh)
        if result != TransitionCallbackReturn.SUCCESS:
            return result
        super().on_activate(state)
        self._start_activity()
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Pause the mission and fall silent: the vehicle gets no waypoint any more."""
        now = self._now()
        if self._mission is not None and now is not None:
            before = self._mission.state
            self._mission.pause(now)
            self._is_paused_by_lifecycle = self._mission.state is not before
        self._stop_activity()
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Drop the mission and everything around it."""
        self._release()
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop and drop everything."""
        self._stop_activity()
        self._release()
        return TransitionCallbackReturn.SUCCESS

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Drop everything, so that the node can be configured again."""
        self._stop_activity()
        self._release()
        return TransitionCallbackReturn.SUCCESS

    def _attempt(self, what: str, action: Callable[[], None]) -> TransitionCallbackReturn:
        """Run a transition; rclpy would swallow what it raises."""
        try:
            action()
        except (BoExplorerError, InvalidTopicNameException) as error:
            self.get_logger().error(f'cannot {what}: {error}')
            self._release()
            return TransitionCallbackReturn.FAILURE
        except Exception:
            logging.getLogger(__name__).exception('cannot %s', what)
            self.get_logger().fatal(f'cannot {what}: {sys.exc_info()[1]!r}')
            return TransitionCallbackReturn.ERROR
        return TransitionCallbackReturn.SUCCESS

    # Building and taking down

    def _build(self) -> None:
        settings = Settings.from_values(self._store.values())
        self._mission = Mission(settings.explorer, settings.make_policy())
        self._outputs = MissionPublishers(self, settings.node.frame_id)
        self._inputs = MissionInputs(
            self,
            settings.node,
            on_pose=self._take_pose,
            on_reading=self._mission.add_reading,
            on_battery=self._take_battery,
        )
        self._worker = PlanningWorker(
            settings.node.output.planning_threads, self._job_done.trigger
        )
        self._command_services = [
            self.create_service(Trigger, f'~/{name}', self._command(name)) for name in _COMMANDS
        ]
        self._settings = settings
        self._is_start_due = settings.node.autostart_mission
        given = self._store.given()
        listed = ', '.join(f'{key}={value!r}' for key, value in given.items()) or 'nothing'
        self.get_logger().info(f'configured; set apart from the defaults: {listed}')

    def _refresh(self) -> None:
        """Build again where parameters changed while the node was inactive."""
        if self._settings != Settings.from_values(self._store.values()):
            self.get_logger().warning('parameters have changed: the mission begins anew')
            self._release()
            self._build()

    def _release(self) -> None:
        for part in (self._inputs, self._outputs):
            if part is not None:
                part.destroy()
        for service in self._command_services:
            self.destroy_service(service)
        if self._worker is not None:
            self._worker.stop(0.0)
        self._command_services = []
        self._inputs = self._outputs = self._worker = None
        self._mission = self._settings = self._announced = None
        self._is_paused_by_lifecycle = False

    def _start_activity(self) -> None:
        assert self._settings is not None
        output = self._settings.node.output
        self._is_active = True
        for period, callback in (
            (1.0 / output.stream_hz, self._stream),
            (_WORK_PERIOD_S, self._work),
            (output.map_period_s, self._publish_map),
            (output.record_period_s, self._publish_record),
            (_DIAGNOSTICS_PERIOD_S, self._publish_diagnostics),
        ):
            self._activity.append(self.create_timer(period, callback, clock=self._steady))

    def _stop_activity(self) -> None:
        self._is_active = False
        for timer in self._activity:
            self.destroy_timer(timer)
        self._activity = []

    # Inputs

    def _take_pose(self, pose: Pose) -> None:
        now = self._now()
        if self._mission is not None and now is not None:
            self._mission.update_pose(pose, now)

    def _take_battery(self, fraction: float | None) -> None:
        now = self._now()
        if self._mission is not None and now is not None:
            self._mission.update_battery(fraction, now)

    def _command(self, name: str) -> Callable[[Any, Any], Any]:
        def answer(request: Any, response: Any) -> Any:
            now = self._now()
            if not self._is_active or self._mission is None:
                response.success, response.message = False, 'the node is not active'
            elif now is None:
                response.success, response.message = False, 'waiting for /clock'
            else:
                response.success, response.message = getattr(self._mission, name)(now)
                if name == 'reset' and self._outputs is not None:
                    self._outputs.clear(now)
                self._work()
            return response

        return answer

    # Work

    def _now(self) -> float | None:
        """Return the time of the node's clock, or ``None`` while it has none."""
        nanoseconds = self.get_clock().now().nanoseconds
        if nanoseconds > 0:
            return 1e-9 * nanoseconds
        if time.monotonic() - self._clock_warned_at >= _CLOCK_WARN_PERIOD_S:
            self._clock_warned_at = time.monotonic()
            self.get_logger().warning('use_sim_time is set: waiting for /clock')
        return None

    def _work(self) -> None:
        """Take over what was planned, start what is due, say what has changed."""
        mission, worker, now = self._mission, self._worker, self._now()
        if mission is None or worker is None or now is None:
            return
        done = worker.take()
        if done is not None:
            mission.finish(*done)
        if not self._is_active:
            return
        if self._store.has_changed and not worker.is_busy:
            self._take_live_options(mission)
        if self._is_paused_by_lifecycle:
            self._is_paused_by_lifecycle = False
            mission.resume(now)
        if self._is_start_due:
            self._is_start_due = False
            mission.start(now)
        if not worker.is_busy:
            job = mission.begin(now)
            if job is not None:
                worker.submit(job)
        if (mission.state, mission.reason) != self._announced:
            self._announced = (mission.state, mission.reason)
            self._publish_record()
            self._publish_map()

    def _take_live_options(self, mission: Mission) -> None:
        self._store.has_changed = False
        settings = Settings.from_values(self._store.values())
        if settings == self._settings:
            return
        try:
            mission.reconfigure(settings.explorer, settings.make_policy())
        except BoExplorerError as error:
            self.get_logger().error(f'the new parameters cannot be used: {error}')
            return
        self._settings = settings
        self.get_logger().info('flying on with the new parameters')

    # Outputs

    def _stream(self) -> None:
        now = self._now()
        if self._mission is not None and self._outputs is not None and now is not None:
            self._outputs.waypoint(self._mission, now)

    def _publish_map(self) -> None:
        now = self._now()
        if self._mission is not None and self._outputs is not None and now is not None:
            self._outputs.map(self._mission, now)
            self._outputs.plan(self._mission, now)

    def _publish_record(self) -> None:
        if self._mission is not None and self._outputs is not None:
            self._outputs.record(self._mission)

    def _publish_diagnostics(self) -> None:
        now = self._now()
        if self._mission is None or self._outputs is None or self._inputs is None:
            return
        problem = self._inputs.pose_problem()
        if problem:
            self._inputs.warn(self._inputs.pose_topic, 'silent', problem)
        if now is not None:
            self._outputs.diagnostics(self._mission, self._inputs, now)


def main(args: list[str] | None = None) -> int:
    """Run the explorer node until it is told to end."""
    return run(ExplorerNode, args)


if __name__ == '__main__':
    sys.exit(main())
