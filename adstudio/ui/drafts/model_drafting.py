"""Drafting by a model in the editor: starts and stops a run, inserts its scenes, and reports how it goes."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.document import Act
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Policy
from adstudio.core.script import Scene
from adstudio.drafting.events import Failed, ModelFinished
from adstudio.drafting.model.events import SceneDraft
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.run_state import Hold, LeftOut, RunState, StopReason
from adstudio.editing.labels import label_of
from adstudio.editing.redraft import drafted_scene_id
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.drafts.draft_process import DraftProcess
from adstudio.ui.drafts.insertion_queue import InsertionQueue
from adstudio.ui.drafts.messages import LEFT_OUT, STOP_CAUSES, WILL_WAIT, outcome_words, standing_words, stop_words
from adstudio.ui.drafts.model_request import request_for
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import as_sentence, counted

log = logging.getLogger(__name__)

ANNOUNCE_MS = 20_000
"""Between two announcements of the progress."""
ABANDONED = "A model is still drafting. That will be stopped. What has arrived is saved: start it again to continue."


class ModelDrafting(QObject):
    """One run at a time; the result of the last one stays visible until another project is open.

    Attributes:
        insertions: the drafted scenes that are not in the script yet.
        said: the outcome of the last run in words; empty while one goes on, and before the first.
    """

    moved = Signal(object)
    """The scenes (ids) whose state has changed."""
    turned = Signal()
    """A run began, is being stopped or ended, or scenes wait for the describer or no longer do."""

    def __init__(self, session: Session, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self.insertions = InsertionQueue(session, window)
        self._drafter = DraftProcess(jobs, self, ABANDONED)
        self._drafter.moved.connect(self._moved)
        self._drafter.drafted.connect(self._drafted)
        self._drafter.ended.connect(self._ended)
        self.insertions.arrived.connect(self._arrived)
        self.insertions.held.connect(self._held)
        self._model = ""
        self._policy = Policy()
        self._stop = StopReason.REQUESTED
        self._halted = ""
        self._failed = False
        self.said = ""
        self._announced = 0
        self._announcements = QTimer(self, interval=ANNOUNCE_MS)
        self._announcements.timeout.connect(self._announce_progress)
        session.opened.connect(self._forget)
        session.current_plan.announced.connect(self._follow_undo)

    @property
    def busy(self) -> bool:
        """Whether scenes are being drafted."""
        return self._drafter.busy

    @property
    def stopping(self) -> bool:
        """Whether the run was asked to end and has not yet."""
        return self._drafter.stopping

    @property
    def run(self) -> RunState:
        """The state of the current run, or of the last one."""
        return self._drafter.state

    @property
    def held(self) -> Mapping[str, Hold]:
        """The scenes (ids) that wait for the describer, and why."""
        return self.run.holds

    def start(self, named: SavedConnection, scenes: Sequence[Scene], options: ModelOptions | None = None) -> bool:
        """Have a model draft these scenes; False, and said, where it cannot be. Callers check the policy first."""
        session = self._session
        project = session.project
        if self.busy:
            session.messages.say("A model is at work already: wait for it, or stop it.")
            return False
        if project is None or not scenes:
            return False
        title, holds = f"Drafting {counted(len(scenes), 'scene')} by {named.name}", self.held
        try:
            request = request_for(project, session.script, named, scenes, options or ModelOptions())
            self._drafter.start(title, request)
        except AdstudioError as error:
            session.messages.say(f"Drafting cannot be started: {error}.")
            return False
        self.run.holds = holds
        self._model, self._policy, self.said, self._announced = named.model, project.policy, "", 0
        self._stop, self._halted, self._failed = StopReason.REQUESTED, "", False
        self._announcements.start()
        session.messages.say(f"{title}. {WILL_WAIT if self.will_wait else 'You can work on meanwhile.'}")
        self.turned.emit()
        return True

    def stop(self, reason: StopReason = StopReason.REQUESTED) -> None:
        """Ask the run to end; what has come by then is kept."""
        if self.busy and not self.stopping:
            self._stop = reason
            self._drafter.stop()
            cause = STOP_CAUSES.get(reason)
            self._session.messages.say(f"Drafting stopped: {cause}." if cause else "Stopping; results so far are kept.")
            self.turned.emit()

    def check_policy(self) -> None:
        """Stop a run that the project's policy, which has changed since, may no longer allow."""
        project = self._session.project
        policy = Policy() if project is None else project.policy
        if project is None or policy != self._policy:
            self.stop(StopReason.OFFLINE if policy.rule == "offline" and not policy.lapsed else StopReason.POLICY)

    def _moved(self, scenes: frozenset[str]) -> None:
        self.check_policy()
        self.moved.emit(scenes)

    def _drafted(self, draft: SceneDraft) -> None:
        status = self.run.scenes.get(draft.scene)
        # A scene of which nothing came keeps what it had.
        if draft.lines and status is not None:
            self.insertions.add(draft, status.span, self._model.rsplit("/", 1)[-1])

    def _arrived(self, name: str, why: LeftOut | None) -> None:
        scenes = self._session.script.scene_by_id
        self.run.leave_out(name, why)
        if why is None:
            self.run.insert(name)
        else:
            scene = scenes.get(name)
            if scene is None:
                self.run.scene_removed(name, scenes.values(), self.insertions.waiting)
            title = (scene and scene.title) or name
            self._session.messages.say(f"Scene {title} was drafted, but {LEFT_OUT[why]}.")
        self._outcome_changed()

    def _outcome_changed(self) -> None:
        if self.said and not self.busy and not self._failed:
            self.said = outcome_words(self.run, self._halted, len(self.held))
        self.turned.emit()

    @property
    def will_wait(self) -> bool:
        """Whether new scenes will wait so that the redo history stays, and none that waits already shows that."""
        return self.busy and self._session.edits.document.can_redo and Hold.REDO not in self.held.values()

    def _follow_undo(self, event: ChangeEvent) -> None:
        """A scene's lines may have been removed by undoing, or be back."""
        if self.run.scenes_changed(self._session.script.scene_by_id):
            self._outcome_changed()
        if event.change is None or event.change.act is Act.DO:
            return
        out = event.change.act is Act.UNDO
        scene = drafted_scene_id(event.change.step)
        if scene is None:
            return
        said = f"{'Undone' if out else 'Redone'}: {label_of(event.change.step, self._session.script)}"
        # After what is said of the plan, so that it is what remains to be read.
        QTimer.singleShot(0, self, lambda: self._session.messages.say(said))
        if self.run.take_out(scene, out=out):
            self._outcome_changed()

    def _held(self, held: Mapping[str, Hold]) -> None:
        before, more = self.said, len(held) > len(self.held)
        changed = frozenset(scene for scene in {**held, **self.held} if held.get(scene) != self.held.get(scene))
        self.run.holds = held
        self.moved.emit(changed)
        self._outcome_changed()
        if more and self.said != before:
            # It was announced as inserted before it was known that it has to wait.
            self._session.messages.say(self.said)

    def _ended(self, answer: ModelFinished | Failed | None) -> None:
        self._announcements.stop()
        run = self.run
        self._halted = answer.halted if isinstance(answer, ModelFinished) else ""
        if self._stop is not StopReason.REQUESTED:
            self.moved.emit(run.explain_stop(self._stop))
            self._halted = self._halted or stop_words(self._stop)
        # What has come and is still to be inserted is reported as what will become of it.
        for scene, why in self.insertions.left_out_scenes().items():
            run.leave_out(scene, why)
        if isinstance(answer, Failed):
            self._failed = True
            self.said = as_sentence(answer.message)
            log.warning("drafting by a model: %s", answer.message)
        else:
            self.said = outcome_words(run, self._halted, len(self.held))
        self._session.messages.say(self.said)
        self.turned.emit()

    def _announce_progress(self) -> None:
        ended = self.run.ended
        if ended != self._announced:
            self._announced = ended
            self._session.messages.say(standing_words(self.run))

    def _forget(self) -> None:
        """Another project is open, or none."""
        self._drafter.forget()
        self._announcements.stop()
        self.said = ""
        self.turned.emit()
