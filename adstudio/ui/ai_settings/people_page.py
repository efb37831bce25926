"""The film's people: their names, and a picture of each face, so that models recognise them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QListWidgetItem, QStackedWidget, QWidget

from adstudio.core.cast import People, Person
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.film import SourceFile
from adstudio.core.words import folded
from adstudio.drafting.cast import characters, speakers, together
from adstudio.media.messages import PROTOCOL, Event, GrabFrame, Image, LoadImage, Request
from adstudio.store.media import locate_source, locate_video, source_file
from adstudio.system.worker import Failed
from adstudio.ui.ai_settings import people_steps
from adstudio.ui.ai_settings.face_crop import HELP, FaceCrop
from adstudio.ui.ai_settings.messages import NONE_OPEN
from adstudio.ui.ai_settings.page import SettingsPage
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import NameField, TypedPick, button
from adstudio.ui.widgets.file_dialogs import ALL, ask_open, documents
from adstudio.ui.widgets.form import add_row, column, form, names_list, row, scrolled
from adstudio.ui.widgets.formatting import timecode
from adstudio.ui.widgets.text import Label, note, note_text, say_in, sentence, warning
from adstudio.ui.widgets.theme import UNIT

PICTURES = "Pictures (*.jpg *.jpeg *.png *.webp *.bmp *.tif *.tiff)"
ABOUT = (
    "For this project; changes can be undone. Give the characters’ names, not the actors’: that is what the script "
    "calls them. A face picture is stored small, without place or date, and is shared only as the policy allows; of a "
    "person without one, only the name is sent."
)
FACE = 160
ICON = 32
"""Pixels of a face beside a name."""
NO_VIDEO = "The project has no video to take a picture from."
PLAYHEAD = "The playhead is at {at}."
NO_FACE = "No picture yet"
LIMIT_MS = 30_000
CRASHED = "The picture could not be read: its file crashed the reader. Choose another one."
STOPPED = "No picture was taken: it was stopped."
LATE = "The picture was not ready within 30 seconds. Choose a smaller one."
LARGEST_SCREENPLAY = 400_000
"""Bytes of a screenplay whose characters are read: a larger one, or a PDF, would take too long."""


class PeoplePage(SettingsPage):
    """A list of people beside the selected person, or the picture that a face is cut out of."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shown: object = self
        self._screenplay: tuple[SourceFile | None, tuple[str, ...]] = (None, ())
        self._for = ""
        self._picture: SourceFile | None = None
        """The person whose picture is being read or cut."""
        texts = JobTexts(CRASHED, late=LATE)
        self.images = JobClient[Request, Event](context.jobs, self, PROTOCOL, (Image,), texts, limit_ms=LIMIT_MS)
        self.images.ended.connect(self._image_read)
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
        left = column(self.list, self.new_name, row(self.add_button, self.remove_button, None), spacing=2 * UNIT)
        self.work = QWidget()
        self.work.setLayout(row(left, self.right, spacing=5 * UNIT, grows=self.right))
        about = note_text("About people", ABOUT)
        self._lay_out("People", about, self.hindrance, self.problem, self.work, grows=self.work)
        self.setFocusProxy(self.new_name)
        context.session.cursor.playhead_moved.connect(self._playhead_moved)

    def _make_adding(self) -> None:
        self.new_name = TypedPick("Name of another person in the film", "Type or choose a name")
        self.new_name.setFixedWidth(44 * UNIT)
        self.new_name.edit.returnPressed.connect(self.add)
        self.add_button = button("&Add", "Add person", self.add)
        self.remove_button = button("&Remove", "Remove person", self.remove)

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
        buttons = column(self.file_button, self.film_button, self.film_note, self.bare_button, None, spacing=2 * UNIT)
        picture = row(self.face, buttons, spacing=4 * UNIT, grows=buttons)
        picture.setAlignment(self.face, Qt.AlignmentFlag.AlignTop)
        fields = form(20 * UNIT)
        add_row(fields, "Na&me", self.name)
        fields.addRow("Face", picture)
        fields.addRow("Order", row(self.earlier_button, self.later_button, None))
        self.person = QWidget()
        self.person.setLayout(column(fields, None))

    def _make_cutting(self) -> None:
        self.crop = FaceCrop()
        self.crop.taken.connect(self.take)
        self.take_button = button("&Use this face", "Use the area in the square", self.take)
        self.leave_button = button("&Cancel", "Cancel", self.leave)
        buttons = row(self.take_button, self.leave_button, None)
        help_ = note_text("How to move the square", HELP)
        self.cutting = QWidget()
        self.cutting.setLayout(column(self.crop, help_, buttons, spacing=2 * UNIT, grows=self.crop))

    @property
    def current(self) -> Person | None:
        """The selected person."""
        place = self.list.currentRow()
        people = self._context.session.script.people
        return people[place] if 0 <= place < len(people) else None

    def renew(self) -> None:
        """Show the open project's people."""
        session = self._context.session
        project, script = session.project, session.script
        self._show_playhead()
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

    def _playhead_moved(self) -> None:
        if self.isVisible():
            self._show_playhead()

    def _show_playhead(self) -> None:
        session = self._context.session
        film = session.script.film
        at = timecode(film, session.cursor.playhead)
        say_in(self.film_note, NO_VIDEO if film.media is None else PLAYHEAD.format(at=at))

    def flush(self) -> None:
        """Take what is being typed."""
        if self.name.isModified():
            self._rename()

    def add(self) -> None:
        """Add the person whose name is typed or chosen."""
        name = " ".join(self.new_name.currentText().split())
        if not name:
            self._say("Type a name, or choose one of the speakers in the film.")
            self.new_name.setFocus()
            return
        if self._attempt(lambda people: people_steps.added(people, name)):
            self._choose(name)
            self.new_name.setCurrentText("")
            self.file_button.setFocus()

    def remove(self) -> None:
        """Remove the selected person."""
        person, place = self.current, self.list.currentRow()
        if person is not None and self._attempt(lambda people: people_steps.removed(people, person.name)):
            self.list.setCurrentRow(min(place, self.list.count() - 1))
            self.list.setFocus()

    def without_face(self) -> None:
        """Remove the picture."""
        if (person := self.current) is not None:
            self._attempt(lambda people: people_steps.with_face(people, person.name, b""))

    def from_file(self) -> None:
        """Ask for a picture's file, to cut the face out of."""
        path = None if self.current is None else ask_open(self, "Face picture", documents(), (PICTURES, ALL))
        project = self._context.session.project
        if path is not None and self.current is not None and project is not None:
            try:
                picture = source_file(path, project.path)
            except AdstudioError as error:
                self._say(sentence(str(error)))
                return
            self._load(f"Reading {path.name}", LoadImage(path), picture)

    def from_film(self) -> None:
        """Take the film's current picture, to cut the face out of."""
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
        self._load(f"Taking a picture from {video.name}", GrabFrame(video, session.cursor.playhead))

    def take(self) -> None:
        """Take what is in the square as the face."""
        if self.right.currentWidget() is self.cutting and self._for:
            name, face, picture = self._for, self.crop.face(), self._picture
            self.leave()
            self._attempt(lambda people: people_steps.with_face(people, name, face, picture))
            self.file_button.setFocus()

    def leave(self) -> None:
        """Take no face."""
        self.images.forget()
        self._for = ""
        back = self.cutting.isAncestorOf(focus) if (focus := self.focusWidget()) is not None else False
        self.right.setCurrentWidget(self._of_person)
        if back:
            self.file_button.setFocus()
        self._renew_buttons()

    def _load(self, title: str, request: Request, picture: SourceFile | None = None) -> None:
        if self.current is not None:
            self._for, self._picture = self.current.name, picture
            self._say("")
            self.images.start(title, request)
            self._renew_buttons()

    def _image_read(self, answer: Image | Failed | None) -> None:
        match answer:
            case Image(data) if self.crop.show_picture(data):
                self.right.setCurrentWidget(self.cutting)
                self.crop.setFocus()
            case Image():
                self._refuse("This picture cannot be displayed")
            case Failed(message):
                self._refuse(message)
            case None:
                self._refuse(STOPPED)
        self._renew_buttons()

    def _refuse(self, why: str) -> None:
        self._for = ""
        self._say(sentence(why))

    def _rename(self) -> None:
        person = self.current
        name = " ".join(self.name.text().split())
        self.name.setModified(False)
        if person is None or name == person.name:
            return
        if self._attempt(lambda people: people_steps.renamed(people, person.name, name)):
            self._choose(name)
        else:
            self.name.setText(person.name)

    def _move(self, by: int) -> None:
        person = self.current
        if person is not None and self._attempt(lambda people: people_steps.moved(people, person.name, by)):
            self._choose(person.name)

    def _attempt(self, change: Callable[[People], People]) -> bool:
        """Change the people as one undo step; False, having said why, if that is not possible."""
        self._say("")
        script = self._context.session.script
        try:
            step = people_steps.step_to(change(script.people), script)
        except BadInputError as error:
            self._say(str(error))
            return False
        if step is None:
            return False
        self._context.session.edits.do(step)
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
        for place, person in enumerate(self._context.session.script.people):
            if person.name == name:
                self.list.setCurrentRow(place)

    def _list(self, name: str | None) -> None:
        """List the people again, with the named one selected, else the one in the same place."""
        place = max(self.list.currentRow(), 0)
        people = self._context.session.script.people
        with QSignalBlocker(self.list):
            self.list.clear()
            for person in people:
                item = QListWidgetItem(_face_icon(person.face, self.devicePixelRatioF()), person.name)
                item.setData(
                    Qt.ItemDataRole.AccessibleTextRole,
                    f"{person.name}, {'with' if person.face else 'without'} a picture",
                )
                self.list.addItem(item)
            names = [person.name for person in people]
            self.list.setCurrentRow(names.index(name) if name in names else min(place, len(people) - 1))
        self._turn()

    def _turn(self) -> None:
        """Show the person who is selected now."""
        person = self.current
        if self._for and (person is None or person.name != self._for):
            self.leave()
        self.name.setText("" if person is None else person.name)
        self.name.setModified(False)
        face = b"" if person is None else person.face
        self.face.setPixmap(_face_pixmap(face, FACE - 2 * UNIT, self.devicePixelRatioF()))
        if not face:
            self.face.setText(NO_FACE)
        self.face.setAccessibleDescription("There is one" if face else NO_FACE)
        self._renew_buttons()

    def _renew_buttons(self) -> None:
        person, people = self.current, self._context.session.script.people
        there, place = person is not None, self.list.currentRow()
        for part in (self.name, self.remove_button):
            part.setEnabled(there)
        # Still enabled while a picture is read, to keep the focus; another picture replaces that one.
        self.file_button.setEnabled(there)
        self.film_button.setEnabled(there and self._context.session.script.film.media is not None)
        self.bare_button.setEnabled(person is not None and bool(person.face))
        self.earlier_button.setEnabled(there and place > 0)
        self.later_button.setEnabled(there and place < len(people) - 1)

    def _offer(self) -> None:
        """Offer the names of the speakers who are not in the list yet."""
        script = self._context.session.script
        there = {folded(person.name) for person in script.people}
        names = [name for name in together(speakers(script.cues), self._characters()) if folded(name) not in there]
        text = self.new_name.currentText()
        self.new_name.clear()
        self.new_name.addItems(names)
        self.new_name.setCurrentIndex(-1)
        self.new_name.setCurrentText(text)

    def _characters(self) -> tuple[str, ...]:
        """The characters of the screenplay that the film was drafted from; none if it is large, or missing."""
        project, source = self._context.session.project, self._context.session.script.film.screenplay
        if self._screenplay[0] != source:
            found: tuple[str, ...] = ()
            try:
                file = None if source is None or project is None else locate_source(source, project.path)
                if file is not None and file.suffix.lower() != ".pdf" and file.stat().st_size <= LARGEST_SCREENPLAY:
                    found = characters(file)
            except (AdstudioError, OSError, ValueError):
                found = ()
            self._screenplay = (source, found)
        return self._screenplay[1]


def _face_icon(face: bytes, ratio: float) -> QIcon:
    """A face beside a name, the same whether selected or not; transparent if there is none."""
    picture = _face_pixmap(face, ICON, ratio)
    if picture.isNull():
        picture = QPixmap(ICON, ICON)
        picture.fill(Qt.GlobalColor.transparent)
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon


def _face_pixmap(face: bytes, side: int, ratio: float) -> QPixmap:
    """A face at a size on the screen; empty if there is none."""
    image = QImage.fromData(face) if face else QImage()
    if image.isNull():
        return QPixmap()
    pixels = round(side * ratio)
    pixmap = QPixmap.fromImage(
        image.scaled(pixels, pixels, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    )
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
