"""A character as a picture: the portrait, or the initials on the character's colour."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QImage, QPainter, QPixmap

from adstudio.core.cast import People, Person, name_key

COLOURS = {
    "#2f5fd0": "blue",
    "#0e6b5e": "green",
    "#a03a78": "magenta",
    "#8a5a00": "ochre",
    "#6a4fb5": "violet",
    "#b3381e": "red",
    "#1f6f8b": "teal",
    "#5d6b1e": "olive",
    "#7a4b32": "brown",
    "#56616b": "grey",
}
"""Colours of characters, on each of which white letters have a contrast of 4.5 : 1 or more, and their names."""


def colours_of(people: People) -> dict[str, str]:
    """The colour of each character by id: the chosen one, else one by the id, or the next that nobody has yet."""
    found = {person.id: person.colour for person in people if person.colour}
    palette = list(COLOURS)
    for person in people:
        if person.id not in found:
            start = sum(person.id.encode("utf-8", "surrogatepass"))
            own = [palette[(start + step) % len(palette)] for step in range(len(palette))]
            taken = set(found.values())
            found[person.id] = next((colour for colour in own if colour not in taken), own[0])
    return found


def initials(name: str) -> str:
    """The first letters of a name's first and last word."""
    words = [word for word in name.split() if name_key(word)]
    return "".join(word[0] for word in dict.fromkeys((words[0], words[-1]))).upper() if words else ""


def face_pixmap(face: bytes, side: int, ratio: float) -> QPixmap:
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


def portrait_pixmap(person: Person, colour: str, side: int, ratio: float, picture: bytes = b"") -> QPixmap:
    """A square with the portrait, or another picture, on the character's colour, else with the initials."""
    square = QPixmap(round(side * ratio), round(side * ratio))
    square.setDevicePixelRatio(ratio)
    square.fill(Qt.GlobalColor.transparent)
    painter = QPainter(square)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(0, 0, side, side), 4, 4)
    face = face_pixmap(picture or person.face, side - 4, ratio)
    if face.isNull():
        font = QFont(painter.font())
        font.setPixelSize(side * 2 // 5)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff"))
        painter.drawText(QRectF(0, 0, side, side), Qt.AlignmentFlag.AlignCenter, initials(person.name))
    else:
        shown = face.deviceIndependentSize()
        painter.drawPixmap(round((side - shown.width()) / 2), round((side - shown.height()) / 2), face)
    painter.end()
    return square


def portrait_icon(person: Person, colour: str, side: int, ratio: float) -> QIcon:
    """The same as an icon, which looks alike whether selected or not."""
    pixmap = portrait_pixmap(person, colour, side, ratio)
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon
