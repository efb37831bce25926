"""The list of a wording's takes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from adstudio.core.narration import Take
from adstudio.core.script import Variant
from adstudio.ui.widgets.row_table import LeavesLetters
from adstudio.ui.widgets.theme import UNIT


class TakeList(LeavesLetters, QListWidget):
    """Each take with its number, length and name; the one that is used has a tick."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Takes of the line")
        self.setProperty("inset", "true")
        self.setMinimumHeight(10 * UNIT)

    def show_takes(self, wording: Variant | None) -> None:
        """Show the takes of a wording; None for none."""
        self.clear()
        for number, take in enumerate(wording.takes if wording is not None else (), 1):
            self.addItem(_item(number, take, wording))


def _item(number: int, take: Take, wording: Variant | None) -> QListWidgetItem:
    used = wording is not None and wording.chosen_take is take
    other = wording is not None and take.text != wording.text
    length = f"{take.duration / 1000:.1f} s"
    parts = [f"Take {number}", length, take.name, "other words" if other else ""]
    item = QListWidgetItem(f"{'✓' if used else '   '} {' · '.join(filter(None, parts))}")
    said = ", ".join(filter(None, (*parts, "used" if used else "")))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
    item.setToolTip(f"Recorded as: {take.text}" if other else said)
    return item
