"""What the pages of the window about AI services have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.text import title
from adstudio.ui.widgets.theme import UNIT


class SettingsPage(QWidget):
    """A page of the window."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context

    def renew(self) -> None:
        """Show the current state: the page has come into sight, or another project is open."""
        raise NotImplementedError

    def flush(self) -> None:
        """Take what is being typed: the page is about to be hidden, or the script to be saved."""

    def _lay_out(self, heading: str, *parts: QWidget | QLayout, grows: QWidget | QLayout) -> None:
        """Put the parts under the page's heading."""
        self.setLayout(column(title(heading), *parts, spacing=3 * UNIT, grows=grows))
