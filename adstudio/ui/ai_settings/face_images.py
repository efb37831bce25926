"""Faces on the screen: beside a name, and by itself."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QImage, QPixmap

ICON = 32
"""Pixels of a face beside a name."""


def face_icon(face: bytes, ratio: float) -> QIcon:
    """A face beside a name, the same whether it is in hand or not; an empty place where there is none."""
    picture = face_pixmap(face, ICON, ratio)
    if picture.isNull():
        picture = QPixmap(ICON, ICON)
        picture.fill(Qt.GlobalColor.transparent)
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon


def face_pixmap(face: bytes, side: int, ratio: float) -> QPixmap:
    """A face at a size on the screen; empty where there is none."""
    image = QImage.fromData(face) if face else QImage()
    if image.isNull():
        return QPixmap()
    pixels = round(side * ratio)
    pixmap = QPixmap.fromImage(
        image.scaled(pixels, pixels, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    )
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
