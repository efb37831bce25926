"""A process that answers requests about sound, and is started again where it crashes."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

from adstudio.core.errors import OutsideFailureError
from adstudio.system.child_process import LineProcess, NotStartedError, ProcessError
from adstudio.system.worker import Failed, WorkerProtocol

Request = TypeVar("Request")
Event = TypeVar("Event")

_LIMIT_S = 60.0
"""Seconds for a stretch of sound; it takes about one."""
_START_S = 60.0
MOST_CRASHES = 5
"""A process that crashes as often is not started again."""


class RestartedProcess(Generic[Request, Event]):
    """The asking side; `work` says what it does, in messages. Used as a context manager, which ends it."""

    def __init__(self, protocol: WorkerProtocol[Request, Event | Failed], work: str) -> None:
        self._protocol, self._work = protocol, work
        self._process = LineProcess(protocol.command(), _START_S)
        self._crashes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()

    def ask(self, request: Request) -> Event | None:
        """The answer to a request; None where the process crashed at it.

        Raises:
            OutsideFailureError: if it says so, cannot be started, or crashes again and again.
        """
        try:
            (line,) = self._process.ask(self._protocol.request_line(request), _LIMIT_S)
        except NotStartedError as error:
            raise OutsideFailureError(f"{self._work} could not be started: {error}") from error
        except ProcessError as error:
            self._crashes += 1
            if self._crashes >= MOST_CRASHES:
                again = "install the program again, or report it with its log"
                raise OutsideFailureError(f"{self._work} crashed again and again: {again}") from error
            return None
        event = self._protocol.read_event(line)
        if isinstance(event, Failed):
            raise OutsideFailureError(event.message)
        return event
