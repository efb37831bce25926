"""A question that a process of its own answers: one at a time, and given up where no answer comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer

from adstudio.ui.jobs import Job, Jobs

Answer = TypeVar("Answer")


class OneJob(QObject, Generic[Answer]):
    """Asking again forgets the one before. Who derives from it tells what came, by `_answered`."""

    def __init__(self, jobs: Jobs, parent: QObject, longest_ms: int) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._watch = QTimer(self)
        self._watch.setSingleShot(True)
        self._watch.setInterval(longest_ms)
        self._watch.timeout.connect(self._give_up)

    @property
    def busy(self) -> bool:
        """Whether an answer is waited for."""
        return self._job is not None

    def stop(self) -> None:
        """Ask the process to end; that it has is told."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        job, self._job = self._job, None
        self._watch.stop()
        if job is not None:
            job.stop()

    def _start(
        self, title: str, command: Sequence[str], read: Callable[[bytes], Answer | None], question: bytes = b""
    ) -> None:
        self.forget()
        answers: list[Answer] = []

        def heard(line: bytes) -> None:
            answer = read(line)
            if answer is not None:
                answers.append(answer)

        def ended(_code: int, _said: str) -> None:
            if self._job is job:
                self._job = None
                self._watch.stop()
                self._answered(answers[-1] if answers else None, stopped=job.stopped)

        job = self._job = self._jobs.start(title, command, heard, ended)
        if question:
            job.write(question)
        self._watch.start()

    def _give_up(self) -> None:
        self.forget()
        self._too_late()

    def _answered(self, answer: Answer | None, *, stopped: bool) -> None:
        """The process has ended, with its last answer, or without any."""
        raise NotImplementedError

    def _too_late(self) -> None:
        """It took too long, and is forgotten."""
        raise NotImplementedError
