"""Loads a picture in a process of its own: from a file, or from the film at the present time."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.media.messages import PROTOCOL, Event, GrabFrame, Image, LoadImage, Request
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts

LIMIT_MS = 30_000
CRASHED = "The picture could not be read: its file crashed the reader. Choose another one."
STOPPED = "No picture was taken: it was stopped."
LATE = "The picture was not ready within 30 seconds. Choose a smaller one."


class ImageLoader(QObject):
    """One at a time; asking for another one forgets the one before."""

    came = Signal(bytes)
    failed = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        texts = JobTexts(CRASHED, late=LATE)
        self.client = JobClient[Request, Event](jobs, self, PROTOCOL, (Image,), texts, limit_ms=LIMIT_MS)
        self.client.ended.connect(self._end)

    @property
    def busy(self) -> bool:
        """Whether a picture is awaited."""
        return self.client.busy

    def of_picture(self, path: Path) -> None:
        """A picture's file."""
        self.client.start(f"Reading {path.name}", LoadImage(path))

    def of_film(self, path: Path, at: int) -> None:
        """What a film shows at a time (ms)."""
        self.client.start(f"Taking a picture from {path.name}", GrabFrame(path, at))

    def stop(self) -> None:
        """Ask the process to end; a signal follows when it has."""
        self.client.stop()

    def forget(self) -> None:
        """Stop, without any signal."""
        self.client.forget()

    def _end(self, answer: Image | Failed | None) -> None:
        match answer:
            case Image(data):
                self.came.emit(data)
            case Failed(message):
                self.failed.emit(message)
            case None:
                self.failed.emit(STOPPED)
