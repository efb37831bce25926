"""Runs the process that drafts, one request at a time, and reports its progress no faster than the eye can follow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from adstudio.core.progress import Progress, Stage
from adstudio.drafting.events import PROTOCOL, DraftEvent, Failed, Finished, ModelFinished, OtherFilm, SampleRequest
from adstudio.drafting.model.events import SceneDraft, SceneState, Telling
from adstudio.drafting.request import DraftRequest
from adstudio.drafting.run_state import RunState
from adstudio.system.codec import CodecError
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.timers import single_shot
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


class DraftProcess(JobClient[DraftRequest | SampleRequest, DraftEvent]):
    """Its `state` is that of the current run, or of the last one. `abandoned` is said where a project is left then."""

    progressed = Signal()
    """`stages` have changed."""
    moved = Signal(object)
    """The scenes (ids) whose state has changed since the last signal."""
    drafted = Signal(object)
    """SceneDraft: a scene has come to its end."""

    def __init__(self, jobs: Jobs, parent: QObject, abandoned: str = "") -> None:
        texts = JobTexts(CRASHED, GARBLED, abandoned=abandoned)
        answers = (Finished, ModelFinished, OtherFilm)
        # Most lines by far are descriptions as they come, and only the newest of each part is read.
        super().__init__(jobs, parent, PROTOCOL, answers, texts, raw=(Telling,))
        self.received.connect(self._receive)
        # The first listener: the others find `state` settled.
        self.ended.connect(self._end)
        self.state = RunState(())
        self._changed: set[str] = set()
        self._telling: dict[bytes, bytes] = {}
        self._tick = single_shot(self, TICK_MS, self._report_moved)

    def start(
        self,
        title: str,
        request: DraftRequest | SampleRequest,
        *,
        stages: Sequence[Stage] = (),
        texts: JobTexts | None = None,
    ) -> None:
        """Draft what is requested; what was asked before is forgotten.

        Raises:
            CodecError: where the request is too large.
        """
        super().start(title, request, stages=stages, texts=texts)
        if isinstance(request, DraftRequest) and request.script is not None:
            self.state = RunState([scene for scene in request.script.scenes if scene.id in request.scenes])
        self._changed = set(self.state.scenes)
        self._tick.start()

    def forget(self) -> None:
        """Stop, and pass nothing of it on any more."""
        super().forget()
        self._tick.stop()
        self._telling.clear()
        self.state = RunState(())

    def read_tellings(self) -> None:
        """Take in the newest of each description: nobody has to know of those that came between."""
        waiting, self._telling = self._telling, {}
        for line in waiting.values():
            try:
                self._update(PROTOCOL.read_event(line))
            except CodecError:
                continue

    def _update(self, event: DraftEvent) -> str | None:
        scene = self.state.update(event)
        if scene is not None:
            self._changed.add(scene)
        return scene

    def _receive(self, event: DraftEvent | bytes) -> None:
        if isinstance(event, bytes):
            if len(event) > LONGEST_TELLING or len(self._telling) > 4 * len(self.state.scenes):
                return
            self._telling[event[: event.find(_TEXT)]] = event
            scene = None
        else:
            if isinstance(event, Progress):
                self.report_progress(event)
                self.progressed.emit()
            elif isinstance(event, SceneDraft):
                self.read_tellings()
            scene = self._update(event)
        if not self._tick.isActive():
            self._tick.start()
        if isinstance(event, SceneDraft) and scene is not None:
            ended, total = self.state.ended, len(self.state.scenes)
            self.report(ended / total, f"{ended:,} of {total:,}")
            self.drafted.emit(event)

    def _report_moved(self) -> None:
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
        self._report_moved()
