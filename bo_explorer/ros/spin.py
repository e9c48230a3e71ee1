# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
From start to a clean end of a node's process.

rclpy's own signal handlers shut the context down under the callbacks, so that one that is about to
publish raises. Here a signal only raises a flag; the loop ends, then the node, then the context.
Whatever keeps one of them from ending, the middleware included, the process ends soon after.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NoReturn, Protocol

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from ..core.errors import BoExplorerError

try:
    from rclpy._rclpy_pybind11 import RCLError
except ImportError:
    from rclpy.exceptions import RCLError

_WAIT_S = 0.1
_REPORT_PERIOD_S = 5.0

# Time a node has to end after a signal, seconds; it takes less than two.
_PATIENCE_S = 5.0


class SpinnableNode(Protocol):
    """What :func:`run` needs of a node."""

    def bring_up(self) -> None:
        """Do what the node does by itself after its start."""

    def close(self) -> object:
        """Release everything; a thread that makes a plan is not waited for."""


def run(make_node: Callable[[], Any], args: Sequence[str] | None = None) -> NoReturn:
    """
    Run a node until SIGINT, SIGTERM or a shutdown of its context, and end the process.

    The exit code is 0 for an end by signal, 1 where the node cannot work with its parameters.

    :param make_node: builds the node, a :class:`SpinnableNode`.
    :param args: command line, ``None`` for that of the process.
    """
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    _end_soon_after_a_signal()
    rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
    node = make_node()
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    code = 0
    try:
        if not stop.is_set():
            node.bring_up()
        while rclpy.ok() and not stop.is_set():
            _spin_once(executor, node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except BoExplorerError as error:
        node.get_logger().fatal(str(error))
        code = 1
    node.close()
    executor.remove_node(node)
    node.destroy_node()
    executor.shutdown(timeout_sec=0.0)
    if rclpy.ok():
        rclpy.shutdown()
    # The interpreter would take seconds to take PyTorch down, and a thread that still makes a plan
    # would run native code meanwhile. Nothing is left to be saved: the process ends here.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _end_soon_after_a_signal() -> None:
    """End the process if it has not ended by itself some time after a signal."""
    # Python calls handlers between two of its own steps: a thread that is held up in native code
    # never gets there. The byte is written by the signal itself.
    heard, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)

    def wait() -> None:
        with heard, told:
            heard.recv(1)
            threading.Event().wait(_PATIENCE_S)
            text = f'not ended within {_PATIENCE_S:.0f} s: ended anyway'
            print(text, file=sys.stderr, flush=True)
            os._exit(0)

    threading.Thread(target=wait, name='end', daemon=True).start()


def _spin_once(executor: SingleThreadedExecutor, node: Any) -> None:
    try:
        executor.spin_once(timeout_sec=_WAIT_S)
    except RCLError as error:
        # Jazzy raises a request for a transition that the present state does not have out of the
        # executor: one wrong call of any client would end the flight.
        if not rclpy.ok():
            raise ExternalShutdownException from error
        node.get_logger().error(f'a request was refused by the middleware: {error}')
    except ExternalShutdownException:
        raise
    except Exception:
        # One message must not end a flight: rclpy itself raises when /clock tells a negative time.
        node.get_logger().error(
            f'a callback failed, and the node goes on:\n{traceback.format_exc()}',
            throttle_duration_sec=_REPORT_PERIOD_S,
        )
