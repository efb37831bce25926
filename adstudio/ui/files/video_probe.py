"""Looking at a video in the background: what it holds, for a new project or to find a project's video again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.ui.background.jobs import Job, Jobs, python_command


class Prober(QObject):
    """One video at a time; asking for another one, or stopping, forgets the one before."""

    found = Signal(object)
    """Probed."""
    failed = Signal(str)
    """Why not, in one sentence."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.video: Path | None = None

    @property
    def busy(self) -> bool:
        """Whether a video is being looked at."""
        return self._job is not None

    def look_at(self, video: Path) -> None:
        """Start; the answer comes by a signal."""
        from adstudio.media.messages import MODULE, Done, Failed, Probed, Progress, arguments, died, read_message

        self.stop()
        self.video = video
        answer: list[Probed | str] = []

        def heard(line: bytes) -> None:
            match read_message(line):
                case Progress() as progress if self._job is job:
                    job.report(progress.fraction, progress.what)
                case Done(probed=Probed() as probed):
                    answer.append(probed)
                case Failed(sentence=sentence):
                    answer.append(sentence)
                case _:
                    pass

        def ended(_code: int, _said: str) -> None:
            if self._job is not job:
                return
            self._job = None
            result = answer[-1] if answer else died("probe").sentence
            if job.stopped:
                result = f"Looking at {video.name} was stopped: choose it again."
            if isinstance(result, Probed):
                self.found.emit(result)
            else:
                self.failed.emit(result)

        command = python_command(MODULE, *arguments("probe", video))
        job = self._job = self._jobs.start(f"Looking at {video.name}", command, heard, ended)

    def stop(self) -> None:
        """Forget what is being looked at."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
