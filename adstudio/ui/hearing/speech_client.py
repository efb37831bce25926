"""Asks the speech process for sounds, one request at a time, so that an urgent one can go first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from adstudio.speech.messages import CRASHED, PROTOCOL, Answer, Rendered, Request, Said
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import CompanionClient

Then = Callable[[Answer], object]


class SpeechClient(QObject):
    """One companion process, started with the first request."""

    spoken = Signal()
    """Something has been spoken."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = CompanionClient[Request, Answer](jobs, self, PROTOCOL, CRASHED)
        self._waiting: deque[tuple[Request, Then]] = deque()

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._client.busy

    def ask(self, request: Request, then: Then, *, soon: bool = False) -> None:
        """Have something spoken into a file; `soon` goes before what waits. The answer may be `Failed`."""
        self._waiting.insert(0 if soon else len(self._waiting), (request, then))
        self._next()

    def close(self) -> None:
        """Drop all requests and end the process; the next request starts another one."""
        self._waiting.clear()
        self._client.forget()

    def _next(self) -> None:
        if self.busy or not self._waiting:
            return
        request, then = self._waiting.popleft()

        def answered(answer: Answer) -> None:
            then(answer)
            self._next()
            if isinstance(answer, Said | Rendered):
                self.spoken.emit()

        self._client.ask(request, answered)
