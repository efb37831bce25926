"""Dialogs that show in a table what they are about to change in the script, before one button changes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLayout, QWidget

from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.form import column, in_text_size, scrolled
from adstudio.ui.widgets.row_table import RowTable
from adstudio.ui.widgets.theme import UNIT


class ChangeDialog(QDialog):
    """`ok`, called as the change is, accepts it."""

    def __init__(self, parent: QWidget | None, title: str, ok: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        self.ok = self._buttons.addButton(ok, QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def lay_out(
        self,
        name: str,
        *parts: QWidget | QLayout | int,
        table: RowTable,
        size: QSize,
        always_shown: Sequence[QWidget] = (),
    ) -> None:
        """Put the parts, one of which is the table, on a page that scrolls, with `always_shown` and the buttons below.

        `size` is what it asks for at the usual size of text; it is never narrower than its page.
        """
        table.setMinimumHeight(40 * UNIT)
        page = QWidget()
        inside = column(*parts, spacing=2 * UNIT, grows=table)
        inside.setContentsMargins(0, 0, 2 * UNIT, 0)
        page.setLayout(inside)
        scroll = scrolled(name, page)
        layout = column(scroll, *always_shown, self._buttons, spacing=3 * UNIT, grows=scroll)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self.resize(in_text_size(self, size, page.minimumSizeHint().width() + 16 * UNIT))
