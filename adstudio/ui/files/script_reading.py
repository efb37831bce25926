"""What is asked about a script before it can be read: which column holds what, and how its times are meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from adstudio.core.film import Film
from adstudio.core.timebase import RATES, parse_rate
from adstudio.importing.findings import TimeFault, TimeFix
from adstudio.importing.script_times import ScriptTimes
from adstudio.script_files.columns import NAMES, ColumnChoices
from adstudio.script_files.columns import Column as TableColumn
from adstudio.script_files.finished_table import ColumnSeen
from adstudio.ui.widgets.controls import Picker, line
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


class TimeFields(QObject):
    """How a script's times are to be read: the rows of a form, each with “as the film” for what is not chosen."""

    changed = Signal()

    def __init__(self, film: Film, into: QFormLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self.start = line("Timecode of the film’s first frame in the script", film.start_timecode or "00:00:00:00")
        self.rate, self.speed = Picker("Frame rate of the script’s timecode"), Picker("Film’s speed in the script")
        for picker, film_has in ((self.rate, f"The film’s ({film.frame_rate.name})"), (self.speed, "The film’s")):
            picker.addItem(film_has, "")
            for name in RATES:
                picker.addItem(name, name)
            picker.activated.connect(lambda _: self.changed.emit())
        self.start.editingFinished.connect(self._start_typed)
        self._shown_start = ""
        add_row(into, "Start timeco&de", self.start)
        add_row(into, "Frame &rate", self.rate)
        add_row(into, "S&peed", self.speed)

    @property
    def times(self) -> ScriptTimes:
        """What is chosen.

        Raises:
            BadInputError: for a rate that is none.
        """
        start = self.start.text().strip()
        rate, speed = (str(picker.currentData() or "") for picker in (self.rate, self.speed))
        return ScriptTimes(parse_rate(rate, start) if rate else None, start, parse_rate(speed) if speed else None)

    def show_times(self, times: ScriptTimes) -> None:
        """Choose these, without a signal."""
        self.start.setText(times.start)
        self._shown_start = times.start
        for picker, rate in ((self.rate, times.rate), (self.speed, times.speed)):
            name = "" if rate is None else rate.name
            if picker.findData(name) < 0:
                picker.addItem(name, name)
            picker.setCurrentIndex(picker.findData(name))

    def _start_typed(self) -> None:
        # Leaving the field without a change, as by clicking elsewhere, reads nothing anew.
        if self.start.text().strip() != self._shown_start:
            self._shown_start = self.start.text().strip()
            self.changed.emit()


def offer(fix: TimeFix) -> str:
    """What is written on the button that reads a script’s times otherwise."""
    match fix.fault:
        case TimeFault.START:
            return f"Count from {fix.value}"
        case TimeFault.RATE:
            return f"Read as {fix.value} frames a second"
        case TimeFault.SPEED:
            return f"Retime from {fix.value} frames a second"
