"""Where the describer is: the selection, the marked region and the playhead."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from adstudio.core.script import Eventuality
from adstudio.core.steps import Step
from adstudio.editing.machine_steps import is_automatic
from adstudio.ui.session.current_plan import CurrentPlan
from adstudio.ui.session.edits import Edits
from adstudio.ui.session.selection import NOTHING, Kind, Selection, still_there, touched_by


@dataclass(frozen=True)
class TextPlace:
    """Where the text cursor was last in a wording of a line, in characters before it."""

    line: str
    variant: int
    offset: int


class Cursor(QObject):
    """Selecting, marking and seeking; none of them changes the document (DESIGN 3.5)."""

    selection_changed = Signal()
    """The selection or the marked region has changed."""
    playhead_moved = Signal(int)
    seek_asked = Signal(int)
    """Somebody wants the playhead at this time (ms); the player answers by moving it."""

    def __init__(self, edits: Edits, current_plan: CurrentPlan, parent: QObject) -> None:
        super().__init__(parent)
        self._edits, self._plan = edits, current_plan
        self.reset()

    def reset(self) -> None:
        """Another document is opened: nothing is selected, the playhead is at the start. Nothing is signalled."""
        self._selection, self._playhead = NOTHING, 0
        self.text_place: TextPlace | None = None
        """Known from the time when a wording of the current line is entered until something else is selected."""
        self._instead: str | None = None
        self._marks: tuple[int | None, int | None] = None, None

    @property
    def selection(self) -> Selection:
        """What is selected."""
        return self._selection

    def select(self, selection: Selection) -> None:
        """Select something else."""
        if selection != self._selection:
            self._selection = selection
            self.text_place = None
            self.selection_changed.emit()

    def select_again(self, selection: Selection) -> None:
        """Select what was selected before, as far as it still exists."""
        self.select(still_there(selection, self._edits.script, self._plan.gaps))

    def select_line(self, identity: str, *, go: bool = False) -> None:
        """Select one line, and with `go` move the playhead to where it is spoken, or happens."""
        self.select(Selection(Kind.LINE, (identity,)))
        if go:
            delivery = self._plan.plan.by_line.get(identity)
            where = self._edits.script.eventuality(identity).occurrence if delivery is None else delivery
            if where is not None:
                self.seek(where.start)

    def select_touched(self, steps: tuple[Step, ...]) -> None:
        """After undo or redo, select what the steps changed; where the editor made one, what is selected stays so."""
        for step in steps:
            touched = touched_by(step, self._edits.script)
            if touched != NOTHING and (self._selection == NOTHING or not is_automatic(step)):
                self.select(touched)

    def drop_missing(self) -> None:
        """Deselect what no longer exists. Not signalled: the change of the plan that follows is enough."""
        self._selection = still_there(self._selection, self._edits.script, self._plan.gaps)
        if self._selection == NOTHING and self._instead in self._edits.script.eventuality_index:
            self._selection = Selection(Kind.LINE, (self._instead,))

    @contextmanager
    def falling_back_on(self, line: str | None) -> Generator[None]:
        """Meanwhile, where all that is selected goes, this line is selected."""
        self._instead = line
        try:
            yield
        finally:
            self._instead = None

    @property
    def line(self) -> Eventuality | None:
        """The current line, if one is selected."""
        current = self._selection.lines()[-1:]
        return self._edits.script.eventuality(current[0]) if current else None

    @property
    def playhead(self) -> int:
        """The playhead's film time in milliseconds."""
        return self._playhead

    def seek(self, ms: int) -> None:
        """Ask for the playhead to be moved."""
        self.seek_asked.emit(max(0, min(ms, self._edits.script.film.end)))

    def show_playhead(self, ms: int) -> None:
        """The player reports where the film is."""
        if ms != self._playhead:
            self._playhead = ms
            self.playhead_moved.emit(ms)

    @property
    def marks(self) -> tuple[int | None, int | None]:
        """In and out point of the marked region; either may be missing."""
        return self._marks

    def mark(self, start: int | None, end: int | None) -> None:
        """Mark a region."""
        if (start, end) != self._marks:
            self._marks = (start, end)
            self.selection_changed.emit()
