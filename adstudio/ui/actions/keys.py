"""Every action and its keys, to look up and to bind anew. Two actions never share a key."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from adstudio.ui.actions.actions import Actions
from adstudio.ui.actions.table import ACTIONS, BY_ID
from adstudio.ui.preferences import Preferences
from adstudio.ui.theme import UNIT

PORTABLE = QKeySequence.SequenceFormat.PortableText
NATIVE = QKeySequence.SequenceFormat.NativeText
ITS_ID = Qt.ItemDataRole.UserRole

Keys = dict[str, tuple[str, ...]]


def keys_in_use(own: Keys) -> Keys:
    """The keys of every action: the describer's own, else the table's."""
    return {action.id: own.get(action.id, action.keys) for action in ACTIONS}


def bound(own: Keys, name: str, key: str) -> Keys:
    """The describer's own keys after `key` was given to an action, and taken from whichever had it; "" unbinds."""
    changed = dict(own)
    if key:
        for other, keys in keys_in_use(own).items():
            if key in keys and other != name:
                changed[other] = tuple(each for each in keys if each != key)
    changed[name] = (key,) if key else ()
    return {other: keys for other, keys in changed.items() if keys != BY_ID[other].keys}


class KeysDialog(QDialog):
    """A list of everything that can be done, with a field for the key of the chosen one."""

    def __init__(self, actions: Actions, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self._actions = actions
        self._preferences = preferences
        self._own: Keys = {name: keys for name, keys in preferences.keys.items() if name in BY_ID}
        self._search = QLineEdit()
        self._search.setPlaceholderText("Find an action or a key")
        self._search.setAccessibleName("Find an action or a key")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._filter)
        self._list = QTreeWidget()
        self._list.setAccessibleName("Actions and their keys")
        self._list.setHeaderLabels(["Action", "Keys", "What it does"])
        self._list.setRootIsDecorated(False)
        self._list.setUniformRowHeights(True)
        self._list.setAlternatingRowColors(True)
        self._list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._list.currentItemChanged.connect(lambda *_: self._show_current())
        self._edit = QKeySequenceEdit()
        self._edit.setMaximumSequenceLength(1)
        self._edit.setAccessibleName("New key")
        self._edit.editingFinished.connect(self._bind)
        unbind = QPushButton("No key")
        unbind.setAutoDefault(False)
        unbind.clicked.connect(lambda: self._set(""))
        as_delivered = QPushButton("As delivered")
        as_delivered.setAutoDefault(False)
        as_delivered.clicked.connect(self._reset)
        self._said = QLabel()
        self._said.setWordWrap(True)
        self._said.setAccessibleName("What the new key changed")
        row = QHBoxLayout()
        row.addWidget(QLabel("Press the new key:"))
        row.addWidget(self._edit)
        row.addWidget(unbind)
        row.addWidget(as_delivered)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._keep)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(2 * UNIT)
        layout.addWidget(self._search)
        layout.addWidget(self._list, 1)
        layout.addLayout(row)
        layout.addWidget(self._said)
        layout.addWidget(buttons)
        self.resize(200 * UNIT, 150 * UNIT)
        for action in ACTIONS:
            item = QTreeWidgetItem([action.text.replace("&", ""), "", action.help])
            item.setData(0, ITS_ID, action.id)
            self._list.addTopLevelItem(item)
        self._fill()
        self._list.setCurrentItem(self._list.topLevelItem(0))

    def _fill(self) -> None:
        keys = keys_in_use(self._own)
        for row in range(self._list.topLevelItemCount()):
            item = self._list.topLevelItem(row)
            if item is not None:
                shown = [QKeySequence.fromString(key, PORTABLE).toString(NATIVE) for key in keys[item.data(0, ITS_ID)]]
                item.setText(1, ", ".join(shown))

    def _filter(self, typed: str) -> None:
        wanted = typed.casefold()
        for row in range(self._list.topLevelItemCount()):
            item = self._list.topLevelItem(row)
            if item is not None:
                item.setHidden(all(wanted not in item.text(column).casefold() for column in range(3)))

    def _current(self) -> str:
        item = self._list.currentItem()
        return "" if item is None else str(item.data(0, ITS_ID))

    def _show_current(self) -> None:
        keys = keys_in_use(self._own).get(self._current(), ())
        self._edit.setKeySequence(QKeySequence.fromString(keys[0] if keys else "", PORTABLE))
        self._said.clear()

    def _bind(self) -> None:
        self._set(self._edit.keySequence().toString(PORTABLE))

    def _set(self, key: str) -> None:
        name = self._current()
        if not name or (key and key in keys_in_use(self._own)[name]):
            return
        lost = [other for other, keys in keys_in_use(self._own).items() if key and key in keys and other != name]
        self._own = bound(self._own, name, key)
        self._fill()
        self._said.setText(" ".join(f"{BY_ID[other].text.replace('&', '')} has this key no longer." for other in lost))

    def _reset(self) -> None:
        self._own.pop(self._current(), None)
        self._fill()
        self._show_current()

    def _keep(self) -> None:
        self._preferences.store_keys(self._own)
        self._actions.bind_keys(self._own)
        self.accept()
