"""Fields for levels and rates: numbers between two bounds, with their unit; empty for what is inherited."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from PySide6.QtCore import QLocale

from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError
from adstudio.core.narration import HIGHEST_PITCH, LOUDEST, LOWEST_PITCH, SOFTEST
from adstudio.core.setting_ranges import GREATEST_RATE, LEAST_RATE
from adstudio.editing.voicing import DEEPEST_DUCK
from adstudio.ui.widgets.fitted_width import FittedWidth
from adstudio.ui.widgets.formatting import read_number
from adstudio.ui.widgets.value_field import ValueField

MINUS = "−"
SAMPLE = "−00.0 dB"
"""As much as such a field usually shows."""


class LevelField(ValueField):
    """A number whose value counts units, or parts of them (`scale` to a unit). Up and Down stay within its bounds.

    Where it may be empty, what holds then is shown in its place, and stepped from. It is as wide as the `sample`.
    """

    def __init__(
        self,
        name: str,
        bounds: tuple[int, int],
        unit: str,
        step: int,
        *,
        scale: int = 1,
        optional: bool = False,
        sample: str = SAMPLE,
    ) -> None:
        read = _reader(bounds, unit, scale)
        super().__init__(name, read, lambda value: written(value, unit, scale), step, optional=optional)
        self._bounds, self._inherited = bounds, 0
        FittedWidth(self, sample)

    def inherit(self, value: int | None, instead: str = "") -> None:
        """What holds while it is empty, or, where that is not one number, what is said instead."""
        self._inherited = value or 0
        self.setPlaceholderText(instead if value is None else self._text_of(value))

    def _nudge(self, steps: int) -> None:
        try:
            value = self._parsed()
        except BadInputError:
            value = self._value
        least, greatest = self._bounds
        start = self._inherited if value is None else value
        self.take(max(least, min(start + steps * self._step, greatest)))


def written(value: int, unit: str, scale: int = 1) -> str:
    """A number with its unit, as the describer's language writes it."""
    number = f"{Decimal(abs(value)) / scale:f}".replace(".", QLocale().decimalPoint())
    return f"{MINUS if value < 0 else ''}{number} {unit}"


def decibels(tenths: int) -> str:
    """A level: `−3.5 dB`."""
    return written(tenths, "dB", 10)


def rate_field(name: str, *, optional: bool = False) -> LevelField:
    """A field for a speaking rate in words a minute."""
    return LevelField(name, (LEAST_RATE, GREATEST_RATE), "wpm", 5, optional=optional)


def pitch_field(name: str, *, optional: bool = False) -> LevelField:
    """A field for a pitch, in per cent above or below the voice's own."""
    return LevelField(name, (LOWEST_PITCH, HIGHEST_PITCH), "%", 5, optional=optional)


def volume_field(name: str, *, optional: bool = False) -> LevelField:
    """A field for a volume, in tenths of a decibel."""
    return LevelField(name, (SOFTEST, LOUDEST), "dB", 5, scale=10, optional=optional)


def duck_field(name: str) -> LevelField:
    """A field for how far the film is lowered, in tenths of a decibel."""
    return LevelField(name, (0, DEEPEST_DUCK), "dB", 10, scale=10, optional=True)


def _reader(bounds: tuple[int, int], unit: str, scale: int) -> Callable[[str], int]:
    least, greatest = bounds
    between = f"{written(least, '', scale).strip()} to {written(greatest, unit, scale)}"

    def read(text: str) -> int:
        bare = text.strip().removesuffix(unit).strip()
        try:
            number = Decimal(read_number(bare.replace(MINUS, "-"))) * scale
        except InvalidOperation:
            raise BadInputError(f"“{bare[:40]}” is not a number: type one from {between}.") from None
        if not number.is_finite() or not least <= number <= greatest:
            raise BadInputError(f"“{bare[:40]}” is not from {between}.")
        if number != number.to_integral_value():
            digits = len(str(scale)) - 1
            most = f"has more than {counted(digits, 'decimal')}" if digits else "is not a whole number"
            raise BadInputError(f"“{bare[:40]}” {most}: type one from {between}.")
        return int(number)

    return read
