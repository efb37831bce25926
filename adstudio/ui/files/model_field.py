"""The model that is to draft a new project's lines once it is made: one of the connections that are known here."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

from adstudio.connections.saved_connections import SavedConnection, read_connections
from adstudio.core.errors import AdstudioError
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.formatting import as_sentence

NO_CONNECTION = "To draft with a model, first add a connection to it: File → AI services…"
LETTERS = 20
"""As wide as a choice among files."""


class ModelField(Picker):
    """Lists them. One that is gone meanwhile stays in sight, and is a problem, until another one is chosen."""

    def __init__(self, preferred: str) -> None:
        super().__init__("Drafting model")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(LETTERS)
        self._preferred = preferred
        self._unreadable = ""
        self.known: tuple[SavedConnection, ...] = ()

    @property
    def named(self) -> SavedConnection | None:
        """The model that is chosen, None where it is not known, or none is."""
        return next((each for each in self.known if each.name == self.currentData()), None)

    @property
    def problem(self) -> str:
        """Why no model can be asked, as a sentence; empty where one can."""
        if self._unreadable or not self.known:
            return self._unreadable or NO_CONNECTION
        gone = "The connection “{}” no longer exists: choose another model, or start with a blank script."
        return gone.format(self.currentData()) if self.named is None else ""

    @property
    def about(self) -> str:
        """Where it is asked, and from when on."""
        named = self.named
        if named is None:
            return ""
        return f"Nothing is sent to {named.host} until you allow it in the Drafts tab."

    def read(self, *, chosen: bool) -> None:
        """The models that are known now; where one was `chosen`, it is not silently changed for another."""
        try:
            self.known, self._unreadable = read_connections(), ""
        except AdstudioError as error:
            self.known, self._unreadable = (), as_sentence(str(error))
        names, before = [each.name for each in self.known], self.currentData() or ""
        gone = chosen and before and before not in names
        wanted = before if before in names else self._preferred
        self.blockSignals(True)
        self.clear()
        if gone:
            self.addItem(f"{before} (removed)", before)
        for name in names:
            self.addItem(name, name)
        self.setCurrentIndex(0 if gone or wanted not in names else names.index(wanted))
        self.blockSignals(False)
