"""The mouse over a timeline."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from adstudio.ui.timeline.items import Box, box, strips_in
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.timeline import Timeline

UPRIGHT = False  # the wheel is not inverted; Qt takes it by place only


class Hand:
    """The mouse over the canvas."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.canvas = timeline.canvas
        self._buttons = Qt.MouseButton.NoButton

    def box(self, lane: Lane, key: str) -> Box:
        """Where an item stands."""
        strip = strips_in(self.canvas.rows, lane)[-1][1]
        return box(self.canvas.view, self.canvas.bands[lane], strip, strip.place[key])

    def point(self, ms: int, lane: Lane) -> QPointF:
        """The middle of a lane at a time."""
        band = self.canvas.bands[lane]
        return QPointF(self.canvas.view.x(ms), band.top + band.height / 2)

    def centre(self, lane: Lane, key: str) -> QPointF:
        """The middle of an item."""
        found = self.box(lane, key)
        return QPointF(found.centre, found.middle)

    def _send(self, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> None:
        event = QMouseEvent(kind, at, QPointF(self.canvas.mapToGlobal(at.toPoint())), button, self._buttons, modifiers)
        QApplication.sendEvent(self.canvas, event)

    def press(self, at: QPointF, button=Qt.MouseButton.LeftButton, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        self._buttons = button
        self._send(QEvent.Type.MouseButtonPress, at, button, modifiers)

    def move(self, at: QPointF, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        self._send(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, modifiers)

    def release(self, at: QPointF, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        button, self._buttons = self._buttons, Qt.MouseButton.NoButton
        self._send(QEvent.Type.MouseButtonRelease, at, button, modifiers)

    def click(self, at: QPointF, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        self.press(at, modifiers=modifiers)
        self.release(at, modifiers)

    def double_click(self, at: QPointF) -> None:
        self.click(at)
        self._buttons = Qt.MouseButton.LeftButton
        self._send(QEvent.Type.MouseButtonDblClick, at, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        self.release(at)

    def drag(self, at: QPointF, to: QPointF, modifiers=Qt.KeyboardModifier.NoModifier, *, press=None) -> None:
        self.press(at, modifiers=modifiers if press is None else press)
        for part in (0.3, 0.7, 1.0):
            self.move(at + (to - at) * part, modifiers)
        self.release(to, modifiers)

    def wheel(self, at: QPointF, delta: int, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        where = QPointF(self.canvas.mapToGlobal(at.toPoint()))
        event = QWheelEvent(
            at,
            where,
            QPoint(),
            QPoint(0, delta),
            self._buttons,
            modifiers,
            Qt.ScrollPhase.NoScrollPhase,
            UPRIGHT,
        )
        QApplication.sendEvent(self.canvas, event)
