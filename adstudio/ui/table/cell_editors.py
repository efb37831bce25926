"""The text editor in a cell of the table: grows over the rows below, with length and fit under the words."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from adstudio.editing.fit import Fit
from adstudio.ui.widgets.controls import RETURN, Picker
from adstudio.ui.widgets.formatting import counted, duration
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.text_field import TextField
from adstudio.ui.widgets.theme import UNIT

FOOT = 5 * UNIT
LEAST_WIDTH = 90 * UNIT


def spare_words(fit: Fit) -> str:
    """The room that a wording leaves, or lacks."""
    if fit.gap is None and fit.room == 0:
        return "no room here"
    return f"{duration(fit.spare)} to spare" if fit.fits else f"{duration(fit.too_long)} too long"


def fit_words(fit: Fit) -> str:
    """Words, length and room, as it stands under a text that is being typed."""
    return f"{counted(fit.words, 'word')} · {duration(fit.duration)} · {spare_words(fit)}"


class CellText(TextField):
    """Edits a wording (`variant` says which) or, without one, a note. Return ends it, Escape gives it up."""

    def __init__(self, name: str, parent: QWidget, variant: int | None = None) -> None:
        self.variant = variant
        self._foot: QLabel | None = None
        super().__init__(name, parent, least_lines=2, rests=False)
        self.setAutoFillBackground(True)
        if variant is not None:
            self.setViewportMargins(0, 0, 0, FOOT)
            self._foot = words(figures=True, quiet=True)
            self._foot.setParent(self)
            self.extra = FOOT
            self._fit_height()

    def tell(self, sentence: str, *, good: bool) -> None:
        """Show length and fit under the words."""
        if self._foot is None:
            return
        self._foot.setText(sentence)
        self.setAccessibleDescription(sentence)
        tone(self._foot, warning=not good, quiet=good)

    def take_place(self, cell: QRect) -> None:
        """Stand over a cell, as high as the text needs, within the table as far as there is room."""
        view, width = self.parentWidget(), max(LEAST_WIDTH, cell.width())
        bottom = cell.top() if view is None else view.height() - self.minimumHeight()
        top = max(0, min(cell.top(), bottom))
        self.setGeometry(cell.left(), top, width, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The foot stays at the foot."""
        super().resizeEvent(event)
        if self._foot is not None:
            self._foot.setGeometry(2 * UNIT, self.height() - FOOT - 2, self.width() - 4 * UNIT, FOOT)


class CellPick(Picker):
    """Chooses in a cell: what is clicked in the opened list is taken at once, the arrow keys wait for Return."""

    chosen = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._opened = False
        self.activated.connect(self._activated)

    def showPopup(self) -> None:
        """The list is open: the next choice is made in it."""
        self._opened = True
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys only go through the words; the table takes Return."""
        self._opened = False
        if event.key() not in RETURN:
            QComboBox.keyPressEvent(self, event)

    def _activated(self) -> None:
        if self._opened:
            self._opened = False
            self.chosen.emit()
