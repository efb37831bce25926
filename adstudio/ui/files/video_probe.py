"""Inspecting a video in the background, for a new project or to relink a project's video."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts

if TYPE_CHECKING:
    from adstudio.media.messages import Event, Probed, Request


class VideoProbe(QObject):
    """Inspects one video at a time; starting another one, or stopping, forgets the one before."""

    found = Signal(object)
    """Probed."""
    failed = Signal(str)
    """Why it failed, in a sentence."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._client: JobClient[Request, Event] | None = None
        self.video: Path | None = None

    @property
    def busy(self) -> bool:
        """Whether a video is being inspected."""
        return self._client is not None and self._client.busy

    def start(self, video: Path) -> None:
        """Start inspecting a video; a signal brings the answer."""
        # Not loaded when the program starts.
        from adstudio.media.messages import PROBING, PROTOCOL, Event, Probed, ProbeVideo, Request, crashed

        if self._client is None:
            texts = JobTexts(crashed(PROBING))
            self._client = JobClient[Request, Event](self._jobs, self, PROTOCOL, (Probed,), texts)
            self._client.ended.connect(self._end)
        self.video = video
        self._client.start(f"Inspecting {video.name}", ProbeVideo(video))

    def stop(self) -> None:
        """Forget what is being inspected."""
        if self._client is not None:
            self._client.forget()

    def _end(self, answer: Probed | Failed | None) -> None:
        match answer:
            case Failed(message):
                self.failed.emit(message)
            case None:
                name = self.video.name if self.video else ""
                self.failed.emit(f"Inspecting {name} was stopped: choose it again.")
            case _:
                self.found.emit(answer)
