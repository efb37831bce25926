"""A character's pictures: cut out of a file or of the film's current picture, chosen as the portrait, or removed."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from adstudio.characters.faces_models import are_installed
from adstudio.characters.portrait_messages import CRASHED as PORTRAIT_CRASHED
from adstudio.characters.portrait_messages import PROTOCOL as PORTRAITS
from adstudio.characters.portrait_messages import LookAtPortrait, PortraitSeen, portrait_remark
from adstudio.core.cast import Person, Portrait
from adstudio.core.errors import AdstudioError
from adstudio.core.film import SourceFile
from adstudio.media.messages import PROTOCOL, Event, GrabFrame, Image, LoadImage, Request
from adstudio.store.media import locate_video, source_file
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.cast.face_crop import HELP, FaceCrop
from adstudio.ui.cast.picture_cards import PictureCards
from adstudio.ui.cast.portraits import colours_of, portrait_pixmap
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import button
from adstudio.ui.widgets.file_dialogs import ALL, ask_open, documents
from adstudio.ui.widgets.form import column, row
from adstudio.ui.widgets.formatting import timecode
from adstudio.ui.widgets.text import Label, note, note_text, say_in, sentence
from adstudio.ui.widgets.theme import UNIT

PICTURES = "Pictures (*.jpg *.jpeg *.png *.webp *.bmp *.tif *.tiff)"
FACE = 128
NO_VIDEO = "The project has no video to take a picture from."
PLAYHEAD = "The playhead is at {at}."
NO_FACE = "No picture yet"
LIMIT_MS = 30_000
CRASHED = "The picture could not be read: its file crashed the reader. Choose another one."
STOPPED = "No picture was taken: it was stopped."
LATE = "The picture was not ready within 30 seconds. Choose a smaller one."


class FacePicker(QWidget):
    """The picture with its buttons; while a face is cut out, the picture that it is cut out of."""

    taken = Signal(str, object)
    """The id of a person, and the `Portrait` that was cut out."""
    preferred = Signal(str, bytes)
    """The id of a person, and which picture is to be the portrait."""
    removed = Signal(str, bytes)
    """The id of a person, and which picture is not wanted."""
    refused = Signal(str)
    """Why there is no picture, or no face to be compared in it; empty where there is nothing to say any more."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._person: Person | None = None
        self._for = ""
        """The id of the person whose picture is being read or cut."""
        self._picture: SourceFile | None = None
        self._time: int | None = None
        texts = JobTexts(CRASHED, late=LATE)
        self.images = JobClient[Request, Event](context.jobs, self, PROTOCOL, (Image,), texts, limit_ms=LIMIT_MS)
        self.images.ended.connect(self._image_read)
        self._looking_at = ""
        """The name of the person in whose new picture the face is looked for."""
        self.looks = JobClient[LookAtPortrait, PortraitSeen | Failed](
            context.jobs, self, PORTRAITS, (PortraitSeen,), JobTexts(PORTRAIT_CRASHED)
        )
        self.looks.ended.connect(self._portrait_seen)
        self.face = Label(NO_FACE)
        self.face.setAccessibleName("Picture of the character")
        self.face.setFixedSize(FACE, FACE)
        self.face.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.face.setWordWrap(True)
        self.file_button = button("From &file…", "Take the picture from an image file", self.from_file)
        self.film_button = button("From current p&icture", "Take it from the picture at the playhead", self.from_film)
        self.portrait_button = button("Use as portrait", "Use the picture as the portrait", self._prefer)
        self.remove_button = button("Remo&ve picture", "Remove the picture", self._remove)
        self.pictures = PictureCards()
        self.pictures.current_changed.connect(self._show_picture)
        self.pictures.preferred.connect(self._prefer)
        self.pictures.unwanted.connect(self._remove)
        self.film_note = note("Position in the film")
        own = row(self.portrait_button, self.remove_button, None)
        buttons = column(self.file_button, self.film_button, self.film_note, own, None, spacing=2 * UNIT)
        shown = row(self.face, buttons, spacing=4 * UNIT, grows=buttons)
        shown.setAlignment(self.face, Qt.AlignmentFlag.AlignTop)
        self.looking = QWidget()
        self.looking.setLayout(column(shown, self.pictures, spacing=2 * UNIT))
        self.crop = FaceCrop()
        self.crop.taken.connect(self.take)
        self.take_button = button("&Use this face", "Use the area in the square", self.take)
        self.leave_button = button("Cancel", "Cancel", self.leave)
        help_ = note_text("How to move the square", HELP)
        self.cutting = QWidget()
        self.cutting.setLayout(
            column(self.crop, help_, row(self.take_button, self.leave_button, None), spacing=2 * UNIT, grows=self.crop)
        )
        self.setLayout(column(self.looking, self.cutting))
        self.cutting.hide()

    def shown_part(self) -> QWidget:
        """What is shown: the picture with its buttons, or what a face is cut out of."""
        return self.looking if self.cutting.isHidden() else self.cutting

    def _show(self, part: QWidget) -> None:
        # No stack: that is as high as its highest page, and cutting takes much more room.
        for each in (self.looking, self.cutting):
            each.setVisible(each is part)

    def show_person(self, person: Person | None) -> None:
        """Show somebody's picture; nobody’s is cut any more for somebody else."""
        if self._for and (person is None or person.id != self._for):
            self.leave()
        self._person = person
        with QSignalBlocker(self.pictures):
            self.pictures.show_person(person, self._context.session.script.film)
        self._show_picture()
        self.file_button.setEnabled(person is not None)
        self.show_playhead()

    def _show_picture(self) -> None:
        """The current one of the person's pictures, large, and what can be done with it."""
        person, picture = self._person, self.pictures.picture
        if person is None:
            self.face.setText(NO_FACE)
        else:
            colour = colours_of(self._context.session.script.people).get(person.id, person.colour)
            image = b"" if picture is None else picture.image
            self.face.setPixmap(portrait_pixmap(person, colour, FACE, self.devicePixelRatioF(), image))
        self.face.setAccessibleDescription(self.pictures.spoken(self.pictures.currentIndex().row()) or NO_FACE)
        self.portrait_button.setEnabled(picture is not None and not self.pictures.is_portrait)
        self.remove_button.setEnabled(picture is not None)

    def show_playhead(self) -> None:
        """Say from which picture of the film a face would be taken."""
        session = self._context.session
        film = session.script.film
        at = timecode(film, session.cursor.playhead)
        say_in(self.film_note, NO_VIDEO if film.media is None else PLAYHEAD.format(at=at))
        self.film_button.setEnabled(self._person is not None and film.media is not None)

    def from_file(self) -> None:
        """Ask for a picture's file, to cut the face out of."""
        path = None if self._person is None else ask_open(self, "Picture", documents(), (PICTURES, ALL))
        project = self._context.session.project
        if path is not None and self._person is not None and project is not None:
            try:
                picture = source_file(path, project.path)
            except AdstudioError as error:
                self.refused.emit(sentence(str(error)))
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
                self.refused.emit(sentence(str(error)))
                return
        if video is None:
            self.refused.emit("The video is missing: find it with File → Relink video….")
            return
        at = session.cursor.playhead
        self._load(f"Taking a picture from {video.name}", GrabFrame(video, at), time=at)

    def take(self) -> None:
        """Take what is in the square as the picture."""
        if self.shown_part() is self.cutting and self._for:
            identity, portrait = self._for, Portrait(self.crop.face(), self._picture, self._time)
            self.leave()
            self.taken.emit(identity, portrait)
            self.file_button.setFocus()
            self._look_at(identity, portrait)

    def _look_at(self, identity: str, portrait: Portrait) -> None:
        """Have another process see whether faces of the film can be compared with a picture that somebody has now."""
        person = self._context.session.script.person_by_id.get(identity)
        if person is not None and portrait in person.portraits and are_installed():
            self._looking_at = person.name
            self.looks.start("Looking for the face in the picture", LookAtPortrait(portrait.image))

    def _portrait_seen(self, answer: PortraitSeen | Failed | None) -> None:
        match answer:
            case PortraitSeen(faces) if remark := portrait_remark(self._looking_at, faces):
                self.refused.emit(remark)
            case Failed(message):
                self.refused.emit(sentence(message))
            case _:
                pass

    def leave(self) -> None:
        """Take no picture."""
        self.images.forget()
        self._for = ""
        focus = self.focusWidget()
        back = focus is not None and self.cutting.isAncestorOf(focus)
        self._show(self.looking)
        if back:
            self.file_button.setFocus()

    def _prefer(self) -> None:
        if self._person is not None and (picture := self.pictures.picture) is not None:
            self.preferred.emit(self._person.id, picture.image)

    def _remove(self) -> None:
        if self._person is not None and (picture := self.pictures.picture) is not None:
            self.removed.emit(self._person.id, picture.image)
            if not self.pictures.isVisible() and not self.remove_button.isEnabled():
                self.file_button.setFocus()

    def _load(
        self, title: str, request: Request, picture: SourceFile | None = None, *, time: int | None = None
    ) -> None:
        if self._person is not None:
            self._for, self._picture, self._time = self._person.id, picture, time
            self.refused.emit("")
            self.images.start(title, request)

    def _image_read(self, answer: Image | Failed | None) -> None:
        match answer:
            case Image(data) if self.crop.show_picture(data):
                self._show(self.cutting)
                self.crop.setFocus()
            case Image():
                self._refuse("This picture cannot be displayed")
            case Failed(message):
                self._refuse(message)
            case None:
                self._refuse(STOPPED)

    def _refuse(self, why: str) -> None:
        self._for = ""
        self.refused.emit(sentence(why))
