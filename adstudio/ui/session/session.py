"""The session: one open project, its proven plan, the selection and the playhead. Every panel listens to it.

`do`, `undo`, `redo` and what is made of them change the script and, within the same call, its plan; then `changed`
tells everybody. Looking, playing and selecting never change the document (DESIGN 3.5).
"""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, SignalInstance

from adstudio.core.document import Change, Document
from adstudio.core.errors import AdstudioError, BadInputError, Oddity
from adstudio.core.plan import Plan
from adstudio.core.policy import Policy, film_identity
from adstudio.core.script import Eventuality, Film, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.ids import Ids
from adstudio.editing.revert import revert
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Outcome
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.background.idle_scheduler import Rest
from adstudio.ui.session.change_event import News
from adstudio.ui.session.current_plan import PlanAtHand
from adstudio.ui.session.deferred_announcements import Telling
from adstudio.ui.session.project_storage import OnDisk
from adstudio.ui.session.selection import NOTHING, Kind, Selection, still_there, touched_by
from adstudio.ui.session.typing_runs import Bouts
from adstudio.ui.session.unwritten_steps import Unwritten

log = logging.getLogger(__name__)


class Session(QObject):
    """Holds the document and says what becomes of it; its plan, file, telling and rest are objects of their own."""

    opening = Signal()
    """A project is about to be shown: whoever shows it is to be there by then."""
    opened = Signal()
    """Another document is open; everything shown is out of date."""
    replanned = Signal(object)
    """News, before `changed`: for what answers the hand at once. The timeline is painted before the other panels work
    out what they have to show (DESIGN section 8)."""
    changed = Signal(object)
    """News: the script or its plan is another."""
    told = Signal(object)
    """News, after `changed`: for what puts it in words. Later where no hand waits for it."""
    proved = Signal()
    """Of the plan that is shown more is known, or less; the plan is the same."""
    selection_changed = Signal()
    playhead_moved = Signal(int)
    seek_asked = Signal(int)
    """Somebody wants the film to stand at this time (ms); the player answers by moving the playhead."""
    saved_changed = Signal()
    """The star in the title may have come or gone, or the file has another name."""
    unwritten_changed = Signal()
    """Steps are not on the disk, more or fewer of them, or all are again."""
    models_changed = Signal()
    """What may be sent of this project to models is another, or which models are known here; no step of the script."""
    said = Signal(str)
    """A sentence for the describer: shown in the status line and announced to a screen reader."""
    reason_told = Signal(object)
    """Reason: why a line is in or out, where that took CP-SAT; of the state that is there now."""
    flush_asked = Signal()
    """What is being typed in some field is to be taken now, for the script is about to be saved or handed in."""
    flushed = Signal()
    """What was being typed has been taken."""
    text_given_up = Signal(str)
    """Escape was pressed in the text of a line that had no words when the hand came to it."""
    rested = Signal()
    """The hand rests: what is not urgent may be done. What takes more than a moment asks for a `turn_at_rest`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        self._engines = Engines()
        self._disk = OnDisk(self)
        self._disk.unwritten_changed.connect(self.unwritten_changed)
        self._disk.saved.connect(self.saved_changed)
        self._disk.policy_changed.connect(self.models_changed)
        self._disk.said.connect(self.say)
        self._disk.failed.connect(self.report)
        self._telling = Telling(self)
        self._telling.turn().connect(self.told)
        self._rest = Rest(self._settle_some, self._disk.tidy, self)
        # After a save under another name the journal hears of a step later than this session does.
        self._rest.came.connect(self._disk.look)
        self._rest.came.connect(self.rested)
        self._take(Document(Script(Film("", 0))), None)

    def open_project(self, project: ProjectFile, at: RestorePoint = RestorePoint.LAST_STEP) -> None:
        """Work on a project that was just opened, from its last step or its last save."""
        self.opening.emit()
        self.close_project()
        self._take(self._disk.document_of(project, at), project)
        for oddity in project.oddities:
            self.say(oddity.what)

    def go_on_in(self, project: ProjectFile) -> None:
        """Save as: the same document, from now on kept in another file that was just written from it."""
        self._disk.go_on_in(project, self.document)

    def close_project(self) -> None:
        """Let the file go; unsaved steps stay in it unless `discard` was called before."""
        if self._disk.let_go():
            self._take(Document(Script(Film("", 0))), None)

    @property
    def project(self) -> ProjectFile | None:
        """The open file; None on the welcome page."""
        return self._disk.project

    @property
    def script(self) -> Script:
        """The script as it stands."""
        return self.document.script

    @property
    def plan(self) -> Plan:
        """The plan as it is shown."""
        return self._planned.outcome.plan

    @property
    def outcome(self) -> Outcome:
        """The plan as it is shown, and what is known of it."""
        return self._planned.outcome

    @property
    def planner(self) -> FilmPlanner:
        """Who planned it, and answers questions about it."""
        return self._planned.planner

    @property
    def revision(self) -> int:
        """The number of the present state."""
        return self.document.revision

    @property
    def gaps(self) -> tuple[Span, ...]:
        """The free stretches of the film."""
        return self._planned.found.gaps

    def do(self, step: Step | None) -> bool:
        """Take a step and plan anew; nothing happens for None."""
        if step is None:
            return False
        self._amendable = None
        self.document.apply(step)
        return True

    def turn_of_telling(self) -> SignalInstance:
        """News, as `told` brings it, but in a turn of its own: for what takes more than a moment to show it.

        What the hand may come to before it is told calls `catch_up` first.
        """
        return self._telling.turn()

    def catch_up(self) -> None:
        """Tell now what has come in and is still to be told."""
        self._telling.catch_up()

    def look_ahead(self, step: Step) -> None:
        """A bite of planning the state that a step would lead to, so that taking it is little work.

        Nothing has changed by it; once `ahead` is the step, all of it is done.

        Raises:
            StepError: when the step does not fit.
        """
        self._planned.look_ahead(step)

    @property
    def ahead(self) -> Step | None:
        """The step whose outcome is known already."""
        return self._planned.ahead

    def attempt(self, make: Callable[[Script], Step | None], *, amends: str = "") -> bool:
        """Make a step from the script and take it; a refusal is said, not raised. Tells whether anything changed.

        Steps that follow each other with the same `amends` (typing in one field) are one in the undo list, unless
        the project was saved in between: the last one is taken back first, and `make` gets the script without it.
        """
        went_back = self.goes_on(amends) and self._quietly(Document.undo)
        refused = False
        try:
            step = make(self.script)
        except BadInputError as error:
            step, refused = None, True
            self.say(str(error))
        if step is None:
            return went_back and self._quietly(Document.redo) and not refused and self._withdraw(amends)
        self.document.apply(step)
        self._amendable = (amends, self.revision) if amends else None
        self._bouts.took(amends, step, instead=went_back)
        return True

    def give_up(self, amends: str) -> bool:
        """Typing in one field is cancelled: what its steps changed is as it was before the first of them.

        Whatever else was done since stays. The last step goes without a trace where it is the document's last too; what
        is left is put back by a step. Nothing can be redone by it. Tells whether anything changed.
        """
        withdrawn = self.goes_on(amends) and self._withdraw(amends)
        return self.do(revert(self.script, self._bouts.end(amends))) or withdrawn

    def goes_on(self, amends: str) -> bool:
        """Whether a step of that name would be one with the last: the same bout, and not saved since."""
        return bool(amends) and self._amendable == (amends, self.revision) and self.document.changed

    def undo(self) -> bool:
        """Take the last step back, its plan with it; what it had changed is selected."""
        return self._travelled(self.document.undo(), self.document.future[:1])

    def redo(self) -> bool:
        """Bring the last undone step back; what it changes is selected."""
        return self._travelled(self.document.redo(), self.document.past[-1:])

    def save(self) -> bool:
        """Move the mark; False, and said, where it could not be written."""
        self.flush()
        return self._disk.save()

    @property
    def unwritten(self) -> Unwritten:
        """The steps that the disk does not have."""
        return self._disk.unwritten

    def set_policy(self, policy: Policy) -> bool:
        """Change what may be sent of this project, and where: at once, and no undo changes it back.

        False, and said, where it could not be written; then it is what it was.
        """
        return self._disk.set_policy(policy)

    def write_again(self) -> bool:
        """Try once more to bring the steps to the disk that it refused; tells whether it has them all."""
        return self._disk.write_again()

    def flush(self) -> None:
        """Take what is being typed, wherever that is."""
        self.flush_asked.emit()
        self.flushed.emit()

    def say(self, sentence: str) -> None:
        """Tell the describer something."""
        self.said.emit(sentence)

    def report(self, error: AdstudioError) -> None:
        """Tell the describer what went wrong, and write it down."""
        log.warning("%s", error)
        self.say(str(error))

    @property
    def selection(self) -> Selection:
        """What is selected."""
        return self._selection

    def select(self, selection: Selection) -> None:
        """Select something else."""
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit()

    def select_again(self, selection: Selection) -> None:
        """Select what was selected before, as far as it is still there."""
        self.select(still_there(selection, self.script, self.gaps))

    def select_line(self, identity: str, *, go: bool = False) -> None:
        """Select one line, and with `go` bring the playhead to where it is spoken, or happens."""
        self.select(Selection(Kind.LINE, (identity,)))
        if go:
            delivery = self.plan.by_element.get(identity)
            where = self.script.eventuality(identity).occurrence if delivery is None else delivery
            if where is not None:
                self.seek(where.start)

    @property
    def line(self) -> Eventuality | None:
        """The current line, if one is selected."""
        current = self._selection.lines()[-1:]
        return self.script.eventuality(current[0]) if current else None

    @property
    def playhead(self) -> int:
        """Where the film stands, in milliseconds."""
        return self._playhead

    def seek(self, ms: int) -> None:
        """Ask for the film to stand at a time."""
        self.seek_asked.emit(max(0, min(ms, self.script.film.end)))

    def show_playhead(self, ms: int) -> None:
        """The player says where the film stands."""
        if ms != self._playhead:
            self._playhead = ms
            self.playhead_moved.emit(ms)

    @property
    def marks(self) -> tuple[int | None, int | None]:
        """The marked stretch, in and out; either may be missing."""
        return self._marks

    @property
    def at_rest(self) -> bool:
        """Whether the hand has done nothing for a while, and what waited for that has been done."""
        return self._rest.is_there

    def turn_at_rest(self) -> SignalInstance:
        """A signal that is emitted whenever the hand rests, after `rested`, in a turn of its own."""
        return self._rest.turn()

    def mark(self, start: int | None, end: int | None) -> None:
        """Mark a stretch."""
        if (start, end) != self._marks:
            self._marks = (start, end)
            self.selection_changed.emit()

    def gap_at(self, ms: int) -> Span | None:
        """The gap that a time lies in."""
        place = bisect_right(self.gaps, ms, key=lambda gap: gap.start) - 1
        return self.gaps[place] if place >= 0 and ms <= self.gaps[place].end else None

    def accept_outcome(self, outcome: Outcome) -> None:
        """A background answer changed the plan of the present revision, or what is known of it."""
        if outcome.shows_as(self.outcome):
            self._planned.keep(outcome)
            self.proved.emit()
        else:
            self._show(self._planned.news_of(outcome))

    def use(self, engines: Engines) -> None:
        """Plan with other engines, or another limit, from now on."""
        if engines != self._engines:
            self._engines = engines
            self.accept_outcome(self.planner.use(engines))

    def plan_again(self) -> None:
        """Plan from cold, and ask for every second opinion anew."""
        self.accept_outcome(self._planned.from_cold(self._engines))

    @property
    def dialogue_oddities(self) -> tuple[Oddity, ...]:
        """What is odd about the cues."""
        return (*self._planned.found.oddities, *self._planned.found.outside)

    def _take(self, document: Document, project: ProjectFile | None) -> None:
        self._rest.stop()
        self._telling.forget()
        self.document = document
        self.ids = Ids(document.script, (*document.past, *document.future))
        self._selection, self._playhead = NOTHING, 0
        self._marks: tuple[int | None, int | None] = None, None
        self._amendable: tuple[str, int] | None = None
        self._bouts = Bouts()
        self._planned = PlanAtHand(document, self._engines)
        document.subscribe(self._heard)
        self._disk.hold(project)
        self.opened.emit()
        self.saved_changed.emit()
        self._rest.begin()

    def _heard(self, change: Change) -> None:
        if self._quiet:
            return
        other_film = film_identity(self.script.film) != film_identity(self._planned.script.film)
        self._show(self._planned.follow(change))
        if other_film:
            # What may be sent was said of the film before.
            self.models_changed.emit()
        self._disk.look()
        self._rest.begin()

    def _show(self, news: News) -> None:
        self._telling.catch_up()
        before = self.plan
        self._planned.keep(news.outcome)
        self._selection = still_there(self._selection, self.script, self.gaps)
        self.replanned.emit(news)
        self.changed.emit(news)
        self._telling.tell(news)
        if before is not self.plan:
            before.drop_caches()
        self.saved_changed.emit()

    def _settle_some(self) -> bool:
        return self.planner.settle_some()

    def _travelled(self, moved: bool, steps: tuple[Step, ...]) -> bool:
        """After undo or redo the hand goes on where the change was."""
        for step in steps if moved else ():
            touched = touched_by(step, self.script)
            if touched != NOTHING:
                self.select(touched)
        return moved

    def _withdraw(self, amends: str) -> bool:
        """Take the last step of a bout back, that nobody undid: nothing is left to be redone."""
        self._bouts.withdrew(amends)
        return self.document.withdraw()

    def _quietly(self, travel: Callable[[Document], bool]) -> bool:
        """Undo or redo without planning, since more follows at once."""
        self._quiet = True
        try:
            return travel(self.document)
        finally:
            self._quiet = False
