"""Fields that lose no work: what is typed is kept after a short rest, on Return and when the field is left."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from itertools import count

from PySide6.QtCore import QEvent, QLocale, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent, QTextOption
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.script import SALIENCE_UNIT, Film
from adstudio.core.timebase import ms_from_seconds
from adstudio.ui.theme import UNIT, time_font
from adstudio.ui.words import read_number, read_time, timecode

TYPING_REST_MS = 350
"""A pause in typing after which what stands in the field is taken."""
MOST_LINES = 8
GREATEST_SALIENCE = 10_000
SALIENCE_STEP = SALIENCE_UNIT // 20
TIME_STEP = 100
FRAMES_A_PAGE = 10

PLAIN = """
QPlainTextEdit, QLineEdit { background: transparent; border-color: transparent; }
QPlainTextEdit:hover, QLineEdit:hover { background: palette(base); border-color: palette(mid); }
QPlainTextEdit:focus, QLineEdit:focus { background: palette(base); border-color: palette(highlight); }
"""
"""A field that shows its frame only where the hand is."""

_BOUTS = count(1)


class Bout:
    """One bout of work in one field, from entering it to leaving it: its steps are one in the undo list."""

    def __init__(self) -> None:
        self._number = 0

    def begin(self) -> None:
        """Another bout begins."""
        self._number = next(_BOUTS)

    @property
    def key(self) -> str:
        """What `Session.attempt` takes as `amends`."""
        if not self._number:
            self.begin()
        return f"bout {self._number}"


class TextField(QPlainTextEdit):
    """A text of some lines that grows with what is in it. Return ends a bout; Shift+Return makes a new line.

    `rests`: whether what was typed is taken after a rest. `extra` is height for what else stands in it.
    """

    typed = Signal(str)
    """At every key."""
    entered = Signal(str)
    """After a rest, on Return and when the field is left, if the text is another than the one shown last."""
    returned = Signal()
    """Return was pressed."""
    escaped = Signal()
    """Escape was pressed; the old text is back."""

    def __init__(self, name: str, parent: QWidget | None = None, *, least_lines: int = 1, rests: bool = True) -> None:
        super().__init__(parent)
        self.extra = 0
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each paragraph by its own first letter
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setDocumentMargin(0)
        self.bout = Bout()
        self._least_lines = least_lines
        self._rests = rests
        self._known = ""
        self._at_first = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(TYPING_REST_MS)
        self._rest.timeout.connect(self.flush)
        self.textChanged.connect(self._changed)
        self._fit_height()

    def show_text(self, text: str) -> None:
        """Show what the script says; where the hand has typed since, that stays until it is taken."""
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
        """Another text altogether: that of another line."""
        self._rest.stop()
        self._known = self._at_first = text
        self.bout.begin()
        if text != self.toPlainText():
            self.setPlainText(text)
        self._rest.stop()

    def flush(self) -> None:
        """Take what was typed now."""
        self._rest.stop()
        text = self.toPlainText()
        if text != self._known:
            self._known = text
            self.entered.emit(text)

    def restore(self) -> None:
        """Back to the text as it was when the field was entered."""
        if self.toPlainText() != self._at_first:
            self.setPlainText(self._at_first)
        self.flush()

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
        """Another width breaks the lines elsewhere."""
        super().resizeEvent(event)
        self._fit_height()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A bout begins."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.bout.begin()
            self._at_first = self._known

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed is taken."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.flush()

    def event(self, event: QEvent) -> bool:
        """Keys that would be shortcuts: Escape is ours; undo is everybody's where nothing was typed here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
            undo, redo = event.matches(QKeySequence.StandardKey.Undo), event.matches(QKeySequence.StandardKey.Redo)
            document = self.document()
            if (undo and not document.isUndoAvailable()) or (redo and not document.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes the text, Shift+Return breaks the line, Escape gives the old text back."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("\n")
            else:
                self.flush()
                self.bout.begin()
                self._at_first = self._known
                self.returned.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.restore()
            self.escaped.emit()
            return
        super().keyPressEvent(event)


class ValueField(QLineEdit):
    """A value typed as text: a number, a time. Up and Down step it where it has a step.

    `read` raises `BadInputError` for what makes no sense; None stands for an empty field where that is allowed.
    """

    entered = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        name: str,
        read: Callable[[str], int],
        write: Callable[[int], str],
        step: int = 0,
        *,
        optional: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFont(time_font())
        self.bout = Bout()
        self._read, self._write, self._step, self._optional = read, write, step, optional
        self._value: int | None = None
        self.textEdited.connect(self._edited)

    @property
    def value(self) -> int | None:
        """The value shown, or taken last."""
        return self._value

    def show_value(self, value: int | None) -> None:
        """Show what the script says, unless something else is being typed."""
        text = self._text_of(value)
        typing = self.hasFocus() and self.isModified()
        self._value = value
        if not typing and text != self.text():
            self.setText(text)
        if not typing:
            self._complain("")

    def show_other(self, value: int | None) -> None:
        """The value of another line; what is half typed goes."""
        self._value = value
        self.bout.begin()
        self.setText(self._text_of(value))
        self.setModified(False)
        self._complain("")

    def flush(self) -> None:
        """Take what was typed now; what makes no sense is said, and the old value comes back."""
        if not self.isModified():
            return
        try:
            value = self._parsed()
        except BadInputError as error:
            self.restore()
            self.refused.emit(str(error))
            return
        self.take(value)

    def restore(self) -> None:
        """Back to the value as it is."""
        self.setText(self._text_of(self._value))
        self.setModified(False)
        self._complain("")

    def take(self, value: int | None) -> None:
        """Take a value that was chosen some other way, as if it had been typed."""
        self.setText(self._text_of(value))
        self.setModified(False)
        self._complain("")
        if value != self._value:
            self._value = value
            self.entered.emit(value)

    def _text_of(self, value: int | None) -> str:
        return "" if value is None else self._write(value)

    def _parsed(self) -> int | None:
        text = self.text().strip()
        if not text and self._optional:
            return None
        return self._read(text)

    def _edited(self) -> None:
        try:
            self._parsed()
        except BadInputError as error:
            self._complain(str(error))
        else:
            self._complain("")

    def _complain(self, sentence: str) -> None:
        if self.toolTip() != sentence or bool(self.property("warning")) != bool(sentence):
            self.setToolTip(sentence)
            self.setAccessibleDescription(sentence)
            self.setProperty("warning", bool(sentence))
            self.style().unpolish(self)
            self.style().polish(self)

    def _nudge(self, steps: int) -> None:
        try:
            value = self._parsed() or 0
        except BadInputError:
            value = self._value or 0
        self.take(value + steps * self._step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A bout begins."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.bout.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed is taken."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.flush()

    def event(self, event: QEvent) -> bool:
        """Escape is ours while something is typed; undo is everybody's where nothing was typed here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self.isModified():
                event.accept()
                return True
            if event.matches(QKeySequence.StandardKey.Undo) and not self.isModified():
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes the value, Escape gives the old one back, Up and Down step."""
        key = event.key()
        steps = {
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_PageUp: FRAMES_A_PAGE,
            Qt.Key.Key_PageDown: -FRAMES_A_PAGE,
        }
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.flush()
            self.bout.begin()
            self.selectAll()
        elif key == Qt.Key.Key_Escape and self.isModified():
            self.restore()
        elif self._step and key in steps:
            self._nudge(steps[Qt.Key(key)])
        else:
            super().keyPressEvent(event)


def read_salience(text: str) -> int:
    """A salience as it is typed, `1,5` or `1.5`, in millionths.

    Raises:
        BadInputError: for what is no number within ±10,000.
    """
    try:
        number = Decimal(read_number(text))
    except InvalidOperation:
        raise BadInputError(f"“{text[:40]}” is not a salience: type a number such as 0.8") from None
    if not number.is_finite() or abs(number) > GREATEST_SALIENCE:
        raise BadInputError(f"A salience lies between −{GREATEST_SALIENCE:,} and {GREATEST_SALIENCE:,}")
    return int((number * SALIENCE_UNIT).to_integral_value())


def write_salience(value: int) -> str:
    """A salience as it is edited: all its decimals, none for show, as the describer's language writes them."""
    number = Decimal(value) / SALIENCE_UNIT
    return f"{number.normalize():f}".replace(".", QLocale().decimalPoint())


def read_length(text: str) -> int:
    """A length in seconds as it is typed, in milliseconds.

    Raises:
        BadInputError: for what is no number of seconds above 0.
    """
    length = ms_from_seconds(read_number(text.strip().removesuffix("s")))
    if length <= 0:
        raise BadInputError("A length is more than 0 seconds")
    return length


def write_length(ms: int) -> str:
    """A length as it is edited."""
    return f"{Decimal(ms) / 1000:f} s".replace(".", QLocale().decimalPoint())


def salience_field(name: str) -> ValueField:
    """A field for a salience."""
    return ValueField(name, read_salience, write_salience, SALIENCE_STEP)


def length_field(name: str) -> ValueField:
    """A field for a length in seconds; empty for the speaking rate's."""
    return ValueField(name, read_length, write_length, TIME_STEP, optional=True)


def time_field(name: str, film: Callable[[], Film], *, optional: bool = False) -> ValueField:
    """A field for a time of the film: timecode, or seconds, minutes and hours."""
    return ValueField(
        name,
        lambda text: read_time(film(), text),
        lambda ms: timecode(film(), ms),
        TIME_STEP,
        optional=optional,
    )
