"""Fields for numbers: a comma and a point are both read right, whatever the describer's language."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale, QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

from adstudio.ui.theme import UNIT
from adstudio.ui.words import read_number

WIDTH = 28 * UNIT
ARROWS = f"""
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: 0; width: {5 * UNIT}px; background: none; }}
"""
_BEGUN = re.compile(r"[0-9]{0,9}(?:[.,][0-9]*)?\Z")


class NumberField(QDoubleSpinBox):
    """A number that is not negative, with as many decimals as it has and no more than it may have."""

    def __init__(self, name: str, *, greatest: float, decimals: int = 3, suffix: str = "", step: float = 0.1) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setDecimals(decimals)
        self.setRange(0, greatest)
        self.setSingleStep(step)
        self.setSuffix(suffix)
        _look(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number and the arrows."""
        super().paintEvent(event)
        _draw_arrows(self)

    def textFromValue(self, value: float) -> str:
        """As the describer's language writes it, without zeros that say nothing."""
        text = f"{value:.{self.decimals()}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text.replace(".", QLocale().decimalPoint())

    def valueFromText(self, text: str) -> float:
        """The number typed, with a comma or a point."""
        typed = read_number(self._bare(text))
        return float(typed) if typed not in ("", ".") else 0.0

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Digits and one comma or point; too many decimals or too much are not taken as they are typed."""
        typed = self._bare(text)
        if not _BEGUN.match(typed):
            state = QValidator.State.Invalid
        elif typed in ("", ".", ","):
            state = QValidator.State.Intermediate
        elif len(re.split("[.,]", typed + ".")[1]) > self.decimals():
            state = QValidator.State.Invalid
        else:
            within = self.minimum() <= float(read_number(typed)) <= self.maximum()
            state = QValidator.State.Acceptable if within else QValidator.State.Intermediate
        return state, text, position

    def fixup(self, text: str) -> str:
        """Too much becomes the most, nothing becomes nought."""
        value = min(max(self.valueFromText(text), self.minimum()), self.maximum())
        return self.textFromValue(value) + self.suffix()

    def _bare(self, text: str) -> str:
        return text.removesuffix(self.suffix()).strip()


class SecondsField(NumberField):
    """A length of time in seconds; milliseconds to the program."""

    def __init__(self, name: str, *, greatest: int) -> None:
        super().__init__(name, greatest=greatest / 1000, suffix=" s")

    @property
    def ms(self) -> int:
        """What stands in the field."""
        return round(self.value() * 1000)

    def show_ms(self, ms: int) -> None:
        """Put a time into the field."""
        self.setValue(ms / 1000)


class WholeField(QSpinBox):
    """A whole number between two others."""

    def __init__(
        self, name: str, *, least: int, greatest: int, suffix: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setRange(least, greatest)
        self.setSuffix(suffix)
        _look(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number and the arrows."""
        super().paintEvent(event)
        _draw_arrows(self)


def _look(field: QAbstractSpinBox) -> None:
    field.setStyleSheet(ARROWS)
    field.setFixedSize(WIDTH, 7 * UNIT)
    field.lineEdit().setTextMargins(UNIT, 0, 0, 0)


def _draw_arrows(field: QWidget) -> None:
    """Arrows up and down, where the style would draw buttons in a button."""
    painter = QPainter(field)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(field.palette().color(QPalette.ColorRole.PlaceholderText), 1.4))
    left, middle, half = field.width() - 4 * UNIT, field.height() / 2, UNIT * 0.75
    for tip, foot in ((middle - 5, middle - 2), (middle + 5, middle + 2)):
        painter.drawPolyline([QPointF(left, foot), QPointF(left + half, tip), QPointF(left + 2 * half, foot)])
    painter.end()
