"""The one place where background work is started: child processes, no threads (DESIGN 3.4).

A `Job` is one run that ends by itself, such as making a waveform; a `Worker` is a companion that answers requests,
such as the second opinion of CP-SAT. Both speak lines of JSON. Everything arrives on the window's thread.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QDeadlineTimer, QObject, QProcess, QProcessEnvironment, QTimer, Signal

from adstudio.core.progress import Progress, Stage, stage_name
from adstudio.drafting.draft_stages import advanced, not_begun
from adstudio.system.environment import KEYS

log = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one answer; a process that writes more without ending the line is stopped."""
ASKS_MODELS = ("adstudio.drafting.", "adstudio.connections.")
"""The modules that may need one: what decodes a film or speaks never has it."""
STOP_MS = 2000
"""How long a process may take to end when it is asked to."""
LAST_SAID = 4_000
"""Letters of what a process said on its error output that go into the log, the last ones."""
LAST_WORD_MS = 1000
"""How long all of them may take together when the window goes."""


def python_command(module: str, *arguments: str) -> list[str]:
    """The command that runs one of our own modules in a process of its own."""
    return [sys.executable, "-I", "-m", module, *arguments]


def _asks_models(command: Sequence[str]) -> bool:
    return any(part.startswith(ASKS_MODELS) for part in command[1:4])


def _without_keys() -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    for name in environment.keys():  # noqa: SIM118 - Qt's own, which cannot be iterated
        if name.startswith(KEYS):
            environment.remove(name)
    return environment


class _Lines(QObject):
    """A process whose output comes as lines. Ends for certain: asked first, then killed."""

    line = Signal(bytes)
    ended = Signal(int, str)  # exit code (negative: it crashed or could not start), the last of its error output

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._buffer = bytearray()
        self._over = self._asked_to_end = False
        self._name = command[command.index("-m") + 1] if "-m" in command[:-1] else command[0]
        self._process = QProcess(self)
        self._process.setProgram(command[0])
        self._process.setArguments(list(command[1:]))
        if any(name.startswith(KEYS) for name in os.environ) and not _asks_models(command):
            self._process.setProcessEnvironment(_without_keys())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.timeout.connect(self._process.kill)
        self._process.start()

    @property
    def running(self) -> bool:
        return not self._over

    def write(self, data: bytes) -> None:
        if not self._over:
            self._process.write(data)

    def close_input(self) -> None:
        self._process.closeWriteChannel()

    def stop(self) -> None:
        """Ask it to end; kill it if it has not within two seconds. Does not wait."""
        if self._over:
            return
        self._asked_to_end = True
        self._process.closeWriteChannel()
        self._process.terminate()
        self._grace.start(STOP_MS)

    def kill(self) -> None:
        """End it now, and wait until it has."""
        if not self._over:
            self._asked_to_end = True
            self._process.kill()
            self._process.waitForFinished(STOP_MS)

    def wait(self, deadline: QDeadlineTimer) -> None:
        """Wait until it has ended, but no longer than that."""
        if not self._over:
            self._process.waitForFinished(max(int(deadline.remainingTime()), 0))

    def _read(self) -> None:
        came = bytes(self._process.readAllStandardOutput().data())
        # Only what came is looked through: a line without end would else be gone through anew with each piece of it.
        first, *more = came.split(b"\n")
        self._buffer += first
        if more:
            lines = [bytes(self._buffer), *more]
            self._buffer = bytearray(lines.pop())
            for line in lines:
                self.line.emit(line)
        if len(self._buffer) > LONGEST_LINE:
            log.error("%s wrote a line without end and is stopped", self._process.program())
            self._process.kill()

    def _finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._grace.stop()
        if self._over:
            return
        self._read()
        self._over = True
        said = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        crashed = status is QProcess.ExitStatus.CrashExit
        if (code or crashed) and not self._asked_to_end:
            how = f"was ended by signal {code}" if crashed else f"ended with exit code {code}"
            log.warning("%s %s; it said last:\n%s", self._name, how, said[-LAST_SAID:] or "(nothing)")
        self.ended.emit(-1 if crashed else code, said.splitlines()[-1] if said else "")

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and not self._over:
            self._over = True
            log.warning("%s could not be started: %s", self._name, self._process.errorString())
            self.ended.emit(-1, self._process.errorString())


class Job(QObject):
    """One run in the background, shown in the list of tasks with its progress and a way to stop it."""

    progressed = Signal(float, str)  # 0..1, or below 0 where nobody knows; what is being done
    line = Signal(bytes)
    ended = Signal(int, str)

    def __init__(self, title: str, command: Sequence[str], parent: QObject, stages: Sequence[Stage] = ()) -> None:
        super().__init__(parent)
        self.title = title
        self.stages = not_begun(stages)
        """What it goes through, where that was told."""
        self.left = ""
        """What becomes of it where the project is closed meanwhile, as a sentence; empty where nobody need know."""
        self.fraction = -1.0
        self.stopped = False
        self._lines = _Lines(command, self)
        self._lines.line.connect(self.line)
        self._lines.ended.connect(self.ended)

    def report(self, fraction: float, what: str = "") -> None:
        """Tell the list of tasks how far it is; called by whoever reads the job's lines."""
        self.fraction = fraction
        self.progressed.emit(fraction, what)

    def report_progress(self, progress: Progress) -> None:
        """As `report`, of a stage."""
        if self.stages:
            self.stages = advanced(self.stages, progress)
        fraction = -1.0 if progress.fraction is None else progress.fraction
        self.report(fraction, progress.detail or stage_name(progress.stage))

    def write(self, line: bytes) -> None:
        """Tell the process something, the end of the line included."""
        self._lines.write(line)

    def stop(self) -> None:
        """Ask the process to end."""
        self.stopped = True
        self._lines.stop()

    def wait(self, deadline: QDeadlineTimer) -> None:
        """Wait until the process, which was asked to end, has ended, but no longer than that."""
        self._lines.wait(deadline)

    def kill(self) -> None:
        """End the process and wait for it."""
        self.stopped = True
        self._lines.kill()


class Worker(QObject):
    """A companion process that is started when first asked and ends when its input closes."""

    line = Signal(bytes)
    ended = Signal(int, str)

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._command = list(command)
        self._lines: _Lines | None = None

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._lines is not None

    def ask(self, line: bytes) -> None:
        """Send one request, its newline included; starts the process if it is not there."""
        if self._lines is None:
            self._lines = _Lines(self._command, self)
            self._lines.line.connect(self.line)
            self._lines.ended.connect(self._gone)
        self._lines.write(line)

    def kill(self) -> None:
        """End the process now, whatever it is doing; the next request starts a fresh one."""
        lines, self._lines = self._lines, None
        if lines is not None:
            lines.line.disconnect(self.line)
            lines.ended.disconnect(self._gone)
            lines.kill()
            lines.deleteLater()

    def _gone(self, code: int, said: str) -> None:
        lines, self._lines = self._lines, None
        if lines is not None:
            lines.deleteLater()
        self.ended.emit(code, said)


class Jobs(QObject):
    """The runner: starts jobs and workers, knows which are running, and ends them all with the window."""

    started = Signal(object)  # Job
    finished = Signal(object)  # Job

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Job] = []
        self._workers: list[Worker] = []

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
        left: str = "",
    ) -> Job:
        """Run a command; each line of its output and then its end (exit code, last line of errors) are handed on.

        `stages` are what it will go through, in the words in which it tells of them; `left` is `Job.left`.
        """
        job = Job(title, command, self, stages)
        job.left = left
        self._jobs.append(job)
        job.line.connect(on_line)

        def ended(code: int, said: str) -> None:
            if job in self._jobs:
                self._jobs.remove(job)
            on_end(code, said)
            self.finished.emit(job)
            job.deleteLater()

        job.ended.connect(ended)
        self.started.emit(job)
        return job

    def worker(self, command: Sequence[str]) -> Worker:
        """A companion that will be started when it is first asked."""
        worker = Worker(command, self)
        self._workers.append(worker)
        return worker

    def shut_down(self) -> None:
        """End everything and wait for it; called once, before the window goes.

        What has connections open is given a moment to close them and to note what went over them.
        """
        jobs = tuple(self._jobs)
        for job in jobs:
            job.stop()
        deadline = QDeadlineTimer(LAST_WORD_MS)
        for job in jobs:
            job.wait(deadline)
            job.kill()
        for worker in self._workers:
            worker.kill()
