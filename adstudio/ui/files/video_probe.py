"""Inspecting a video in the background: what it holds, for a new project or to find a project's video again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.media.messages import PROBING, PROTOCOL, Event, Probed, ProbeVideo, Request, crashed
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts


class Prober(QObject):
    """One video at a time; asking for another one, or stopping, forgets the one before."""

    found = Signal(object)
    """Probed."""
    failed = Signal(str)
    """Why not, in one sentence."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._client = JobClient[Request, Event](jobs, self, PROTOCOL, (Probed,), JobTexts(crashed(PROBING)))
        self._client.ended.connect(self._end)
        self.video: Path | None = None

    @property
    def busy(self) -> bool:
        """Whether a video is being inspected."""
        return self._client.busy

    def look_at(self, video: Path) -> None:
        """Start; the answer comes by a signal."""
        self.video = video
        self._client.start(f"Inspecting {video.name}", ProbeVideo(video))

    def stop(self) -> None:
        """Forget what is being inspected."""
        self._client.forget()

    def _end(self, answer: Probed | Failed | None) -> None:
        match answer:
            case Probed():
                self.found.emit(answer)
            case Failed(message):
                self.failed.emit(message)
            case None:
                name = self.video.name if self.video else ""
                self.failed.emit(f"Inspecting {name} was stopped: choose it again.")
