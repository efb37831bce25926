"""Asks the speech process for sounds, one request at a time, and hands each answer to who wanted it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject

from adstudio.speech.messages import Answer, Failed, Request, read_answer, request_line, worker_command
from adstudio.ui.background.jobs import Jobs

log = logging.getLogger(__name__)

Then = Callable[[Answer], object]


class Speaking(QObject):
    """One companion process, started with the first request."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        command = worker_command()
        self._worker = jobs.worker([command.program, *command.arguments])
        self._worker.line.connect(self._answered)
        self._worker.ended.connect(self._ended)
        self._waiting: deque[tuple[Request, Then]] = deque()
        self._asked: tuple[Request, Then] | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is waited for."""
        return self._asked is not None

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
        if self._asked is not None:
            self._asked = None
            self._worker.kill()

    def close(self) -> None:
        """End the process."""
        self._waiting.clear()
        self._asked = None
        self._worker.kill()

    def _next(self) -> None:
        if self._asked is None and self._waiting:
            self._asked = self._waiting.popleft()
            self._worker.ask(request_line(self._asked[0]))

    def _answered(self, line: bytes) -> None:
        answer = read_answer(line)
        if self._asked is None or answer is None:
            return
        request, then = self._asked
        if answer.id in {request.id, ""}:
            self._asked = None
            then(answer)
            self._next()

    def _ended(self, code: int, said: str) -> None:
        if code:
            log.warning("the speech process ended with %d: %s", code, said)
        asked, self._asked = self._asked, None
        if asked is not None:
            asked[1](Failed(asked[0].id, "The voice has stopped: try again, or choose another voice"))
        self._next()
