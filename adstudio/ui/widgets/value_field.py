"""Fields for values: saliences, lengths and times, typed with a comma or a point, in seconds or as timecode."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from PySide6.QtCore import QEvent, QLocale, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import SALIENCE_UNIT
from adstudio.core.timebase import ms_from_seconds
from adstudio.ui.widgets.formatting import read_number, read_time, timecode
from adstudio.ui.widgets.text_field import TypingRun, leaves_undo, takes_escape
from adstudio.ui.widgets.theme import time_font

GREATEST_SALIENCE = 10_000
SALIENCE_STEP = SALIENCE_UNIT // 20
TIME_STEP = 100
STEPS_A_PAGE = 10


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
        self.typing_run = TypingRun()
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
        """Show the value of another line, whatever was being typed."""
        self._value = value
        self.typing_run.begin()
        self.restore()

    def flush(self) -> None:
        """Take what was typed now; what makes no sense is refused, and the old value comes back."""
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
        """Show the value as it is."""
        self.setText(self._text_of(self._value))
        self.setModified(False)
        self._complain("")

    def take(self, value: int | None) -> None:
        """Take a value that was chosen some other way, as if it had been typed."""
        is_new, self._value = value != self._value, value
        self.restore()
        if is_new:
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
        """Begin a run of typing."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.typing_run.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed is taken."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.flush()

    def event(self, event: QEvent) -> bool:
        """Take Escape while something is typed, and leave undo to the script while nothing is."""
        if self.isModified() and takes_escape(event):
            return True
        if leaves_undo(event, undo=self.isModified(), redo=True):
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes the value, Escape gives the old one back, Up and Down step."""
        key = event.key()
        steps = {
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_PageUp: STEPS_A_PAGE,
            Qt.Key.Key_PageDown: -STEPS_A_PAGE,
        }
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.flush()
            self.typing_run.begin()
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
    """A salience as it is edited: all its decimals, two at least, as the describer's language writes them."""
    number = (Decimal(value) / SALIENCE_UNIT).normalize()
    places = max(2, -int(number.as_tuple().exponent))
    return f"{number:.{places}f}".replace(".", QLocale().decimalPoint())


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
    """A field for a length in seconds; empty for the one that it has by itself."""
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
