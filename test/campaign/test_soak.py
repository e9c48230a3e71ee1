# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A short soak of a real explorer process."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.campaign import soak
from bo_explorer.campaign.soak import Soak


@pytest.mark.system
def test_a_long_stream_of_readings_leaves_support_points_bounded_and_the_stream_alive(
    tmp_path, monkeypatch
):
    monkeypatch.setitem(soak.PARAMETERS, 'ingest.max_samples', 20)
    result = Soak(tmp_path, rate_hz=200.0).run(1000)
    assert result.heard >= 1000
    assert 0 < result.samples <= 20
    assert result.decisions > 0 and result.exit_code == 0
    assert len(result.rss_mb) == len(result.gaps_s) == 10
    # A stream that waits for a plan stops for seconds; a crowded machine for less.
    assert max(result.gaps_s) < 2.0
