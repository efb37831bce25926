"""The cues with their speakers: filtered by speaker, and assigned by a digit or by a name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from adstudio.core.cast import People, SpeakerSource
from adstudio.core.counts import percent
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Cue, CueKind, Script
from adstudio.editing.cast import set_speaker
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.controls import Picker, button
from adstudio.ui.widgets.form import column, row
from adstudio.ui.widgets.formatting import counted, timecode
from adstudio.ui.widgets.row_table import KeyedTable, RowModel
from adstudio.ui.widgets.text import note, note_text, say_in, warning
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.typed_pick import TypedPick

KNOWN_BY = {
    None: "",
    SpeakerSource.LABEL: "label",
    SpeakerSource.SCREENPLAY: "screenplay",
    SpeakerSource.MODEL: "model",
    SpeakerSource.VOICE: "voice",
    SpeakerSource.DIARISATION: "speaker file",
    SpeakerSource.CAST: "cast",
    SpeakerSource.DESCRIBER: "you",
}
ALL, NOBODY, NOT_IN_CAST = "all", "nobody", "foreign"
HELP = "1 to 9 say that the character of that number speaks, 0 that it is not known; Return goes to the cue in the film"
DIGITS = tuple(getattr(Qt.Key, f"Key_{digit}") for digit in range(10))


class Column(IntEnum):
    """What is shown of a cue."""

    TIME, SPEAKER, KNOWN_BY, TEXT = range(4)


class CueRows(RowModel[Column]):
    """The cues that pass the filter."""

    columns = Column
    titles = MappingProxyType(
        {Column.TIME: "Time", Column.SPEAKER: "Speaker", Column.KNOWN_BY: "Known by", Column.TEXT: "Dialogue"}
    )

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.script: Script | None = None
        self.cues: Sequence[Cue] = ()

    def show_cues(self, script: Script, cues: Sequence[Cue]) -> None:
        """Show these cues of a script."""
        self.beginResetModel()
        self.script, self.cues = script, cues
        self.endResetModel()

    def count(self) -> int:
        """The number of cues."""
        return len(self.cues)

    def text(self, row: int, column: Column) -> str:
        """What a cell shows."""
        cue = self.cues[row]
        match column:
            case Column.TIME:
                return "" if self.script is None else timecode(self.script.film, cue.start)
            case Column.SPEAKER:
                return self._speaker(cue)
            case Column.KNOWN_BY:
                sure = "" if cue.speaker_confidence is None else f", {percent(cue.speaker_confidence // 10 / 100)}"
                return f"{KNOWN_BY[cue.speaker_source]}{sure}"
            case Column.TEXT:
                return " ".join(cue.text.split())

    def spoken(self, row: int, column: Column) -> str:
        """A cell as it is read."""
        text = self.text(row, column)
        return text or {Column.SPEAKER: "speaker not known", Column.KNOWN_BY: "not recorded"}.get(column, text)

    def title(self, row: int) -> str:
        """A cue by its speaker and text."""
        return f"{self._speaker(self.cues[row]) or 'Not known'}: {self.text(row, Column.TEXT)}"

    def _speaker(self, cue: Cue) -> str:
        person = None if self.script is None else self.script.person_named(cue.speaker)
        return person.name if person is not None else cue.speaker or ""


class SpeakerTable(KeyedTable):
    """The table of cues."""

    assigned = Signal(int)
    """The number of a character, counted from 1; 0 for nobody."""
    go = Signal()

    def __init__(self, model: CueRows) -> None:
        keys = {key: lambda digit=digit: self.assigned.emit(digit) for digit, key in enumerate(DIGITS)}
        enter = dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self._enter)
        super().__init__("Cues and their speakers", HELP, "Columns of cues", model, {**keys, **enter})
        self.fit()

    def _enter(self) -> None:
        self.go.emit()

    def fit(self) -> None:
        """Text has another size."""
        self.fit_to({Column.TIME: "00:00:00:00", Column.SPEAKER: "M" * 14, Column.KNOWN_BY: "screenplay, 100 %"})


class SpeakerPage(QWidget):
    """The table under its filter, and above the fields that assign a speaker."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: tuple[object, ...] = ()
        self.problem = warning("Problem")
        self.filter = Picker("Show cues")
        self.filter.activated.connect(lambda _: self.renew(again=True))
        self.counts = note("How many cues are shown")
        self.rows = CueRows(self)
        self.table = SpeakerTable(self.rows)
        self.table.assigned.connect(self._assign_number)
        self.table.go.connect(self.go)
        self.numbers = note_text("Numbers of characters", "")
        self.speaker = TypedPick("Speaker", "Type or choose a name")
        self.speaker.edit.returnPressed.connect(self.assign)
        self.assign_button = button("Assi&gn", "Say that this character speaks the selected cue", self.assign)
        self.all_button = button(
            "Assign to all sho&wn", "Assign the character to every cue in the table", self.assign_all
        )
        self.setLayout(
            column(
                row(self.filter, self.counts, grows=self.counts),
                self.problem,
                self.table,
                self.numbers,
                row(self.speaker, self.assign_button, self.all_button, grows=self.speaker),
                spacing=2 * UNIT,
                grows=self.table,
            )
        )
        self.setFocusProxy(self.table)

    def renew(self, *, again: bool = False) -> None:
        """Show the open project's cues, those of the filter."""
        script = self._context.session.script
        state = (script.people, script.cues)
        if not again and self._shown and all(a is b for a, b in zip(self._shown, state, strict=True)):
            return
        self._shown = state
        chosen = self.filter.currentData() or ALL
        self._offer(script)
        place = max(0, self.filter.findData(chosen))
        self.filter.setCurrentIndex(place)
        row_ = self.table.currentIndex().row()
        current = self.rows.cues[row_].id if 0 <= row_ < len(self.rows.cues) else None
        cues = filtered(script, self.filter.currentData())
        self.rows.show_cues(script, cues)
        ids = [cue.id for cue in cues]
        self.select_row(ids.index(current) if current in ids else min(max(row_, 0), len(ids) - 1))
        said = [cue for cue in script.cues if cue.kind is CueKind.SPEECH]
        known = sum(cue.speaker is not None for cue in said)
        say_in(self.counts, f"{counted(len(cues), 'cue')} shown; the speaker of {known:,} of {len(said):,} is known")
        say_in(self.numbers, numbers_text(script.people))

    def select_row(self, place: int) -> None:
        """Make a row the current one."""
        if place >= 0:
            self.table.setCurrentIndex(self.rows.index(place, 0))
            self.table.selectRow(place)

    def show_filter(self, chosen: str) -> None:
        """Show the cues of a person (id), `ALL`, `NOBODY` or `NOT_IN_CAST`."""
        self.filter.setCurrentIndex(max(0, self.filter.findData(chosen)))
        self.renew(again=True)
        self.table.setFocus()

    def show_cue(self, identity: str) -> None:
        """Select a cue, among all of them if the filter hides it."""
        if identity not in [cue.id for cue in self.rows.cues]:
            self.show_filter(ALL)
        ids = [cue.id for cue in self.rows.cues]
        if identity in ids:
            self.select_row(ids.index(identity))
        self.table.setFocus()

    def go(self) -> None:
        """Go to the cue in the film."""
        if (cue := self._cue) is not None:
            cursor = self._context.session.cursor
            cursor.select(Selection(Kind.CUE, (cue.id,)))
            cursor.seek(cue.start)

    def assign(self) -> None:
        """Say that the typed or chosen character speaks the cue."""
        if (cue := self._cue) is not None:
            self._assign([cue.id], self.speaker.currentText())

    def assign_all(self) -> None:
        """Say so of all cues in the table, as one step."""
        self._assign([cue.id for cue in self.rows.cues], self.speaker.currentText())

    def _assign_number(self, number: int) -> None:
        people, cue = self._context.session.script.people, self._cue
        if cue is None:
            return
        if number > len(people):
            self._say(f"There is no character with the number {number}.")
            return
        self._assign([cue.id], people[number - 1].name if number else "")

    def _assign(self, cues: Sequence[str], name: str) -> None:
        self._say("")
        session = self._context.session
        place = self.table.currentIndex().row()
        before = len(self.rows.cues)
        try:
            step = set_speaker(session.script, cues, name if name.strip() else None)
        except AdstudioError as error:
            self._say(str(error))
            return
        if step is not None:
            session.edits.do(step)
            self.renew()
        # The next one, unless the cue has left the list and the next one is in its place.
        if len(cues) == 1 and len(self.rows.cues) == before:
            self.select_row(min(place + 1, before - 1))
        elif self.rows.cues:
            self.select_row(min(place, len(self.rows.cues) - 1))

    @property
    def _cue(self) -> Cue | None:
        place = self.table.currentIndex().row()
        return self.rows.cues[place] if 0 <= place < len(self.rows.cues) else None

    def _offer(self, script: Script) -> None:
        self.filter.clear()
        for text, data in (("All cues", ALL), ("Speaker not known", NOBODY), ("Speaker not in the cast", NOT_IN_CAST)):
            self.filter.addItem(text, data)
        for person in script.people:
            self.filter.addItem(person.name, person.id)
        self.speaker.offer(person.name for person in script.people)

    def _say(self, text: str) -> None:
        say_in(self.problem, text)
        if text:
            self._context.session.messages.say(text)


def filtered(script: Script, chosen: str | None) -> tuple[Cue, ...]:
    """The spoken and sung cues that a choice of the filter shows."""
    said = (cue for cue in script.cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG))
    if chosen == NOBODY:
        return tuple(cue for cue in said if cue.speaker is None)
    if chosen == NOT_IN_CAST:
        return tuple(cue for cue in said if cue.speaker is not None and script.person_named(cue.speaker) is None)
    person = script.person_by_id.get(chosen or "")
    return tuple(said) if person is None else tuple(cue for cue in said if script.person_named(cue.speaker) is person)


def numbers_text(people: People) -> str:
    """Which digit stands for whom."""
    numbered = "   ".join(f"{number} {person.name}" for number, person in enumerate(people[:9], 1))
    return f"{numbered}   0 not known" if numbered else ""
