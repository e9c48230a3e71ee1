# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The planning thread."""

from __future__ import annotations

import threading

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.ros.worker import PlanningWorker


class SlowJob:
    """A job that runs until it is let go."""

    def __init__(self):
        self.started = threading.Event()
        self.let_go = threading.Event()

    def run(self):
        self.started.set()
        self.let_go.wait(30.0)


def test_a_finished_job_comes_back_once_with_its_time():
    notified = threading.Event()
    worker = PlanningWorker(1, notified.set)
    job = SlowJob()
    assert not worker.is_busy and worker.take() is None
    worker.submit(job)
    assert worker.is_busy and worker.take() is None
    job.let_go.set()
    assert notified.wait(30.0)
    done, elapsed = worker.take()
    assert done is job and elapsed >= 0.0
    assert not worker.is_busy and worker.take() is None
    assert worker.stop(30.0)


def test_stopping_does_not_wait_for_a_job_that_goes_on():
    notified = threading.Event()
    worker = PlanningWorker(1, notified.set)
    job = SlowJob()
    worker.submit(job)
    assert job.started.wait(30.0)
    assert not worker.stop(0.01)
    job.let_go.set()
    assert worker.stop(30.0)
    assert not notified.is_set()
