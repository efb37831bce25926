"""Runs the process that drafts, one request at a time, and says what comes of it at a pace that the eye can follow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.core.progress import Progress, Stage, StageStatus
from adstudio.drafting.events import (
    PROTOCOL,
    DraftEvent,
    Failed,
    Finished,
    ModelFinished,
    OtherFilm,
    SampleRequest,
    SceneDraft,
    Telling,
)
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.request import DraftRequest
from adstudio.drafting.run_state import RunState
from adstudio.system.codec import CodecError
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts

TICK_MS = 100
"""What is shown is updated at most that often, however fast it comes."""
LONGEST_TELLING = 1_000_000
"""Bytes of a description as it comes; a longer one is not shown."""
_RESUME = "What had arrived is saved: start again to continue."
CRASHED = f"Drafting stopped unexpectedly; see the log. {_RESUME}"
GARBLED = f"The drafting process returned invalid data and was stopped. {_RESUME}"
_TEXT = b',"text":'

Answer = Finished | ModelFinished | OtherFilm | Failed


class DraftProcess(QObject):
    """Its `state` is that of the run at hand, or of the last one. `abandoned` is said where a project is left then."""

    progressed = Signal()
    """`stages` have changed."""
    moved = Signal(object)
    """The scenes (ids) whose state has changed since the last signal."""
    drafted = Signal(object)
    """SceneDraft: a scene has come to its end."""
    ended = Signal(object)
    """An `Answer`; None where it was stopped before it gave one."""

    def __init__(self, jobs: Jobs, parent: QObject, abandoned: str = "") -> None:
        super().__init__(parent)
        texts = JobTexts(CRASHED, GARBLED, abandoned=abandoned)
        answers = (Finished, ModelFinished, OtherFilm)
        # Most lines by far are descriptions as they come, and only the newest of each part is read.
        self._process = JobClient(jobs, self, PROTOCOL, answers, texts, raw=(Telling,))
        self._process.received.connect(self._receive)
        self._process.ended.connect(self._end)
        self.state = RunState(())
        self._changed: set[str] = set()
        self._telling: dict[bytes, bytes] = {}
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._tell)

    @property
    def busy(self) -> bool:
        """Whether something is being drafted."""
        return self._process.busy

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop and has not yet."""
        return self._process.stopping

    @property
    def stages(self) -> tuple[StageStatus, ...]:
        """How the stages of the work stand."""
        return self._process.stages

    def start(self, title: str, request: DraftRequest | SampleRequest, stages: Sequence[Stage] = ()) -> None:
        """Draft what is requested; what was asked before is forgotten.

        Raises:
            CodecError: where the request is too large.
        """
        self.forget()
        if isinstance(request, DraftRequest) and request.script is not None:
            self.state = RunState([scene for scene in request.script.scenes if scene.id in request.scenes])
        self._changed = set(self.state.scenes)
        self._process.start(title, request, stages=stages)
        self._tick.start()

    def stop(self) -> None:
        """Ask it to stop; `ended` says when it has."""
        self._process.stop()

    def forget(self) -> None:
        """Stop, and pass nothing of it on any more."""
        self._process.forget()
        self._tick.stop()
        self._telling.clear()
        self.state = RunState(())

    def read_tellings(self) -> None:
        """Take in the newest of each description: nobody has to know of those that came between."""
        waiting, self._telling = self._telling, {}
        for line in waiting.values():
            try:
                scene = self.state.update(PROTOCOL.read_event(line))
            except CodecError:
                continue
            if scene is not None:
                self._changed.add(scene)

    def _receive(self, event: DraftEvent | bytes) -> None:
        match event:
            case bytes():
                if len(event) <= LONGEST_TELLING and len(self._telling) <= 4 * len(self.state.scenes):
                    self._telling[event[: event.find(_TEXT)]] = event
                    self._tell_soon()
                return
            case Progress():
                self._process.report_progress(event)
                self.progressed.emit()
            case SceneDraft():
                self.read_tellings()
            case _:
                pass
        scene = self.state.update(event)
        if scene is not None:
            self._changed.add(scene)
        self._tell_soon()
        if isinstance(event, SceneDraft) and scene is not None:
            ended, total = self.state.ended, len(self.state.scenes)
            self._process.report(ended / total, f"{ended:,} of {total:,}")
            self.drafted.emit(event)

    def _tell_soon(self) -> None:
        if not self._tick.isActive():
            self._tick.start()

    def _tell(self) -> None:
        self.read_tellings()
        changed, self._changed = frozenset(self._changed), set()
        self.moved.emit(changed)

    def _end(self, answer: Answer | None) -> None:
        if isinstance(answer, Failed):
            self.state.broke_off(SceneState.FAILED, answer.message.rstrip("."))
        else:
            self.state.broke_off(SceneState.STOPPED)
        self._tick.stop()
        self._changed = set(self.state.scenes)
        self._tell()
        self.ended.emit(answer)
