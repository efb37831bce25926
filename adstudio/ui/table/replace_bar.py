"""The bar below the find box: what to replace by, where, and in which lines."""

from __future__ import annotations

from enum import Enum
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from adstudio.editing.replacing import Where
from adstudio.ui.widgets.controls import TIGHT, Check, Picker, Tool
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.text_field import takes_escape
from adstudio.ui.widgets.theme import UNIT

NARROWEST = 40 * UNIT
"""The field's width where all is to be in one line."""
QWIDGETSIZE_MAX = 2**24 - 1


class Scope(Enum):
    """In which lines to replace."""

    SCRIPT = "Whole script"
    SHOWN = "Lines shown"
    SELECTED = "Selected lines"
    SCENE = "This scene"


class ReplaceBar(QWidget):
    """Hidden until it is asked for, and left by Escape; it breaks into lines where the table is narrow."""

    changed = Signal()
    """What is looked for, or where, is another."""
    replace_asked = Signal()
    """Replace in the current line and go to the next one that has it."""
    replace_all_asked = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.by = QLineEdit()
        self.by.setPlaceholderText("Replace by")
        self.by.setAccessibleName("Replace by")
        self.by.setMinimumWidth(NARROWEST)
        self.by.returnPressed.connect(self.replace_asked)
        self.where = Picker("Look in")
        for where in Where:
            self.where.addItem(where.value, where)
        self.where.setCurrentIndex(list(Where).index(Where.WORDINGS))
        self.where.setToolTip("In which texts of a line to look")
        self.scope = Picker("Replace in")
        for scope in Scope:
            self.scope.addItem(scope.value, scope)
        self.scope.setToolTip("In which lines to replace all")
        self.match_case = Check("Match case", lambda _: self.changed.emit(), "Tell capitals from small letters")
        self.whole_words = Check("Whole words", lambda _: self.changed.emit(), "Find no parts of words")
        self.options = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.options.setText("…")
        self.options.setAccessibleName("Options of replacing")
        self.options.setToolTip("In which texts and lines, and how to look")
        self.options.setStyleSheet(f"{TIGHT} QToolButton::menu-indicator {{ image: none; }}")
        self.menu = QMenu(self.options)
        self.menu.aboutToShow.connect(self._fill)
        self.options.setMenu(self.menu)
        self.options.hide()
        self.one = QPushButton("Replace")
        self.one.setToolTip("Replace in the current line, and go to the next one that has it")
        self.one.clicked.connect(self.replace_asked)
        self.all = QPushButton("Replace all")
        self.all.setToolTip("Replace in all lines chosen, as one step")
        self.all.clicked.connect(self.replace_all_asked)
        self.count = words(quiet=True, figures=True)
        self.count.setAccessibleName("Matches")
        self.count.hide()
        self.close_button = Tool("×", "Close replacing", self.leave)
        for widget in (self.match_case, self.whole_words, self.options, self.count, self.close_button):
            widget.setMinimumHeight(7 * UNIT)
        self.where.activated.connect(self.changed)
        self.scope.activated.connect(self.changed)
        row = FlowLayout(self)
        for widget in self.in_order[:-1]:
            row.addWidget(widget)
        row.addWidget(self.count)
        row.addWidget(self.close_button)
        self.hide()

    @property
    def in_order(self) -> tuple[QWidget, ...]:
        """Where the Tab key goes; it skips what is hidden."""
        return (self.by, *self._each_option, self.options, self.one, self.all, self.close_button)

    @property
    def _each_option(self) -> tuple[QWidget, ...]:
        return (self.where, self.scope, self.match_case, self.whole_words)

    @property
    def place(self) -> Where:
        """In which texts to look: while it is hidden, in all."""
        return Where.NOTES if self.isHidden() else self.where.currentData()

    @property
    def lines(self) -> Scope:
        """In which lines to replace."""
        return self.scope.currentData()

    def set_low(self, *, low: bool) -> None:
        """Where there is no room for several lines, the options are in a menu."""
        for option in self._each_option:
            option.setVisible(not low)
        self.by.setMaximumWidth(NARROWEST if low else QWIDGETSIZE_MAX)
        self.options.setVisible(low)

    def _fill(self) -> None:
        """List the options as they stand."""
        self.menu.clear()
        for old in self.menu.findChildren(QMenu):
            old.deleteLater()
        for picker in (self.where, self.scope):
            choices = self.menu.addMenu(picker.accessibleName())
            group = QActionGroup(choices)
            for place in range(picker.count()):
                action = choices.addAction(picker.itemText(place))
                action.setCheckable(True)
                action.setChecked(place == picker.currentIndex())
                action.triggered.connect(partial(self._pick, picker, place))
                group.addAction(action)
        for check in (self.match_case, self.whole_words):
            action = self.menu.addAction(check.text(), check.click)
            action.setCheckable(True)
            action.setChecked(check.isChecked())

    def _pick(self, picker: Picker, place: int) -> None:
        picker.setCurrentIndex(place)
        self.changed.emit()

    def event(self, event: QEvent) -> bool:
        """Take Escape, which would be a shortcut, from whatever in it has the focus."""
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def enter(self) -> None:
        """Show it and focus it."""
        self.show()
        self.by.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.by.selectAll()
        self.changed.emit()

    def leave(self) -> None:
        """Hide it; whole words, and capitals, are no longer looked for."""
        self.hide()
        self.match_case.setChecked(False)
        self.whole_words.setChecked(False)
        self.changed.emit()
        self.left.emit()
