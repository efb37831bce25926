"""Takes a face of the film as a portrait of its character, once the describer has said yes."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from adstudio.characters.faces import Face
from adstudio.core.cast import BOX_SCALE, Portrait
from adstudio.editing.cast import add_portrait
from adstudio.media.messages import PROTOCOL, Event, GrabFrame, Image, Request
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.faces.film_faces import FilmFaces
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.file_dialogs import ask
from adstudio.ui.widgets.formatting import timecode

SIDE = 256
QUALITY = 90
MARGIN = 0.4
"""What is shown around a face, of its size on each side."""
DETAIL = (
    "Its picture at {} becomes the first picture of this character. It is kept in the project, and models that this "
    "film permits are sent it with their prompts."
)


class PortraitTaking(QObject):
    """Asks, has the picture taken from the film, and makes one step of it."""

    def __init__(self, context: Context, faces: FilmFaces, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._faces, self._window = context, faces, window
        texts = JobTexts("The film’s picture could not be taken.")
        self._client = JobClient[Request, Event](context.jobs, self, PROTOCOL, (Image,), texts)
        self._client.ended.connect(self._end)
        self._wanted: tuple[str, Face] | None = None

    def take(self, person: str, face: Face) -> bool:
        """Ask for a yes, and take the picture; False without one."""
        session = self._context.session
        known = session.script.person_by_id.get(person)
        video = self._faces.video
        if known is None or video is None:
            return False
        detail = DETAIL.format(timecode(session.script.film, face.time))
        if ask(self._window, f"Use this face as the portrait of “{known.name}”?", detail, ("Use it",)) != 0:
            return False
        self._wanted = person, face
        self._client.start(f"Taking a picture from {video.name}", GrabFrame(video, face.time))
        return True

    def _end(self, answer: Event | None) -> None:
        session, wanted = self._context.session, self._wanted
        self._wanted = None
        if isinstance(answer, Failed):
            session.messages.say(answer.message)
        if not isinstance(answer, Image) or wanted is None:
            return
        person, face = wanted
        picture = cut_out(answer.data, face)
        if picture and session.edits.attempt(
            lambda script: add_portrait(script, person, Portrait(picture, time=face.time))
        ):
            session.messages.say("The portrait is taken.")


def cut_out(picture: bytes, face: Face) -> bytes:
    """A face and something around it, square, out of a picture of the film, as a small JPEG; empty for no picture."""
    image = QImage.fromData(picture)
    if image.isNull():
        return b""
    box, across, down = face.box, image.width() / BOX_SCALE, image.height() / BOX_SCALE  # pixels of one unit
    half = max(box.width * across, box.height * down) * (0.5 + MARGIN)
    across, down = (box.left + box.width / 2) * across, (box.top + box.height / 2) * down
    half = min(half, image.width() / 2, image.height() / 2)
    # Moved into the picture rather than cut off at its edge.
    across = min(max(across, half), image.width() - half)
    down = min(max(down, half), image.height() - half)
    square = image.copy(
        QRect(round(across - half), round(down - half), max(round(2 * half), 1), max(round(2 * half), 1))
    )
    small = square.scaled(SIDE, SIDE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    small.save(buffer, "JPEG", QUALITY)  # pyright: ignore[reportCallIssue, reportArgumentType]
    return bytes(data.data())
