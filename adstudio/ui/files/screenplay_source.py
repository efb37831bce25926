"""Which screenplay a film was drafted from, in the project's settings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from adstudio.ui.widgets.controls import line
from adstudio.ui.widgets.form import add_row, form
from adstudio.ui.widgets.text import note, say_in
from adstudio.ui.widgets.theme import UNIT

GONE = "It no longer exists; you will be asked for it when a scene is drafted again."


class ScreenplaySource(QWidget):
    """Its path, to be read and copied, and whether it is still there; nothing where there is none."""

    def __init__(self, screenplay: str, labels: int) -> None:
        super().__init__()
        self.field = line("Screenplay used for the draft")
        self.field.setReadOnly(True)
        self.field.setText(screenplay)
        self.field.setCursorPosition(0)
        self.gone = note("Availability of the screenplay")
        fields = form(labels)
        add_row(fields, "Screenplay", self.field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * UNIT)
        layout.addLayout(fields)
        layout.addWidget(self.gone)
        say_in(self.gone, "" if not screenplay or _is_there(screenplay) else GONE)
        self.setVisible(bool(screenplay))


def _is_there(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
