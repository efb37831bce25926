"""A part of a panel under a heading that folds it away; folded, a few words say what is in it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from adstudio.ui.widgets.form import column, row
from adstudio.ui.widgets.text import unmarked, words
from adstudio.ui.widgets.theme import UNIT

ARROW = 4 * UNIT
HEAD = f"""
QPushButton {{ text-align: left; background: transparent; border: 1px solid transparent; font-weight: 600;
    padding: {UNIT // 2}px {UNIT}px {UNIT // 2}px {ARROW}px; min-height: {4 * UNIT}px; }}
QPushButton:hover {{ background: palette(button); }}
QPushButton:focus {{ border-color: palette(highlight); }}
"""


class FoldButton(QPushButton):
    """The heading: pressed, the part is open. Its arrow points down then, else to the side; it is drawn here."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.setStyleSheet(HEAD)
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setAccessibleName(unmarked(title))

    def sizeHint(self) -> QSize:
        """With room for the arrow."""
        return QSize(super().sizeHint().width() + UNIT, self.fontMetrics().height() + 2 * UNIT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words and the arrow."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.4))
        at = QPointF(2 * UNIT, self.height() / 2)
        if self.isChecked():
            corners = [QPointF(-UNIT, -UNIT / 2), QPointF(0, UNIT / 2), QPointF(UNIT, -UNIT / 2)]
        else:
            corners = [QPointF(-UNIT / 2, -UNIT), QPointF(UNIT / 2, 0), QPointF(-UNIT / 2, UNIT)]
        painter.drawPolyline([at + corner for corner in corners])
        painter.end()


class Fold(QWidget):
    """Heading, summary and content."""

    toggled = Signal(bool)

    def __init__(self, title: str, content: QWidget) -> None:
        super().__init__()
        self.head = FoldButton(title)
        self.summary = words(quiet=True, figures=True, wrap=True)
        self.summary.setAccessibleName(f"{unmarked(title)}, in short")
        self.content = content
        self.setLayout(column(row(self.head, None), self.summary, content, spacing=UNIT))
        self.summary.setContentsMargins(ARROW + UNIT, 0, 0, 0)
        self.head.toggled.connect(self._toggle)
        self._toggle(False)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return self.head.isChecked()

    def open(self, *, on: bool = True) -> None:
        """Show the content, or fold it away."""
        self.head.setChecked(on)

    def show_summary(self, text: str) -> None:
        """What is said while it is folded; it is read with the heading too."""
        self.summary.setText(text)
        self.head.setAccessibleDescription(text)
        self.summary.setVisible(bool(text) and not self.is_open)

    def _toggle(self, on: bool) -> None:
        self.content.setVisible(on)
        self.summary.setVisible(bool(self.summary.text()) and not on)
        self.toggled.emit(on)
