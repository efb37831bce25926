"""Fields that lose no work: what is typed is taken after a short pause, on Return and when the field is left."""

from __future__ import annotations

import math
from itertools import count

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent, QTextOption
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QSizePolicy, QWidget

from adstudio.ui.background.timers import single_shot
from adstudio.ui.widgets.spelling_marks import Spelling, SpellingMarks
from adstudio.ui.widgets.theme import UNIT

TYPING_REST_MS = 350
"""A pause in typing after which the text is taken."""
MOST_LINES = 8

PLAIN = """
QLineEdit { min-height: 16px; }
QPlainTextEdit, QLineEdit { background: transparent; border-color: transparent; }
QPlainTextEdit:hover, QLineEdit:hover { background: palette(base); border-color: palette(mid); }
QPlainTextEdit:focus, QLineEdit:focus { background: palette(base); border-color: palette(highlight); }
"""
"""A field that shows its frame only under the mouse or with the focus."""

_NUMBERS = count(1)


class TypingRun:
    """One run of typing in a field, from entering it to leaving it: its steps are one in the undo list.

    Its `key` is what `Edits.attempt` takes as `amends`.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin another run."""
        self.key = f"typing run {next(_NUMBERS)}"


def leaves_undo(event: QEvent, *, undo: bool, redo: bool) -> bool:
    """Whether a key is undo or redo that a field (which can `undo`, or `redo`) leaves to the script, ignoring it."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    leaves = (event.matches(QKeySequence.StandardKey.Undo) and not undo) or (
        event.matches(QKeySequence.StandardKey.Redo) and not redo
    )
    if leaves:
        event.ignore()
    return leaves


def takes_escape(event: QEvent) -> bool:
    """Whether a key is Escape; it is accepted, so that it is no shortcut."""
    taken = (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and event.key() == Qt.Key.Key_Escape
    )
    if taken:
        event.accept()
    return taken


class TypedText(QPlainTextEdit):
    """A text that is taken (by `flush`) when the field is left, and `rest_ms` after its timer was started."""

    entered = Signal(str)
    """The text, once it is taken."""

    def __init__(self, name: str, rest_ms: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.typing_run = TypingRun()
        self._known = ""
        self._rest = single_shot(self, rest_ms, self.flush)

    def begin(self) -> None:
        """Begin a typing run."""
        self.typing_run.begin()

    def flush(self) -> None:
        """Take what was typed."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the script where they would do nothing here."""
        if leaves_undo(event, undo=self.document().isUndoAvailable(), redo=self.document().isRedoAvailable()):
            return False
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin a typing run."""
        super().focusInEvent(event)
        # Back from a menu, or from another window, the describer goes on with the same work.
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take what was typed."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.flush()


class TextField(TypedText):
    """A text of some lines that grows with what is in it. Return ends a run of typing; Shift+Return makes a new line.

    `rests`: whether what was typed is taken after a rest. `needs_words`: whether an emptied field waits for words.
    `extra` is height for what else stands in it.
    """

    typed = Signal(str)
    """At every key."""
    cursor_moved = Signal(int)
    """The text cursor of the focused field is behind so many characters."""
    returned = Signal()
    """Return was pressed."""
    cancelled = Signal()
    """Escape was pressed after some of this run was taken: that is to be withdrawn, and the script's text shown."""
    escaped = Signal()
    """Escape was pressed; the old text is back."""

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        least_lines: int = 1,
        rests: bool = True,
        needs_words: bool = False,
    ) -> None:
        super().__init__(name, TYPING_REST_MS, parent)
        self.extra = 0
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each paragraph by its own first letter
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setDocumentMargin(0)
        self._least_lines = least_lines
        self._rests = rests
        self._needs_words = needs_words
        self._at_first = ""
        self._spelling: SpellingMarks | None = None
        self.textChanged.connect(self._changed)
        self.cursorPositionChanged.connect(self._report_cursor)
        self._fit_height()

    def check_spelling(self, spelling: Spelling) -> None:
        """Mark misspelled words, and offer in the context menu what may be meant."""
        self._spelling = SpellingMarks(self, spelling)

    def menu_at(self, place: QPoint) -> QMenu:
        """What can be done with the text, and before that with a misspelled word at a place in it."""
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._spelling is not None:
            self._spelling.add_to_menu(menu, self.cursorForPosition(place))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show it; the menu key means the place of the text cursor."""
        self.menu_at(event.pos()).popup(event.globalPos())

    def begin(self) -> None:
        """Begin a typing run: Escape brings back the text as it is now."""
        super().begin()
        self._at_first = self._known

    def show_text(self, text: str) -> None:
        """Show what the script says; what was typed since stays until it is taken."""
        if text == self._known:
            return
        waiting = self.toPlainText() != self._known
        self._known = text
        if not waiting and text != self.toPlainText():
            self.setPlainText(text)
            self._rest.stop()
        if not self.hasFocus():
            self._at_first = text

    def show_other(self, text: str) -> None:
        """Show the text of another line, whatever was being typed."""
        self._known = text
        self.begin()
        if text != self.toPlainText():
            self.setPlainText(text)
        self._rest.stop()

    def flush(self) -> None:
        """Take what was typed now."""
        self._rest.stop()
        text = self.toPlainText()
        if self._needs_words and not text.strip() and self.hasFocus():
            return  # the old words have gone, the new ones are still to come
        if text != self._known:
            self._known = text
            self.entered.emit(text)

    def restore(self) -> None:
        """Back to the text as it was when the field was entered."""
        if self.toPlainText() != self._at_first:
            self.setPlainText(self._at_first)
        self._rest.stop()
        if self._known != self._at_first:
            self._known = self._at_first
            self.cancelled.emit()

    def _report_cursor(self) -> None:
        if self.hasFocus():
            before = self.toPlainText().encode("utf-16-le")[: 2 * self.textCursor().position()]  # Qt counts code units
            self.cursor_moved.emit(len(before.decode("utf-16-le", "ignore")))

    def _changed(self) -> None:
        self._fit_height()
        text = self.toPlainText()
        if text != self._known and self._rests:
            self._rest.start()
        else:
            self._rest.stop()
        self.typed.emit(text)

    def _fit_height(self) -> None:
        line = self.fontMetrics().height()
        block, text = self.document().firstBlock(), 0.0
        while block.isValid():
            text += self.blockBoundingRect(block).height()
            block = block.next()
        much = text > MOST_LINES * line
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if much else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if policy is not self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)
        text = max(self._least_lines * line, min(MOST_LINES * line, math.ceil(text)))
        height = text + 2 * UNIT + 2 + self.extra
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(40 * UNIT, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height: another width breaks the lines elsewhere."""
        super().resizeEvent(event)
        self._fit_height()

    def event(self, event: QEvent) -> bool:
        """Take Escape, which would be a shortcut."""
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes the text, Shift+Return breaks the line, Escape gives the old text back."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("\n")
            else:
                self.flush()
                self.begin()
                self.returned.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.restore()
            self.escaped.emit()
            return
        super().keyPressEvent(event)
