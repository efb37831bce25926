"""The film's people: what they are called, and a picture of each face, so that models know them when they see them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.script import Person
from adstudio.core.words import folded
from adstudio.drafting.cast import characters, speakers, together
from adstudio.store.media import locate_video
from adstudio.ui.ai_settings import people_steps
from adstudio.ui.ai_settings.face_crop import HELP, FaceCrop
from adstudio.ui.ai_settings.face_images import ICON, face_icon, face_pixmap
from adstudio.ui.ai_settings.image_loader import ImageLoader
from adstudio.ui.ai_settings.messages import NONE_OPEN
from adstudio.ui.ai_settings.people_steps import Make
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import NameField, TypedPick, button
from adstudio.ui.widgets.file_dialogs import ALL, ask_open, documents
from adstudio.ui.widgets.form import add_row, column, form, names_list, scrolled
from adstudio.ui.widgets.formatting import timecode
from adstudio.ui.widgets.text import Label, note, note_text, say_in, sentence, title, warning
from adstudio.ui.widgets.theme import UNIT

PICTURES = "Pictures (*.jpg *.jpeg *.png *.webp *.bmp *.tif *.tiff)"
ABOUT = (
    "For this project; changes can be undone. Give the characters’ names, not the actors’: that is what the script "
    "calls them. A face picture is stored small, without place or date, and is shared only as the policy allows; of a "
    "person without one, only the name is sent."
)
FACE = 160
NO_VIDEO = "The project has no video to take a picture from."
STANDS = "The playhead is at {at}."
NO_FACE = "No picture yet"
LARGEST_SCREENPLAY = 400_000
"""Bytes of a screenplay whose characters are looked for: a larger one, or a PDF, would keep the hand waiting."""


class PeoplePage(QWidget):
    """A list of people, the one in hand beside it; in its place the picture that a face is cut out of."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: object = self
        self._screenplay: tuple[str, tuple[str, ...]] = ("", ())
        self._for = ""
        """Who the picture is for that is being read or cut."""
        self.stills = ImageLoader(context.jobs, self)
        self.stills.came.connect(self._came)
        self.stills.failed.connect(self._refused)
        self.hindrance = note("Why nothing can be changed")
        self.problem = warning("Problem")
        self.list = names_list("People of the film")
        self.list.setIconSize(QSize(ICON, ICON))
        self.list.currentRowChanged.connect(lambda _: self._turn())
        self._make_adding()
        self._make_person()
        self._make_cutting()
        self.right = QStackedWidget()
        self._of_person = scrolled("Selected person", self.person)
        for part in (self._of_person, self.cutting):
            self.right.addWidget(part)
        left = column(self.list, spacing=2 * UNIT)
        left.addWidget(self.new_name)
        left.addLayout(self._left_buttons)
        self.work = QWidget()
        both = QHBoxLayout(self.work)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(5 * UNIT)
        both.addLayout(left)
        both.addWidget(self.right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3 * UNIT)
        layout.addWidget(title("People"))
        layout.addWidget(note_text("About people", ABOUT))
        layout.addWidget(self.hindrance)
        layout.addWidget(self.problem)
        layout.addWidget(self.work, 1)
        self.setFocusProxy(self.new_name)
        context.session.cursor.playhead_moved.connect(self._film_moved)

    def _make_adding(self) -> None:
        self.new_name = TypedPick("Name of another person in the film", "Type or choose a name")
        self.new_name.setFixedWidth(44 * UNIT)
        self.new_name.edit.returnPressed.connect(self.add)
        self.add_button = button("&Add", "Add person", self.add)
        self.remove_button = button("&Remove", "Remove person", self.remove)
        self._left_buttons = QHBoxLayout()
        self._left_buttons.setSpacing(2 * UNIT)
        self._left_buttons.addWidget(self.add_button)
        self._left_buttons.addWidget(self.remove_button)
        self._left_buttons.addStretch(1)

    def _make_person(self) -> None:
        self.name = NameField("Name")
        self.name.editingFinished.connect(self._rename)
        self.face = Label(NO_FACE)
        self.face.setAccessibleName("Face picture")
        self.face.setFixedSize(FACE, FACE)
        self.face.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.face.setStyleSheet("QLabel { border: 1px solid palette(mid); border-radius: 4px; }")
        self.file_button = button("From &file…", "Take the face from an image file", self.from_file)
        self.film_button = button(
            "From current &picture", "Take the face from the picture at the playhead", self.from_film
        )
        self.bare_button = button("&No picture", "Remove the picture", self.without_face)
        self.earlier_button = button("&Earlier", "Move up", lambda: self._move(-1))
        self.later_button = button("La&ter", "Move down", lambda: self._move(1))
        self.film_note = note("Position in the film")
        buttons = column(self.file_button, self.film_button, self.film_note, self.bare_button, spacing=2 * UNIT)
        buttons.addStretch(1)
        picture = QHBoxLayout()
        picture.setSpacing(4 * UNIT)
        picture.addWidget(self.face, 0, Qt.AlignmentFlag.AlignTop)
        picture.addLayout(buttons, 1)
        order = QHBoxLayout()
        order.setSpacing(2 * UNIT)
        order.addWidget(self.earlier_button)
        order.addWidget(self.later_button)
        order.addStretch(1)
        fields = form(20 * UNIT)
        add_row(fields, "Na&me", self.name)
        fields.addRow("Face", picture)
        fields.addRow("Order", order)
        self.person = QWidget()
        inside = QVBoxLayout(self.person)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addLayout(fields)
        inside.addStretch(1)

    def _make_cutting(self) -> None:
        self.crop = FaceCrop()
        self.crop.taken.connect(self.take)
        self.take_button = button("&Use this face", "Use the area in the square", self.take)
        self.leave_button = button("&Cancel", "Cancel", self.leave)
        row = QHBoxLayout()
        row.setSpacing(2 * UNIT)
        row.addWidget(self.take_button)
        row.addWidget(self.leave_button)
        row.addStretch(1)
        self.cutting = QWidget()
        inside = column(self.crop, note_text("How to move the square", HELP), spacing=2 * UNIT)
        inside.addLayout(row)
        inside.setStretch(0, 1)
        self.cutting.setLayout(inside)

    @property
    def current(self) -> Person | None:
        """The person in hand."""
        row = self.list.currentRow()
        people = self._context.session.script.people
        return people[row] if 0 <= row < len(people) else None

    def renew(self) -> None:
        """Another project, or other people."""
        session = self._context.session
        project, script = session.project, session.script
        self._show_present()
        state = (project, script.people, script.cues, script.film.screenplay)
        if isinstance(self._shown, tuple) and all(a is b for a, b in zip(self._shown, state, strict=True)):
            return
        other = not isinstance(self._shown, tuple) or self._shown[0] is not project
        self._shown = state
        say_in(self.hindrance, NONE_OPEN if project is None else "")
        self.work.setEnabled(project is not None)
        if other:
            self.leave()
        self._list(None if other else self._in_list)
        self._offer()

    def _film_moved(self) -> None:
        if self.isVisible():
            self._show_present()

    def _show_present(self) -> None:
        session = self._context.session
        there = session.script.film.media is not None
        say_in(
            self.film_note,
            STANDS.format(at=timecode(session.script.film, session.cursor.playhead)) if there else NO_VIDEO,
        )

    def flush(self) -> None:
        """Take what is being typed."""
        if self.name.isModified():
            self._rename()

    def add(self) -> None:
        """Somebody comes: the name that is typed or chosen."""
        name = " ".join(self.new_name.currentText().split())
        if not name:
            self._say("Type a name, or choose one of the speakers in the film.")
            self.new_name.setFocus()
            return
        if self._attempt(people_steps.added(name)):
            self._choose(name)
            self.new_name.setCurrentText("")
            self.file_button.setFocus()

    def remove(self) -> None:
        """The person in hand goes."""
        person, row = self.current, self.list.currentRow()
        if person is not None and self._attempt(people_steps.removed(person.name)):
            self.list.setCurrentRow(min(row, self.list.count() - 1))
            self.list.setFocus()

    def without_face(self) -> None:
        """The picture goes."""
        if self.current is not None:
            self._attempt(people_steps.shown(self.current.name, b""))

    def from_file(self) -> None:
        """A picture's file, to cut the face out of."""
        path = None if self.current is None else ask_open(self, "Face picture", documents(), (PICTURES, ALL))
        if path is not None and self.current is not None:
            self._wait_for(self.current.name)
            self.stills.of_picture(path)
            self._suit()

    def from_film(self) -> None:
        """The film's present picture, to cut the face out of."""
        session = self._context.session
        media, project = session.script.film.media, session.project
        video = None
        if media is not None and project is not None:
            try:
                video = locate_video(media, project.path)
            except AdstudioError as error:
                self._say(sentence(str(error)))
                return
        if video is None or self.current is None:
            self._say("The video is missing: find it with File → Relink video….")
            return
        self._wait_for(self.current.name)
        self.stills.of_film(video, session.cursor.playhead)
        self._suit()

    def take(self) -> None:
        """What the square holds is the face."""
        if self.right.currentWidget() is self.cutting and self._for:
            name, face = self._for, self.crop.face()
            self.leave()
            self._attempt(people_steps.shown(name, face))
            self.file_button.setFocus()

    def leave(self) -> None:
        """No face is taken."""
        self.stills.forget()
        self._for = ""
        back = self.cutting.isAncestorOf(focus) if (focus := self.focusWidget()) is not None else False
        self.right.setCurrentWidget(self._of_person)
        if back:
            self.file_button.setFocus()
        self._suit()

    def _wait_for(self, name: str) -> None:
        self._for = name
        self._say("")

    def _came(self, data: bytes) -> None:
        if not self._for:
            return
        if not self.crop.show_picture(data):
            self._refused("This picture cannot be displayed")
            return
        self.right.setCurrentWidget(self.cutting)
        self.crop.setFocus()
        self._suit()

    def _refused(self, why: str) -> None:
        self._for = ""
        self._say(sentence(why))
        self._suit()

    def _rename(self) -> None:
        person = self.current
        name = " ".join(self.name.text().split())
        self.name.setModified(False)
        if person is None or name == person.name:
            return
        if self._attempt(people_steps.renamed(person.name, name)):
            self._choose(name)
        else:
            self.name.setText(person.name)

    def _move(self, by: int) -> None:
        person = self.current
        if person is not None and self._attempt(people_steps.moved(person.name, by)):
            self._choose(person.name)

    def _attempt(self, make: Make) -> bool:
        """Take a step; why it cannot be is said here."""
        self._say("")
        try:
            built = make(self._context.session.script)
        except BadInputError as error:
            self._say(str(error))
            return False
        if built is None:
            return False
        self._context.session.edits.do(built)
        self.renew()
        return True

    def _say(self, text: str) -> None:
        say_in(self.problem, text)
        if text:
            self._context.session.messages.say(text)

    @property
    def _in_list(self) -> str | None:
        item = self.list.currentItem()
        return None if item is None else item.text()

    def _choose(self, name: str) -> None:
        for row, person in enumerate(self._context.session.script.people):
            if person.name == name:
                self.list.setCurrentRow(row)

    def _list(self, name: str | None) -> None:
        """The people anew, the one of that name in hand, else one that stands where the hand was."""
        row = max(self.list.currentRow(), 0)
        people = self._context.session.script.people
        with QSignalBlocker(self.list):
            self.list.clear()
            for person in people:
                item = QListWidgetItem(face_icon(person.face, self.devicePixelRatioF()), person.name)
                item.setData(
                    Qt.ItemDataRole.AccessibleTextRole,
                    f"{person.name}, {'with' if person.face else 'without'} a picture",
                )
                self.list.addItem(item)
            places = [n for n, person in enumerate(people) if person.name == name]
            self.list.setCurrentRow(places[0] if places else min(row, len(people) - 1))
        self._turn()

    def _turn(self) -> None:
        """Another person is in hand."""
        person = self.current
        if self._for and (person is None or person.name != self._for):
            self.leave()
        self.name.setText("" if person is None else person.name)
        self.name.setModified(False)
        face = b"" if person is None else person.face
        self.face.setPixmap(face_pixmap(face, FACE - 2 * UNIT, self.devicePixelRatioF()))
        if not face:
            self.face.setText(NO_FACE)
        self.face.setAccessibleDescription("There is one" if face else NO_FACE)
        self._suit()

    def _suit(self) -> None:
        person, people = self.current, self._context.session.script.people
        there, row = person is not None, self.list.currentRow()
        for part in (self.name, self.remove_button):
            part.setEnabled(there)
        # They stay while a picture is read, or the keys would go elsewhere; another one takes the place of that.
        self.file_button.setEnabled(there)
        self.film_button.setEnabled(there and self._context.session.script.film.media is not None)
        self.bare_button.setEnabled(person is not None and bool(person.face))
        self.earlier_button.setEnabled(there and row > 0)
        self.later_button.setEnabled(there and row < len(people) - 1)

    def _offer(self) -> None:
        """The names of who speaks, without those that are there."""
        script = self._context.session.script
        there = {folded(person.name) for person in script.people}
        names = [name for name in together(speakers(script.cues), self._characters()) if folded(name) not in there]
        text = self.new_name.currentText()
        self.new_name.clear()
        self.new_name.addItems(names)
        self.new_name.setCurrentIndex(-1)
        self.new_name.setCurrentText(text)

    def _characters(self) -> tuple[str, ...]:
        """Who speaks in the screenplay that the film was drafted from; nobody where it is large, or not there."""
        path = self._context.session.script.film.screenplay
        if self._screenplay[0] != path:
            found: tuple[str, ...] = ()
            try:
                file = Path(path)
                if path and file.suffix.lower() != ".pdf" and file.stat().st_size <= LARGEST_SCREENPLAY:
                    found = characters(file)
            except (AdstudioError, OSError, ValueError):
                found = ()
            self._screenplay = (path, found)
        return self._screenplay[1]
