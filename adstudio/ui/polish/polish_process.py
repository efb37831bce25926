"""Runs the process that polishes the plan's lines, one run at a time, and hands on what comes of each scene."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from adstudio.drafting.events import Noted
from adstudio.drafting.model.events import Spent
from adstudio.drafting.polish.events import PROTOCOL, PolishFinished, PolishRequest
from adstudio.drafting.polish.proposals import ScenePolished
from adstudio.llm.messages import Usage
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts

_RESUME = "What had arrived is saved: start again to continue."
CRASHED = f"Polishing stopped unexpectedly; see the log. {_RESUME}"
GARBLED = f"The polishing process returned invalid data and was stopped. {_RESUME}"
ABANDONED = "A model is still polishing. That will be stopped. What has arrived is saved: start it again to continue."

TEXTS = JobTexts(CRASHED, GARBLED, abandoned=ABANDONED)


class PolishProcess(QObject):
    """`usage` is what the film has taken so far."""

    came = Signal(object)
    """ScenePolished: what came of some lines of a scene."""
    spent = Signal()
    """`usage` is another."""
    ended = Signal(object)
    """PolishFinished or Failed; None where it was stopped before it had begun."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._process = JobClient(jobs, self, PROTOCOL, (PolishFinished,), TEXTS)
        self._process.received.connect(self._hear)
        self._process.ended.connect(self.ended)
        self._lines = 0
        self.usage = Usage()
        self.noted = ""
        """What the describer should know of the run, without a full stop."""
        self.done = 0
        """Lines that have come back in this run, with a proposal or without."""

    @property
    def busy(self) -> bool:
        """Whether lines are being polished."""
        return self._process.busy

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end and has not yet."""
        return self._process.stopping

    def start(self, title: str, request: PolishRequest, lines: int) -> None:
        """Polish as requested, `lines` in all; what was asked before is forgotten.

        Raises:
            CodecError: where the request is too large.
        """
        self.forget()
        self._lines = lines
        self.usage, self.done, self.noted = Usage(), 0, ""
        self._process.start(title, request)

    def stop(self) -> None:
        """Ask it to end; `ended` tells when it has."""
        self._process.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        self._process.forget()

    def _hear(self, message: ScenePolished | Spent | Noted) -> None:
        match message:
            case ScenePolished(proposals=proposals):
                self.done += len(proposals)
                self._process.report(self.done / max(self._lines, 1), f"{self.done:,} of {self._lines:,}")
                self.came.emit(message)
            case Spent(usage=usage):
                self.usage = usage
                self.spent.emit()
            case Noted(sentence):
                self.noted = sentence
