"""The filters of the script table on one line; those that find no room on it are in a menu at its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QMenu, QToolButton, QWidget

from adstudio.ui.table.line_facts import Filter
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.theme import UNIT

HEIGHT = 7 * UNIT
SIDE_BY_SIDE = 3
"""So many filters beside the find box are worth more than all of them on a line of their own."""


class FilterChips(QWidget):
    """One filter is chosen, and always in sight: what is in the menu comes out of it when it is chosen there."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widths: dict[QToolButton, int] = {}
        """Asked for once, as the style takes its time over them: until a text or the look changes."""
        self._shown: tuple[object, ...] = ()
        self.chips: dict[Filter, QToolButton] = {}
        group = QButtonGroup(self)
        for wanted in Filter:
            chip = QToolButton(self)
            chip.setCheckable(True)
            chip.setChecked(wanted is Filter.ALL)
            chip.clicked.connect(self._choose)
            group.addButton(chip)
            self.chips[wanted] = chip
        self.more = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setText("More…")
        self.more.setAccessibleName("More filters")
        self.more.setToolTip("More filters")
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self.menu)
        self.setFixedHeight(HEIGHT)

    @property
    def in_order(self) -> tuple[QToolButton, ...]:
        """Where the Tab key goes; what is not shown is passed over by it."""
        return (*self.chips.values(), self.more)

    @property
    def current(self) -> Filter:
        """The filter that is chosen."""
        return next(wanted for wanted, chip in self.chips.items() if chip.isChecked())

    def show_all(self) -> None:
        """Choose the filter that lets every line pass."""
        self.chips[Filter.ALL].setChecked(True)
        self._share()

    def show_counts(self, counts: dict[Filter, int]) -> None:
        """How many lines pass each."""
        for wanted, chip in self.chips.items():
            number = counts[wanted]
            text = f"{wanted.value} {number}"
            if chip.text() != text:
                chip.setText(text)
                self._widths.pop(chip, None)
                chip.setAccessibleName(f"{wanted.value}: {counted(number, 'line')}")
        self._share()

    def sizeHint(self) -> QSize:
        """All in one line."""
        return QSize(self.width_of(len(self.chips)), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """The filter that is chosen, and the menu."""
        widest = max(map(self._width, self.chips.values()))
        return QSize(widest + UNIT + self._width(self.more), HEIGHT)

    def width_of(self, number: int) -> int:
        """What the first filters need, with the menu where these are not all."""
        chips = list(self.chips.values())[:number]
        buttons = [*chips, self.more] if number < len(self.chips) else chips
        return sum(map(self._width, buttons)) + UNIT * (len(buttons) - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many as there is room for."""
        super().resizeEvent(event)
        self._share()

    def changeEvent(self, event: QEvent) -> None:
        """Another look may have other letters."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._widths.clear()
            self._share()

    def _width(self, button: QToolButton) -> int:
        if button not in self._widths:
            self._widths[button] = button.sizeHint().width()
        return self._widths[button]

    def _choose(self) -> None:
        self._share()
        self.chosen.emit()

    def _fill(self) -> None:
        """The filters that are not in sight."""
        self.menu.clear()
        for chip in self.chips.values():
            if chip.isHidden():
                self.menu.addAction(chip.text(), chip.click)

    def _share(self) -> None:
        """The first ones are shown, and the chosen one whichever it is."""
        widths = {wanted: self._width(chip) for wanted, chip in self.chips.items()}
        state = (self.width(), self.current, *widths.values())
        if state == self._shown:
            return
        self._shown = state
        seen = self._seen(widths)
        x = 0
        for wanted, chip in self.chips.items():
            chip.setVisible(wanted in seen)
            if wanted in seen:
                chip.setGeometry(x, 0, widths[wanted], HEIGHT)
                x += widths[wanted] + UNIT
        self.more.setVisible(len(seen) < len(self.chips))
        self.more.setGeometry(x, 0, self._width(self.more), HEIGHT)

    def _seen(self, widths: dict[Filter, int]) -> set[Filter]:
        if self.width_of(len(self.chips)) <= self.width():
            return set(self.chips)
        seen = {self.current}
        room = self.width() - self._width(self.more) - UNIT - widths[self.current]
        for wanted, width in widths.items():
            if wanted in seen:
                continue
            room -= width + UNIT
            if room < 0:
                break
            seen.add(wanted)
        return seen
