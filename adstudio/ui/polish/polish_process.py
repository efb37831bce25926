"""Runs the process that polishes the plan's lines, one run at a time, and hands on what comes of each scene."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from adstudio.drafting.events import Noted
from adstudio.drafting.model.events import Spent
from adstudio.drafting.polish.events import PROTOCOL, PolishEvent, PolishFinished, PolishRequest
from adstudio.drafting.polish.proposals import ScenePolished, Unpolished
from adstudio.llm.messages import Usage
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts

_RESUME = "What had arrived is saved: start again to continue."
CRASHED = f"Polishing stopped unexpectedly; see the log. {_RESUME}"
GARBLED = f"The polishing process returned invalid data and was stopped. {_RESUME}"
ABANDONED = "A model is still polishing. That will be stopped. What has arrived is saved: start it again to continue."

TEXTS = JobTexts(CRASHED, GARBLED, abandoned=ABANDONED)


class PolishProcess(JobClient[PolishRequest, PolishEvent]):
    """Its answer is PolishFinished or Failed; None where it was stopped before it had begun.

    Attributes:
        lines: how many are being polished.
        done: how many of them have come back, with a proposal or without.
        failed: how many of them could not be asked for, and
        why_failed: why, of the last that could not.
        usage: what the film has taken so far.
        noted: what the describer should know of the run, without a full stop.
    """

    polished = Signal(object)
    """ScenePolished: what came of some lines of a scene."""
    spent = Signal()
    """`usage` has changed."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(jobs, parent, PROTOCOL, (PolishFinished,), TEXTS)
        self.received.connect(self._receive)
        self._reset(0)

    def _reset(self, lines: int) -> None:
        self.lines, self.done, self.failed = lines, 0, 0
        self.why_failed, self.usage, self.noted = "", Usage(), ""

    def polish(self, title: str, request: PolishRequest, lines: int) -> None:
        """Polish as requested, `lines` in all; what was asked before is forgotten.

        Raises:
            CodecError: where the request is too large.
        """
        self.start(title, request)
        self._reset(lines)

    def forget(self) -> None:
        """Stop, and pass nothing of it on any more."""
        super().forget()
        self._reset(0)

    def _receive(self, event: ScenePolished | Spent | Noted) -> None:
        match event:
            case ScenePolished(proposals=proposals, why=why):
                self.done += len(proposals)
                failed = sum(isinstance(each, Unpolished) and each.failed for each in proposals)
                self.failed += failed
                self.why_failed = why if failed else self.why_failed
                self.report(self.done / max(self.lines, 1), f"{self.done:,} of {self.lines:,}")
                self.polished.emit(event)
            case Spent(usage=usage):
                self.usage = usage
                self.spent.emit()
            case Noted(sentence):
                self.noted = sentence
