"""Fields for numbers: a comma and a point are both read right, whatever the describer's language."""

from __future__ import annotations

import re
from typing import TypeVar

from PySide6.QtCore import QLocale, QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QWidget

from adstudio.ui.widgets.form import add_row
from adstudio.ui.widgets.formatting import read_number
from adstudio.ui.widgets.text import say_in, warning
from adstudio.ui.widgets.theme import UNIT, text_scale

WIDTH = 28 * UNIT
ARROWS = f"""
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: 0; width: {5 * UNIT}px; background: none; }}
"""
SHOWN = 20
"""How many characters of what is refused a sentence quotes."""
_NUMBER = re.compile(r"(?:[0-9]{1,300}\.?|[0-9]{0,300}\.[0-9]{1,300})\Z")
_SIGNED = re.compile(r"[-−+]\s*[0-9.]+\Z")


class NumberField(QDoubleSpinBox):
    """A number that is not negative, with as many decimals as it has and no more than it may have.

    What is typed is read as a whole. What is no number, or out of range, is refused: the label `wrong`, which a form
    puts below the field, says so, and the value stays as it was.
    """

    refused = Signal()
    """What is wrong has changed, or nothing is any more."""
    _before: float | None = None
    """The value when typing began, while somebody types."""

    def __init__(
        self,
        name: str,
        *,
        greatest: float,
        least: float = 0,
        decimals: int = 3,
        suffix: str = "",
        step: float = 0.1,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setDecimals(decimals)
        self.setRange(least, greatest)
        self.setSingleStep(step)
        self.setSuffix(suffix)
        self.wrong = warning(f"What is wrong: {name}")
        self.wrong.setParent(self)
        self.valueChanged.connect(lambda _: self._say(""))
        self.lineEdit().textEdited.connect(self._edited)
        self.editingFinished.connect(self._typed)
        self.setStyleSheet(ARROWS)
        self.setFixedSize(int(WIDTH * text_scale()), 7 * UNIT)
        self.lineEdit().setTextMargins(UNIT, 0, 0, 0)

    @property
    def problem(self) -> str:
        """What is wrong with what stands in the field, in a sentence; empty where nothing is."""
        return self._fault(self.lineEdit().text())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number and arrows up and down, where the style would draw buttons in a button."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.4))
        left, middle, half = self.width() - 4 * UNIT, self.height() / 2, UNIT * 0.75
        for tip, foot in ((middle - 5, middle - 2), (middle + 5, middle + 2)):
            painter.drawPolyline([QPointF(left, foot), QPointF(left + half, tip), QPointF(left + 2 * half, foot)])
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes the number; what is refused does not reach the dialog's own button."""
        problem = self.problem
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and problem:
            self._give_back(problem)
            event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The value comes back where what was typed is refused; the sentence stays."""
        problem = self.problem
        super().focusOutEvent(event)
        if problem:
            self._give_back(problem)

    def textFromValue(self, value: float) -> str:
        """As the describer's language writes it, without zeros that say nothing."""
        text = f"{value:.{self.decimals()}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text.replace(".", QLocale().decimalPoint())

    def valueFromText(self, text: str) -> float:
        """The number typed, with a comma or a point."""
        typed = read_number(self._bare(text))
        return float(typed) if _NUMBER.match(typed) else self.value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Anything may be typed, letter by letter; only a number within the bounds becomes the value."""
        fault = self._fault(text)
        return QValidator.State.Intermediate if fault else QValidator.State.Acceptable, text, position

    def fixup(self, text: str) -> str:
        """What is refused is not made into something else: the value comes back."""
        return text

    def stepBy(self, steps: int) -> None:
        """Step from the value taken last."""
        self._typed()
        if self.problem:
            self.interpretText()
            self._say("")
        super().stepBy(steps)

    def _edited(self, text: str) -> None:
        if self._before is None:
            self._before = self.value()
        fault = self._fault(text)
        if fault and self.value() != self._before:
            self._take_back(self._before)
        # A number that is only begun is not wrong yet.
        begun = self._bare(text) in ("", ".", ",") or self._too_small(text)
        self._say("" if begun else fault)
        self.refused.emit()

    def _typed(self) -> None:
        self._before = None

    def _take_back(self, value: float) -> None:
        """The value of before, where `99` was a number as long as it was only `9`; what is typed stays."""
        line = self.lineEdit()
        text, place = line.text(), line.cursorPosition()
        with QSignalBlocker(line):
            self.setValue(value)
            line.setText(text)
            line.setCursorPosition(place)

    def _give_back(self, problem: str) -> None:
        """Say what was refused; the field shows the value again."""
        self._say(problem)
        self.refused.emit()

    def _say(self, sentence: str) -> None:
        if sentence != self.wrong.text():
            say_in(self.wrong, sentence)
            self.setAccessibleDescription(sentence)
            self.refused.emit()

    def _too_small(self, text: str) -> bool:
        typed = read_number(self._bare(text))
        more = len(typed.partition(".")[2]) > self.decimals()
        return not more and _NUMBER.match(typed) is not None and float(typed) < self.minimum()

    def _fault(self, text: str) -> str:
        typed = self._bare(text)
        number = read_number(typed)
        least, greatest = self.textFromValue(self.minimum()), self.textFromValue(self.maximum())
        bounds = f"from {least} to {greatest}{self.suffix()}"
        previous = self.value() if self._before is None else self._before
        stays = f"{self.textFromValue(previous)}{self.suffix()} stays"
        shown = typed if len(typed) <= SHOWN else f"{typed[: SHOWN - 1]}…"
        if not typed:
            return f"Give a number {bounds}; {stays}."
        if not _NUMBER.match(number):
            if not _SIGNED.match(number):
                return f"“{shown}” is no number: give one {bounds}; {stays}."
        elif len(number.partition(".")[2]) > self.decimals():
            if self.decimals() == 0:
                return f"“{shown}” is no whole number: give one {bounds}; {stays}."
            return f"“{shown}” has more than {self.decimals()} decimals; {stays}."
        elif self.minimum() <= float(number) <= self.maximum():
            return ""
        return f"“{shown}” is not {bounds}; {stays}."

    def _bare(self, text: str) -> str:
        return text.strip().removesuffix(self.suffix().strip()).strip()


class SecondsField(NumberField):
    """A length of time, shown in seconds and read in milliseconds."""

    def __init__(self, name: str, *, greatest: int) -> None:
        super().__init__(name, greatest=greatest / 1000, suffix=" s")

    @property
    def ms(self) -> int:
        """What stands in the field."""
        return round(self.value() * 1000)

    def show_ms(self, ms: int) -> None:
        """Show a time."""
        self.setValue(ms / 1000)


class WholeField(NumberField):
    """A whole number between two others."""

    def __init__(
        self, name: str, *, least: int, greatest: int, suffix: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(name, least=least, greatest=greatest, decimals=0, suffix=suffix, step=1, parent=parent)

    def value(self) -> int:
        """What was taken last."""
        return round(super().value())


FieldT = TypeVar("FieldT", bound=NumberField)


def add_number(fields: QFormLayout, text: str, field: FieldT) -> FieldT:
    """Add a number field with its label, and below it, if need be, why the number is refused; returns the field."""
    add_row(fields, text, field)
    fields.setWidget(fields.rowCount(), QFormLayout.ItemRole.FieldRole, field.wrong)
    return field
