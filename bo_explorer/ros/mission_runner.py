# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A mission between its inputs, its outputs, its commands and its planning thread.

Every method runs in the executor's thread and is cheap; only :meth:`Job.run` runs in the planning
thread, so the mission needs no lock. All callbacks share the node's mutually exclusive group.

The mission counts time on the node's clock. Timers run on the steady clock: a waypoint stream that
follows a paused or late ``/clock`` would stop under a flying vehicle.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.lifecycle import LifecycleNode
from std_srvs.srv import Trigger

from ..core.errors import BoExplorerError
from ..core.types import Pose
from ..core.watchdog import Fault
from .clock_watch import ClockWatch
from .inputs import MissionInputs
from .live_changes import LiveChanges
from .publishers import MissionPublishers
from .recorder import MissionRecorder
from .remembered_mission import RememberedMission, check_same_mission
from .settings import Settings
from .worker import PlanningWorker

_WORK_PERIOD_S = 0.05
_DIAGNOSTICS_PERIOD_S = 1.0
_CLOCK_WARN_PERIOD_S = 5.0
# Name of the service, and the method of the mission.
_COMMANDS = {
    'start': 'start',
    'pause': 'pause',
    'resume': 'resume',
    'return_home': 'return_home',
    'reset': 'reset',
    'battery_swap': 'swap_battery',
}


class MissionRunner:
    """
    Exists from the configuration of the node to its cleanup; works between start and stop.

    :param node: owns topics, services and timers.
    :param settings: what to fly, and how to meet the rest of the system.
    :param area_given: ``area.polygon`` as the node was started with.
    :param newer_settings: gives the settings if they have changed since it was last asked.
    :param left: the mission another runner left, to go on with.
    :raises BoExplorerError: if the settings cannot be used.
    """

    def __init__(
        self,
        node: LifecycleNode,
        settings: Settings,
        area_given: Sequence[float],
        newer_settings: Callable[[], Settings | None],
        left: Mapping[str, Any] | None = None,
    ) -> None:
        self.settings = settings
        self._newer_settings = newer_settings
        self._node = node
        self._store = RememberedMission(settings, area_given, left)
        try:
            settings = self.settings = self._store.resume(settings, node)
            self._recorder = MissionRecorder(node, settings)
            self.mission = self._recorder.make_mission()
        except Exception:
            # Nobody else could let go of the folder.
            self._store.close()
            raise
        self._is_start_due = settings.node.autostart_mission
        self._is_paused_by_stop = False
        self._announced: tuple[object, str] | None = None
        self._clock_warned_at = -_CLOCK_WARN_PERIOD_S
        self._timers: list[Any] = []
        self._services: list[Any] = []
        self._inputs: MissionInputs | None = None
        self._changes: LiveChanges | None = None
        self._wanted: Settings | None = None
        self._clock = ClockWatch(settings.explorer.watchdog.clock_s)
        plane = settings.explorer.search_plane()
        self._outputs = MissionPublishers(
            node, settings.node.frame_id, plane, self._recorder
        )
        self._job_done = node.create_guard_condition(self._work)
        self._abandoned: list[PlanningWorker] = []
        self._worker = self._make_worker()
        try:
            self._inputs = MissionInputs(
                node,
                settings.node,
                plane=plane,
                pose_timeout_s=settings.explorer.watchdog.pose_s,
                recorder=self._recorder,
                on_pose=self._take_pose,
                on_reading=self.mission.add_reading,
                on_battery=self._take_battery,
            )
            self._changes = LiveChanges(node, settings.node.frame_id, plane)
            for name, method in _COMMANDS.items():
                service = node.create_service(Trigger, f'~/{name}', self._command(method))
                self._services.append(service)
        except Exception:
            self.destroy()
            raise

    def _make_worker(self) -> PlanningWorker:
        threads = self.settings.node.output.planning_threads
        return PlanningWorker(threads, self._job_done.trigger)

    @property
    def is_running(self) -> bool:
        """Whether the mission is being flown."""
        return bool(self._timers)

    def start(self) -> None:
        """Stream waypoints, plan and publish, and start the mission if that is wanted."""
        output = self.settings.node.output
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        for period, callback in (
            (1.0 / output.stream_hz, self._stream),
            (_WORK_PERIOD_S, self._work),
            (output.map_period_s, self._publish_map),
            (output.record_period_s, self._publish_record),
            (_DIAGNOSTICS_PERIOD_S, self._publish_diagnostics),
        ):
            self._timers.append(self._node.create_timer(period, callback, clock=clock))

    def stop(self) -> None:
        """Pause the mission and fall silent; poses are still heard, so that distance counts."""
        now = self._now()
        if self.is_running and now is not None:
            before = self.mission.state
            self.mission.pause(now)
            self._is_paused_by_stop = self.mission.state is not before
        for timer in self._timers:
            self._node.destroy_timer(timer)
        self._timers.clear()

    def leave(self, settings: Settings) -> Mapping[str, Any] | None:
        """
        Return what another runner needs to go on with the mission, ``None`` before it has begun.

        Area and zones are those of its own settings: nobody who changes them sees them come back.

        :param settings: of the other runner.
        :raises MemoryFileError: if the mission cannot be gone on with by these.
        """
        memory = self.mission.memory
        if memory is None:
            return self._store.left
        check_same_mission(self.settings, settings)
        is_paused = memory.is_paused and not self._is_paused_by_stop
        return {**memory.to_dict(), 'is_paused': is_paused, 'polygon': [], 'zones': []}

    def destroy(self) -> None:
        """Remove everything from the node; a plan being made is not waited for."""
        self.stop()
        if self._inputs is not None:
            self._inputs.destroy()
        if self._changes is not None:
            self._changes.destroy()
        self._outputs.destroy()
        for service in self._services:
            self._node.destroy_service(service)
        self._services.clear()
        self._worker.stop(0.0)
        self._store.close()
        self._recorder.close()
        self._node.destroy_guard_condition(self._job_done)

    def wait_for_planning(self, timeout_s: float) -> bool:
        """Return whether the planning thread has ended within ``timeout_s`` seconds."""
        ended = [worker.stop(timeout_s) for worker in (self._worker, *self._abandoned)]
        return all(ended)

    # Inputs

    def _now(self) -> float | None:
        """Return the time of the node's clock, or ``None`` while it has none."""
        nanoseconds = self._node.get_clock().now().nanoseconds
        if nanoseconds > 0:
            return 1e-9 * nanoseconds
        if time.monotonic() - self._clock_warned_at >= _CLOCK_WARN_PERIOD_S:
            self._clock_warned_at = time.monotonic()
            self._node.get_logger().warning('use_sim_time is set: waiting for /clock')
        return None

    def _take_pose(self, pose: Pose) -> None:
        now = self._now()
        if now is not None:
            self.mission.update_pose(pose, now)
            self._store.save(self.mission)

    def _take_battery(self, fraction: float | None) -> None:
        now = self._now()
        if now is not None:
            self.mission.update_battery(fraction, now)

    def _command(self, name: str) -> Callable[[Any, Any], Any]:
        def answer(request: Any, response: Any) -> Any:
            now = self._now()
            if not self.is_running:
                response.success, response.message = False, 'the node is not active'
            elif now is None:
                response.success, response.message = False, 'waiting for /clock'
            else:
                # A command that comes before the first work must not begin another mission.
                self._store.restore(self.mission, now)
                response.success, response.message = getattr(self.mission, name)(now)
                if name == 'reset' and response.success:
                    self._store.archive()
                    self._outputs.clear(now)
                self._work()
            return response

        return answer

    # Work

    def _work(self) -> None:
        """Take over what was planned, start what is due, say what has changed."""
        mission, worker, now = self.mission, self._worker, self._now()
        done = worker.take()
        if done is not None:
            mission.finish(*done)
        if not self.is_running or now is None:
            return
        self._store.restore(mission, now)
        if self._is_paused_by_stop:
            self._is_paused_by_stop = False
            mission.resume(now)
        if self._is_start_due:
            self._is_start_due = False
            mission.start(now)
        if worker.is_busy and not mission.has_job:
            # The mission goes on without that job; its thread ends by itself, or never.
            worker.stop(0.0)
            self._abandoned.append(worker)
            worker = self._worker = self._make_worker()
        self._look_at_clock(now)
        self._take_live_settings()
        if worker.is_busy:
            mission.check(now)
        else:
            job = mission.begin(now)
            if job is not None:
                worker.submit(job)
        self._store.save(mission)
        if (mission.state, mission.reason) != self._announced:
            self._announced = (mission.state, mission.reason)
            self._publish_record()
            self._publish_map()

    def _look_at_clock(self, now: float) -> None:
        frozen_s = self._clock.frozen_s(now, time.monotonic())
        if frozen_s > 0.0 or Fault.CLOCK_FROZEN in self.mission.faults:
            self.mission.report_clock(frozen_s, now)

    def _take_live_settings(self) -> None:
        newer = self._newer_settings()
        if newer is not None:
            # What is set back to what is flown anyway takes a change that waits along.
            self._wanted = None if newer == self.settings else newer
        if self._wanted is None or (newer is None and self._worker.is_busy):
            return
        settings = self._wanted
        try:
            # While a plan is being made only a path that is forbidden now is given up.
            if not self.mission.reconfigure(settings.explorer, settings.make_policy()):
                return
        except BoExplorerError as error:
            self._wanted = None
            self._node.get_logger().error(f'the new parameters cannot be used: {error}')
            return
        self.settings, self._wanted = settings, None
        self._node.get_logger().info('flying on with the new parameters')

    # Outputs

    def _stream(self) -> None:
        now = self._now()
        if now is not None:
            self._outputs.waypoint(self.mission, now)

    def _publish_map(self) -> None:
        now = self._now()
        if now is not None:
            self._outputs.map(self.mission, now)
            self._outputs.plan(self.mission, now)

    def _publish_record(self) -> None:
        self._outputs.record(self.mission)

    def _publish_diagnostics(self) -> None:
        now = self._now()
        if self._inputs is None:
            return
        problem = self._inputs.pose_problem()
        if problem:
            self._inputs.warn(self._inputs.pose_topic, 'silent', problem)
        if now is not None:
            self._outputs.diagnostics(self.mission, self._inputs, now, self._store.problem)
