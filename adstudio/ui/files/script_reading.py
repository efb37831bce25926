"""What is asked about a script before it can be read: which column holds what, and how its times are meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from adstudio.importing.findings import TimeFault, TimeFix
from adstudio.script_files.columns import NAMES, ColumnChoices
from adstudio.script_files.columns import Column as TableColumn
from adstudio.script_files.finished_table import ColumnSeen
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.form import add_row, form

_TITLES: Mapping[str, str] = {
    "in": "TC in",
    "out": "TC out",
    "in-s": "In, seconds",
    "out-s": "Out, seconds",
    "text": "Description",
    "cue": "Dialogue cue",
}


class ColumnFields(QWidget):
    """Asks what each column of a table holds; hidden until that is unclear."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._form: QFormLayout = form()
        self.setLayout(self._form)
        self._pickers: dict[int, Picker] = {}
        self.hide()

    @property
    def choices(self) -> ColumnChoices | None:
        """What the describer chose; None where nothing was asked."""
        if not self._pickers:
            return None
        found: dict[int, TableColumn | None] = {}
        for number, picker in self._pickers.items():
            name = picker.currentData()
            if name:
                found[number] = NAMES[name]
        return ColumnChoices(found)

    def ask(self, columns: Sequence[ColumnSeen]) -> None:
        """Ask what these hold."""
        if set(self._pickers) == {each.number for each in columns}:
            return
        self.clear()
        for each in columns:
            picker = Picker(f"What column {each.number} holds")
            picker.addItem("As its heading says", "")
            for name in NAMES:
                picker.addItem("Not used" if name == "skip" else _TITLES.get(name, name.capitalize()), name)
            guess = next((name for name, column in NAMES.items() if column is not None and column is each.guess), "")
            picker.setCurrentIndex(picker.findData(guess))
            picker.activated.connect(lambda _: self.chosen.emit())
            example = " ".join(each.example.split())
            label = each.heading or (example if len(example) <= 24 else example[:23] + "…")
            add_row(self._form, f"{each.number}  {label}".replace("&", "&&"), picker)
            self._pickers[each.number] = picker
        self.show()

    def clear(self) -> None:
        """Ask nothing any more."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self._pickers = {}
        self.hide()


def offer(fix: TimeFix) -> str:
    """What is written on the button that reads a script’s times otherwise."""
    match fix.fault:
        case TimeFault.START:
            return f"Count from {fix.value}"
        case TimeFault.RATE:
            return f"Read as {fix.value} frames a second"
        case TimeFault.SPEED:
            return f"Retime from {fix.value} frames a second"
