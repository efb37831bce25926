"""A picture with a square on it, moved and sized by keys and mouse: the face is what it holds."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.ui.widgets.theme import UNIT

SIDE = 256
"""Pixels of a face at most; see `media.faces`."""
SMALLEST = 160
"""Models see less in a smaller one, even where it has no more to show."""
LEAST = 32
"""Pixels of the picture that the square holds at least."""
QUALITY = 90
HELP = "Arrow keys move the square; plus and minus resize it; hold Shift for small steps. Or drag it and use the wheel."
SHADE = QColor(0, 0, 0, 150)


class FaceCrop(QWidget):
    """The square is kept in the picture's own pixels."""

    changed = Signal()
    taken = Signal()
    """Return was pressed, or it was clicked twice."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._square = QRect()
        self._grip: QPointF | None = None
        self.setAccessibleName("Face area")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(60 * UNIT, 48 * UNIT)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(HELP)

    def sizeHint(self) -> QSize:
        """A good part of the page."""
        return QSize(120 * UNIT, 80 * UNIT)

    @property
    def square(self) -> QRect:
        """What is held, in the picture's pixels."""
        return QRect(self._square)

    def show_picture(self, data: bytes) -> bool:
        """Another picture, the square in the middle of its upper part; False where it is none."""
        image = QImage.fromData(data)
        if image.isNull() or min(image.width(), image.height()) < 2:
            return False
        self._image = image
        shorter = min(image.width(), image.height())
        # A picture of a face alone is taken whole; of a scene half its height, where heads are.
        side = shorter if image.width() <= image.height() * 1.25 else max(min(LEAST, shorter), round(shorter * 0.5))
        self._square = QRect((image.width() - side) // 2, (image.height() - side) // 4, side, side)
        self._tell()
        return True

    def face(self) -> bytes:
        """What the square holds, as a small JPEG that tells nothing else."""
        held = self._image.copy(self._square).convertToFormat(QImage.Format.Format_RGB888)
        side = max(SMALLEST, min(SIDE, held.width()))
        if held.width() != side:
            held = held.scaled(
                side, side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        for key in held.textKeys():
            held.setText(key, "")
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        held.save(buffer, "JPEG", QUALITY)  # pyright: ignore[reportCallIssue, reportArgumentType] - a device and a form
        buffer.close()
        return bytes(data.data())

    def move_by(self, across: int, down: int) -> None:
        """Move the square, as far as the picture goes."""
        self._place(self._square.translated(across, down))

    def grow(self, by: int) -> None:
        """Make the square larger or smaller around its middle."""
        shorter = min(self._image.width(), self._image.height())
        side = max(min(LEAST, shorter), min(shorter, self._square.width() + by))
        inwards = (self._square.width() - side) // 2
        self._place(QRect(self._square.x() + inwards, self._square.y() + inwards, side, side))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, plus and minus; Return takes it."""
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
        """Take hold of the square; a press beside it brings it there."""
        at = self._in_picture(event.position())
        if not QRectF(self._square).contains(at):
            side = self._square.width()
            self._place(QRect(round(at.x()) - side // 2, round(at.y()) - side // 2, side, side))
        self._grip = at - QPointF(self._square.topLeft())
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        if self._grip is not None:
            corner = self._in_picture(event.position()) - self._grip
            self._place(QRect(round(corner.x()), round(corner.y()), self._square.width(), self._square.height()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        del event
        self._grip = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take it."""
        del event
        self.taken.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Size it."""
        self.grow(round(event.angleDelta().y() / 120 * max(2, self._image.width() // 40)))
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture, darker around the square, and a frame that says where the keys go."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        shown = self._shown()
        painter.fillRect(self.rect(), self.palette().window())
        painter.drawImage(shown, self._image)
        held = QRectF(
            shown.x() + self._square.x() * self._scale(),
            shown.y() + self._square.y() * self._scale(),
            self._square.width() * self._scale(),
            self._square.height() * self._scale(),
        )
        for side in (
            QRectF(shown.left(), shown.top(), shown.width(), held.top() - shown.top()),
            QRectF(shown.left(), held.bottom(), shown.width(), shown.bottom() - held.bottom()),
            QRectF(shown.left(), held.top(), held.left() - shown.left(), held.height()),
            QRectF(held.right(), held.top(), shown.right() - held.right(), held.height()),
        ):
            painter.fillRect(side, SHADE)
        painter.setPen(QPen(self.palette().highlight() if self.hasFocus() else QColor("white"), 2))
        painter.drawRect(held)
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
        self._tell()

    def _tell(self) -> None:
        square, image = self._square, self._image
        self.setAccessibleDescription(
            f"{square.x()} from the left and {square.y()} from the top, {square.width()} wide, of {image.width()} by "
            f"{image.height()}. {HELP}"
        )
        self.update()
        self.changed.emit()
