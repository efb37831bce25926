"""Background work that starts no process: the test sees what is asked, and speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from adstudio.system.worker import WorkerProtocol
from adstudio.ui.background.jobs import Jobs


class ManualJob(QObject):
    """A job whose request, the last line written to it, is to be seen."""

    def __init__(
        self, title: str, command: Sequence[str], on_line: Callable[[bytes], None], on_end: Callable[[int, str], None]
    ) -> None:
        super().__init__()
        self.title, self.command, self.line, self.end = title, list(command), on_line, on_end
        self.stopped = False
        self.reported: list[float] = []
        self.protocol: WorkerProtocol[Any, Any] | None = None
        self.asked: list[bytes] = []

    def write(self, line: bytes) -> None:
        self.asked.append(line)

    @property
    def request(self) -> Any:
        assert self.protocol is not None
        return self.protocol.read_request(self.asked[-1])

    def report(self, fraction: float, what: str = "") -> None:
        self.reported.append(fraction)

    def stop(self) -> None:
        self.stopped = True

    def say(self, event: object) -> None:
        assert self.protocol is not None
        self.line(self.protocol.event_line(event).removesuffix(b"\n"))


class ManualCompanion(QObject):
    """A companion that notes what it is asked; as its process ends, the next is this one too."""

    line = Signal(bytes)
    ended = Signal(int, str)

    def __init__(self, protocol: WorkerProtocol[Any, Any], parent: QObject) -> None:
        super().__init__(parent)
        self.protocol = protocol
        self.asked: list[Any] = []

    def write(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        self.asked.append(self.protocol.read_request(line))

    def kill(self) -> None:
        pass

    def deleteLater(self) -> None:
        pass

    def answer(self, event: object) -> None:
        """Answer, and end, as a process does that does one thing only."""
        self.line.emit(self.protocol.event_line(event).removesuffix(b"\n"))
        self.ended.emit(0, "")


class ManualJobs(Jobs):
    """Starts no process; `all` are the jobs, in order, and `companion` is every companion."""

    def __init__(self, parent: QObject, protocol: WorkerProtocol[Any, Any]) -> None:
        super().__init__(parent)
        self.protocol = protocol
        self.all: list[ManualJob] = []
        self.companion = ManualCompanion(protocol, self)

    def start(self, title, command, on_line, on_end, stages=(), *, abandoned=""):
        job = ManualJob(title, command, on_line, on_end)
        job.protocol = self.protocol
        job.setParent(self)
        self.all.append(job)
        return job

    def start_companion(self, command):
        return self.companion
