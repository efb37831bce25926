"""The model that is to draft a new project's lines: one of the saved connections."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker

from adstudio.connections.saved_connections import SavedConnection, read_connections
from adstudio.core.errors import AdstudioError
from adstudio.ui.widgets.controls import Chooser
from adstudio.ui.widgets.formatting import as_sentence

NO_CONNECTION = "To draft with a model, first add a connection to it: File → AI services…"


class ModelField(Chooser):
    """Lists the connections. One that was removed meanwhile stays listed, as a problem, until another is chosen."""

    def __init__(self, preferred: str) -> None:
        super().__init__("Drafting model")
        self._preferred = preferred
        self._unreadable = ""
        self.known: tuple[SavedConnection, ...] = ()

    @property
    def named(self) -> SavedConnection | None:
        """The chosen model; None if it was removed, or there is none."""
        return next((each for each in self.known if each.name == self.currentData()), None)

    @property
    def problem(self) -> str:
        """Why no model can be used, as a sentence; empty if one can."""
        if self._unreadable or not self.known:
            return self._unreadable or NO_CONNECTION
        gone = "The connection “{}” no longer exists: choose another model, or start with a blank script."
        return gone.format(self.currentData()) if self.named is None else ""

    @property
    def about(self) -> str:
        """Which server will be sent something, and when."""
        named = self.named
        if named is None:
            return ""
        return f"Nothing is sent to {named.host} until you allow it in the Drafts tab."

    def read(self, *, chosen: bool) -> None:
        """Read the connections again; a `chosen` one is not silently replaced by another."""
        try:
            self.known, self._unreadable = read_connections(), ""
        except AdstudioError as error:
            self.known, self._unreadable = (), as_sentence(str(error))
        names, before = [each.name for each in self.known], self.currentData() or ""
        gone = chosen and before and before not in names
        wanted = before if before in names else self._preferred
        with QSignalBlocker(self):
            self.clear()
            if gone:
                self.addItem(f"{before} (removed)", before)
            for name in names:
                self.addItem(name, name)
            self.setCurrentIndex(0 if gone or wanted not in names else names.index(wanted))
