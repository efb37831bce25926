"""The strip above a list: controls, a message and buttons, on two lines where one is too narrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from adstudio.ui.widgets.theme import UNIT

ROOM_FOR_MESSAGE = 60 * UNIT
"""With less room beside the buttons, the message has a line of its own."""


class HeaderStrip(QWidget):
    """Its parts are put into it by `fill`."""

    def __init__(self) -> None:
        super().__init__()
        self._folded = False
        self._controls: Sequence[QWidget] = ()
        self._after: Sequence[QWidget] = ()
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        self.lines = QVBoxLayout(self)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(0)
        for line in (self._first, self._second):
            line.setSpacing(2 * UNIT)
            self.lines.addLayout(line)

    def fill(self, controls: Sequence[QWidget], message: QWidget, buttons: Sequence[QWidget]) -> None:
        """Show these from left to right."""
        self._controls, self._after = controls, (message, *buttons)
        for widget in controls:
            self._first.addWidget(widget)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """As narrow as with two lines."""
        wide = max(_width(self._controls), _width(self._after))
        edges = self.lines.contentsMargins()
        return QSize(wide + edges.left() + edges.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There may be room for one line now."""
        super().resizeEvent(event)
        self._fold()

    def event(self, event: QEvent) -> bool:
        """A button may have been shown or hidden."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return super().event(event)

    def _fold(self) -> None:
        edges = self.lines.contentsMargins()
        in_one_line = (*self._controls, *self._after[1:])
        wanted = sum(each.sizeHint().width() + 2 * UNIT for each in in_one_line if not each.isHidden())
        folded = wanted + ROOM_FOR_MESSAGE + edges.left() + edges.right() > self.width()
        if folded != self._folded:
            self._folded = folded
            self._arrange()

    def _arrange(self) -> None:
        line, other = (self._second, self._first) if self._folded else (self._first, self._second)
        for place, widget in enumerate(self._after):
            other.removeWidget(widget)
            line.addWidget(widget, 0 if place else 1)
        # Without the message, nothing on the first line grows.
        self._first.setAlignment(Qt.AlignmentFlag.AlignLeft if self._folded else Qt.AlignmentFlag(0))
        self.lines.setSpacing(UNIT if self._folded else 0)
        self.updateGeometry()


def _width(widgets: Iterable[QWidget]) -> int:
    shown = [max(each.minimumWidth() or each.minimumSizeHint().width(), 0) for each in widgets if not each.isHidden()]
    return sum(shown) + 2 * UNIT * max(0, len(shown) - 1)
