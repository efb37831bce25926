"""Runs the process that drafts: a whole film, or one of its scenes again; one at a time, stopped by who asked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from adstudio.drafting.course import Stage
from adstudio.drafting.messages import MODULE, Done, Failed, Lines, Progress, read_message
from adstudio.ui.jobs import Job, Jobs, python_command

DIED = (
    "The drafting broke off, and the log says why. What was finished by then is kept: try again, and it goes on there."
)


class Drafter(QObject):
    """One piece of work at a time."""

    went_on = Signal()
    """`stages` are others."""
    ended = Signal(object)
    """Done, Lines or Failed; None where it was stopped."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being drafted."""
        return self._job is not None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """How the stages of the work stand."""
        return () if self._job is None else self._job.stages

    def start(self, title: str, arguments: Sequence[str], stages: Sequence[str]) -> None:
        """Have the process do what its arguments say; what was asked before is forgotten."""
        self.forget()
        answers: list[Done | Lines | Failed] = []

        def heard(line: bytes) -> None:
            match read_message(line):
                case Progress() as progress:
                    job.report(progress.fraction, progress.what)
                    if self._job is job:
                        self.went_on.emit()
                case Done() | Lines() | Failed() as answer:
                    answers.append(answer)
                case _:
                    pass

        def ended(_code: int, _said: str) -> None:
            if self._job is job:
                self._job = None
                self.ended.emit(answers[-1] if answers else None if job.stopped else Failed(DIED))

        command = python_command(MODULE, *arguments)
        job = self._job = self._jobs.start(title, command, heard, ended, stages)

    def stop(self) -> None:
        """Ask the process to end; `ended` tells when it has."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
