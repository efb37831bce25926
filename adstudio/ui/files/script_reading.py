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
        self._asked: tuple[ColumnSeen, ...] = ()
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

    def ask(self, columns: Sequence[ColumnSeen], chosen: ColumnChoices | None) -> None:
        """Ask what these hold; where nothing was chosen before, it is as they seem to."""
        if self._asked != tuple(columns):
            self._build(columns)
        guesses = {each.number: each.guess for each in columns if each.guess is not None}
        known = guesses if chosen is None else chosen.columns
        names = {column: name for name, column in NAMES.items()}
        for number, picker in self._pickers.items():
            name = names.get(known[number], "") if number in known else ""
            picker.setCurrentIndex(picker.findData(name))
        self.show()

    def _build(self, columns: Sequence[ColumnSeen]) -> None:
        self.clear()
        self._asked = tuple(columns)
        for each in columns:
            picker = Picker(f"What column {each.number} holds")
            picker.addItem("As its heading says", "")
            for name in NAMES:
                picker.addItem("Not used" if name == "skip" else _TITLES.get(name, name.capitalize()), name)
            picker.activated.connect(lambda _: self.chosen.emit())
            example = " ".join(each.example.split())
            label = each.heading or (example if len(example) <= 24 else example[:23] + "…")
            add_row(self._form, f"{each.number}  {label}".replace("&", "&&"), picker)
            self._pickers[each.number] = picker

    def clear(self) -> None:
        """Ask nothing any more."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self._pickers, self._asked = {}, ()
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
