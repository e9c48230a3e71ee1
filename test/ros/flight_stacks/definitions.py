# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The interfaces of flight stacks, field by field, for tests where their packages are not installed.

A line is a type and the names of consecutive fields of that type, or a constant. HASHES are those
that ROS 2 computes of the packages' own definitions, at MAVROS f8f462d, px4_msgs a4a9864, Nav2
a3a9704, Crazyswarm2 f6154e2, Aerostack2 afc0c52, geographic_info and ArduPilot of 2025: two
interfaces with the same hash understand each other on the wire.
"""

from __future__ import annotations

INTERFACES = {
    'mavros_msgs/msg/State': """
        std_msgs/Header header
        bool connected armed guided manual_input
        string mode
        uint8 system_status""",
    'mavros_msgs/msg/ExtendedState': """
        std_msgs/Header header
        uint8 vtol_state landed_state""",
    'mavros_msgs/srv/SetMode': """
        uint8 base_mode
        string custom_mode
        ---
        bool mode_sent""",
    'mavros_msgs/srv/CommandBool': """
        bool value
        ---
        bool success
        uint8 result""",
    'mavros_msgs/srv/CommandTOL': """
        float32 min_pitch yaw latitude longitude altitude
        ---
        bool success
        uint8 result""",
    'px4_msgs/msg/VehicleLocalPosition': """
        uint32 MESSAGE_VERSION = 1
        uint64 timestamp timestamp_sample
        bool xy_valid z_valid v_xy_valid v_z_valid
        float32 x y z
        float32[2] delta_xy
        uint8 xy_reset_counter
        float32 delta_z
        uint8 z_reset_counter
        float32 vx vy vz z_deriv
        float32[2] delta_vxy
        uint8 vxy_reset_counter
        float32 delta_vz
        uint8 vz_reset_counter
        float32 ax ay az heading heading_var unaided_heading delta_heading
        uint8 heading_reset_counter
        bool heading_good_for_control
        float32 tilt_var
        bool xy_global z_global
        uint64 ref_timestamp
        float64 ref_lat ref_lon
        float32 ref_alt
        bool dist_bottom_valid
        float32 dist_bottom dist_bottom_var delta_dist_bottom
        uint8 dist_bottom_reset_counter dist_bottom_sensor_bitfield
        float32 eph epv evh evv
        bool dead_reckoning
        float32 vxy_max vz_max hagl_min hagl_max_z hagl_max_xy""",
    'px4_msgs/msg/VehicleStatus': """
        uint32 MESSAGE_VERSION = 4
        uint8 ARMING_STATE_DISARMED = 1
        uint8 ARMING_STATE_ARMED = 2
        uint8 NAVIGATION_STATE_POSCTL = 2
        uint8 NAVIGATION_STATE_AUTO_LOITER = 4
        uint8 NAVIGATION_STATE_OFFBOARD = 14
        uint64 timestamp armed_time takeoff_time
        uint8 arming_state latest_arming_reason latest_disarming_reason
        uint64 nav_state_timestamp
        uint8 nav_state_user_intention nav_state executor_in_charge nav_state_display
        bool accepts_offboard_setpoints
        uint32 valid_nav_states_mask can_set_nav_states_mask
        uint8 hil_state vehicle_type
        bool failsafe failsafe_and_user_took_over
        uint8 failsafe_defer_state
        bool gcs_connection_lost
        uint8 gcs_connection_lost_counter
        bool high_latency_data_link_lost is_vtol is_vtol_tailsitter in_transition_mode
        bool in_transition_to_fw
        uint8 system_type system_id component_id
        bool safety_button_available safety_off power_input_valid usb_connected
        bool open_drone_id_system_present open_drone_id_system_healthy
        bool parachute_system_present parachute_system_healthy traffic_avoidance_system_present
        bool rc_calibration_in_progress calibration_enabled pre_flight_checks_pass""",
    'px4_msgs/msg/BatteryStatus': """
        uint32 MESSAGE_VERSION = 1
        uint64 timestamp
        bool connected
        float32 voltage_v current_a current_average_a discharged_mah remaining scale
        float32 time_remaining_s temperature
        uint8 cell_count source priority
        uint16 capacity cycle_count average_time_to_empty manufacture_date state_of_health
        uint16 max_error
        uint8 id
        uint16 interface_error
        float32[14] voltage_cell_v
        float32 max_cell_voltage_delta
        bool is_powering_off is_required
        uint8 warning
        uint16 faults
        float32 full_charge_capacity_wh remaining_capacity_wh
        uint16 over_discharge_count
        float32 nominal_voltage internal_resistance_estimate ocv_estimate ocv_estimate_filtered
        float32 volt_based_soc_estimate voltage_prediction prediction_error
        float32 estimation_covariance_norm""",
    'px4_msgs/msg/OffboardControlMode': """
        uint64 timestamp
        bool position velocity acceleration attitude body_rate thrust_and_torque
        bool direct_actuator""",
    'px4_msgs/msg/TrajectorySetpoint': """
        uint32 MESSAGE_VERSION = 0
        uint64 timestamp
        float32[3] position velocity acceleration jerk
        float32 yaw yawspeed""",
    'px4_msgs/msg/VehicleCommand': """
        uint32 MESSAGE_VERSION = 0
        uint64 timestamp
        float32 param1 param2 param3 param4
        float64 param5 param6
        float32 param7
        uint32 command
        uint8 target_system target_component source_system
        uint16 source_component
        uint8 confirmation
        bool from_external""",
    'nav2_msgs/action/NavigateToPose': """
        geometry_msgs/PoseStamped pose
        string behavior_tree
        ---
        uint16 error_code
        string error_msg
        ---
        geometry_msgs/PoseStamped current_pose
        builtin_interfaces/Duration navigation_time estimated_time_remaining
        int16 number_of_recoveries
        float32 distance_remaining position_tracking_error heading_tracking_error""",
    'crazyflie_interfaces/msg/Status': """
        uint16 SUPERVISOR_INFO_IS_ARMED = 2
        uint16 SUPERVISOR_INFO_AUTO_ARM = 4
        uint16 SUPERVISOR_INFO_CAN_FLY = 8
        uint16 SUPERVISOR_INFO_IS_FLYING = 16
        uint16 SUPERVISOR_INFO_IS_TUMBLED = 32
        uint16 SUPERVISOR_INFO_IS_LOCKED = 64
        std_msgs/Header header
        uint16 supervisor_info
        float32 battery_voltage
        uint8 pm_state rssi
        uint32 num_rx_broadcast num_tx_broadcast num_rx_unicast num_tx_unicast
        uint16 latency_unicast""",
    'crazyflie_interfaces/srv/GoTo': """
        uint8 group_mask
        bool relative
        geometry_msgs/Point goal
        float32 yaw
        builtin_interfaces/Duration duration
        ---""",
    'crazyflie_interfaces/srv/Takeoff': """
        uint8 group_mask
        float32 height
        builtin_interfaces/Duration duration
        ---""",
    'crazyflie_interfaces/srv/Arm': """
        bool arm
        ---""",
    'as2_msgs/action/GoToWaypoint': """
        as2_msgs/YawMode yaw
        geometry_msgs/PointStamped target_pose
        float32 max_speed
        ---
        bool go_to_success
        ---
        float32 actual_speed actual_distance_to_goal""",
    'as2_msgs/action/Takeoff': """
        float32 takeoff_height takeoff_speed
        ---
        bool takeoff_success
        ---
        float32 actual_takeoff_speed actual_takeoff_height""",
    'as2_msgs/msg/YawMode': """
        uint8 KEEP_YAW = 0
        uint8 FIXED_YAW = 2
        uint8 mode
        float32 angle""",
    'as2_msgs/msg/PlatformInfo': """
        std_msgs/Header header
        bool connected armed offboard
        as2_msgs/PlatformStatus status
        as2_msgs/ControlMode current_control_mode""",
    'as2_msgs/msg/PlatformStatus': """
        int8 state""",
    'as2_msgs/msg/ControlMode': """
        std_msgs/Header header
        int8 yaw_mode control_mode""",
    'ardupilot_msgs/msg/Status': """
        std_msgs/Header header
        uint8 vehicle_type
        bool armed
        uint8 mode
        bool flying external_control
        uint8[] failsafe""",
    'ardupilot_msgs/msg/GlobalPosition': """
        uint8 FRAME_GLOBAL_INT = 5
        uint16 IGNORE_VX = 8
        uint16 IGNORE_VY = 16
        uint16 IGNORE_VZ = 32
        uint16 IGNORE_AFX = 64
        uint16 IGNORE_AFY = 128
        uint16 IGNORE_AFZ = 256
        uint16 IGNORE_YAW = 1024
        uint16 IGNORE_YAW_RATE = 2048
        std_msgs/Header header
        uint8 coordinate_frame
        uint16 type_mask
        float64 latitude longitude
        float32 altitude
        geometry_msgs/Twist velocity acceleration_or_force
        float32 yaw""",
    'ardupilot_msgs/srv/ArmMotors': """
        bool arm
        ---
        bool result""",
    'ardupilot_msgs/srv/ModeSwitch': """
        uint8 mode
        ---
        bool status
        uint8 curr_mode""",
    'ardupilot_msgs/srv/Takeoff': """
        float32 alt
        ---
        bool status""",
    'geographic_msgs/msg/GeoPoint': """
        float64 latitude longitude altitude""",
    'geographic_msgs/msg/GeoPose': """
        geographic_msgs/GeoPoint position
        geometry_msgs/Quaternion orientation""",
    'geographic_msgs/msg/GeoPoseStamped': """
        std_msgs/Header header
        geographic_msgs/GeoPose pose""",
}

HASHES = {
    'ardupilot_msgs/msg/GlobalPosition': (
        'RIHS01_a28c875099484962d72e5b820ec758884c7a70c8dae5100444519c16da36fa04'
    ),
    'ardupilot_msgs/msg/Status': (
        'RIHS01_879c4bf30bf94df9a60a99b95370ccbf52a88c79d6ce6c060841a0555d11a9e2'
    ),
    'ardupilot_msgs/srv/ArmMotors': (
        'RIHS01_99849cee95ea14f0703d481434c62aac42eef5fbd91e1df4e480a99c227793b4'
    ),
    'ardupilot_msgs/srv/ModeSwitch': (
        'RIHS01_f296ab1010333ebd0a53944e7cb84e190c78dc8e94ec7a38b0bdbcbda2ef5b01'
    ),
    'ardupilot_msgs/srv/Takeoff': (
        'RIHS01_ec19b963d42a007afeb98f5e532edbbfa127600a0f8a4e05778249f4e3ccba30'
    ),
    'as2_msgs/action/GoToWaypoint': (
        'RIHS01_69ee2485c85e05bcba0a0a7600319fa02281c6c0fc963e1e32c52259846df8f7'
    ),
    'as2_msgs/action/Takeoff': (
        'RIHS01_07119c02dee3b6bb4e4fc1c1241d28167d7561e907497aab137de52ff45542c5'
    ),
    'as2_msgs/msg/ControlMode': (
        'RIHS01_52c5fbae13ae55a99871277f49e2c1dfe3fbc486ae3e8a45c6b8edd9d64a6593'
    ),
    'as2_msgs/msg/PlatformInfo': (
        'RIHS01_365a217759a676eb1ff9ba2b538975182ecf7897781a63e38bb6773421aea89e'
    ),
    'as2_msgs/msg/PlatformStatus': (
        'RIHS01_f98d9fd109446fbda8167cb8d2304ca2c34886c12613adf65649a1a602018ddb'
    ),
    'as2_msgs/msg/YawMode': (
        'RIHS01_7306b2ffb85857a799946ad65ab26622ac105d103136dd2cbd7e136cf9f3bd6d'
    ),
    'crazyflie_interfaces/msg/Status': (
        'RIHS01_ff5d15767a9840ce663a6d80e7e9eb187929cb7e0ce597f9eaead0402c3f44b9'
    ),
    'crazyflie_interfaces/srv/Arm': (
        'RIHS01_febf413d9815e02c35f3bf5d5348e79139731cac23475c26c911ef22e768d88a'
    ),
    'crazyflie_interfaces/srv/GoTo': (
        'RIHS01_5ef2b5ac82f34a16abf356c3092a7d27006a9ab0dd0b88921c2f457ca293d9dc'
    ),
    'crazyflie_interfaces/srv/Takeoff': (
        'RIHS01_c993cbf6ab9f668c9b3f85bf401956a80de5db48243ceedd5e25fdda027cb714'
    ),
    'geographic_msgs/msg/GeoPoint': (
        'RIHS01_602c647cf87bbe95a0231b459b5ac30051875d07c0c740b31ad7a8c4662b971e'
    ),
    'geographic_msgs/msg/GeoPose': (
        'RIHS01_8052786d7663e225e38926f7d05716046c931572c25e557d4f70dca55b972626'
    ),
    'geographic_msgs/msg/GeoPoseStamped': (
        'RIHS01_a8e603c050fa992a74283bb462a96fe9d2b151b7a67b14d77250ed7cb4ed96b7'
    ),
    'mavros_msgs/msg/ExtendedState': (
        'RIHS01_19ff8d10f52aacba28d9879707d3195c9a9eff3af1ba2f7e40b55eea734e7b20'
    ),
    'mavros_msgs/msg/State': (
        'RIHS01_11ba7686163d22281871f1cb42557e8957407469b0be813bdb1a8922c66e3131'
    ),
    'mavros_msgs/srv/CommandBool': (
        'RIHS01_eba73829da4af65d1019131d82f8eccae15d38717bf21409ed5187dd9bae73dc'
    ),
    'mavros_msgs/srv/CommandTOL': (
        'RIHS01_03faac8deec2f89820ff196f8835713a58692713cb164cea25a0022c2b8e4ffe'
    ),
    'mavros_msgs/srv/SetMode': (
        'RIHS01_16fc7ce085f4d07d5dd677238b42ef922d2a8aef71fabe6ad18b2ea52c9124da'
    ),
    'nav2_msgs/action/NavigateToPose': (
        'RIHS01_8249f00686c6ae22c7854aea17fec2e47bc5fe2390e3513973eb7feb890bbd23'
    ),
    'px4_msgs/msg/BatteryStatus': (
        'RIHS01_92fd1f3af4149312736945b5a3537b61e5268fca090d27abbb3b8ba243a5df8e'
    ),
    'px4_msgs/msg/OffboardControlMode': (
        'RIHS01_e87463f252f320d2f197d1feadd643b8645e5ef53a2b158dccfdf11372e00f9f'
    ),
    'px4_msgs/msg/TrajectorySetpoint': (
        'RIHS01_9a7deb0cb7db5e52b441169a284b90188c4efdf06b302d55cb1db33ca0358c1a'
    ),
    'px4_msgs/msg/VehicleCommand': (
        'RIHS01_1f0ab537807e2e20e04826633ea2c52e5431bea8eb0187152ff23bd07f1dd30b'
    ),
    'px4_msgs/msg/VehicleLocalPosition': (
        'RIHS01_690ad535169297241c696494adbd98bbdc45566645026fe7963513a29a1bf144'
    ),
    'px4_msgs/msg/VehicleStatus': (
        'RIHS01_573d6f1a6c3fafbced3ec730dc37f16e96ff0596b64cc651515b31b4b3507c6f'
    ),
}
