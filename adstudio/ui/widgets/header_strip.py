"""The strip above a list: what is asked for, a sentence, and what leads on; two lines where one has no room for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from adstudio.ui.widgets.theme import UNIT

ROOM_FOR_MESSAGE = 60 * UNIT
"""With less room beside the buttons, the sentence has a line of its own."""


class HeaderStrip(QWidget):
    """Its parts are put into it by `fill`."""

    def __init__(self) -> None:
        super().__init__()
        self._folded = False
        self._asked: Sequence[QWidget] = ()
        self._after: Sequence[QWidget] = ()
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        self.lines = QVBoxLayout(self)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(0)
        for line in (self._first, self._second):
            line.setSpacing(2 * UNIT)
            self.lines.addLayout(line)

    def fill(self, asked: Sequence[QWidget], message: QWidget, on: Sequence[QWidget]) -> None:
        """From left to right: what is asked for, the sentence, and what leads on."""
        self._asked, self._after = asked, (message, *on)
        for widget in asked:
            self._first.addWidget(widget)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """As narrow as with two lines."""
        wide = max(_width(self._asked), _width(self._after))
        edges = self.lines.contentsMargins()
        return QSize(wide + edges.left() + edges.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There may be room for one line now."""
        super().resizeEvent(event)
        self._fold()

    def event(self, event: QEvent) -> bool:
        """A button may have come or gone."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return super().event(event)

    def _fold(self) -> None:
        edges = self.lines.contentsMargins()
        beside = (*self._asked, *self._after[1:])
        wanted = sum(each.sizeHint().width() + 2 * UNIT for each in beside if not each.isHidden())
        folded = wanted + ROOM_FOR_MESSAGE + edges.left() + edges.right() > self.width()
        if folded != self._folded:
            self._folded = folded
            self._arrange()

    def _arrange(self) -> None:
        line, other = (self._second, self._first) if self._folded else (self._first, self._second)
        for place, widget in enumerate(self._after):
            other.removeWidget(widget)
            line.addWidget(widget, 0 if place else 1)
        # Nothing takes what is left of a first line that has no sentence.
        self._first.setAlignment(Qt.AlignmentFlag.AlignLeft if self._folded else Qt.AlignmentFlag(0))
        self.lines.setSpacing(UNIT if self._folded else 0)
        self.updateGeometry()


def _width(widgets: Iterable[QWidget]) -> int:
    shown = [max(each.minimumWidth() or each.minimumSizeHint().width(), 0) for each in widgets if not each.isHidden()]
    return sum(shown) + 2 * UNIT * max(0, len(shown) - 1)
