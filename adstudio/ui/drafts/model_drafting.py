"""Drafting by a model in the editor: starts and stops a run, puts what comes into the script, tells how it goes."""

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
from adstudio.drafting.run_state import Hold, RunState, StopReason
from adstudio.editing.labels import label_of
from adstudio.editing.redraft import drafted_scene_id
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.drafts.draft_process import DraftProcess
from adstudio.ui.drafts.insertion_queue import Insertion, InsertionQueue
from adstudio.ui.drafts.messages import LEFT_OUT, STOP_CAUSES, WILL_WAIT, outcome_words, standing_words, stop_words
from adstudio.ui.drafts.model_request import request_for
from adstudio.ui.session.change_event import ChangeEvent
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import as_sentence, counted

log = logging.getLogger(__name__)

TELL_MS = 20_000
"""Between two sentences about how far it is."""
ABANDONED = "A model is still drafting. That will be stopped. What has arrived is saved: start it again to continue."


class ModelDrafting(QObject):
    """One run at a time; what the last one brought stays to be seen until another project is open."""

    moved = Signal(object)
    """The scenes (ids) that stand otherwise."""
    turned = Signal()
    """A run began, is being stopped or ended, or scenes wait for the hand or no longer do."""

    def __init__(self, session: Session, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self.arrivals = InsertionQueue(session, window)
        self._drafter = DraftProcess(jobs, self, ABANDONED)
        self._drafter.moved.connect(self._moved)
        self._drafter.drafted.connect(self._drafted)
        self._drafter.ended.connect(self._ended)
        self.arrivals.arrived.connect(self._arrived)
        self.arrivals.held.connect(self._held)
        self._model = ""
        self._policy = Policy()
        self._stop = StopReason.REQUESTED
        self._halted = ""
        self._failed = False
        self.said = ""
        """What came of the last run; empty while one goes on, and before the first."""
        self._announced = 0
        self._tell = QTimer(self)
        self._tell.setInterval(TELL_MS)
        self._tell.timeout.connect(self._tell_standing)
        session.opened.connect(self._forget)
        session.current_plan.announced.connect(self._travelled)

    @property
    def busy(self) -> bool:
        """Whether scenes are being drafted."""
        return self._drafter.busy

    @property
    def stopping(self) -> bool:
        """Whether the run was asked to end and has not yet."""
        return self._drafter.stopping

    @property
    def course(self) -> RunState:
        """How the run in hand stands, or the last one."""
        return self._drafter.state

    @property
    def held(self) -> Mapping[str, Hold]:
        """The scenes (ids) that wait for the describer, and why."""
        return self.course.holds

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
            session.messages.say(f"The drafting cannot be started: {error}.")
            return False
        self.course.holds = holds
        self._model, self._policy, self.said, self._announced = named.model, project.policy, "", 0
        self._stop, self._halted, self._failed = StopReason.REQUESTED, "", False
        self._tell.start()
        session.messages.say(f"{title}. {WILL_WAIT if self.will_wait else 'You can work on meanwhile.'}")
        self.turned.emit()
        return True

    def stop(self) -> None:
        """Ask the run to end; what has come by then is kept."""
        if self.busy and not self.stopping:
            self._drafter.stop()
            self._session.messages.say("Stopping; what has come is kept.")
            self.turned.emit()

    def check_policy(self) -> None:
        """Stop a run that the project's policy, which is another one now, may not allow any more."""
        project = self._session.project
        if self.busy and not self.stopping and (project is None or project.policy != self._policy):
            policy = Policy() if project is None else project.policy
            offline = policy.rule == "offline" and not policy.lapsed
            self._stop = StopReason.OFFLINE if offline else StopReason.POLICY
            self._drafter.stop()
            self._session.messages.say(f"Drafting stopped: {STOP_CAUSES[self._stop]}.")
            self.turned.emit()

    def _moved(self, scenes: frozenset[str]) -> None:
        self.check_policy()
        self.moved.emit(scenes)

    def _drafted(self, draft: SceneDraft) -> None:
        status = self.course.scenes.get(draft.scene)
        # A scene of which nothing came keeps what it had.
        if draft.lines and status is not None:
            self.arrivals.add(draft, status.span, self._model.rsplit("/", 1)[-1])

    def _arrived(self, arrival: Insertion) -> None:
        scenes = self._session.script.scene_by_id
        self.course.leave_out(arrival.scene, arrival.why)
        if arrival.why is None:
            self.course.insert(arrival.scene)
        else:
            scene = scenes.get(arrival.scene)
            if scene is None:
                self.course.scene_removed(arrival.scene, scenes.values(), self.arrivals.waiting)
            title = (scene and scene.title) or arrival.scene
            self._session.messages.say(f"Scene {title} was drafted, but {LEFT_OUT[arrival.why]}.")
        self._say_anew()
        self.turned.emit()

    def _say_anew(self) -> None:
        """What came of the last run may be another thing now."""
        if self.said and not self.busy and not self._failed:
            self.said = outcome_words(self.course, self._halted, len(self.held))

    @property
    def can_let_in(self) -> bool:
        """Whether scenes wait only for the sake of what can be redone."""
        return Hold.REDO in self.held.values()

    @property
    def will_wait(self) -> bool:
        """Whether what is being drafted will wait for that reason, as long as nothing that does tells so itself."""
        return self.busy and self._session.edits.document.can_redo and not self.can_let_in

    def _travelled(self, news: ChangeEvent) -> None:
        """A scene's lines may have been taken out again by undoing, or be back."""
        if self.course.scenes_changed(self._session.script.scene_by_id):
            self._say_anew()
            self.turned.emit()
        if news.change is None or news.change.act is Act.DO:
            return
        out = news.change.act is Act.UNDO
        scene = drafted_scene_id(news.change.step)
        if scene is None:
            return
        said = f"{'Undone' if out else 'Redone'}: {label_of(news.change.step, self._session.script)}"
        # Behind what is said of the plan, so that it is what stays to be read.
        QTimer.singleShot(0, self, lambda: self._session.messages.say(said))
        if self.course.take_out(scene, out=out):
            self._say_anew()
            self.turned.emit()

    def _held(self, held: Mapping[str, Hold]) -> None:
        before, more = self.said, len(held) > len(self.held)
        changed = frozenset(scene for scene in {**held, **self.held} if held.get(scene) != self.held.get(scene))
        self.course.holds = held
        self.moved.emit(changed)
        self._say_anew()
        if more and self.said != before:
            # It was said to be in, before anybody could know that it has to wait.
            self._session.messages.say(self.said)
        self.turned.emit()

    def _ended(self, answer: ModelFinished | Failed | None) -> None:
        self._tell.stop()
        course = self.course
        self._halted = answer.halted if isinstance(answer, ModelFinished) else ""
        if self._stop is not StopReason.REQUESTED:
            self.moved.emit(course.explain_stop(self._stop))
            self._halted = self._halted or stop_words(self._stop)
        # What has come and waits to be put in is told as what will become of it.
        for scene, why in self.arrivals.left_out_scenes().items():
            course.leave_out(scene, why)
        if isinstance(answer, Failed):
            self._failed = True
            self.said = as_sentence(answer.message)
            log.warning("drafting by a model: %s", answer.message)
        else:
            self.said = outcome_words(course, self._halted, len(self.held))
        self._session.messages.say(self.said)
        self.turned.emit()

    def _tell_standing(self) -> None:
        ended = self.course.ended
        if ended != self._announced:
            self._announced = ended
            self._session.messages.say(standing_words(self.course))

    def _forget(self) -> None:
        """Another project is open, or none."""
        self._drafter.forget()
        self._tell.stop()
        self.said = ""
        self.turned.emit()
