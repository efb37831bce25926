"""Inspecting a video in the background, for a new project or to relink a project's video."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.media.messages import PROBING, PROTOCOL, Event, Probed, ProbeVideo, Request, crashed
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts


class VideoProbe(JobClient[Request, Event]):
    """Inspects one video at a time; inspecting another one forgets the one before."""

    found = Signal(object)
    """Probed."""
    failed = Signal(str)
    """Why it failed, in a sentence."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(jobs, parent, PROTOCOL, (Probed,), JobTexts(crashed(PROBING)))
        self.video: Path | None = None
        self.ended.connect(self._end)

    def inspect(self, video: Path) -> None:
        """Start inspecting a video; a signal brings the answer."""
        self.video = video
        self.start(f"Inspecting {video.name}", ProbeVideo(video))

    def _end(self, answer: Probed | Failed | None) -> None:
        match answer:
            case Probed():
                self.found.emit(answer)
            case Failed(message):
                self.failed.emit(message)
            case None:
                name = self.video.name if self.video else ""
                self.failed.emit(f"Inspecting {name} was stopped: choose it again.")
