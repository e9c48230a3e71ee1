# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Vehicles that speak as the flight stacks do, as strict as these where it matters.

Each is a point that flies at constant speed to what it was last told, while it is armed, in the
mode that follows, and off the ground where its stack wants that.
"""

from __future__ import annotations

import math
import time
from collections import deque
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.qos import (
    DurabilityPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)
from sensor_msgs.msg import BatteryState

RELIABLE = QoSProfile(depth=10)
LATCHED = QoSProfile(
    depth=10,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
STEP_S = 0.02
Place = tuple[float, float, float]


class Vehicle:
    """
    A point in the map; subclasses give it a voice.

    :param node: speaks for it.
    :param place: where it stands, east, north, up, metres.
    :param speed_mps: how fast it flies.
    """

    flies_without_take_off = True
    proof_s = 1.0
    """How long setpoints must come before the mode is granted, as PX4 wants it."""
    silence_s = math.inf
    """Without a setpoint for this long it leaves the mode."""

    def __init__(self, node: Any, place: Place = (0.0, 0.0, 0.0), speed_mps: float = 10.0) -> None:
        self.node = node
        self.place = place
        self.yaw = 0.5
        self.speed_mps = speed_mps
        self.is_armed = False
        self.is_following = False
        self.is_flying = False
        self.may_arm = True
        self.target: Place | None = None
        self.heard: list[Any] = []
        """Every setpoint, as its stack says it."""
        self.requests: list[str] = []
        self.track: list[Place] = []
        self.charge = 0.8
        self.further_charges: dict[int, float] = {}
        """Of other batteries, by their number; the first has number 0."""
        self.failsafes = 0
        self._times: deque[float] = deque(maxlen=100)
        self._stepped_at = self._awake_since = time.monotonic()
        self._spoken_at = -math.inf
        self.speak_period_s = 0.05
        node.create_timer(STEP_S, self.step)

    @property
    def charges(self) -> dict[int, float]:
        """State of charge of every battery, by its number."""
        return {0: self.charge, **self.further_charges}

    @property
    def is_up(self) -> bool:
        """Whether it is off the ground, as its land detector has it."""
        return self.place[2] > 0.05

    def speak(self) -> None:
        """Publish pose, battery and status."""
        raise NotImplementedError

    def pilot_takes_over(self) -> None:
        """Leave the mode, as a pilot does at his transmitter."""
        self.is_following = False

    def pilot_gives_back(self) -> None:
        """Choose the mode, as a pilot does at his transmitter; what was told before is past."""
        self.is_following, self.target = True, None

    def hear(self, place: Place, said: Any) -> None:
        """Take a setpoint."""
        self.heard.append(said)
        self._times.append(time.monotonic())
        self.target = place

    def is_streamed_to(self) -> bool:
        """Return whether setpoints have come long enough, at 2 Hz at least."""
        recent = [t for t in self._times if t > time.monotonic() - 1.5 * self.proof_s - 0.5]
        steps = [b - a for a, b in zip(recent, recent[1:], strict=False)]
        return bool(steps) and recent[-1] - recent[0] >= self.proof_s and max(steps) < 0.5

    def ask_for_mode(self, is_right: bool = True) -> bool:
        """Take a request for the mode and return whether it is granted."""
        self.requests.append('mode')
        if math.isfinite(self.silence_s) and not self.is_streamed_to():
            return False
        self.is_following = is_right
        return is_right

    def ask_to_arm(self) -> bool:
        """Take a request to arm and return whether it is granted."""
        self.requests.append('arm')
        self.is_armed = self.is_armed or self.may_arm
        return self.is_armed

    def ask_to_take_off(self, height_m: float) -> bool:
        """Take a request to climb and return whether it is granted."""
        self.requests.append('take off')
        if not (self.is_armed and self.is_following):
            return False
        self.is_flying = True
        self.target = (self.place[0], self.place[1], height_m)
        return True

    def step(self) -> None:
        """Fly for a moment, and speak if it is time to."""
        now = time.monotonic()
        # While the process of the test stood still nothing was heard: that is nobody's silence.
        if now - self._stepped_at > 5.0 * STEP_S:
            self._awake_since = now
        self._stepped_at = now
        is_silent = (
            not self._times or now - max(self._times[-1], self._awake_since) > self.silence_s
        )
        if self.is_following and self.is_armed and is_silent and math.isfinite(self.silence_s):
            self.is_following = False
            self.failsafes += 1
        can_fly = self.is_flying or self.flies_without_take_off
        if self.is_armed and self.is_following and can_fly and self.target is not None:
            away = math.dist(self.place, self.target)
            share = min(self.speed_mps * STEP_S / away, 1.0) if away > 0.0 else 1.0
            self.place = tuple(  # type: ignore[assignment]
                a + share * (b - a) for a, b in zip(self.place, self.target, strict=True)
            )
            self.track.append(self.place)
        if now - self._spoken_at >= self.speak_period_s:
            self._spoken_at = now
            self.speak()

    def pose_message(self, frame_id: str) -> PoseStamped:
        """Return the pose, in the axes of ROS."""
        message = PoseStamped()
        message.header.frame_id = frame_id
        message.header.stamp = self.node.get_clock().now().to_msg()
        position = message.pose.position
        position.x, position.y, position.z = self.place
        message.pose.orientation.z = math.sin(0.5 * self.yaw)
        message.pose.orientation.w = math.cos(0.5 * self.yaw)
        return message

    def hear_pose(self, message: PoseStamped) -> None:
        """Take a setpoint in the axes of ROS."""
        place = message.pose.position
        self.hear((place.x, place.y, place.z), message)


class MavrosVehicle(Vehicle):
    """PX4 or ArduPilot behind MAVROS."""

    silence_s = 0.5

    def __init__(self, node: Any, autopilot: str = 'px4', **arguments: Any) -> None:
        from mavros_msgs.msg import ExtendedState, State
        from mavros_msgs.srv import CommandBool, CommandTOL, SetMode

        super().__init__(node, **arguments)
        self.mode, self.other = ('GUIDED', 'LOITER')
        if autopilot == 'px4':
            self.mode, self.other = ('OFFBOARD', 'POSCTL')
        else:
            self.flies_without_take_off = False
            self.silence_s = math.inf
        self._state_type, self._extended_type = State, ExtendedState
        sensor = qos_profile_sensor_data
        self._poses = node.create_publisher(PoseStamped, 'mavros/local_position/pose', sensor)
        self._batteries = node.create_publisher(BatteryState, 'mavros/battery', sensor)
        self._states = node.create_publisher(State, 'mavros/state', LATCHED)
        self._extended = node.create_publisher(ExtendedState, 'mavros/extended_state', sensor)
        node.create_subscription(
            PoseStamped, 'mavros/setpoint_position/local', self.hear_pose, sensor
        )
        node.create_service(SetMode, 'mavros/set_mode', self._set_mode)
        node.create_service(CommandBool, 'mavros/cmd/arming', self._arm)
        node.create_service(CommandTOL, 'mavros/cmd/takeoff', self._take_off)

    def speak(self) -> None:
        """Publish pose, battery and status."""
        self._poses.publish(self.pose_message('map'))
        for number, charge in self.charges.items():
            battery = BatteryState(percentage=charge, location=f'id{number}')
            self._batteries.publish(battery)
        self._extended.publish(self._extended_type(landed_state=2 if self.is_up else 1))
        mode = self.mode if self.is_following else self.other
        self._states.publish(self._state_type(connected=True, armed=self.is_armed, mode=mode))

    def _set_mode(self, request: Any, response: Any) -> Any:
        response.mode_sent = self.ask_for_mode(request.custom_mode == self.mode)
        return response

    def _arm(self, request: Any, response: Any) -> Any:
        response.success = self.ask_to_arm() if request.value else False
        return response

    def _take_off(self, request: Any, response: Any) -> Any:
        response.success = self.ask_to_take_off(request.altitude)
        return response


class Px4Vehicle(Vehicle):
    """PX4 behind the uXRCE-DDS agent."""

    silence_s = 0.5

    def __init__(self, node: Any, suffixes: bool = True, **arguments: Any) -> None:
        from px4_msgs import msg as px4

        super().__init__(node, **arguments)
        self._px4 = px4
        sensor = qos_profile_sensor_data
        versions = ('_v1', '_v4', '_v1') if suffixes else ('', '', '')
        position, status, battery = versions
        self._positions = node.create_publisher(
            px4.VehicleLocalPosition, f'fmu/out/vehicle_local_position{position}', sensor
        )
        self._states = node.create_publisher(
            px4.VehicleStatus, f'fmu/out/vehicle_status{status}', sensor
        )
        self._batteries = node.create_publisher(
            px4.BatteryStatus, f'fmu/out/battery_status{battery}', sensor
        )
        for kind, topic, callback in (
            (px4.OffboardControlMode, 'offboard_control_mode', self._alive),
            (px4.TrajectorySetpoint, 'trajectory_setpoint', self._hear_setpoint),
            (px4.VehicleCommand, 'vehicle_command', self._obey),
        ):
            node.create_subscription(kind, f'fmu/in/{topic}', callback, sensor)
        self.is_valid = True
        self.gone: set[int] = set()
        """Numbers of batteries that are not connected."""
        self.signs_of_life: list[Any] = []
        self.commands: list[Any] = []

    def speak(self) -> None:
        """Publish pose, battery and status."""
        px4 = self._px4
        east, north, up = self.place
        stamp = self.node.get_clock().now().nanoseconds // 1000
        self._positions.publish(
            px4.VehicleLocalPosition(
                timestamp=stamp,
                timestamp_sample=stamp,
                xy_valid=self.is_valid,
                z_valid=self.is_valid,
                x=north,
                y=east,
                z=-up,
                heading=0.5 * math.pi - self.yaw,
            )
        )
        kind = px4.VehicleStatus
        armed = kind.ARMING_STATE_ARMED if self.is_armed else kind.ARMING_STATE_DISARMED
        follows = kind.NAVIGATION_STATE_OFFBOARD
        mode = follows if self.is_following else kind.NAVIGATION_STATE_POSCTL
        taken_off = stamp if self.is_armed and self.is_up else 0
        self._states.publish(kind(arming_state=armed, nav_state=mode, takeoff_time=taken_off))
        for number, charge in self.charges.items():
            is_connected = number not in self.gone
            self._batteries.publish(
                px4.BatteryStatus(id=number, connected=is_connected, remaining=charge)
            )

    def _alive(self, message: Any) -> None:
        self.signs_of_life.append(message)

    def _hear_setpoint(self, message: Any) -> None:
        if self.signs_of_life and self.signs_of_life[-1].position:
            north, east, down = (float(value) for value in message.position)
            self.hear((east, north, -down), message)

    def _obey(self, message: Any) -> None:
        self.commands.append(message)
        if message.target_system != 1 or not message.from_external:
            return
        if message.command == 176:
            self.ask_for_mode((message.param1, message.param2) == (1.0, 6.0))
        elif message.command == 400 and message.param1 == 1.0:
            self.ask_to_arm()


class ArdupilotVehicle(Vehicle):
    """ArduPilot with its own DDS client."""

    flies_without_take_off = False
    origin = (-35.363262, 149.165237, 584.0)
    """Where the local frame begins: latitude and longitude, degrees, and altitude, metres."""

    def __init__(self, node: Any, **arguments: Any) -> None:
        from ardupilot_msgs.msg import GlobalPosition, Status
        from ardupilot_msgs.srv import ArmMotors, ModeSwitch, Takeoff
        from geographic_msgs.msg import GeoPoseStamped

        super().__init__(node, **arguments)
        self._status_type, self._geo_type = Status, GeoPoseStamped
        sensor = qos_profile_sensor_data
        self._poses = node.create_publisher(PoseStamped, 'ap/pose/filtered', sensor)
        self._places = node.create_publisher(GeoPoseStamped, 'ap/geopose/filtered', sensor)
        self._batteries = node.create_publisher(BatteryState, 'ap/battery', sensor)
        self._states = node.create_publisher(Status, 'ap/status', LATCHED)
        node.create_subscription(GlobalPosition, 'ap/cmd_gps_pose', self._hear_target, sensor)
        node.create_service(ArmMotors, 'ap/arm_motors', self._arm)
        node.create_service(ModeSwitch, 'ap/mode_switch', self._switch)
        node.create_service(Takeoff, 'ap/experimental/takeoff', self._take_off)

    def metres_per_degree(self) -> tuple[float, float]:
        """Return how long a degree of longitude and one of latitude are at the origin."""
        length = math.pi / 180.0 * 6378100.0
        return length * math.cos(math.radians(self.origin[0])), length

    def speak(self) -> None:
        """Publish pose, battery and status."""
        message = self.pose_message('base_link')
        self._poses.publish(message)
        place = self._geo_type(header=message.header)
        east, north = self.metres_per_degree()
        place.pose.position.latitude = self.origin[0] + self.place[1] / north
        place.pose.position.longitude = self.origin[1] + self.place[0] / east
        place.pose.position.altitude = self.origin[2] + self.place[2]
        self._places.publish(place)
        for number, charge in self.charges.items():
            battery = BatteryState(percentage=charge)
            battery.header.frame_id = str(number)
            self._batteries.publish(battery)
        mode = 4 if self.is_following else 5
        status = self._status_type(armed=self.is_armed, mode=mode, flying=self.is_up)
        self._states.publish(status)

    def _hear_target(self, message: Any) -> None:
        if message.header.frame_id != 'map' or message.coordinate_frame != 5:
            return
        if message.type_mask & 7:
            return
        east, north = self.metres_per_degree()
        place = (
            (message.longitude - self.origin[1]) * east,
            (message.latitude - self.origin[0]) * north,
            message.altitude - self.origin[2],
        )
        self.hear(place, message)

    def _arm(self, request: Any, response: Any) -> Any:
        response.result = self.ask_to_arm() if request.arm else False
        return response

    def _switch(self, request: Any, response: Any) -> Any:
        response.status = self.ask_for_mode(request.mode == 4)
        return response

    def _take_off(self, request: Any, response: Any) -> Any:
        response.status = self.ask_to_take_off(request.alt)
        return response


class CrazyflieVehicle(Vehicle):
    """A Crazyflie behind Crazyswarm2: a go_to lifts it off the ground as a take-off does."""

    def __init__(self, node: Any, name: str = 'cf231', **arguments: Any) -> None:
        from crazyflie_interfaces.msg import Status
        from crazyflie_interfaces.srv import Arm, GoTo, Takeoff

        super().__init__(node, **arguments)
        self.is_following = True
        self.voltage = 3.9
        self._status_type = Status
        self._poses = node.create_publisher(PoseStamped, f'{name}/pose', RELIABLE)
        self._states = node.create_publisher(Status, f'{name}/status', RELIABLE)
        node.create_service(GoTo, f'{name}/go_to', self._go_to)
        node.create_service(Takeoff, f'{name}/takeoff', self._take_off)
        node.create_service(Arm, f'{name}/arm', self._arm)

    def speak(self) -> None:
        """Publish pose and status."""
        self._poses.publish(self.pose_message('world'))
        kind = self._status_type
        info = kind.SUPERVISOR_INFO_IS_ARMED if self.is_armed else 0
        if self.is_up:
            info |= kind.SUPERVISOR_INFO_IS_FLYING
        if not self.is_following:
            info |= kind.SUPERVISOR_INFO_IS_TUMBLED
        self._states.publish(kind(supervisor_info=info, battery_voltage=self.voltage))

    def _go_to(self, request: Any, response: Any) -> Any:
        self.hear((request.goal.x, request.goal.y, request.goal.z), request)
        return response

    def _take_off(self, request: Any, response: Any) -> Any:
        self.ask_to_take_off(request.height)
        return response

    def _arm(self, request: Any, response: Any) -> Any:
        self.ask_to_arm()
        return response

    def operator_lands(self) -> None:
        """Land, as Crazyswarm2's service land does; it stays armed."""
        self.target = (self.place[0], self.place[1], 0.0)


class ActionVehicle(Vehicle):
    """A vehicle that flies by the goals of an action; the newest goal wins."""

    refuses = False
    fails_with: int | None = None
    """Error code that every goal is aborted with, 0 for none."""

    def serve(self, action_type: Any, name: str, place_of: Any) -> None:
        """Offer an action; ``place_of`` turns its goal into a place."""
        from rclpy.action import ActionServer, CancelResponse, GoalResponse
        from rclpy.callback_groups import ReentrantCallbackGroup

        self._action_type = action_type
        self._place_of = place_of
        self._current: Any = None
        self.cancelled = 0

        def accept(goal: Any) -> Any:
            return GoalResponse.REJECT if self.refuses else GoalResponse.ACCEPT

        self._server = ActionServer(
            self.node,
            action_type,
            name,
            self._execute,
            goal_callback=accept,
            cancel_callback=lambda handle: CancelResponse.ACCEPT,
            callback_group=ReentrantCallbackGroup(),
        )

    def operator_cancels(self) -> None:
        """Cancel the present goal, as another client does."""
        self._current = None

    async def _execute(self, handle: Any) -> Any:
        from rclpy.task import Future

        self._current = handle
        self.hear(self._place_of(handle.request), handle.request)
        place = self.target
        result = self._action_type.Result()
        while True:
            pause = Future()
            timer = self.node.create_timer(STEP_S, lambda pause=pause: pause.set_result(None))
            await pause
            self.node.destroy_timer(timer)
            if self.fails_with is not None:
                result.error_code = self.fails_with
                handle.abort()
                return result
            if handle.is_cancel_requested or self._current is None:
                self.cancelled += 1
                self.target = None
                handle.abort() if not handle.is_cancel_requested else handle.canceled()
                return result
            if self._current is not handle:
                handle.abort()
                return result
            if place is not None and math.dist(self.place, place) < 1e-6:
                handle.succeed()
                return result


class Nav2Vehicle(ActionVehicle):
    """A ground robot behind Nav2."""

    def __init__(self, node: Any, **arguments: Any) -> None:
        from nav2_msgs.action import NavigateToPose

        super().__init__(node, **arguments)
        self.is_armed = self.is_following = True
        sensor = qos_profile_sensor_data
        self._poses = node.create_publisher(PoseStamped, 'robot_pose', sensor)
        self._batteries = node.create_publisher(BatteryState, 'battery_state', sensor)

        def place_of(goal: Any) -> Place:
            place = goal.pose.pose.position
            return (place.x, place.y, 0.0)

        self.serve(NavigateToPose, 'navigate_to_pose', place_of)

    def speak(self) -> None:
        """Publish pose and battery."""
        self._poses.publish(self.pose_message('map'))
        self._batteries.publish(BatteryState(percentage=self.charge))


class Aerostack2Vehicle(ActionVehicle):
    """A drone behind Aerostack2."""

    flies_without_take_off = False

    def __init__(self, node: Any, **arguments: Any) -> None:
        from as2_msgs.action import GoToWaypoint, Takeoff
        from as2_msgs.msg import PlatformInfo
        from rclpy.action import ActionServer
        from std_srvs.srv import SetBool

        super().__init__(node, **arguments)
        self._info_type = PlatformInfo
        sensor = qos_profile_sensor_data
        self._poses = node.create_publisher(PoseStamped, 'self_localization/pose', sensor)
        self._batteries = node.create_publisher(
            BatteryState, 'sensor_measurements/battery', sensor
        )
        self._infos = node.create_publisher(PlatformInfo, 'platform/info', RELIABLE)
        node.create_service(SetBool, 'set_offboard_mode', self._set_mode)
        node.create_service(SetBool, 'set_arming_state', self._arm)

        def place_of(goal: Any) -> Place:
            assert goal.target_pose.header.frame_id == 'earth'
            place = goal.target_pose.point
            return (place.x, place.y, place.z)

        self.serve(GoToWaypoint, 'GoToBehavior', place_of)
        self._climbs = ActionServer(node, Takeoff, 'TakeoffBehavior', self._climb)

    def speak(self) -> None:
        """Publish pose, battery and status."""
        self._poses.publish(self.pose_message('earth'))
        self._batteries.publish(BatteryState(percentage=self.charge))
        self._infos.publish(
            self._info_type(connected=True, armed=self.is_armed, offboard=self.is_following)
        )

    def _set_mode(self, request: Any, response: Any) -> Any:
        response.success = self.ask_for_mode(request.data)
        return response

    def _arm(self, request: Any, response: Any) -> Any:
        response.success = self.ask_to_arm()
        return response

    def _climb(self, handle: Any) -> Any:
        from as2_msgs.action import Takeoff

        is_granted = self.ask_to_take_off(handle.request.takeoff_height)
        handle.succeed() if is_granted else handle.abort()
        return Takeoff.Result(takeoff_success=is_granted)
