"""Polished lines: a model is asked about a scene or the film, and the describer accepts its proposals one by one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from operator import is_

from PySide6.QtCore import QModelIndex, Qt, Signal

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Policy
from adstudio.core.script import Scene
from adstudio.drafting.events import Failed
from adstudio.drafting.polish.events import PolishFinished
from adstudio.drafting.polish.proposals import Polished, ScenePolished
from adstudio.drafting.polish.time_budget import rooms
from adstudio.store.project import ProjectFile
from adstudio.ui.commands.scenes import current_scene
from adstudio.ui.drafts.model_panel import ModelPanel, PanelTexts
from adstudio.ui.drafts.model_request import Obstacle, OpenModels, limit_key, over_limit
from adstudio.ui.polish.polish_process import (
    PolishProcess,
    find_obstacle,
    lines_to_polish,
    progress_words,
    request_for,
    take,
)
from adstudio.ui.polish.proposal_table import (
    ACCEPT,
    HEAR,
    LEAVE,
    ProposalRow,
    ProposalsModel,
    ProposalState,
    ProposalTable,
    is_shown,
    summary,
)
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import RETURN, Button
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import as_sentence, counted
from adstudio.ui.widgets.theme import UNIT

log = logging.getLogger(__name__)

SCENE, FILM = range(2)
NOTHING_LEFT = "Every spoken line here is worded, accepted or chosen by you already."
READY = "The lines are written again as whole sentences, each within its time. Words alone are sent, no pictures."
NO_SCENE = "No scene is current: select one, or go to it in the film."
STOPPED = "Stopped; results so far are kept for the next time."
STOPPED_FOR_POLICY = "Polishing stopped: the sharing policy changed."
THROUGH = "No proposal is open any more."
UNDECIDED = (ProposalState.OPEN, ProposalState.LEFT)
TEXTS = PanelTexts(
    model_tip="The model to be asked; it is sent words alone: the lines, and the dialogue around them",
    which="Lines to polish",
    which_tip="Lines that you have worded, accepted or chosen the wording of stay as they are",
    start="Polish",
    start_tip="Have the model rewrite these lines, each within its time",
    progress="Polishing status",
    bar="Lines polished",
)


class PolishPanel(ModelPanel):
    """The proposals below, what is asked for above; `counted` are the proposals that wait for the describer."""

    front_asked = Signal()
    """It is to be shown, with the focus."""
    hear_asked = Signal(str)
    """This text is to be spoken."""
    limit_asked = Signal()
    """The describer wants to change how much the film may cost."""

    def __init__(self, context: Context, open_models: OpenModels) -> None:
        super().__init__(context, open_models, TEXTS)
        self._over: Obstacle | None = None
        """That the film has cost what it may: checked when something is to be asked, or the tab comes into sight."""
        self._seen: tuple[object, ...] = ()
        self._scene: Scene | None = None
        self._lines = (0, 0)
        self._policy, self._said, self._touched = Policy(), "", False
        self._polisher = PolishProcess(context.jobs, self)
        self._polisher.polished.connect(self._add_proposals)
        self._polisher.spent.connect(self._show_progress)
        self._polisher.ended.connect(self._ended)
        self.rows = ProposalsModel(self)
        keys = {ACCEPT: self.accept, LEAVE: self.leave, HEAR: self.hear, **dict.fromkeys(RETURN, self.go)}
        self.table = ProposalTable(context.theme, self.rows, keys)
        self.table.doubleClicked.connect(lambda _: self.go())
        self.table.selectionModel().currentRowChanged.connect(self._current_changed)
        self.setFocusProxy(self.table)
        self.accept_button = Button("Accept", self.accept, "Take the proposal over (A)", "Accept the proposal")
        self.leave_button = Button("Leave", self.leave, "Keep the line as it is (X)", "Leave the line as it is")
        self.hear_button = Button("Hear", self.hear, "Speak the polished line (H)", "Hear the polished line")
        self._on_row = (self.accept_button, self.leave_button, self.hear_button)
        self.which.setMinimumWidth(44 * UNIT)
        self.header.lines.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        asked = (self.model, self.which, self.start_button, self.stop_button)
        self.header.fill(asked, self.progress, (self.out_button, *self._on_row))
        self.setLayout(column(self.header, self.bar, self.table, spacing=0))
        session = context.session
        session.opened.connect(self._forget)
        session.idle.turn().connect(self._follow_changes)
        session.cursor.selection_changed.connect(self._scene_changed)
        session.cursor.playhead_moved.connect(lambda _: self._scene_changed())
        session.storage.models_changed.connect(self.renew)
        context.preferences.changed.connect(self._preference_changed)
        context.theme.changed.connect(self.table.viewport().update)
        is_open = lambda: session.project is not None  # noqa: E731 - a predicate to pass on
        context.actions.connect("plan.polish", self.front_asked.emit, is_open)
        can = lambda: is_open() and current_scene(session) is not None  # noqa: E731 - a predicate to pass on
        context.actions.connect("scene.polish", self.polish_scene, can)
        self._forget()

    @property
    def count(self) -> int:
        """Proposals that wait for the describer."""
        return self.rows.counts().get(ProposalState.OPEN, 0)

    def renew(self) -> None:
        """Read everything again: the known models, the policy, the state of the proposals."""
        self.model.read()
        self._check_policy()
        self._check_limit()
        self._seen = ()
        self._follow_changes(anew=True)

    def _preference_changed(self, name: str) -> None:
        project = self._session.project
        if name == "model" or (project is not None and name == limit_key(project.identity)):
            self.renew()

    def choice_changed(self) -> None:
        """Another model was chosen, or other lines."""
        self._check_limit()
        self._show_plan()

    def open_limit(self) -> None:
        """Let the describer change how much the film may cost."""
        self.limit_asked.emit()

    def start(self) -> None:
        """Polish what is chosen."""
        if self.which.currentIndex() == FILM:
            self._start(None)
        elif (scene := current_scene(self._session)) is not None:
            self._start([scene])
        else:
            self._session.messages.say(NO_SCENE)

    def polish_scene(self) -> None:
        """Polish the current scene, and show the result."""
        scene = current_scene(self._session)
        self.front_asked.emit()
        if scene is not None:
            self._start([scene])

    def accept(self) -> None:
        """Accept the current proposal, and go on to the next one."""
        row = self._row()
        if row is None or not isinstance(row.proposal, Polished) or row.state not in UNDECIDED:
            self._refuse(row)
            return
        why = take(self._session, row.proposal)
        row.left = False
        self._compare()
        if why:
            self._session.messages.say(why)
        else:
            self._select_next("Accepted")

    def leave(self) -> None:
        """Leave the current line as it is, and go on to the next one; a second time reopens the proposal."""
        row = self._row()
        if row is None or row.state not in UNDECIDED:
            self._refuse(row)
            return
        row.left = not row.left
        self._compare()
        if row.left:
            self._select_next("Left as it is")
        else:
            self._session.messages.say("The proposal is open again.")

    def hear(self) -> None:
        """Speak the current proposal, or the line where there is none."""
        row = self._row()
        if row is not None:
            proposal = row.proposal
            self.hear_asked.emit(proposal.text if isinstance(proposal, Polished) else proposal.before)

    def go(self) -> None:
        """Go to the current line, and to where it is spoken."""
        row = self._row()
        if row is not None and row.proposal.eventuality in self._session.script.eventuality_index:
            self._session.cursor.select_line(row.proposal.eventuality, go=True)

    def _start(self, scenes: Sequence[Scene] | None) -> None:
        session = self._session
        session.flush()
        self.model.read()
        project, named = session.project, self.model.named
        self._check_limit()
        way, lines = self._find_obstacle(), lines_to_polish(session, scenes)
        if self._polisher.busy:
            session.messages.say("A model is polishing already: wait for it, or stop it.")
        elif way is not None or named is None or project is None:
            self._show_plan()
            session.messages.say("" if way is None else way.sentence)
        elif not lines:
            session.messages.say(NOTHING_LEFT)
        else:
            self._ask(project, named, scenes, lines)

    def _ask(self, project: ProjectFile, named: SavedConnection, scenes: Sequence[Scene] | None, lines: int) -> None:
        session = self._session
        request = request_for(project, session, named, scenes, self.limit)
        title = f"Polishing {counted(lines, 'line')} by {named.name}"
        try:
            self._polisher.polish(title, request, lines)
        except AdstudioError as error:
            session.messages.say(f"Polishing cannot be started: {error}.")
            return
        wanted = None if scenes is None else {scene.id for scene in scenes}
        self.rows.clear(lambda row: wanted is None or row.proposal.scene in wanted)
        self._policy, self._said, self._touched = project.policy, "", False
        session.messages.say(f"{title}. You can work on meanwhile.")
        self._show_plan()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason) if self.start_button.hasFocus() else None

    def stop(self) -> None:
        """Ask the run to end; what has come is kept."""
        if self._polisher.busy:
            self._polisher.stop()
            self._show_plan()

    def _add_proposals(self, polished: ScenePolished) -> None:
        self._check_policy()
        self.rows.add(filter(is_shown, polished.proposals), self._session.script.film)
        self._compare()
        first = self.rows.next_open(0)
        # Scenes come in any order: until somebody goes through them, the first proposal of the film is selected.
        if first is not None and not self._touched:
            self.table.setCurrentIndex(self.rows.index(first, 0))
            self._touched = False

    def _ended(self, answer: PolishFinished | Failed | None) -> None:
        polisher = self._polisher
        match answer:
            case PolishFinished(stopped=False, halted=halted):
                self._said = summary(self.rows.counts(), polisher.lines - polisher.failed)
                why = (halted or polisher.why_failed).rstrip(".")
                if polisher.failed:
                    self._said += f" {counted(polisher.failed, 'line')} could not be asked for: {why}."
                self._said += f" {as_sentence(polisher.noted)}"
            case Failed(message=sentence):
                self._said = as_sentence(sentence)
                log.warning("polishing: %s", sentence)
            case _:
                self._said = STOPPED
        self._said = self._said.strip()
        self._session.messages.say(self._said)
        self._check_limit()
        self._show_plan()

    def _check_policy(self) -> None:
        """Stop a run that the project's policy, which has changed since, may no longer allow."""
        project = self._session.project
        if self._polisher.busy and not self._polisher.stopping and (project is None or project.policy != self._policy):
            self._polisher.stop()
            self._session.messages.say(STOPPED_FOR_POLICY)

    def _select_next(self, what: str) -> None:
        """Go to the next open proposal, and say how many are left."""
        self._touched = True
        following = self.rows.next_open(self.table.currentIndex().row() + 1)
        if following is None:
            self._session.messages.say(f"{what}. {THROUGH}")
            return
        self._session.messages.say(f"{what}; {self.count:,} open.")
        self.table.setCurrentIndex(self.rows.index(following, 0))

    def _refuse(self, row: ProposalRow | None) -> None:
        if row is None:
            self._session.messages.say("No proposal is selected.")
        elif row.state is ProposalState.ACCEPTED:
            self._session.messages.say("It is accepted already; undo takes it back.")
        else:
            self._session.messages.say(row.remark)

    def _row(self) -> ProposalRow | None:
        place = self.table.currentIndex().row()
        return self.rows.rows[place] if 0 <= place < len(self.rows.rows) else None

    def _current_changed(self, current: QModelIndex) -> None:
        """The current line here is the current line everywhere, as long as the focus is here."""
        self._show_buttons()
        row = self.rows.rows[current.row()] if current.isValid() else None
        if row is None or not self.table.hasFocus():
            return
        self._touched = True
        if row.proposal.eventuality in self._session.script.eventuality_index:
            self._session.cursor.select_line(row.proposal.eventuality)

    def _scene_changed(self) -> None:
        """Another scene may be current; called whenever the playhead moves, so it checks for that first."""
        if current_scene(self._session) is not self._scene and not self.is_unseen:
            self._count_lines()
            self._show_plan()

    def _follow_changes(self, *, anew: bool = False) -> None:
        """Follow changes of script and plan; called whenever the describer pauses, skipped while unseen."""
        seen = (self._session.script, self._session.plan)
        if self.is_unseen and not self.rows.rows:
            self._seen = ()
            if anew:
                self._show_plan()
            return
        if not anew and self._seen and all(map(is_, seen, self._seen)):
            return
        self._seen = seen
        self._count_lines()
        accepted = self._accepted()
        self._compare()
        self._announce_undone(accepted, self._accepted())

    def _accepted(self) -> set[int]:
        return {place for place, row in enumerate(self.rows.rows) if row.state is ProposalState.ACCEPTED}

    def _announce_undone(self, before: set[int], now: set[int]) -> None:
        """Undo reopened what was accepted, or redo accepted it again: say so, and select what is open again."""
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

    def _compare(self) -> None:
        """Compare the proposals with the script and the plan as they are now."""
        session = self._session
        room = rooms(session.script, session.gaps, session.plan) if self.rows.rows else {}
        self.rows.compare(session.script, session.plan, room)
        self._show_plan()
        self.counted.emit(self.count)

    def _show_plan(self) -> None:
        way = self._find_obstacle()
        place = self.show_choices(
            (f"{self._scene_name()} · {self._lines[SCENE]:,}", f"Whole film · {self._lines[FILM]:,}")
        )
        ready = way is None and self._lines[place] > 0
        self.show_run(busy=self._polisher.busy, stopping=self._polisher.stopping, ready=ready, way_out=way)
        self._show_buttons()
        self._show_progress()

    def _find_obstacle(self) -> Obstacle | None:
        """What keeps the chosen model from being asked."""
        return find_obstacle(self._session.project, self.model.named) or self._over

    def _check_limit(self) -> None:
        self._over = over_limit(self._session.script, self.limit)

    def _scene_name(self) -> str:
        scenes, scene = self._session.script.scenes, self._scene
        if scene is None or scene not in scenes:
            return "This scene"
        return scene.title or f"Scene {scenes.index(scene) + 1}"

    def _show_buttons(self) -> None:
        """What can be done with the current proposal."""
        row = self._row()
        state = None if row is None else row.state
        for button in self._on_row:
            button.setVisible(bool(self.rows.rows))
            button.setEnabled(state in UNDECIDED)
        self.hear_button.setEnabled(state is not None)
        left = state is ProposalState.LEFT
        self.leave_button.setText("Open again" if left else "Leave")
        self.leave_button.setAccessibleName("Open the proposal again" if left else "Leave the line as it is")

    def _show_progress(self) -> None:
        polisher, way = self._polisher, self._way_out
        busy, done, lines = polisher.busy, polisher.done, polisher.lines
        if busy:
            text = "Stopping…" if polisher.stopping else progress_words(done, lines, polisher.usage)
        elif self.rows.rows:
            text = summary(self.rows.counts())
            text += f" · {polisher.failed:,} could not be asked for: {polisher.why_failed}" if polisher.failed else ""
        elif way is not None:
            text = way.sentence
        else:
            text = self._said or (READY if self._lines[max(self.which.currentIndex(), 0)] else NOTHING_LEFT)
        # What keeps a model from being asked is no fault: it is said as the drafts’ tab says it.
        quiet = busy or bool(self.rows.rows) or way is None
        self.show_progress(text, quiet=quiet, share=None if busy and not done else done / max(lines, 1))
        self.bar.setVisible(busy)

    def _forget(self) -> None:
        """Another project is open, or none."""
        self._polisher.forget()
        self.rows.clear()
        self._said = ""
        self.which.setCurrentIndex(SCENE)
        self.renew()
