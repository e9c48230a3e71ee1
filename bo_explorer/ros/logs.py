# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The planner's own log in the log of the node."""

from __future__ import annotations

import logging
from typing import Any


class RosLogHandler(logging.Handler):
    """
    Hands the records of Python's ``logging`` to a ROS logger.

    :param logger: of the node.
    """

    def __init__(self, logger: Any) -> None:
        super().__init__(logging.INFO)
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record at the matching severity."""
        text = self.format(record)
        # A ROS logger ties a call site to one severity, hence one call for each.
        if record.levelno >= logging.ERROR:
            self._logger.error(text)
        elif record.levelno >= logging.WARNING:
            self._logger.warning(text)
        else:
            self._logger.info(text)
