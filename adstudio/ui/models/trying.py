"""Tries connections in the background: which models a server has, and whether its key is kept."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.drafting.trial import MODULE, Failed, Said, Trial, read_said, write_trial
from adstudio.ui.jobs import Job, Jobs, python_command

LONGEST_MS = 45_000
"""After this long the process itself is given up; a server is given up before."""
DIED = "The test broke off, and the log says why: try again."
LATE = "Nothing came of the test within 45 seconds, so it was given up: look whether the server can be reached."


class Trier(QObject):
    """One trial at a time; asking for another one forgets the one before."""

    told = Signal(object)
    """Reached, Kept or Failed; None where it was stopped."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.command = python_command(MODULE)
        self._watch = QTimer(self)
        self._watch.setSingleShot(True)
        self._watch.setInterval(LONGEST_MS)
        self._watch.timeout.connect(self._late)

    @property
    def busy(self) -> bool:
        """Whether something is being tried."""
        return self._job is not None

    def start(self, title: str, trial: Trial) -> None:
        """Try it; the answer comes by the signal."""
        self.forget()
        answers: list[Said] = []

        def heard(line: bytes) -> None:
            answer = read_said(line)
            if answer is not None:
                answers.append(answer)

        def ended(_code: int, _said: str) -> None:
            if self._job is job:
                self._job = None
                self._watch.stop()
                self.told.emit(answers[-1] if answers else None if job.stopped else Failed(DIED))

        job = self._job = self._jobs.start(title, self.command, heard, ended)
        job.write(write_trial(trial))
        self._watch.start()

    def stop(self) -> None:
        """Ask it to end; the signal tells when it has."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        job, self._job = self._job, None
        self._watch.stop()
        if job is not None:
            job.stop()

    def _late(self) -> None:
        self.forget()
        self.told.emit(Failed(LATE))
