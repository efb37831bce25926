"""The connections of this computer: added, changed, removed and tested; valid changes are saved at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidgetItem, QWidget

from adstudio.connections.saved_connections import (
    LONGEST_NAME,
    SavedConnection,
    change_connections,
    read_connections,
    with_connection,
)
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import OFFLINE
from adstudio.ui.ai_settings.connection_fields import ConnectionFields
from adstudio.ui.ai_settings.messages import OF_ALL
from adstudio.ui.ai_settings.page import SettingsPage
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import button
from adstudio.ui.widgets.file_dialogs import ask
from adstudio.ui.widgets.form import column, names_list, row, scrolled
from adstudio.ui.widgets.text import note_text, say_in, sentence, tone, warning
from adstudio.ui.widgets.theme import UNIT

ABOUT = f"{OF_ALL} A connection by itself sends nothing: what may be shared is set for each project, under “Privacy”."
NONE = "No connections yet. Add an on-premises server or a provider."
NEW = "New connection"
ITS_NAME = Qt.ItemDataRole.UserRole


class ConnectionsPage(SettingsPage):
    """A list of names, and the fields of the selected connection."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._known: tuple[SavedConnection, ...] = ()
        self._current: str | None = None
        """The saved name of the connection in the fields; None for one that is not saved yet."""
        self.list = names_list("Connections")
        self.add_button = button("Add", "Add a connection", self.add)
        self.remove_button = button("&Remove", "Remove connection", self.remove)
        self.fields = ConnectionFields(context)
        self.fields.entered.connect(self._take)
        self.problem = warning("Problem with the connection")
        self.none = note_text("No connections", NONE)
        left = column(self.list, row(self.add_button, self.remove_button, None), spacing=2 * UNIT)
        inside = QWidget()
        right = column(self.none, self.problem, self.fields, None, spacing=3 * UNIT)
        right.setContentsMargins(UNIT, 0, 2 * UNIT, 0)
        inside.setLayout(right)
        area = scrolled("Connection details", inside)
        both = row(left, area, spacing=5 * UNIT, grows=area)
        self._lay_out("Connections", note_text("About connections", ABOUT), both, grows=both)
        self.list.currentRowChanged.connect(self._turn)
        self.setFocusProxy(self.list)
        self._read()
        self._list()
        self._show_first()

    def renew(self) -> None:
        """Read the connections again: another program may have changed them."""
        before = self._known
        self._read()
        same = self._known == before and self._listed == [each.name for each in self._known]
        if same or (self._current is None and self.fields.isVisible()):
            return
        self._list()
        here = next((each for each in self._known if each.name == self._current), None)
        if here is None or here not in before:
            self._show(here or (self._known[0] if self._known else None))

    def flush(self) -> None:
        """Take what is being typed."""
        if self.fields.isVisibleTo(self):
            self.fields.flush()

    def add(self) -> None:
        """Add a connection, to be filled in; it is saved as soon as it is complete."""
        self.flush()
        names = {each.name for each in self._known}
        name = next(name for n in range(1, len(names) + 2) if (name := NEW if n == 1 else f"{NEW} {n}") not in names)
        item = QListWidgetItem(name)
        with QSignalBlocker(self.list):
            self._drop_unsaved()
            self.list.addItem(item)
            self.list.setCurrentItem(item)
        self._current = None
        self._show_fields(SavedConnection(name, "vllm", ""))
        self._show_problem("", as_warning=False)
        self.fields.name.setFocus()
        self.fields.name.selectAll()

    def remove(self) -> None:
        """Remove the selected connection, and its key if no other one needs it."""
        name = self._current
        if name is None:
            self._list()
            self._show_first()
            self.list.setFocus()
            return
        detail = "Its key is removed too, unless another connection uses it. Projects do not change."
        if ask(self, f"Remove the connection “{name}”?", detail, ("Remove",), careful=True) != 0:
            return
        place = next((n for n, each in enumerate(self._known) if each.name == name), 0)
        gone = [each for each in self._known if each.name == name]
        if not self._write(lambda known: [each for each in known if each.name != name]):
            return
        for each in gone:
            self._forget_key(each)
        self._list()
        self._show(self._known[min(place, len(self._known) - 1)] if self._known else None)
        self.list.setFocus()

    def _forget_key(self, gone: SavedConnection) -> None:
        from adstudio.llm.keys import delete_key

        mine = gone.connection(OFFLINE)
        others = [each.connection(OFFLINE) for each in self._known]
        if mine.keyed and all(not each.keyed or each.key_name != mine.key_name for each in others):
            try:
                delete_key(mine.key_name)
            except AdstudioError as error:
                self._context.session.messages.say(sentence(str(error)))

    def _take(self) -> None:
        """Save what the fields contain, if it is complete."""
        named = self.fields.named
        item = self.list.currentItem()
        if item is not None:
            item.setText(named.name[:LONGEST_NAME] or NEW)
        before = self._current
        if self._write(lambda known: with_connection(known, named, before), fresh=before is None):
            self._current = named.name
            if item is not None:
                item.setData(ITS_NAME, named.name)

    def _write(
        self, change: Callable[[tuple[SavedConnection, ...]], Iterable[SavedConnection]], *, fresh: bool = False
    ) -> bool:
        """Change the saved connections, which another program may have changed since they were read."""
        try:
            self._known = change_connections(change)
        except AdstudioError as error:
            self._show_problem(sentence(str(error)), as_warning=not fresh)
            return False
        self._show_problem("", as_warning=True)
        self._context.session.storage.models_changed.emit()
        return True

    def _show_problem(self, text: str, *, as_warning: bool) -> None:
        """Say why it is not saved: of a new one quietly, as it is still being filled in."""
        tone(self.problem, warning=as_warning, quiet=not as_warning)
        if not as_warning:
            text = f"Not saved yet. {text}" if text else "Saved once name, address and model are filled in."
        elif text:
            text = f"The previous settings remain. {text}"
        say_in(self.problem, text)

    def _read(self) -> None:
        try:
            self._known = read_connections()
        except AdstudioError as error:
            self._known = ()
            tone(self.problem, warning=True)
            say_in(self.problem, sentence(str(error)))
            self.add_button.setEnabled(False)
        else:
            if not self.add_button.isEnabled():
                say_in(self.problem, "")
            self.add_button.setEnabled(True)

    def _list(self) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            for each in self._known:
                item = QListWidgetItem(each.name)
                item.setData(ITS_NAME, each.name)
                self.list.addItem(item)

    @property
    def _listed(self) -> list[str | None]:
        """The names in the list; None for a connection that is not saved yet."""
        return [self.list.item(place).data(ITS_NAME) for place in range(self.list.count())]

    def _drop_unsaved(self) -> None:
        if None in self._listed:
            self.list.takeItem(self._listed.index(None))

    def _turn(self, place: int) -> None:
        item = self.list.item(place) if place >= 0 else None
        if item is None:
            return
        self.flush()
        name = item.data(ITS_NAME)
        if name is None:
            return
        with QSignalBlocker(self.list):
            self._drop_unsaved()
        self._show(next((each for each in self._known if each.name == name), None))

    def _show_first(self) -> None:
        self._show(self._known[0] if self._known else None)

    def _show(self, named: SavedConnection | None) -> None:
        self._current = None if named is None else named.name
        if named is not None:
            with QSignalBlocker(self.list):
                self.list.setCurrentRow(self._listed.index(named.name) if named.name in self._listed else -1)
            self._show_problem("", as_warning=True)
        self._show_fields(named)

    def _show_fields(self, named: SavedConnection | None) -> None:
        self.fields.setVisible(named is not None)
        self.remove_button.setEnabled(named is not None)
        self.none.setVisible(named is None and not self.problem.text())
        if named is not None:
            self.fields.show_named(named)
        else:
            self.fields.stop()
