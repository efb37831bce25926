"""Which house rules settings are: a choice of presets; one’s own are saved, imported, exported and deleted here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.settings import Settings
from adstudio.presets.library import (
    PresetExistsError,
    own_presets,
    preset_named,
    read_preset,
    remove_own,
    save_own,
    shipped_presets,
)
from adstudio.presets.preset import Preset, for_language, is_equivalent, preset_of
from adstudio.presets.preset_file import preset_bytes
from adstudio.system.files import write_atomically
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.file_dialogs import ask, ask_open, ask_save, documents, with_ending
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.input_dialog import InputDialog
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

CUSTOM = "Custom"
PRESET_FILES = "Presets (*.json)"
LAST_USED = "preset"
"""The name in the preferences of the preset used last."""


def last_used(name: str) -> Preset:
    """The preset used last, or the house’s where that has gone."""
    try:
        return preset_named(name) if name else preset_named("house")
    except AdstudioError:
        return preset_named("house")


class PresetPicker(QWidget):
    """Shows which preset settings are, if any, and has others chosen."""

    chosen = Signal(object)
    """The Preset that was chosen."""

    def __init__(self, labels: int) -> None:
        super().__init__()
        self._presets: tuple[Preset, ...] = ()
        self._settings, self._language = Settings(), "en"
        self._base: Preset | None = None
        self.picker = Picker("Preset")
        self.picker.setFixedWidth(28 * UNIT)
        self.picker.setToolTip("House rules to plan by. Choosing one sets all settings below.")
        self.more = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setText("More…")
        self.more.setAccessibleName("Save, import, export or delete presets")
        self.more.setToolTip("Save, import, export or delete presets")
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(self.more)
        self.save = menu.addAction("&Save as preset…", self._save)
        self.take_in = menu.addAction("&Import preset…", self._import)
        self.export = menu.addAction("&Export preset…", self._export)
        self.delete = menu.addAction("&Delete preset…", self._delete)
        self.more.setMenu(menu)
        self.about = note("About the preset")
        self.wrong = warning("What is wrong with the preset")
        fields = form(labels)
        add_row(fields, "Preset", self.picker, self.more)
        self.setLayout(column(fields, self.about, self.wrong))
        self.picker.activated.connect(self._choose)
        self._list()

    @property
    def preset(self) -> Preset | None:
        """The preset that the settings are; None where they are none."""
        found = self.picker.currentData()
        return next((each for each in self._presets if each.name == found), None)

    def show_settings(self, settings: Settings, language: str) -> None:
        """Show which preset these settings are."""
        self._settings, self._language = settings, language
        mine = for_language(settings, language)
        now = self.preset
        if now is None or not is_equivalent(now.settings, mine):
            now = next((each for each in self._presets if is_equivalent(each.settings, mine)), None)
        self._show(now)

    def _show(self, preset: Preset | None) -> None:
        self._base = preset or self._base
        with QSignalBlocker(self.picker):
            custom = self.picker.findData("")
            if preset is None and custom < 0:
                self.picker.addItem(CUSTOM, "")
            elif preset is not None and custom >= 0:
                self.picker.removeItem(custom)
            self.picker.setCurrentIndex(self.picker.findData("" if preset is None else preset.name))
        say_in(self.about, "" if preset is None else preset.about)
        self.delete.setEnabled(preset is not None and not preset.shipped)

    def _list(self) -> None:
        """Offer the presets there are; what is wrong with one's own is said."""
        try:
            own = own_presets()
            self._presets = (*shipped_presets(), *own.presets)
            say_in(self.wrong, " ".join(as_sentence(fault) for fault in own.faults))
        except AdstudioError as error:
            say_in(self.wrong, as_sentence(str(error)))
        with QSignalBlocker(self.picker):
            self.picker.clear()
            for preset in self._presets:
                self.picker.addItem(preset.title if preset.shipped else preset.name, preset.name)

    def _choose(self) -> None:
        preset = self.preset
        if preset is not None:
            self._show(preset)
            self.chosen.emit(preset)

    def _offer(self, preset: Preset) -> None:
        """List and choose a preset that is new."""
        self._list()
        self._show(next(each for each in self._presets if each.name == preset.name))
        self.chosen.emit(preset)

    def _try(self, do: Callable[[], None]) -> None:
        try:
            say_in(self.wrong, "")
            do()
        except AdstudioError as error:
            say_in(self.wrong, as_sentence(str(error)))

    def _add(self, preset: Preset) -> None:
        """Save one of one's own, after a question where one of its name would be replaced."""
        try:
            self._offer(save_own(preset))
        except PresetExistsError:
            question = f"There is a preset “{preset.name}” already."
            if ask(self, question, "Replace it?", ("Replace",), careful=True) == 0:
                self._offer(save_own(preset, replacing=True))

    def _save(self) -> None:
        text = "" if self._base is None or self._base.shipped else self._base.name
        name, agreed = InputDialog.ask_text(self, "Save as preset", "Name:", text=text)
        if agreed:
            self._try(lambda: self._add(preset_of(name.strip(), self._settings, self._language, self._base)))

    def _import(self) -> None:
        file = ask_open(self, "Import preset", documents(), (PRESET_FILES,))
        if file is not None:
            self._try(lambda: self._add(read_preset(file)))

    def _export(self) -> None:
        preset = self.preset or preset_of(CUSTOM, self._settings, self._language, self._base)
        answer = ask_save(self, "Export preset", documents() / f"{preset.name}.json", (PRESET_FILES,))
        file = None if answer is None else with_ending(self, Path(answer[0]), ".json")
        if file is not None:
            title = preset.title if preset.shipped or preset.name != CUSTOM else file.stem[:60]
            self._try(lambda: write_atomically(file, preset_bytes(replace(preset, title=title))))

    def _delete(self) -> None:
        preset = self.preset
        if preset is None or preset.shipped:
            return
        if (
            ask(self, f"Delete the preset “{preset.name}”?", "Projects keep their settings.", ("Delete",), careful=True)
            == 0
        ):
            self._try(lambda: remove_own(preset.name))
            self._list()
            self._show(None)
            self.show_settings(self._settings, self._language)
