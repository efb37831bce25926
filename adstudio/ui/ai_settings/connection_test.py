"""Tests connections in the background: which models a server has, and whether its key is stored."""

from __future__ import annotations

from PySide6.QtCore import QObject

from adstudio.connections.connection_test import PROTOCOL, Answer, ConnectionTest, KeyringFailed, Reached, StoredKey
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts

LIMIT_MS = 45_000
"""After this long the process itself is given up; a server is given up before."""
CRASHED = "The connection test ended unexpectedly. See the log, and try again."
LATE = "The connection test did not finish within 45 seconds. Check whether the server can be reached."

ConnectionTester = JobClient[ConnectionTest, Answer]


def connection_tester(jobs: Jobs, parent: QObject) -> ConnectionTester:
    """Runs one test at a time."""
    answers = (Reached, StoredKey, KeyringFailed)
    return JobClient(jobs, parent, PROTOCOL, answers, JobTexts(CRASHED, late=LATE), limit_ms=LIMIT_MS)
