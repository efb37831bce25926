"""Runs the process that drafts: a whole film, or one of its scenes again; one at a time, stopped by who asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.drafting.draft_stages import Stage
from adstudio.drafting.messages import MODULE, Done, Failed, Lines, Progress, read_message
from adstudio.ui.background.jobs import Jobs, python_command
from adstudio.ui.background.process_client import OneProcess, Speech

DIED = (
    "The drafting broke off, and the log says why. What was finished by then is kept: try again, and it goes on there."
)
GONE_WRONG = (
    "The drafting wrote what nobody can read, and was stopped. What was finished by then is kept: try again, and it"
    " goes on there."
)
SPEECH = Speech[Progress, Done | Lines | Failed](
    read_message, (Done, Lines, Failed), died=Failed(DIED), gone_wrong=Failed(GONE_WRONG)
)


class Drafter(QObject):
    """One piece of work at a time."""

    went_on = Signal()
    """`stages` are others."""
    ended = Signal(object)
    """Done, Lines or Failed; None where it was stopped."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._process = OneProcess(jobs, SPEECH, self._hear, self.ended.emit)

    @property
    def busy(self) -> bool:
        """Whether something is being drafted."""
        return self._process.busy

    @property
    def stages(self) -> tuple[Stage, ...]:
        """How the stages of the work stand."""
        return self._process.stages

    def start(self, title: str, arguments: Sequence[str], stages: Sequence[str], files: Sequence[Path] = ()) -> None:
        """Have the process do what its arguments say; what was asked before is forgotten.

        `files` were written for it alone: they are removed once it has read them, or will not any more.
        """
        self._process.start(title, python_command(MODULE, *arguments), files=files, stages=stages)

    def stop(self) -> None:
        """Ask the process to end; `ended` tells when it has."""
        self._process.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        self._process.forget()

    def _hear(self, message: Progress) -> None:
        self._process.report(message.fraction, message.what)
        self.went_on.emit()
