"""What is known of one character, to be changed: names, pronouns, colour, first times, and what was merged."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QLineEdit, QWidget

from adstudio.characters.cast_messages import PRONOUNS, RULES, SOURCES
from adstudio.characters.first_times import FirstTimes
from adstudio.core.cast import Person, Pronouns
from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.cast import change_person, rename_person, set_aliases
from adstudio.ui.cast.portraits import COLOURS
from adstudio.ui.widgets.controls import NameField, Picker, button
from adstudio.ui.widgets.form import add_row, column, form, names_list, row
from adstudio.ui.widgets.formatting import counted, timecode
from adstudio.ui.widgets.text import say_in, words
from adstudio.ui.widgets.theme import UNIT

Edit = Callable[[Script], Step | None]
SWATCH = 14
AUTOMATIC = "Automatic"
TIME_BUTTONS = {
    "first_seen": ("Seen here", "First seen at the playhead"),
    "first_speech": ("Heard here", "First heard at the playhead"),
    "first_named": ("Named here", "First named at the playhead"),
    "": ("Automatic", "Work the first times out from cues and faces"),
}


class PersonForm(QWidget):
    """The fields of the selected character."""

    edited = Signal(object)
    """An edit: a function from the script to a step, which may refuse."""
    time_asked = Signal(str, str)
    """The id of the character, and the field of the time to be set to the playhead; empty: worked out again."""
    split = Signal(str, str)
    """The id of the character, and of the merged entry that is to be split off."""

    def __init__(self) -> None:
        super().__init__()
        self._person: Person | None = None
        self.name = NameField("Name")
        self.aliases = NameField("Also called")
        self.aliases.setPlaceholderText("Other names, with commas between")
        self.described = NameField("Until named")
        self.described.setPlaceholderText("the clerk")
        self.pronouns = Picker("Pronouns")
        for pronouns, text in PRONOUNS.items():
            self.pronouns.addItem(text, pronouns)
        self.proposal = words(quiet=True, wrap=True)
        self.proposal.setAccessibleName("Proposed pronouns")
        self.take_proposal = button("Use this", "Take the proposed pronouns over", self._take_proposal)
        self._proposed = Pronouns.UNKNOWN
        self.proposed_part = QWidget()
        self.proposed_part.setLayout(row(self.proposal, self.take_proposal, spacing=2 * UNIT))
        self.colour = Picker("Colour")
        self.colour.addItem(AUTOMATIC, "")
        for colour, title in COLOURS.items():
            swatch = QPixmap(SWATCH, SWATCH)
            swatch.fill(QColor(colour))
            self.colour.addItem(QIcon(swatch), title.capitalize(), colour)
        self.times, self.sources = words(quiet=True), words(quiet=True)
        self.times.setAccessibleName("First times")
        self.sources.setAccessibleName("Sources")
        self.merged = names_list("Merged names")
        self.merged.setMaximumHeight(22 * UNIT)
        self.split_button = button("S&plit again", "Make the merged name a character of its own again", self._split)
        for field, edit in (
            (self.name, self._rename),
            (self.aliases, self._set_aliases),
            (self.described, self._describe),
        ):
            field.editingFinished.connect(lambda field=field, edit=edit: self._finish(field, edit))
        self.pronouns.activated.connect(lambda _: self._choose("pronouns", self.pronouns.currentData()))
        self.colour.activated.connect(lambda _: self._choose("colour", self.colour.currentData()))
        fields = form(22 * UNIT)
        add_row(fields, "Na&me", self.name)
        add_row(fields, "Als&o called", self.aliases)
        add_row(fields, "Until nam&ed", self.described)
        add_row(fields, "Pronoun&s", self.pronouns)
        fields.addRow("", self.proposed_part)
        add_row(fields, "Colou&r", self.colour)
        fields.addRow("First", self.times)
        self.time_buttons = [
            button(text, name, lambda field=field: self._ask_time(field))
            for field, (text, name) in TIME_BUTTONS.items()
        ]
        fields.addRow("", row(*self.time_buttons, None, spacing=UNIT))
        fields.addRow("Known from", self.sources)
        self.merged_part = QWidget()
        self.merged_part.setLayout(column(self.merged, row(self.split_button, None), spacing=2 * UNIT))
        fields.addRow("Merged", self.merged_part)
        self.fields = fields
        self.setLayout(fields)

    def show_person(self, person: Person | None, first: FirstTimes, film: Film) -> None:
        """Show somebody; what is being typed for the same person stays."""
        same = person is not None and self._person is not None and person.id == self._person.id
        self._person = person
        for field, text in (
            (self.name, "" if person is None else person.name),
            (self.aliases, "" if person is None else ", ".join(person.aliases)),
            (self.described, "" if person is None else person.described_as),
        ):
            if not (same and field.isModified()):
                field.setText(text)
                field.setModified(False)
        self.pronouns.setCurrentIndex(self.pronouns.findData(Pronouns.UNKNOWN if person is None else person.pronouns))
        self.show_proposal(Pronouns.UNKNOWN, "")
        self.colour.setCurrentIndex(max(0, self.colour.findData("" if person is None else person.colour)))
        say_in(self.times, times_text(first, film).replace(", ", "\n"))
        say_in(self.sources, ", ".join(SOURCES[source] for source in SOURCES if person and source in person.sources))
        with QSignalBlocker(self.merged):
            self.merged.clear()
            for each in () if person is None else person.merged:
                self.merged.addItem(f"{each.entry.name} – {RULES[each.rule]}")
            self.merged.setCurrentRow(0)
        self.fields.setRowVisible(self.merged_part, self.merged.count() > 0)
        self.setEnabled(person is not None)

    def show_proposal(self, pronouns: Pronouns, source: str) -> None:
        """Propose pronouns where none are known, with what shows them; nothing is taken over without being asked."""
        self._proposed = pronouns
        known = pronouns is not Pronouns.UNKNOWN
        say_in(self.proposal, f"Probably {PRONOUNS[pronouns]}: {source}" if known else "")
        self.fields.setRowVisible(self.proposed_part, known)

    def _take_proposal(self) -> None:
        self._choose("pronouns", self._proposed)

    def flush(self) -> None:
        """Take what is being typed."""
        for field in (self.name, self.aliases, self.described):
            if field.isModified():
                field.editingFinished.emit()

    def _finish(self, field: QLineEdit, edit: Callable[[str, str], Edit]) -> None:
        if not field.isModified() or self._person is None:
            return
        field.setModified(False)
        self.edited.emit(edit(self._person.id, field.text()))

    def _rename(self, identity: str, text: str) -> Edit:
        return lambda script: rename_person(script, identity, text)

    def _set_aliases(self, identity: str, text: str) -> Edit:
        names = [name for name in text.split(",") if name.strip()]
        return lambda script: set_aliases(script, identity, names)

    def _describe(self, identity: str, text: str) -> Edit:
        return lambda script: change_person(script, identity, {"described_as": " ".join(text.split())})

    def _choose(self, field: str, value: object) -> None:
        if self._person is not None:
            identity = self._person.id
            self.edited.emit(lambda script: change_person(script, identity, {field: value}))

    def _ask_time(self, field: str) -> None:
        if self._person is not None:
            self.time_asked.emit(self._person.id, field)

    def _split(self) -> None:
        place = self.merged.currentRow()
        if self._person is not None and 0 <= place < len(self._person.merged):
            self.split.emit(self._person.id, self._person.merged[place].entry.id)


def times_text(first: FirstTimes, film: Film) -> str:
    """When somebody is first seen, heard and named, and in how many cues."""
    known = (("seen", first.seen), ("heard", first.speech), ("named", first.named))
    parts = [f"{what} {timecode(film, at)}" for what, at in known if at is not None]
    return ", ".join([*parts, f"speaks {counted(first.cues, 'cue')}"] if first.cues else parts) or "not known yet"
