"""The slim title bar of a docked panel, a handle to drag it by; of a floating one, its title and a way back."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QToolButton, QWidget

from adstudio.ui.widgets.theme import UNIT

DOTS = 5


class DockTitle(QWidget):
    """Replaces Qt's title, which would only repeat what the panel shows."""

    def __init__(self, dock: QDockWidget, height: int = 2 * UNIT) -> None:
        super().__init__(dock)
        self._dock = dock
        self._slim = height
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._back = QToolButton()
        self._back.setText("Put back")
        self._back.setAccessibleName(f"Put {dock.windowTitle()} back into the window")
        self._back.clicked.connect(lambda: dock.setFloating(False))
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * UNIT, 0, UNIT, 0)
        row.addWidget(self._title, 1)
        row.addWidget(self._back)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self._back.setCursor(Qt.CursorShape.ArrowCursor)
        self.setToolTip(f"{dock.windowTitle()}: drag it elsewhere, double-click to take it out of the window")
        dock.topLevelChanged.connect(self._show)
        dock.windowTitleChanged.connect(self._title.setText)
        self._title.setText(dock.windowTitle())
        self._show(dock.isFloating())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The handle: a few dots, brighter under the mouse."""
        del event
        if self._dock.isFloating() or self._slim < 2 * UNIT:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        role, group = QPalette.ColorRole, QPalette.ColorGroup
        faint = self.palette().color(group.Disabled, role.WindowText)
        painter.setBrush(self.palette().color(role.Highlight) if self.underMouse() else faint)
        for place in range(DOTS):
            painter.drawEllipse(QPointF((3.5 + place) * UNIT, self.height() / 2), 1, 1)
        painter.end()

    def enterEvent(self, event: object) -> None:
        """Highlight the handle."""
        del event
        self.update()

    def leaveEvent(self, event: object) -> None:
        """Stop highlighting it."""
        del event
        self.update()

    def _show(self, floating: bool) -> None:
        self._title.setVisible(floating)
        self._back.setVisible(floating)
        self.setFixedHeight(8 * UNIT if floating else self._slim)
