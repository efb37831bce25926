"""A picture with a square on it, moved and sized by keys and mouse: what is in it is the face."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.ui.widgets.theme import UNIT

SIDE = 256
"""Pixels of a face at most; see `media.faces`."""
SMALLEST = 160
"""Smaller faces are scaled up to this, as models see less in small images."""
LEAST = 32
"""The smallest side of the square, in pixels of the picture."""
QUALITY = 90
HELP = "Arrow keys move the square; plus and minus resize it; hold Shift for small steps. Or drag it and use the wheel."
SHADE = QColor(0, 0, 0, 150)


class FaceCrop(QWidget):
    """The square is measured in the picture's own pixels."""

    changed = Signal()
    taken = Signal()
    """Return was pressed, or it was clicked twice."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._square = QRect()
        self._grabbed: QPointF | None = None
        self.setAccessibleName("Face area")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(60 * UNIT, 48 * UNIT)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(HELP)

    def sizeHint(self) -> QSize:
        """Prefer a good part of the page."""
        return QSize(120 * UNIT, 80 * UNIT)

    @property
    def square(self) -> QRect:
        """The square, in the picture's pixels."""
        return QRect(self._square)

    def show_picture(self, data: bytes) -> bool:
        """Show another picture, with the square in its upper middle; False if it cannot be displayed."""
        image = QImage.fromData(data)
        if image.isNull() or min(image.width(), image.height()) < 2:
            return False
        self._image = image
        shorter = min(image.width(), image.height())
        # A portrait is taken whole; of a scene, half the height, where heads are.
        side = shorter if image.width() <= image.height() * 1.25 else max(min(LEAST, shorter), round(shorter * 0.5))
        self._square = QRect((image.width() - side) // 2, (image.height() - side) // 4, side, side)
        self._square_changed()
        return True

    def face(self) -> bytes:
        """What is in the square, as a small JPEG without metadata."""
        face = self._image.copy(self._square).convertToFormat(QImage.Format.Format_RGB888)
        side = max(SMALLEST, min(SIDE, face.width()))
        if face.width() != side:
            face = face.scaled(
                side, side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        for key in face.textKeys():
            face.setText(key, "")
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        face.save(buffer, "JPEG", QUALITY)  # pyright: ignore[reportCallIssue, reportArgumentType] - a device and a form
        buffer.close()
        return bytes(data.data())

    def move_by(self, across: int, down: int) -> None:
        """Move the square within the picture."""
        self._place(self._square.translated(across, down))

    def grow(self, by: int) -> None:
        """Make the square larger or smaller around its middle."""
        shorter = min(self._image.width(), self._image.height())
        side = max(min(LEAST, shorter), min(shorter, self._square.width() + by))
        inwards = (self._square.width() - side) // 2
        self._place(QRect(self._square.x() + inwards, self._square.y() + inwards, side, side))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, plus and minus resize, Return takes the face."""
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = 1 if fine else max(1, self._image.width() // 50)
        moves = {
            Qt.Key.Key_Left: (-step, 0),
            Qt.Key.Key_Right: (step, 0),
            Qt.Key.Key_Up: (0, -step),
            Qt.Key.Key_Down: (0, step),
        }
        key = event.key()
        if key in moves:
            self.move_by(*moves[Qt.Key(key)])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.grow(2 * step)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.grow(-2 * step)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging the square; a press beside it moves it there."""
        at = self._in_picture(event.position())
        if not QRectF(self._square).contains(at):
            side = self._square.width()
            self._place(QRect(round(at.x()) - side // 2, round(at.y()) - side // 2, side, side))
        self._grabbed = at - QPointF(self._square.topLeft())
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the square."""
        if self._grabbed is not None:
            corner = self._in_picture(event.position()) - self._grabbed
            self._place(QRect(round(corner.x()), round(corner.y()), self._square.width(), self._square.height()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop dragging."""
        del event
        self._grabbed = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the face."""
        del event
        self.taken.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Resize the square."""
        self.grow(round(event.angleDelta().y() / 120 * max(2, self._image.width() // 40)))
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, darker around the square, whose frame shows the focus."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        shown = self._shown()
        painter.fillRect(self.rect(), self.palette().window())
        painter.drawImage(shown, self._image)
        scale = self._scale()
        square = QRectF(QPointF(self._square.topLeft()) * scale, QSizeF(self._square.size()) * scale)
        square.translate(shown.topLeft())
        around = QPainterPath()
        around.addRect(shown)
        around.addRect(square)
        painter.fillPath(around, SHADE)
        painter.setPen(QPen(self.palette().highlight() if self.hasFocus() else QColor("white"), 2))
        painter.drawRect(square)
        painter.end()

    def _scale(self) -> float:
        if self._image.isNull():
            return 1.0
        return min(self.width() / self._image.width(), self.height() / self._image.height())

    def _shown(self) -> QRectF:
        wide, high = self._image.width() * self._scale(), self._image.height() * self._scale()
        return QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)

    def _in_picture(self, at: QPointF) -> QPointF:
        return (at - self._shown().topLeft()) / self._scale()

    def _place(self, wanted: QRect) -> None:
        left = max(0, min(wanted.x(), self._image.width() - wanted.width()))
        top = max(0, min(wanted.y(), self._image.height() - wanted.height()))
        self._square = QRect(left, top, wanted.width(), wanted.height())
        self._square_changed()

    def _square_changed(self) -> None:
        square, image = self._square, self._image
        self.setAccessibleDescription(
            f"{square.x()} from the left and {square.y()} from the top, {square.width()} wide, of {image.width()} by "
            f"{image.height()}. {HELP}"
        )
        self.update()
        self.changed.emit()
