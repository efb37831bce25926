"""The one place where background work is started: child processes, no threads (DESIGN 3.4).

A `Job` is one run that ends by itself, such as computing a waveform; a companion answers requests, such as the second
opinion of CP-SAT. Both write lines, which arrive on the window's thread; `worker_clients` reads them as events.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence

from PySide6.QtCore import QDeadlineTimer, QObject, QProcess, QProcessEnvironment, Signal

from adstudio.core.progress import Progress, Stage, advanced, not_begun, stage_name
from adstudio.system.environment import KEYS
from adstudio.ui.background.timers import single_shot

log = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes; a process that writes more without ending the line is stopped."""
MODULES_WITH_KEYS = ("adstudio.drafting.", "adstudio.connections.")
"""The modules that may need API keys; those that decode films or speak lines never get any."""
STOP_MS = 2000
"""How long a process may take to end when it is asked to."""
LOGGED_CHARACTERS = 4_000
"""How much of the end of a process's error output goes into the log."""
SHUTDOWN_MS = 1000
"""How long all processes together may take to end when the window closes."""


def _without_keys() -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    for name in environment.keys():  # noqa: SIM118 - Qt's own, which cannot be iterated
        if name.startswith(KEYS):
            environment.remove(name)
    return environment


class LineProcess(QObject):
    """A process whose output arrives as lines. It ends for certain: asked first, then killed."""

    line = Signal(bytes)
    ended = Signal(int, str)
    """Its exit code, negative if it crashed or could not start, and the last line of its error output."""

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._buffer = bytearray()
        self._over = False
        self.stopped = False
        """Whether it was asked to end."""
        self._name = command[command.index("-m") + 1] if "-m" in command[:-1] else command[0]
        self._process = QProcess(self)
        self._process.setProgram(command[0])
        self._process.setArguments(list(command[1:]))
        may_have_keys = any(part.startswith(MODULES_WITH_KEYS) for part in command[1:4])
        if not may_have_keys and any(name.startswith(KEYS) for name in os.environ):
            self._process.setProcessEnvironment(_without_keys())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)
        self._grace = single_shot(self, 0, self._process.kill)
        self._process.start()

    def write(self, line: bytes) -> None:
        """Write a line to its input, the line's end included."""
        if not self._over:
            self._process.write(line)

    def stop(self) -> None:
        """Ask it to end, and kill it if it has not within two seconds. Does not wait."""
        self.stopped = True
        if self._over:
            return
        self._process.closeWriteChannel()
        self._process.terminate()
        self._grace.start(STOP_MS)

    def kill(self) -> None:
        """End it now, and wait until it has."""
        self.stopped = True
        if not self._over:
            self._process.kill()
            self._process.waitForFinished(STOP_MS)

    def wait(self, deadline: QDeadlineTimer) -> None:
        """Wait until it has ended, but no longer than that."""
        if not self._over:
            self._process.waitForFinished(max(int(deadline.remainingTime()), 0))

    def _read(self) -> None:
        # Only what is new is searched: a line without end would otherwise be searched again with each piece of it.
        first, *more = bytes(self._process.readAllStandardOutput().data()).split(b"\n")
        self._buffer += first
        if more:
            lines = [bytes(self._buffer), *more]
            self._buffer = bytearray(lines.pop())
            for line in lines:
                self.line.emit(line)
        if len(self._buffer) > LONGEST_LINE:
            log.error("%s wrote a line without end and is stopped", self._name)
            self._process.kill()

    def _finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._grace.stop()
        if self._over:
            return
        self._read()
        self._over = True
        output = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        crashed = status is QProcess.ExitStatus.CrashExit
        if (code or crashed) and not self.stopped:
            how = f"was ended by signal {code}" if crashed else f"ended with exit code {code}"
            log.warning("%s %s; its last output:\n%s", self._name, how, output[-LOGGED_CHARACTERS:] or "(nothing)")
        self.ended.emit(-1 if crashed else code, output.splitlines()[-1] if output else "")

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and not self._over:
            self._over = True
            log.warning("%s could not be started: %s", self._name, self._process.errorString())
            self.ended.emit(-1, self._process.errorString())


class Job(LineProcess):
    """One run in the background, shown in the list of tasks with its progress and a way to stop it."""

    progressed = Signal(float, str)
    """0 to 1, or below 0 where it cannot be measured; and what it is doing."""

    def __init__(
        self, title: str, command: Sequence[str], parent: QObject, stages: Sequence[Stage] = (), abandoned: str = ""
    ) -> None:
        super().__init__(command, parent)
        self.title = title
        self.stages = not_begun(stages)
        """The state of each of its stages, if it has any."""
        self.abandoned = abandoned
        """What becomes of it if the project is closed meanwhile, as a sentence; empty if nobody needs to know."""
        self.fraction = -1.0

    def report(self, fraction: float | None, what: str = "") -> None:
        """Show in the list of tasks how far it is; None where that cannot be measured."""
        self.fraction = -1.0 if fraction is None else fraction
        self.progressed.emit(self.fraction, what)

    def report_progress(self, progress: Progress) -> None:
        """As `report`, for a stage."""
        if self.stages:
            self.stages = advanced(self.stages, progress)
        self.report(progress.fraction, progress.detail or stage_name(progress.stage))


class Jobs(QObject):
    """The runner: starts jobs and companions, knows which are running, and ends them all with the window."""

    started = Signal(object)  # Job
    finished = Signal(object)  # Job

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Job] = []
        self._companions: list[LineProcess] = []

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that have not ended."""
        return tuple(self._jobs)

    def start(
        self,
        title: str,
        command: Sequence[str],
        on_line: Callable[[bytes], None],
        on_end: Callable[[int, str], None],
        stages: Sequence[Stage] = (),
        *,
        abandoned: str = "",
    ) -> Job:
        """Run a command; each line of its output and then its end, as in `LineProcess.ended`, are passed on.

        `stages` are those it will go through; `abandoned` is `Job.abandoned`.
        """
        job = Job(title, command, self, stages, abandoned)
        self._jobs.append(job)
        job.line.connect(on_line)

        def ended(code: int, last_line: str) -> None:
            if job in self._jobs:
                self._jobs.remove(job)
            on_end(code, last_line)
            self.finished.emit(job)
            job.deleteLater()

        job.ended.connect(ended)
        self.started.emit(job)
        return job

    def start_companion(self, command: Sequence[str]) -> LineProcess:
        """Start a process that answers requests until it is ended."""
        companion = LineProcess(command, self)
        self._companions.append(companion)
        companion.ended.connect(lambda *_: self._companions.remove(companion))
        return companion

    def shut_down(self) -> None:
        """End everything and wait for it; called once, before the window closes.

        Processes with open connections get a moment to close them and to log what was sent.
        """
        jobs = tuple(self._jobs)
        for job in jobs:
            job.stop()
        deadline = QDeadlineTimer(SHUTDOWN_MS)
        for job in jobs:
            job.wait(deadline)
            job.kill()
        for companion in tuple(self._companions):
            companion.kill()
