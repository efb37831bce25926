"""How narration is mixed, as fields: a preset, its values, and what is chosen otherwise."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.mix_settings import MixSettings
from adstudio.core.script import Script
from adstudio.presets.library import own_presets, shipped_presets
from adstudio.presets.mix_keys import MIX_KEYS
from adstudio.presets.section_keys import NumberKey
from adstudio.ui.session.mix_choices import BITS, MixChoices
from adstudio.ui.widgets.controls import Button, Picker
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.level_field import LevelField
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

SAMPLE = "−00.0 dBTP"
"""As much as a field of a value usually shows."""
STEPS = {
    "duck_depth": 10,
    "ramp_down": 100,
    "ramp_up": 100,
    "least_rise": 100,
    "narration_level": 5,
    "narration_loudness": 10,
    "target_loudness": 10,
    "true_peak": 5,
    "click_guard": 5,
}
"""By how much Up and Down change a value, as `MixSettings` counts it."""


class MixFields(QWidget):
    """Shows and changes `MixChoices`; their kind is not among them."""

    changed = Signal()

    def __init__(self, script: Script, choices: MixChoices) -> None:
        super().__init__()
        self._script, self._kind = script, choices.kind
        self._preset = choices.preset_for(script)
        self.preset = Picker("Preset of the mix")
        self.preset.setToolTip("House rules to mix by. Choosing one sets all values below.")
        self.values = {key.name: mix_field(key) for key in MIX_KEYS}
        self.bits = Picker("Bit depth")
        for bits in BITS:
            self.bits.addItem(f"{bits} bits", bits)
        self.bits.setCurrentIndex(self.bits.findData(choices.bits))
        self.reset = Button("&Reset to preset", self._choose, "Take all values from the preset.")
        self.about = note("About the values")
        self.wrong = warning("What is wrong with a value")
        self.form = fields = form()
        add_row(fields, "&Preset", self.preset, self.reset)
        for key in MIX_KEYS:
            add_row(fields, key.label, self.values[key.name])
        add_row(fields, "Bit depth", self.bits)
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
        self._show_state()

    def _entered(self) -> None:
        say_in(self.wrong, "")
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        changed = dict(self.choices.changes)
        usual = self._preset.mix_settings
        parts = [f"{key.label}: {key.text(getattr(usual, key.name))}" for key in MIX_KEYS if key.name in changed]
        self.reset.setEnabled(bool(parts))
        say_in(self.about, f"In the preset: {'; '.join(parts)}." if parts else "")
        # Narration of a loudness of its own is not set against the programme.
        self.values["narration_level"].setEnabled(self.values["narration_loudness"].value is None)


def mix_field(key: NumberKey) -> LevelField:
    """A field for a value of the mix; one that may be empty says what that means."""
    optional = bool(key.without)
    unit, bounds = key.unit.split()[0], (key.least, key.greatest)
    sample = key.without or SAMPLE
    field = LevelField(key.label, bounds, unit, STEPS[key.name], scale=key.scale, optional=optional, sample=sample)
    if optional:
        field.inherit(MixSettings().target_loudness)
        field.setPlaceholderText(key.without)
    return field
