"""How narration is mixed, as fields: a preset, its values, and what is chosen otherwise."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.script import Script
from adstudio.presets.library import own_presets, shipped_presets
from adstudio.presets.mix_keys import MIX_KEYS, MixKey
from adstudio.ui.session.mix_choices import BITS, MixChoices
from adstudio.ui.widgets.controls import Button, Picker
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import as_sentence, read_number
from adstudio.ui.widgets.level_field import MINUS, written
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import ValueField

LABELS = 52 * UNIT
SHOWN = ("duck_depth", "ramp_down", "ramp_up", "narration_level", "target_loudness", "true_peak")
"""The values that can be chosen otherwise here, in this order; the others are the preset's."""
STEPS = {"s": 100, "dB down": 10, "LU": 5, "LUFS": 10, "dBTP": 5}
"""What Up and Down change, by the unit, in steps of the value."""


class MixFields(QWidget):
    """Shows and changes `MixChoices`; their kind is not among them."""

    changed = Signal()

    def __init__(self, script: Script, choices: MixChoices) -> None:
        super().__init__()
        self._script, self._kind = script, choices.kind
        self._preset = choices.preset_for(script)
        self.preset = Picker("Preset of the mix")
        self.preset.setToolTip("House rules to mix by. Choosing one sets all values below.")
        self.values = {key.name: mix_field(key) for key in MIX_KEYS if key.name in SHOWN}
        self.bits = Picker("Bits of a sample")
        for bits in BITS:
            self.bits.addItem(f"{bits} bits", bits)
        self.bits.setCurrentIndex(self.bits.findData(choices.bits))
        self.reset = Button("&Reset to preset", self._choose, "Take all values from the preset.")
        self.about = note("About the values")
        self.wrong = warning("What is wrong with a value")
        fields = form(LABELS)
        add_row(fields, "&Preset", self.preset, self.reset)
        for name in SHOWN:
            add_row(fields, _key(name).label, self.values[name])
        add_row(fields, "Bits of a sample", self.bits)
        self.setLayout(column(fields, self.about, self.wrong, spacing=UNIT))
        self._list()
        self._show(dict(choices.changes))
        for field in self.values.values():
            field.entered.connect(lambda _: self._entered())
            field.refused.connect(lambda sentence: say_in(self.wrong, sentence))
            field.textEdited.connect(lambda _: say_in(self.wrong, ""))
        self.preset.activated.connect(lambda _: self._choose())
        self.bits.currentIndexChanged.connect(lambda _: self.changed.emit())

    @property
    def choices(self) -> MixChoices:
        """What is chosen."""
        usual = self._preset.mix_settings
        changes = tuple(
            (name, field.value) for name, field in self.values.items() if field.value != getattr(usual, name)
        )
        return MixChoices(self._preset.name, changes, self._kind, int(self.bits.currentData()))

    def flush(self) -> None:
        """Take what is being typed."""
        for field in self.values.values():
            field.flush()

    def _list(self) -> None:
        try:
            presets = (*shipped_presets(), *own_presets().presets)
        except AdstudioError as error:
            say_in(self.wrong, as_sentence(str(error)))
            presets = (self._preset,)
        self._presets = {each.name: each for each in (*presets, self._preset)}
        for each in self._presets.values():
            self.preset.addItem(each.title if each.shipped else each.name, each.name)
        self.preset.setCurrentIndex(self.preset.findData(self._preset.name))

    def _choose(self) -> None:
        """Take all values of the chosen preset."""
        self._preset = self._presets[str(self.preset.currentData())]
        self._show({})
        self.changed.emit()

    def _show(self, changes: dict[str, int | None]) -> None:
        usual = self._preset.mix_settings
        for name, field in self.values.items():
            field.show_other(changes.get(name, getattr(usual, name)))
        say_in(self.wrong, "")
        self._say_changes()

    def _entered(self) -> None:
        say_in(self.wrong, "")
        self._say_changes()
        self.changed.emit()

    def _say_changes(self) -> None:
        names = [name for name, _ in self.choices.changes]
        usual = self._preset.mix_settings
        parts = [f"{_key(name).label}: {_key(name).text(getattr(usual, name))}" for name in names]
        self.reset.setEnabled(bool(parts))
        say_in(self.about, f"In the preset: {'; '.join(parts)}." if parts else "")


def mix_field(key: MixKey) -> ValueField:
    """A field for a value of the mix; one that may be empty says what that means."""
    unit = key.unit.split()[0]
    digits = max(1, len(str(key.scale)) - 1)

    def write(value: int) -> str:
        return written(value, unit, key.scale)

    field = ValueField(key.label, _reader(key, unit, digits), write, STEPS[key.unit], optional=bool(key.without))
    field.setPlaceholderText(key.without)
    field.setFixedWidth(44 * UNIT if key.without else 28 * UNIT)
    return field


def _reader(key: MixKey, unit: str, digits: int) -> Callable[[str], int]:
    between = f"{written(key.least, unit, key.scale)} to {written(key.greatest, unit, key.scale)}"

    def read(text: str) -> int:
        bare = text.strip().removesuffix(unit).strip()
        try:
            number = Decimal(read_number(bare.replace(MINUS, "-"))) * key.scale
        except InvalidOperation:
            raise BadInputError(f"“{bare[:40]}” is not a number: type one from {between}.") from None
        if not number.is_finite() or not key.least <= number <= key.greatest:
            raise BadInputError(f"“{bare[:40]}” is not from {between}.")
        if number != number.to_integral_value():
            raise BadInputError(f"“{bare[:40]}” has more than {digits} decimals: type one from {between}.")
        return int(number)

    return read


def _key(name: str) -> MixKey:
    return next(key for key in MIX_KEYS if key.name == name)
