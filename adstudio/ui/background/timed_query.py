"""A question that a process of its own answers: one at a time, and given up where no answer comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Never, TypeVar

from PySide6.QtCore import QObject, QTimer

from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.process_client import OneProcess, Speech

Answer = TypeVar("Answer")


class OneJob(QObject, Generic[Answer]):
    """Asking again forgets the one before. Who derives from it tells what came, by `_answered`."""

    def __init__(self, jobs: Jobs, parent: QObject, speech: Speech[Never, Answer], longest_ms: int) -> None:
        super().__init__(parent)
        self._process = OneProcess(jobs, speech, lambda _: None, self._end)
        self._watch = QTimer(self)
        self._watch.setSingleShot(True)
        self._watch.setInterval(longest_ms)
        self._watch.timeout.connect(self._give_up)

    @property
    def busy(self) -> bool:
        """Whether an answer is waited for."""
        return self._process.busy

    def stop(self) -> None:
        """Ask the process to end; that it has is told."""
        self._process.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        self._watch.stop()
        self._process.forget()

    def _start(self, title: str, command: Sequence[str], question: bytes = b"") -> None:
        self.forget()
        self._process.start(title, command, question=question)
        self._watch.start()

    def _end(self, answer: Answer | None) -> None:
        self._watch.stop()
        self._answered(answer)

    def _give_up(self) -> None:
        self.forget()
        self._too_late()

    def _answered(self, answer: Answer | None) -> None:
        """The process has ended, with its last answer, or stopped without any."""
        raise NotImplementedError

    def _too_late(self) -> None:
        """It took too long, and is forgotten."""
        raise NotImplementedError
