"""The waveform of a take: what is used of it, its trims, and a cursor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider

from adstudio.recording.messages import Waveform
from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.theme import UNIT

HANDLE = 6
"""So many pixels from an edge it can be dragged."""
FINE_MS, STEP_MS, JUMP_MS = 10, 50, 500
"""How far the arrow keys go: with Shift, alone, with Ctrl."""


class TakeWaveform(QSlider):
    """A recording, what is trimmed away greyed, with a cursor: keys or the mouse move it and the two trims.

    It is a slider, whose value is the cursor's place in milliseconds: so a screen reader knows it.
    """

    trimmed = Signal(int, int)
    """What is used runs from and to these (ms)."""
    moved = Signal(str)
    """Where the cursor is now, to be said."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._wave: Waveform | None = None
        self._start = self._end = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._dragged = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(40 * UNIT, 10 * UNIT)
        self.setAccessibleName("Waveform of the take")
        self.setToolTip("Left and Right move the cursor, I and O trim to it; drag the edges with the mouse.")
        theme.changed.connect(self.update)
        self._describe()

    @property
    def cursor_ms(self) -> int:
        """The point from which a punch-in would record, in milliseconds of the recording."""
        return self.value()

    def show_take(self, wave: Waveform | None, start: int = 0, end: int = 0) -> None:
        """Show a recording and what is used of it; None for nothing."""
        if wave is not self._wave:
            self.setRange(0, 0 if wave is None else wave.length)
            self.setValue(start)
        self._wave, self._start, self._end = wave, start, end
        self._describe()
        self.update()

    def _describe(self) -> None:
        if self._wave is None:
            self.setAccessibleDescription("No take is shown.")
            return
        self.setAccessibleDescription(
            f"{self._start / 1000:.2f} to {self._end / 1000:.2f} s of {self._wave.length / 1000:.2f} s is used; "
            f"cursor at {self.cursor_ms / 1000:.2f} s"
        )

    def event(self, event: QEvent) -> bool:
        """Keep the keys that are bound elsewhere and mean the take here."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._does(event):
            event.accept()
            return True
        return super().event(event)

    def _does(self, event: QKeyEvent) -> bool:
        control = Qt.KeyboardModifier.ControlModifier
        plain = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | control) in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        keys = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
        letters = event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() in (Qt.Key.Key_I, Qt.Key.Key_O)
        return self._wave is not None and (letters or (plain and event.key() in keys))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move the cursor, I and O trim to it."""
        if self._wave is None or not self._does(event):
            event.ignore()
            return
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        step = FINE_MS if shift else JUMP_MS if control else STEP_MS
        match event.key():
            case Qt.Key.Key_Left:
                self._go(self.cursor_ms - step)
            case Qt.Key.Key_Right:
                self._go(self.cursor_ms + step)
            case Qt.Key.Key_Home:
                self._go(self._start)
            case Qt.Key.Key_End:
                self._go(self._end)
            case Qt.Key.Key_I:
                self.trimmed.emit(self.cursor_ms, self._end)
            case _:
                self.trimmed.emit(self._start, self.cursor_ms)

    def _go(self, ms: int) -> None:
        self.setValue(ms)
        self._describe()
        self.update()
        self.moved.emit(f"{self.cursor_ms / 1000:.2f} s")

    def _x(self, ms: int) -> float:
        length = 1 if self._wave is None else max(1, self._wave.length)
        return (self.width() - 1) * ms / length

    def _ms(self, x: float) -> int:
        length = 0 if self._wave is None else self._wave.length
        return max(0, min(length, round(x * length / max(1, self.width() - 1))))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take an edge, or put the cursor there."""
        x = event.position().x()
        near = {"start": abs(x - self._x(self._start)), "end": abs(x - self._x(self._end))}
        edge = min(near, key=lambda name: near[name])
        self._dragged = edge if self._wave is not None and near[edge] <= HANDLE else ""
        if not self._dragged:
            self._go(self._ms(x))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag an edge, or the cursor."""
        x = event.position().x()
        if self._dragged == "start":
            self._start = min(self._ms(x), self._end)
        elif self._dragged == "end":
            self._end = max(self._ms(x), self._start)
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._go(self._ms(x))
        edge = min(abs(x - self._x(self._start)), abs(x - self._x(self._end))) <= HANDLE
        at_edge = self._wave is not None and (edge or self._dragged)
        self.setCursor(Qt.CursorShape.SizeHorCursor if at_edge else Qt.CursorShape.ArrowCursor)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The edge is where it was dragged to."""
        del event
        if self._dragged:
            self._dragged = ""
            self.trimmed.emit(self._start, self._end)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel leaves the cursor where it is."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The wave from the middle line up and down, the trims and the cursor."""
        del event
        tokens, wave = self._theme.tokens, self._wave
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(tokens.panel))
        middle = self.height() / 2
        if wave is not None and wave.peaks:
            left, right = self._x(self._start), self._x(self._end)
            painter.fillRect(QRectF(left, 0, right - left, self.height()), QColor(tokens.accent_wash))
            count = len(wave.peaks)
            for x in range(self.width()):
                first, last = (
                    x * count // self.width(),
                    max(x * count // self.width() + 1, (x + 1) * count // self.width()),
                )
                high = max(wave.peaks[first:last], default=0) / 1000 * (middle - UNIT)
                painter.setPen(QColor(tokens.text if left <= x <= right else tokens.faint))
                painter.drawLine(QPointF(x, middle - high), QPointF(x, middle + high))
            painter.setPen(QPen(QColor(tokens.accent), 2))
            for edge in (left, right):
                at = max(1.0, min(self.width() - 2.0, edge))
                painter.drawLine(QPointF(at, 0), QPointF(at, self.height()))
            painter.setPen(QPen(QColor(tokens.warning), 1, Qt.PenStyle.DashLine))
            cursor = self._x(self.cursor_ms)
            painter.drawLine(QPointF(cursor, 0), QPointF(cursor, self.height()))
        else:
            painter.setPen(QColor(tokens.quiet))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No take")
        painter.setPen(QColor(tokens.accent if self.hasFocus() else tokens.line))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
