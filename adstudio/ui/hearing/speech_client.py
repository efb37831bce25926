"""Asks the speech process for sounds, one request at a time, and hands each answer to who wanted it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject

from adstudio.speech.messages import CRASHED, PROTOCOL, Answer, Request
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import CompanionClient

Then = Callable[[Answer], object]


class SpeechClient(QObject):
    """One companion process, started with the first request."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = CompanionClient[Request, Answer](jobs, self, PROTOCOL, CRASHED)
        self._waiting: deque[tuple[Request, Then]] = deque()

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._client.busy

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._client.running

    def ask(self, request: Request, then: Then, *, soon: bool = False) -> None:
        """Have something spoken into a file; `soon` goes before what waits. The answer may be `Failed`."""
        if soon:
            self._waiting.appendleft((request, then))
        else:
            self._waiting.append((request, then))
        self._next()

    def forget(self) -> None:
        """Drop what waits; what is being spoken is stopped, whatever it is."""
        self._waiting.clear()
        if self.busy:
            self._client.forget()

    def close(self) -> None:
        """End the process."""
        self._waiting.clear()
        self._client.forget()

    def _next(self) -> None:
        if self.busy or not self._waiting:
            return
        request, then = self._waiting.popleft()

        def answered(answer: Answer) -> None:
            then(answer)
            self._next()

        self._client.ask(request, answered)
