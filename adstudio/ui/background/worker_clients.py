"""The window's side of worker processes: jobs that are shown among the tasks, and companions that answer requests.

Both speak a `WorkerProtocol`; whoever needs an answer sees only requests and events.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from adstudio.core.progress import Progress, Stage, StageStatus
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed, WorkerProtocol
from adstudio.ui.background.jobs import Job, Jobs, LineProcess
from adstudio.ui.background.timers import single_shot

Request = TypeVar("Request")
Event = TypeVar("Event")

log = logging.getLogger(__name__)

MOST_UNREADABLE = 2_000
"""Lines that are no events; a process that writes more of them has gone wrong and is stopped."""


@dataclass(frozen=True)
class JobTexts:
    """What the user is told of a job that does not answer.

    `crashed` where it ended without an answer; `garbled` where it wrote no events at all, by default the same; `late`
    where a time limit ran out; `abandoned` is `Job.abandoned`.
    """

    crashed: str
    garbled: str = ""
    late: str = ""
    abandoned: str = ""


class JobClient(QObject, Generic[Request, Event]):
    """Runs one job of a worker at a time: starting another one abandons the one before.

    The last event of a class in `answers`, or `Failed`, is its answer. Events of the classes in `raw` are handed on as
    their lines, unread, where most of them are of no use by the time somebody looks.
    """

    received = Signal(object)
    """An event that is no answer."""
    ended = Signal(object)
    """The answer, once the process has ended; None where it was stopped before it gave one."""

    def __init__(
        self,
        jobs: Jobs,
        parent: QObject,
        protocol: WorkerProtocol[Request, Event],
        answers: tuple[type[Any], ...],
        texts: JobTexts,
        *,
        limit_ms: int = 0,
        raw: Iterable[type[Any]] = (),
    ) -> None:
        super().__init__(parent)
        self.command: Sequence[str] = ()
        """What is run in place of the protocol's own command."""
        self._jobs, self._protocol, self._texts = jobs, protocol, texts
        self._answers = (*answers, Failed)
        self._raw = tuple(protocol.starts(kind) for kind in raw)
        self._job: Job | None = None
        self._limit = single_shot(self, limit_ms, self._give_up)

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._job is not None

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end and has not yet."""
        return self._job is not None and self._job.stopped

    @property
    def stages(self) -> tuple[StageStatus, ...]:
        """The state of each stage of its work, where they were given."""
        return () if self._job is None else self._job.stages

    def start(
        self, title: str, request: Request, *, stages: Sequence[Stage] = (), texts: JobTexts | None = None
    ) -> None:
        """Start a job; `texts` are its own where they differ from the client's.

        Raises:
            CodecError: where the request exceeds a limit.
        """
        line = self._protocol.request_line(request)
        self.forget()
        texts = texts or self._texts
        answer: object = None
        unreadable = 0

        def read(line: bytes) -> None:
            nonlocal answer, unreadable
            if self._job is not job:
                return
            if line.startswith(self._raw):
                self.received.emit(line)
                return
            try:
                event = self._protocol.read_event(line)
            except CodecError as error:
                unreadable += 1
                if unreadable == 1:
                    log.warning("%s wrote what is no event: %s", self._protocol.module, error)
                if unreadable == MOST_UNREADABLE:
                    answer = Failed(texts.garbled or texts.crashed)
                    job.kill()
                return
            if isinstance(event, self._answers):
                answer = event
            else:
                self.received.emit(event)

        def end(_code: int, _last_line: str) -> None:
            if self._job is job:
                self._job = None
                self._limit.stop()
                crashed = answer is None and not job.stopped
                self.ended.emit(Failed(texts.crashed) if crashed else answer)

        job = self._job = self._jobs.start(
            title, self.command or self._protocol.command(), read, end, stages, abandoned=texts.abandoned
        )
        job.write(line)
        if self._limit.interval():
            self._limit.start()

    def report(self, fraction: float | None, what: str = "") -> None:
        """Show among the tasks how far the job is: 0 to 1, None where it cannot be measured."""
        if self._job is not None:
            self._job.report(fraction, what)

    def report_progress(self, progress: Progress) -> None:
        """Show among the tasks how far the job is."""
        if self._job is not None:
            self._job.report_progress(progress)

    def stop(self) -> None:
        """Ask the job to end; `ended` follows when it has."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop the job and ignore whatever it still says, its end included."""
        self._limit.stop()
        job, self._job = self._job, None
        if job is not None:
            job.stop()

    def _give_up(self) -> None:
        self.forget()
        self.ended.emit(Failed(self._texts.late))


class CompanionClient(QObject, Generic[Request, Event]):
    """Asks a companion process, which is started with the first request; answers come in the order of the requests."""

    ended = Signal()
    """The process has ended by itself; what it had not answered has failed."""

    def __init__(self, jobs: Jobs, parent: QObject, protocol: WorkerProtocol[Request, Event], crashed: str) -> None:
        """`crashed` is the message of the `Failed` that answers what was asked of a process that ended."""
        super().__init__(parent)
        self.command: Sequence[str] = protocol.command()
        self._jobs, self._protocol, self._crashed = jobs, protocol, crashed
        self._process: LineProcess | None = None
        self._pending: deque[Callable[[Event | Failed], object]] = deque()

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._pending)

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None

    def ask(self, request: Request, answered: Callable[[Event | Failed], object]) -> None:
        """Send a request; `answered` is called with its answer, unless it is forgotten before.

        Raises:
            CodecError: where the request exceeds a limit.
        """
        line = self._protocol.request_line(request)
        if self._process is None:
            self._process = self._jobs.start_companion(self.command)
            self._process.line.connect(self._read)
            self._process.ended.connect(self._end)
        self._pending.append(answered)
        self._process.write(line)

    def forget(self) -> None:
        """End the process, whatever it is doing; the next request starts a fresh one."""
        self._pending.clear()
        self._drop(kill=True)

    def _drop(self, *, kill: bool) -> None:
        """Ignore the process from now on."""
        process, self._process = self._process, None
        if process is not None:
            process.line.disconnect(self._read)
            process.ended.disconnect(self._end)
            if kill:
                process.kill()
            process.deleteLater()

    def _read(self, line: bytes) -> None:
        try:
            event = self._protocol.read_event(line)
        except CodecError as error:
            # Which request it would have answered cannot be known, nor which ones the lines after it do.
            log.warning("%s wrote what is no event, and is ended: %s", self._protocol.module, error)
            self._drop(kill=True)
            self._fail_pending()
            return
        if self._pending:
            self._pending.popleft()(event)

    def _end(self, code: int, last_line: str) -> None:
        self._drop(kill=False)
        if code:
            log.warning("%s ended with %d: %s", self._protocol.module, code, last_line)
        self._fail_pending()

    def _fail_pending(self) -> None:
        pending, self._pending = self._pending, deque()
        for answered in pending:
            answered(Failed(self._crashed))
        self.ended.emit()
