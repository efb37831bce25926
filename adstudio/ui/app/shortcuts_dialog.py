"""Every action and its keys, to look up and to change. Two actions never share a key."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from adstudio.ui.actions.actions import PORTABLE, Actions, Keys, delivered, keys_in_use, portable
from adstudio.ui.actions.table import ACTIONS, BY_ID
from adstudio.ui.app.key_field import NATIVE, KeyField
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.widgets.careful_dialog import CarefulDialog
from adstudio.ui.widgets.controls import button, line
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.form import column, in_text_size, tie
from adstudio.ui.widgets.text import unmarked, words
from adstudio.ui.widgets.theme import UNIT

ITS_ID = Qt.ItemDataRole.UserRole


def bound(own: Keys, name: str, *keys: str) -> Keys:
    """The describer's own keys after an action got `keys`, which whoever had them loses; none of them unbinds it."""
    wanted = tuple(portable(key) for key in keys if key)
    changed = keys_in_use(own)
    for other, theirs in changed.items():
        changed[other] = tuple(key for key in theirs if key not in wanted)
    changed[name] = wanted
    return {other: theirs for other, theirs in changed.items() if theirs != delivered(other)}


class ShortcutsDialog(CarefulDialog, QDialog):
    """A list of everything that can be done, with a field for the key of the chosen one."""

    def __init__(self, actions: Actions, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self._actions = actions
        self._preferences = preferences
        self._own: Keys = {name: keys for name, keys in preferences.keys.items() if name in BY_ID}
        self._at_first: Keys = self._own
        self._search = line("Find an action or a key", "Find an action or a key")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._filter)
        self._list = QTreeWidget()
        self._list.ensurePolished()  # or rows are measured before they are dressed
        self._list.setAccessibleName("Actions and their keys")
        self._list.setHeaderLabels(["Action", "Keys", "What it does"])
        self._list.setRootIsDecorated(False)
        self._list.setUniformRowHeights(True)
        self._list.setAlternatingRowColors(True)
        self._list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._list.currentItemChanged.connect(lambda *_: self._show_current())
        self._edit = KeyField("New key")
        self._edit.left.connect(self._list.setFocus)
        self._edit.pressed.connect(lambda key: self._set(key.toString(PORTABLE)))
        self._said = words(wrap=True)
        self._said.setAccessibleName("Effect of the new key")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        buttons.accepted.connect(self._keep)
        buttons.rejected.connect(self.reject)
        layout = column(self._search, self._list, self._row(), self._said, buttons, spacing=3 * UNIT)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self.resize(in_text_size(self, QSize(200, 150) * UNIT))
        for action in ACTIONS:
            item = QTreeWidgetItem([unmarked(action.text), "", action.help])
            item.setData(0, ITS_ID, action.id)
            self._list.addTopLevelItem(item)
        self._fill()
        self._list.setCurrentItem(self._rows()[0])

    def is_changed(self) -> bool:
        """Whether a key differs."""
        return keys_in_use(self._own) != keys_in_use(self._at_first)

    def _row(self) -> QHBoxLayout:
        """The field for the new key, and what does without one."""
        label = QLabel("Press the &new key:")
        tie(label, self._edit)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self._edit)
        self._of_one: list[QWidget] = [label, self._edit]
        for text, do in (("No key", lambda: self._set("")), ("Reset to default", self._reset)):
            self._of_one.append(button(text, text, do))
            row.addWidget(self._of_one[-1])
        row.addStretch(1)
        row.addWidget(button("Reset all to default", "Reset all to default", self._reset_all))
        return row

    def _fill(self) -> None:
        keys = keys_in_use(self._own)
        for item in self._rows():
            shown = [QKeySequence.fromString(key, PORTABLE).toString(NATIVE) for key in keys[item.data(0, ITS_ID)]]
            item.setText(1, ", ".join(shown))
            item.setData(1, Qt.ItemDataRole.AccessibleTextRole, ", ".join(shown) or "no key")

    def _rows(self) -> list[QTreeWidgetItem]:
        items = (self._list.topLevelItem(row) for row in range(self._list.topLevelItemCount()))
        return [item for item in items if item is not None]

    def _filter(self, typed: str) -> None:
        """Show what matches, and make the first match the current row unless that is one of them."""
        wanted = typed.casefold()
        for item in self._rows():
            item.setHidden(all(wanted not in item.text(place).casefold() for place in range(3)))
        matches = [item for item in self._rows() if not item.isHidden()]
        if matches and not self._current():
            self._list.setCurrentItem(matches[0])
        self._show_current()

    def _current(self) -> str:
        """The current action; none if its row is hidden."""
        item = self._list.currentItem()
        return "" if item is None or item.isHidden() else str(item.data(0, ITS_ID))

    def _show_current(self) -> None:
        for widget in self._of_one:
            widget.setEnabled(bool(self._current()))
        self._show_keys()
        self._said.clear()

    def _show_keys(self) -> None:
        keys = keys_in_use(self._own).get(self._current(), ())
        self._edit.setKeySequence(QKeySequence.fromString(keys[0] if keys else "", PORTABLE))

    def _set(self, key: str) -> None:
        name = self._current()
        if name and not (key and key in keys_in_use(self._own)[name]):
            self._give(name, key)

    def _give(self, name: str, *keys: str) -> None:
        lost = [other for other, theirs in keys_in_use(self._own).items() if other != name and set(theirs) & set(keys)]
        self._own = bound(self._own, name, *keys)
        self._fill()
        self._said.setText(" ".join(f"“{BY_ID[other].title}” no longer has this key." for other in lost))

    def _reset(self) -> None:
        name = self._current()
        if name:
            self._give(name, *delivered(name))
            self._show_keys()

    def _reset_all(self) -> None:
        self._own = {}
        self._fill()
        self._show_keys()
        self._said.setText("Every action has its default keys again.")

    def _keep(self) -> None:
        self._preferences.store_keys(self._own)
        self._actions.bind_keys(self._own)
        self.accept()
