"""The name and the note of a version, asked for when it is kept and when it is renamed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.ui.widgets.careful_dialog import CarefulDialog
from adstudio.ui.widgets.controls import line
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.form import add_row, column, form, on_screen
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.text import note_text, say_in, warning
from adstudio.ui.widgets.theme import UNIT

KEEP_TITLE, RENAME_TITLE = "Keep a version", "Rename version"
ABOUT = (
    "The script and its plan are kept in the project as they are now. Neither undo nor saving changes a version; "
    "File › Compare versions shows what has changed since, and takes lines back."
)


class VersionDialog(CarefulDialog, QDialog):
    """Asks for name and note, and by whom it is kept where that is to be known; `store` does what was asked for."""

    def __init__(
        self,
        parent: QWidget | None,
        store: Callable[[str, str, str], object],
        *,
        name: str,
        text: str = "",
        by: str | None = None,
    ) -> None:
        super().__init__(parent)
        renames = by is None
        self.setWindowTitle(RENAME_TITLE if renames else KEEP_TITLE)
        self._store, self._text = store, text
        self.name_field = line("Name")
        self.name_field.setText(name)
        self.note_field = QPlainTextEdit(text)
        self.note_field.setAccessibleName("Note")
        self.note_field.setTabChangesFocus(True)
        self.note_field.setMinimumHeight(16 * UNIT)
        self.by_field = line("Kept by")
        self.by_field.setText(by or "")
        self.problem = warning("Why it cannot be renamed" if renames else "Why it cannot be kept")
        fields = form(20 * UNIT)
        add_row(fields, "&Name", self.name_field)
        add_row(fields, "No&te", self.note_field)
        if not renames:
            add_row(fields, "Kept &by", self.by_field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        self.ok = buttons.addButton("Rename" if renames else "Keep", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        about = [] if renames else [note_text("What is kept", ABOUT)]
        layout = column(*about, fields, self.problem, buttons, spacing=3 * UNIT, grows=fields)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self.resize(on_screen(self, QSize(120 * UNIT, self.sizeHint().height())))
        self.name_field.selectAll()
        self.name_field.setFocus()

    def is_changed(self) -> bool:
        """Whether a note was written: that takes longer than a name."""
        return self.note_field.toPlainText() != self._text

    def accept(self) -> None:
        """Do it; where that fails, say why and stay."""
        try:
            self._store(self.name_field.text(), self.note_field.toPlainText(), self.by_field.text())
        except AdstudioError as error:
            say_in(self.problem, as_sentence(str(error)))
            self.name_field.setFocus()
            return
        super().accept()
