"""Has a picture made in a process of its own: of a file, or of the film at the present time."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.media.still import MODULE, Failed, Still, of_film, of_picture, read_said
from adstudio.ui.jobs import Job, Jobs, python_command

LONGEST_MS = 30_000
DIED = "This picture brought the program down that was reading it; the editor works on. Give another one."
LATE = "The picture did not come within 30 seconds, so it was given up: give a smaller one."


class Stills(QObject):
    """One at a time; asking for another one forgets the one before."""

    came = Signal(bytes)
    failed = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.module = MODULE
        self._watch = QTimer(self)
        self._watch.setSingleShot(True)
        self._watch.setInterval(LONGEST_MS)
        self._watch.timeout.connect(self._late)

    @property
    def busy(self) -> bool:
        """Whether one is being made."""
        return self._job is not None

    def of_picture(self, path: Path) -> None:
        """A picture's file."""
        self._start(f"Reading {path.name}", of_picture(path))

    def of_film(self, path: Path, at: int) -> None:
        """What a film shows at a time (ms)."""
        self._start(f"Taking a picture from {path.name}", of_film(path, at))

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        job, self._job = self._job, None
        self._watch.stop()
        if job is not None:
            job.stop()

    def _start(self, title: str, arguments: list[str]) -> None:
        self.forget()
        answers: list[Still | Failed] = []

        def heard(line: bytes) -> None:
            answer = read_said(line)
            if answer is not None:
                answers.append(answer)

        def ended(_code: int, _said: str) -> None:
            if self._job is not job:
                return
            self._job = None
            self._watch.stop()
            answer = answers[-1] if answers else Failed(DIED)
            if isinstance(answer, Still):
                self.came.emit(answer.data)
            else:
                self.failed.emit(answer.sentence)

        job = self._job = self._jobs.start(title, python_command(self.module, *arguments), heard, ended)
        self._watch.start()

    def _late(self) -> None:
        self.forget()
        self.failed.emit(LATE)
