"""The characters as portrait cards, and the selected one's details beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem, QWidget

from adstudio.characters.cast_messages import merge_lines, summary
from adstudio.characters.cast_reading import collected_cast
from adstudio.characters.first_times import FirstTimes, first_times
from adstudio.core.cast import Person, Portrait
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.cast import (
    add_person,
    add_portrait,
    belongings,
    change_person,
    choose_portrait,
    delete_person,
    merge_people,
    move_person,
    remove_portrait,
    set_people,
    split_person,
)
from adstudio.store.media import locate_source
from adstudio.ui.cast.deletion import deletion_text
from adstudio.ui.cast.face_picker import FacePicker
from adstudio.ui.cast.person_form import TIME_BUTTONS, PersonForm, times_text
from adstudio.ui.cast.portraits import colours_of, portrait_icon
from adstudio.ui.cast.pronoun_proposals import PronounProposals, shown_by
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import NameField, button
from adstudio.ui.widgets.file_dialogs import ALL, CAST_LIST_FILES, ask, ask_open, documents
from adstudio.ui.widgets.form import column, row, rule, scrolled
from adstudio.ui.widgets.formatting import counted, shortened_list
from adstudio.ui.widgets.text import note_text, say_in, sentence, warning
from adstudio.ui.widgets.theme import UNIT

CARD = 72
"""Pixels of the picture on a card."""
ABOUT = (
    "For this project; changes can be undone. Give the characters’ names, not the actors’: that is what the script "
    "calls them. Pictures are stored small, without place or date, and shared only as the policy allows; of a "
    "character without one, models get only the name."
)
NONE_OPEN = "Open a project first."
NOBODY = "Nobody yet: collect the characters from the film’s own files, read a cast list, or type a name."
_SHOWN_MERGERS = 4


class CastCards(QListWidget):
    """The cards: a picture, the name and how many cues; several can be selected to be merged."""

    delete_asked = Signal()
    edit_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Characters")
        self.setAccessibleDescription("Delete deletes everything of the character; F2 goes to the name")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.setWordWrap(True)
        self.setIconSize(QSize(CARD, CARD))
        self.setSpacing(UNIT)
        self.setMinimumSize(70 * UNIT, 50 * UNIT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete and F2; the rest moves."""
        if event.key() == Qt.Key.Key_Delete and not event.modifiers():
            self.delete_asked.emit()
        elif event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit_asked.emit()
        else:
            super().keyPressEvent(event)

    def show_people(self, script: Script, times: dict[str, FirstTimes], current: str | None) -> None:
        """Show the cast, with that person selected if there, else the one in the same place."""
        place = max(self.currentRow(), 0)
        size = self.fontMetrics()
        grid = QSize(CARD + 10 * UNIT, CARD + 3 * size.height() + 4 * UNIT)
        with QSignalBlocker(self):
            self.clear()
            self.setGridSize(grid)
            colours = colours_of(script.people)
            for number, person in enumerate(script.people, 1):
                self.addItem(
                    _card(person, colours[person.id], number, times[person.id], script, self.devicePixelRatioF(), grid)
                )
            ids = [person.id for person in script.people]
            self.setCurrentRow(ids.index(current) if current in ids else min(place, len(ids) - 1))

    @property
    def chosen(self) -> list[str]:
        """The ids of the selected people, in the order of the cast."""
        items = (self.item(place) for place in range(self.count()))
        return [item.data(Qt.ItemDataRole.UserRole) for item in items if item.isSelected()]


def _card(
    person: Person, colour: str, number: int, first: FirstTimes, script: Script, ratio: float, size: QSize
) -> QListWidgetItem:
    cues = counted(first.cues, "cue") if first.cues else ""
    item = QListWidgetItem(portrait_icon(person, colour, CARD, ratio), "\n".join(filter(None, (person.name, cues))))
    item.setData(Qt.ItemDataRole.UserRole, person.id)
    item.setSizeHint(size - QSize(UNIT, UNIT))
    item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    facts = (
        person.name,
        f"also {', '.join(person.names[1:])}" if len(person.names) > 1 else "",
        person.described_as,
        times_text(first, script.film),
        "pictured" if person.face else "without a picture",
        f"number {number}",
    )
    item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, facts)))
    item.setToolTip("\n".join(filter(None, facts[:4])))
    return item


class CastPage(QWidget):
    """Cards at the left, the selected character at the right."""

    cues_wanted = Signal(str)
    """The id of a person whose cues are to be shown."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: tuple[object, ...] = ()
        self._proposals = PronounProposals()
        self._times: dict[str, FirstTimes] = {}
        self.problem = warning("Problem")
        self.done = note_text("What was done", "")
        self.cards = CastCards()
        self.cards.currentRowChanged.connect(lambda _: self._show_current())
        self.cards.itemSelectionChanged.connect(self._renew_buttons)
        self.cards.delete_asked.connect(self.delete)
        self.cards.edit_asked.connect(self._edit)
        self.new_name = NameField("Name of another character")
        self.new_name.setPlaceholderText("Name of another character")
        self.new_name.returnPressed.connect(self.add)
        self.add_button = button("&Add", "Add a character", self.add)
        self.collect_button = button(
            "&Collect", "Collect characters from the screenplay and the subtitles", self.collect
        )
        self.list_button = button("Cast &list…", "Add the characters of a cast list", self.import_list)
        self.merge_button = button("Merge selec&ted", "Merge the selected characters into the first one", self.merge)
        self.earlier_button = button("Earlier", "Show the character earlier", lambda: self._move(-1))
        self.later_button = button("Later", "Show the character later", lambda: self._move(1))
        self.form = PersonForm()
        self.form.edited.connect(self._attempt)
        self.form.split.connect(self._split)
        self.form.time_asked.connect(self._set_time)
        self.picker = FacePicker(context)
        self.picker.taken.connect(self._add_portrait)
        self.picker.preferred.connect(self._choose_portrait)
        self.picker.removed.connect(self._remove_portrait)
        self.picker.refused.connect(self._say)
        self.cues_button = button("S&how cues", "Show the cues of the character", self._show_cues)
        self.delete_button = button(
            "&Delete everything…", "Delete everything of the character from the project", self.delete
        )
        details = QWidget()
        details.setLayout(
            column(
                self.picker, self.form, rule(), row(self.cues_button, None, self.delete_button), None, spacing=3 * UNIT
            )
        )
        self.details = scrolled("Selected character", details)
        self.details.setMinimumWidth(90 * UNIT)
        left = column(
            row(self.new_name, self.add_button, grows=self.new_name),
            row(self.collect_button, self.list_button, None),
            self.cards,
            row(self.merge_button, self.earlier_button, self.later_button, None),
            spacing=2 * UNIT,
            grows=self.cards,
        )
        self.work = QWidget()
        self.work.setLayout(row(left, self.details, spacing=4 * UNIT, grows=left))
        about = note_text("About the cast", ABOUT)
        self.setLayout(column(about, self.problem, self.done, self.work, spacing=2 * UNIT, grows=self.work))
        self.setFocusProxy(self.cards)
        context.session.cursor.playhead_moved.connect(self._playhead_moved)

    @property
    def current(self) -> Person | None:
        """The character whose details are shown."""
        place = self.cards.currentRow()
        people = self._context.session.script.people
        return people[place] if 0 <= place < len(people) else None

    def renew(self) -> None:
        """Show the open project's cast."""
        session = self._context.session
        script, project = session.script, session.project
        state = (project, script.people, script.cues, script.named_faces, session.first_seen)
        if self._shown and all(a is b for a, b in zip(self._shown, state, strict=True)):
            return
        other = not self._shown or self._shown[0] is not project
        self._shown = state
        if other:
            self.picker.leave()
            say_in(self.problem, NONE_OPEN if project is None else "")
            say_in(self.done, "" if script.people or project is None else NOBODY)
        self.work.setEnabled(project is not None)
        self._times = first_times(script, session.first_seen)
        current = self.cards.currentItem()
        self.cards.show_people(script, self._times, None if other or current is None else self._id(current))
        self._show_current()

    def flush(self) -> None:
        """Take what is being typed."""
        self.form.flush()

    def add(self) -> None:
        """Add the character whose name is typed."""
        name = self.new_name.text()
        if not name.strip():
            self._say("Type a name.")
            self.new_name.setFocus()
        elif self._attempt(lambda script: add_person(script, name)):
            self.new_name.setText("")
            self.cards.setCurrentRow(self.cards.count() - 1)
            self.form.described.setFocus()

    def collect(self) -> None:
        """Collect characters from the screenplay that the film was drafted from, and from its subtitles."""
        session = self._context.session
        source, project = session.script.film.screenplay, session.project
        screenplay = None if source is None or project is None else locate_source(source, project.path)
        missing = source is not None and screenplay is None
        self._collect(lambda script: collected_cast(script, screenplay=screenplay))
        if missing and source is not None:
            self._say(f"{source.path} is missing, so nobody was collected from the screenplay.")

    def import_list(self) -> None:
        """Ask for a cast list, and add its characters."""
        path = ask_open(self, "Cast list", documents(), (CAST_LIST_FILES, ALL))
        if path is not None:
            self._collect(lambda script: collected_cast(script, cast_list=path, subtitles=False))

    def merge(self) -> None:
        """Merge the selected characters into the one whose details are shown, else into the first."""
        chosen, current = self.cards.chosen, self.current
        if len(chosen) < 2:
            self._say("Select the characters that are one person, with Ctrl or Shift.")
            return
        into = current.id if current is not None and current.id in chosen else chosen[0]
        if self._attempt(lambda script: merge_people(script, chosen, into)):
            self._choose(into)

    def delete(self) -> None:
        """Delete everything of the selected character, once that is confirmed."""
        person = self.current
        if person is None:
            return
        own = belongings(self._context.session.script, person.id)
        question = f"Delete everything of “{person.name}”?"
        if ask(self, question, deletion_text(own), ("Delete",), careful=True) == 0:
            before, project = self._context.session.script, self._context.session.project
            if self._attempt(lambda script: delete_person(script, person.id)) and project is not None:
                self._delete_found(before, project.path, person.id)
            self.cards.setFocus()

    def _delete_found(self, before: Script, project: Path, person: str) -> None:
        """What was found of a character in the film goes along, which no undo brings back."""
        from adstudio.characters.faces_in_film import delete_found_faces
        from adstudio.characters.voices_cached import delete_voices

        for delete in (
            lambda: delete_found_faces(before, project, person),
            lambda: delete_voices(before.film, project),
        ):
            # Where the one cannot be deleted, the other is all the same.
            try:
                delete()
            except AdstudioError as error:
                self._say(str(error))

    def _collect(self, collect: Callable[[Script], object]) -> None:
        from adstudio.characters.cast_collecting import CollectedCast

        self._say("")
        try:
            found = collect(self._context.session.script)
        except AdstudioError as error:
            self._say(sentence(str(error)))
            return
        if not isinstance(found, CollectedCast):
            return
        self._attempt(lambda script: set_people(script, found.people))
        lines = [*merge_lines(found), *(f"line {each.line}: {each.what}" for each in found.oddities)]
        text = sentence(f"{summary(found)}{': ' if lines else ''}{shortened_list(lines, _SHOWN_MERGERS)}")
        say_in(self.done, text)
        self._context.session.messages.say(text)

    def _set_time(self, identity: str, field: str) -> None:
        """Say when somebody is first seen, heard or named: at the playhead, or as worked out."""
        fields = [name for name in TIME_BUTTONS if name]
        at = self._context.session.cursor.playhead
        changes = {field: at} if field else dict.fromkeys(fields)
        self._attempt(lambda script: change_person(script, identity, changes))

    def _split(self, identity: str, merged: str) -> None:
        self._attempt(lambda script: split_person(script, identity, merged))

    def _add_portrait(self, identity: str, portrait: Portrait) -> None:
        self._attempt(lambda script: add_portrait(script, identity, portrait))

    def _choose_portrait(self, identity: str, image: bytes) -> None:
        self._attempt(lambda script: choose_portrait(script, identity, image))

    def _remove_portrait(self, identity: str, image: bytes) -> None:
        self._attempt(lambda script: remove_portrait(script, identity, image))

    def _move(self, by: int) -> None:
        person = self.current
        if person is not None and self._attempt(lambda script: move_person(script, person.id, by)):
            self._choose(person.id)

    def _attempt(self, edit: Callable[[Script], Step | None]) -> bool:
        """Change the cast as one undo step; False, having said why, if that is not possible."""
        self._say("")
        session = self._context.session
        try:
            step = edit(session.script)
        except AdstudioError as error:
            self._say(str(error))
            self._show_current()
            return False
        if step is None:
            return False
        session.edits.do(step)
        self.renew()
        return True

    def _choose(self, identity: str) -> None:
        for place in range(self.cards.count()):
            if self._id(self.cards.item(place)) == identity:
                self.cards.setCurrentRow(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _show_current(self) -> None:
        person = self.current
        script = self._context.session.script
        self.picker.show_person(person)
        first = FirstTimes() if person is None else self._times.get(person.id, FirstTimes())
        self.form.show_person(person, first, script.film)
        if person is not None and (found := self._proposals.of(script, person.id)) is not None:
            self.form.show_proposal(found.pronouns, shown_by(script, found))
        self._renew_buttons()

    def _renew_buttons(self) -> None:
        person, place = self.current, self.cards.currentRow()
        self.merge_button.setEnabled(len(self.cards.chosen) > 1)
        self.earlier_button.setEnabled(person is not None and place > 0)
        self.later_button.setEnabled(person is not None and place < self.cards.count() - 1)
        self.delete_button.setEnabled(person is not None)
        self.cues_button.setEnabled(person is not None and bool(self._times.get(person.id, FirstTimes()).cues))

    def _edit(self) -> None:
        self.form.name.setFocus()
        self.form.name.selectAll()

    def _show_cues(self) -> None:
        if (person := self.current) is not None:
            self.cues_wanted.emit(person.id)

    def _playhead_moved(self) -> None:
        if self.isVisible():
            self.picker.show_playhead()

    def _say(self, text: str) -> None:
        say_in(self.problem, text)
        if text:
            self._context.session.messages.say(text)

    @staticmethod
    def _id(item: QListWidgetItem) -> str:
        return item.data(Qt.ItemDataRole.UserRole)
