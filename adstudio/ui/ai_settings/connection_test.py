"""Tries connections in the background: which models a server has, and whether its key is kept."""

from __future__ import annotations

from typing import Never

from PySide6.QtCore import QObject, Signal

from adstudio.connections.connection_test import MODULE, Failed, Kept, Reached, Said, Trial, read_said, write_trial
from adstudio.ui.background.jobs import Jobs, python_command
from adstudio.ui.background.process_client import Speech
from adstudio.ui.background.timed_query import OneJob

LONGEST_MS = 45_000
"""After this long the process itself is given up; a server is given up before."""
DIED = "The test broke off, and the log says why: try again."
LATE = "Nothing came of the test within 45 seconds, so it was given up: look whether the server can be reached."
SPEECH = Speech[Never, Said](read_said, (Reached, Kept, Failed), died=Failed(DIED), gone_wrong=Failed(DIED))


class Trier(OneJob[Said]):
    """One trial at a time; asking for another one forgets the one before."""

    told = Signal(object)
    """Reached, Kept or Failed; None where it was stopped."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(jobs, parent, SPEECH, LONGEST_MS)
        self.command = python_command(MODULE)

    def start(self, title: str, trial: Trial) -> None:
        """Try it; the answer comes by the signal."""
        self._start(title, self.command, write_trial(trial))

    def _answered(self, answer: Said | None) -> None:
        self.told.emit(answer)

    def _too_late(self) -> None:
        self.told.emit(Failed(LATE))
