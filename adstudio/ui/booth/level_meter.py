"""The level of the input: a bar, its peak held, and whether it was clipped."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from adstudio.recording.messages import SILENT, Level
from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.theme import UNIT, text_scale

LOWEST = -600
"""The lowest level that the meter shows, in tenths of a decibel."""
LOUD = -60
"""Above this a voice comes close to full scale."""
HOLD_READINGS = 25
"""For how many readings the meter holds a peak."""


class LevelMeter(QAbstractButton):
    """The level of the input, its peak held for a moment, and whether it has been clipped; pressing it resets that."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._level, self._peak, self._held = SILENT, SILENT, 0
        self.clipped = False
        self.setAccessibleName("Input level")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip("The input level in dB below full scale. Click, or press Return, to reset “clipped”.")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self._describe()

    def show_level(self, level: Level | None) -> None:
        """Show a reading; None where nothing is listened to."""
        found = SILENT if level is None else level.peak
        self._level = max(found, self._level - 20)
        self._held -= 1
        if found >= self._peak or self._held < 0:
            self._peak, self._held = found, HOLD_READINGS
        self.clipped = level is not None and level.clipped
        self._describe()
        self.update()

    def _describe(self) -> None:
        loud = "no signal" if self._peak <= LOWEST else f"peak {self._peak / 10:.0f} dB"
        self.setAccessibleDescription(f"{loud}, clipped" if self.clipped else loud)

    def sizeHint(self) -> QSize:
        """As high as a field."""
        return QSize(40 * UNIT, max(7 * UNIT, self.fontMetrics().height() + UNIT))

    def minimumSizeHint(self) -> QSize:
        """Enough to read."""
        return QSize(int(30 * UNIT * text_scale()), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return resets “clipped”."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A bar, a mark for the peak, and its number."""
        del event
        tokens = self._theme.tokens
        painter = QPainter(self)
        text = "clipped" if self.clipped else "" if self._peak <= LOWEST else f"{self._peak / 10:.0f} dB"
        room = self.fontMetrics().horizontalAdvance("clipped") + 2 * UNIT
        bar = QRectF(0.5, self.height() / 2 - UNIT, max(10, self.width() - room - 1), 2 * UNIT)
        painter.setPen(QColor(tokens.faint))
        painter.setBrush(QColor(tokens.panel))
        painter.drawRect(bar)

        def place(level: int) -> float:
            return bar.width() * max(0.0, min(1.0, 1 - level / LOWEST))

        full = QRectF(bar.left(), bar.top(), place(self._level), bar.height())
        painter.fillRect(full, QColor(tokens.warning if self._level > LOUD else tokens.good))
        if self._peak > LOWEST:
            at = bar.left() + place(self._peak)
            painter.setPen(QPen(QColor(tokens.text), 2))
            painter.drawLine(QPointF(at, bar.top() - 2), QPointF(at, bar.bottom() + 2))
        painter.setPen(QColor(tokens.warning if self.clipped else tokens.quiet))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        if self.hasFocus():
            painter.setPen(QColor(tokens.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
