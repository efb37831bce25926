"""The model to be asked, chosen once for all panels that ask one."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.connections.saved_connections import SavedConnection, read_connections
from adstudio.core.errors import AdstudioError
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.theme import UNIT


class ModelPicker(Picker):
    """The models that are known; the one that was chosen last, in whichever panel, stays chosen."""

    def __init__(self, desk: Context, tip: str, chosen: Callable[[], object]) -> None:
        super().__init__("Model")
        self._session, self._preferences, self._chosen = desk.session, desk.preferences, chosen
        self._connections: tuple[SavedConnection, ...] = ()
        self.setToolTip(tip)
        self.setMinimumWidth(30 * UNIT)
        self.activated.connect(self._choose)

    @property
    def named(self) -> SavedConnection | None:
        """The model that is chosen."""
        place = self.currentIndex()
        return self._connections[place] if 0 <= place < len(self._connections) else None

    def read(self) -> None:
        """The models that are known now."""
        try:
            connections = read_connections()
        except AdstudioError as error:
            connections = ()
            self._session.messages.report(error)
        chosen, names = self._preferences.text("model", ""), [each.name for each in connections]
        if connections != self._connections or not self.count():
            self._connections = connections
            self.clear()
            self.addItems(names or ["No model yet"])
        self.setCurrentIndex(names.index(chosen) if chosen in names else 0)

    def let(self, change: bool) -> None:
        """Let it be changed, where there is anything to choose."""
        self.setEnabled(change and bool(self._connections))

    def _choose(self) -> None:
        if self.named is not None:
            self._preferences.store("model", self.named.name)
        self._chosen()
