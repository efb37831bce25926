"""The session: one open project. It ties document, plan, cursor and project file together; panels use these parts.

A step changes the script and, within the same call, its plan; then `current_plan.changed` tells everybody.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from adstudio.core.document import Change, Document
from adstudio.core.film import Film
from adstudio.core.narration import Lengths, VoiceSettings
from adstudio.core.plan import Plan
from adstudio.core.policy import film_identity
from adstudio.core.script import Script
from adstudio.core.steps import Several
from adstudio.core.timebase import Span
from adstudio.editing.measured_lengths import hold_approved
from adstudio.planning.film.room import Rooms
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.background.idle_scheduler import IdleScheduler
from adstudio.ui.session.current_plan import ChangeEvent, CurrentPlan
from adstudio.ui.session.cursor import Cursor
from adstudio.ui.session.edits import Edits
from adstudio.ui.session.messages import Messages
from adstudio.ui.session.project_storage import ProjectStorage
from adstudio.ui.session.reading import Reading

HELD = "held where lengths would have moved them"
"""The steps by which approved lines are held while measured lengths arrive are one in the undo list."""


class Session(QObject):
    """Opens and closes projects, and keeps its parts in step with each other.

    Attributes:
        messages: sentences for the describer.
        edits: the document and the ways to change it.
        current_plan: the plan on display.
        cursor: selection, marked region and playhead.
        storage: the project file.
        idle: deferred work.
        reading: whether a screen reader is asking.
        first_seen: when a face of each person (id) is first found in the film (ms), as far as that is known.
    """

    opening = Signal()
    """A project is about to be shown: whoever shows it has to exist by then."""
    opened = Signal()
    """Another document is open; everything on display is out of date."""
    closing = Signal()
    """The project is about to be closed; everything on display is still its own."""
    flush_asked = Signal()
    """Take what is being typed in any field now: the script is about to be saved or exported."""
    flushed = Signal()
    """What was being typed has been taken."""

    faces_known = Signal()
    """`first_seen` has changed."""

    lengths_held = Signal(object)
    """Restoration: approved lines that measured lengths would have moved, and which of them are locked now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.messages = Messages(self)
        self.reading = Reading(self)
        self.first_seen: Mapping[str, int] = {}
        self.storage = ProjectStorage(self.messages, self)
        self.edits = Edits(self.messages, self._changed, self)
        self.current_plan = CurrentPlan(self.edits.document, self._show, self)
        self.cursor = Cursor(self.edits, self.current_plan, self)
        settle = lambda: self.current_plan.planner.settle_some()  # noqa: E731, PLW0108 - each document has a planner of its own
        self.idle = IdleScheduler(settle, self.storage.tidy, self)
        # After a save under another name the journal learns of a step later than this session does.
        self.idle.became_idle.connect(self.storage.check_written)
        self._take(self.edits.document, None)

    @property
    def project(self) -> ProjectFile | None:
        """The open file; None on the welcome page."""
        return self.storage.project

    @property
    def script(self) -> Script:
        """The script at present."""
        return self.edits.script

    @property
    def plan(self) -> Plan:
        """The plan on display."""
        return self.current_plan.plan

    @property
    def gaps(self) -> tuple[Span, ...]:
        """The gaps of the film."""
        return self.current_plan.gaps

    @property
    def rooms(self) -> Rooms:
        """How long each line may last, and where, with the others as they are planned."""
        return Rooms(self.script, self.current_plan.planner.problem, self.plan)

    def open_project(self, project: ProjectFile, at: RestorePoint = RestorePoint.LAST_STEP) -> None:
        """Work on a project that was just opened, from its last step or its last save."""
        self.opening.emit()
        self.close_project()
        self._take(self.storage.document_of(project, at), project)
        for oddity in project.oddities:
            self.messages.say(oddity.what)

    def go_on_in(self, project: ProjectFile) -> None:
        """Save as: the same document, from now on in another file that was just written from it."""
        self.storage.go_on_in(project, self.edits.document)

    def close_project(self) -> None:
        """Close the file; unsaved steps stay in it unless `discard` was called before."""
        if self.project is not None:
            self.closing.emit()
        if self.storage.close():
            self._take(Document(Script(Film("", 0))), None)

    def refresh_lengths(self, lengths: Lengths) -> None:
        """Plan on what is known now of how long the voice speaks; lines that a person has approved stay where they are.

        Nothing is undone by that and nothing becomes unsaved, unless approved lines have to be locked: all of them in
        one step, however often lengths arrive. Once that was undone, none are locked again for the same voice.
        """
        before = self.script, self.plan
        self.edits.document.refresh_lengths(lengths)
        event = self.current_plan.follow_lengths()
        held, planner = None, self.current_plan.planner
        if self._released_for != self.script.voice:
            earlier = self._held if self.edits.goes_on(HELD) else None
            held = hold_approved(self.script, self.gaps, planner, before, earlier)
        if held is not None and held.step is not None:
            self._held = held.step
            self.edits.attempt(lambda _: self._held, amends=HELD)
        else:
            self._show(event)
            self.idle.begin()
        if held is not None:
            self.lengths_held.emit(held)

    def undo(self) -> bool:
        """Undo the last step and its change of the plan; what it had changed is selected."""
        document = self.edits.document
        if self._held is not None and document.past[-1:] == (self._held,):
            self._released_for = self.script.voice
        moved = document.undo()
        self.cursor.select_touched(document.future[:1] if moved else ())
        return moved

    def redo(self) -> bool:
        """Bring the last undone step back; what it changes is selected."""
        document = self.edits.document
        moved = document.redo()
        if document.past[-1:] == (self._held,):
            self._released_for = None
        self.cursor.select_touched(document.past[-1:] if moved else ())
        return moved

    def save(self) -> bool:
        """Save what was done; False, and said, where it could not be written."""
        self.flush()
        return self.storage.save()

    def flush(self) -> None:
        """Take what is being typed, wherever that is."""
        self.flush_asked.emit()
        self.flushed.emit()

    def _take(self, document: Document, project: ProjectFile | None) -> None:
        self.idle.stop()
        self.edits.open(document)
        self._held: Several | None = None
        """The last step by which approved lines were held."""
        self._released_for: VoiceSettings | None = None
        """The voice for which the describer undid that: its lengths may move approved lines."""
        self.cursor.reset()
        is_last = project is not None and len(project.unsaved_steps) == len(document.past)
        self.current_plan.open(document, project.saved_plan if project is not None and is_last else None)
        self.edits.follow()
        self.storage.hold(project)
        self.opened.emit()
        self.storage.saved_changed.emit()
        self.idle.begin()

    def _changed(self, change: Change) -> None:
        other_film = film_identity(self.script.film) != film_identity(self.current_plan.planned_script.film)
        self._show(self.current_plan.follow(change))
        if other_film:
            # The sharing policy was agreed for the film before.
            self.storage.models_changed.emit()
        self.storage.check_written()
        self.idle.begin()

    def _show(self, event: ChangeEvent) -> None:
        self.current_plan.keep(event)
        self.cursor.drop_missing()
        self.current_plan.announce(event)
        self.storage.saved_changed.emit()
