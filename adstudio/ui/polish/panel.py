"""Polished lines: a model is asked for this scene or the film, and the describer accepts its proposals one by one."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Policy
from adstudio.core.script import Scene
from adstudio.drafting.events import Failed
from adstudio.drafting.polish.events import PolishFinished
from adstudio.drafting.polish.proposals import Polished, ScenePolished, Unpolished
from adstudio.drafting.polish.time_budget import rooms
from adstudio.ui.commands.scenes import current_scene
from adstudio.ui.drafts.cost_limit import limit_for, limit_key, over_limit
from adstudio.ui.drafts.model_request import Obstacle, OpenModels
from adstudio.ui.polish.header import FILM, SCENE, HeaderCallbacks, PolishHeader
from adstudio.ui.polish.polish_process import PolishProcess
from adstudio.ui.polish.proposal_rows import ProposalRow, ProposalsModel, ProposalState, is_shown, summary
from adstudio.ui.polish.proposal_table import ACCEPT, HEAR, LEAVE, RETURN, ProposalTable
from adstudio.ui.polish.request import hindrance, lines_to_polish, progress_words, request_for, take
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.formatting import as_sentence, counted
from adstudio.ui.widgets.text import tone
from adstudio.ui.widgets.theme import UNIT

log = logging.getLogger(__name__)

STEPS = 1000
NOTHING_LEFT = "Every spoken line here is worded, accepted or chosen by you already."
READY = "The lines are written again as whole sentences, each within its time. Words alone are sent, no pictures."
NO_SCENE = "No scene is in hand: select one, or go to it in the film."
STOPPED = "Stopped; what has come is kept for the next time."
STOPPED_FOR_POLICY = "The polishing was stopped: what may leave the machine is another thing now."
THROUGH = "No proposal is open any more."


class PolishPanel(QWidget):
    """Asks above, proposals below."""

    counted = Signal(int)
    """Proposals that wait for the describer."""
    front_asked = Signal()
    """It is to be seen, the hand on it."""
    hear_asked = Signal(str)
    """This text is to be spoken."""
    limit_asked = Signal()
    """What the film may cost is to be said anew."""

    def __init__(self, desk: Context, open_models: OpenModels) -> None:
        super().__init__()
        self.setMinimumHeight(9 * UNIT)
        self._desk, self._session, self._open_models = desk, desk.session, open_models
        self._hindrance: Obstacle | None = None
        self._over: Obstacle | None = None
        """That the film has cost what it may: looked at when something is to be asked, or the tab comes into sight."""
        self._seen: tuple[object, ...] = ()
        self._scene: Scene | None = None
        self._lines = (0, 0)
        self._asked, self._policy, self._said, self._touched = 0, Policy(), "", False
        self._failed, self._why = 0, ""
        self._polisher = PolishProcess(desk.jobs, self)
        self._polisher.polished.connect(self._came)
        self._polisher.spent.connect(self._show_progress)
        self._polisher.ended.connect(self._ended)
        self.rows = ProposalsModel(self)
        keys = {ACCEPT: self.accept, LEAVE: self.leave, HEAR: self.hear, **dict.fromkeys(RETURN, self.go)}
        self.table = ProposalTable(desk.theme, self.rows, keys)
        self.table.doubleClicked.connect(lambda _: self.go())
        self.table.selectionModel().currentRowChanged.connect(self._current_changed)
        self.setFocusProxy(self.table)
        does = HeaderCallbacks(self._choose, self.start, self._stop, self._go_out, self.accept, self.leave, self.hear)
        self.strip = PolishHeader(desk, does)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Lines polished")
        self.bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.strip)
        layout.addWidget(self.bar)
        layout.addWidget(self.table, 1)
        session = desk.session
        session.opened.connect(self._forget)
        session.idle.turn().connect(self._rested)
        session.cursor.selection_changed.connect(self._scene_changed)
        session.cursor.playhead_moved.connect(lambda _: self._scene_changed())
        session.storage.models_changed.connect(self.renew)
        desk.preferences.changed.connect(self._preference_changed)
        desk.theme.changed.connect(self.table.viewport().update)
        is_open = lambda: session.project is not None  # noqa: E731 - a predicate to hand on
        desk.actions.connect("plan.polish", self.front_asked.emit, is_open)
        can = lambda: is_open() and current_scene(session) is not None  # noqa: E731 - a predicate to hand on
        desk.actions.connect("scene.polish", self.polish_scene, can)
        self._forget()

    @property
    def count(self) -> int:
        """Proposals that wait for the describer."""
        return self.rows.counts().get(ProposalState.OPEN, 0)

    @property
    def is_unseen(self) -> bool:
        """Whether nothing of it is on the screen: hidden, or behind another tab."""
        return not self.isVisible() or self.visibleRegion().isEmpty()

    def renew(self) -> None:
        """Everything anew: the models that are known, the policy, how the proposals stand; called when it is raised."""
        self.strip.model.read()
        self._check_policy()
        self._look_at_limit()
        self._seen = ()
        self._rested(anew=True)

    def _preference_changed(self, name: str) -> None:
        project = self._session.project
        if name == "model" or (project is not None and name == limit_key(project.identity)):
            self.renew()

    def _choose(self) -> None:
        self._look_at_limit()
        self._show_plan()

    def start(self) -> None:
        """Polish what is chosen."""
        if self.strip.which.currentIndex() == FILM:
            self._start(None)
        elif (scene := current_scene(self._session)) is not None:
            self._start([scene])
        else:
            self._session.messages.say(NO_SCENE)

    def polish_scene(self) -> None:
        """Polish the scene in hand, and show what comes of it."""
        scene = current_scene(self._session)
        self.front_asked.emit()
        if scene is not None:
            self._start([scene])

    def accept(self) -> None:
        """Take the proposal in hand over, and go on to the next one."""
        row = self._row()
        if (
            row is None
            or not isinstance(row.proposal, Polished)
            or row.state not in (ProposalState.OPEN, ProposalState.LEFT)
        ):
            self._refuse(row)
            return
        why = take(self._session, row.proposal)
        row.left = False
        self._look()
        if why:
            self._session.messages.say(why)
        else:
            self._go_on("Accepted")

    def leave(self) -> None:
        """Keep the line in hand as it is, and go on to the next one; once more, and the proposal is open again."""
        row = self._row()
        if row is None or row.state not in (ProposalState.OPEN, ProposalState.LEFT):
            self._refuse(row)
            return
        row.left = not row.left
        self._look()
        if row.left:
            self._go_on("Left as it is")
        else:
            self._session.messages.say("The proposal is open again.")

    def hear(self) -> None:
        """Speak the proposal in hand, or the line where there is none."""
        row = self._row()
        if row is not None:
            proposal = row.proposal
            self.hear_asked.emit(proposal.text if isinstance(proposal, Polished) else proposal.before)

    def go(self) -> None:
        """To the line in hand, and to where it is spoken."""
        row = self._row()
        if row is not None and row.proposal.eventuality in self._session.script.eventuality_index:
            self._session.cursor.select_line(row.proposal.eventuality, go=True)

    def _start(self, scenes: Sequence[Scene] | None) -> None:
        session = self._session
        session.flush()
        self.strip.model.read()
        project, named = session.project, self.strip.model.named
        self._look_at_limit()
        self._hindrance = self._hindered()
        lines = lines_to_polish(session, scenes)
        if self._polisher.busy:
            session.messages.say("A model is polishing already: wait for it, or stop it.")
        elif self._hindrance is not None or named is None or project is None:
            self._show_plan()
            session.messages.say(self._hindrance.sentence if self._hindrance is not None else "")
        elif not lines:
            session.messages.say(NOTHING_LEFT)
        else:
            self._ask(named, scenes, lines)

    def _ask(self, named: SavedConnection, scenes: Sequence[Scene] | None, lines: int) -> None:
        session = self._session
        if session.project is None:
            return
        request = request_for(session.project, session, named, scenes, self._limit)
        title = f"Polishing {counted(lines, 'line')} by {named.name}"
        try:
            self._polisher.polish(title, request, lines)
        except AdstudioError as error:
            session.messages.say(f"The polishing cannot be started: {error}.")
            return
        wanted = None if scenes is None else {scene.id for scene in scenes}
        self.rows.clear(lambda row: wanted is None or row.proposal.scene in wanted)
        self._asked, self._policy, self._said, self._touched = lines, session.project.policy, "", False
        self._failed, self._why = 0, ""
        session.messages.say(f"{title}. You can work on meanwhile.")
        self._show_plan()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason) if self.strip.start_button.hasFocus() else None

    def _stop(self) -> None:
        if self._polisher.busy:
            self._polisher.stop()
            self._show_plan()

    def _came(self, came: ScenePolished) -> None:
        self._check_policy()
        failed = [each for each in came.proposals if isinstance(each, Unpolished) and each.failed]
        self._failed += len(failed)
        self._why = came.why if failed else self._why
        self.rows.add(filter(is_shown, came.proposals), self._session.script.film)
        self._look()
        first = self.rows.next_open(0)
        # Scenes come in any order: until somebody goes through them, the first proposal of the film is in hand.
        if first is not None and not self._touched:
            self.table.setCurrentIndex(self.rows.index(first, 0))
            self._touched = False

    def _ended(self, answer: PolishFinished | Failed | None) -> None:
        match answer:
            case PolishFinished(stopped=False, halted=halted):
                self._said = summary(self.rows.counts(), self._asked - self._failed)
                why = (halted or self._why).rstrip(".")
                if self._failed:
                    self._said += f" {counted(self._failed, 'line')} could not be asked for: {why}."
                self._said += f" {as_sentence(self._polisher.noted)}"
            case Failed(message=sentence):
                self._said = as_sentence(sentence)
                log.warning("polishing: %s", sentence)
            case _:
                self._said = STOPPED
        self._said = self._said.strip()
        self._session.messages.say(self._said)
        self._look_at_limit()
        self._show_plan()

    def _check_policy(self) -> None:
        """Stop a run that the project's policy, which is another one now, may not allow any more."""
        project = self._session.project
        if self._polisher.busy and not self._polisher.stopping and (project is None or project.policy != self._policy):
            self._polisher.stop()
            self._session.messages.say(STOPPED_FOR_POLICY)

    def _go_on(self, what: str) -> None:
        """To the next open proposal; how many there are still is said."""
        self._touched = True
        following = self.rows.next_open(self.table.currentIndex().row() + 1)
        if following is None:
            self._session.messages.say(f"{what}. {THROUGH}")
            return
        self._session.messages.say(f"{what}; {self.count:,} open.")
        self.table.setCurrentIndex(self.rows.index(following, 0))

    def _refuse(self, row: ProposalRow | None) -> None:
        if row is None:
            self._session.messages.say("No proposal is in hand.")
        elif row.state is ProposalState.ACCEPTED:
            self._session.messages.say("It is accepted already; undo takes it back.")
        else:
            self._session.messages.say(row.remark)

    def _row(self) -> ProposalRow | None:
        place = self.table.currentIndex().row()
        return self.rows.rows[place] if 0 <= place < len(self.rows.rows) else None

    def _current_changed(self, current: QModelIndex) -> None:
        """The line in hand here is the line in hand everywhere, as long as the hand is here."""
        self._show_buttons()
        row = self.rows.rows[current.row()] if current.isValid() else None
        if row is None or not self.table.hasFocus():
            return
        self._touched = True
        if row.proposal.eventuality in self._session.script.eventuality_index:
            self._session.cursor.select_line(row.proposal.eventuality)

    def _scene_changed(self) -> None:
        """Another scene may be in hand; asked at every turn of the film, so it looks for that first."""
        if current_scene(self._session) is not self._scene and not self.is_unseen:
            self._count_lines()
            self._show_plan()

    def _rested(self, *, anew: bool = False) -> None:
        """Script or plan may be others; asked whenever the hand rests, answered where anybody sees it."""
        seen = (self._session.script, self._session.plan)
        if self.is_unseen and not self.rows.rows:
            self._seen = ()
            if anew:
                self._show_plan()
            return
        if not anew and self._seen and all(one is other for one, other in zip(seen, self._seen, strict=True)):
            return
        self._seen = seen
        self._count_lines()
        accepted = self._accepted()
        self._look()
        self._tell_undone(accepted, self._accepted())

    def _accepted(self) -> set[int]:
        return {place for place, row in enumerate(self.rows.rows) if row.state is ProposalState.ACCEPTED}

    def _tell_undone(self, before: set[int], now: set[int]) -> None:
        """Undo took back what was accepted, or redo accepts it again: that is said, and what is open again in hand."""
        if before == now or self.is_unseen:
            return
        back = sorted(place for place in before - now if self.rows.rows[place].state is ProposalState.OPEN)
        if back:
            self._session.messages.say(f"Not accepted any more; {self.count:,} open.")
            self.table.setCurrentIndex(self.rows.index(back[0], 0))
        elif now - before:
            self._session.messages.say(f"Accepted again; {self.count:,} open.")

    def _count_lines(self) -> None:
        scene = self._scene = current_scene(self._session)
        here = 0 if scene is None else lines_to_polish(self._session, [scene])
        self._lines = (here, lines_to_polish(self._session, None))

    def _look(self) -> None:
        """How the proposals stand, in the script and the plan as they are now."""
        session = self._session
        room = rooms(session.script, session.gaps, session.plan) if self.rows.rows else {}
        self.rows.compare(session.script, session.plan, room)
        self._show_plan()
        self.counted.emit(self.count)

    def _show_plan(self) -> None:
        busy = self._polisher.busy
        self._hindrance = self._hindered()
        way, place = self._hindrance, max(self.strip.which.currentIndex(), 0)
        self.strip.show_choices(f"{self._scene_name()} · {self._lines[SCENE]:,}", f"Whole film · {self._lines[FILM]:,}")
        self.strip.show_state(
            busy=busy,
            stopping=self._polisher.stopping,
            ready=way is None and self._lines[place] > 0,
            way_out="" if way is None else way.button,
        )
        self._show_buttons()
        self._show_progress()

    def _hindered(self) -> Obstacle | None:
        """What keeps the chosen model from being asked."""
        return hindrance(self._session.project, self.strip.model.named) or self._over

    @property
    def _limit(self) -> int | None:
        project = self._session.project
        identity = "" if project is None else project.identity
        return limit_for(self._desk.preferences, identity, self.strip.model.named)

    def _look_at_limit(self) -> None:
        self._over = over_limit(self._session.script, self._limit)

    def _scene_name(self) -> str:
        scenes, scene = self._session.script.scenes, self._scene
        if scene is None or scene not in scenes:
            return "This scene"
        return scene.title or f"Scene {scenes.index(scene) + 1}"

    def _show_buttons(self) -> None:
        row = self._row()
        self.strip.show_row(None if row is None else row.state, some=bool(self.rows.rows))

    def _show_progress(self) -> None:
        polisher, way = self._polisher, self._hindrance
        if polisher.busy:
            text = "Stopping…" if polisher.stopping else progress_words(polisher.done, self._asked, polisher.usage)
        elif self.rows.rows:
            text = summary(self.rows.counts())
            text += f" · {self._failed:,} could not be asked for: {self._why}" if self._failed else ""
        elif way is not None:
            text = way.sentence
        else:
            text = self._said or (READY if self._lines[max(self.strip.which.currentIndex(), 0)] else NOTHING_LEFT)
        self.strip.progress.show_text(text)
        # What keeps a model from being asked is no fault: it is said as the drafts’ tab says it.
        tone(self.strip.progress, quiet=polisher.busy or bool(self.rows.rows) or way is None)
        self.bar.setRange(0, 0 if polisher.busy and not polisher.done else STEPS)
        self.bar.setValue(round(STEPS * polisher.done / self._asked) if self._asked else 0)
        self.bar.setVisible(polisher.busy)
        self.bar.setAccessibleDescription(text)

    def _go_out(self) -> None:
        """To what leads out of what keeps a model from being asked."""
        if self._hindrance is not None and self._hindrance.limit:
            self.limit_asked.emit()
            return
        if self._hindrance is not None and self._hindrance.page:
            self._open_models(self._hindrance.page)
        self.renew()

    def _forget(self) -> None:
        """Another project is open, or none."""
        self._polisher.forget()
        self.rows.clear()
        self._said, self._asked = "", 0
        self.strip.which.setCurrentIndex(SCENE)
        self.renew()
