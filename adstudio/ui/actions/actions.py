"""The Qt actions made from the table: menus, keys, and who does them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from adstudio.ui.actions.table import ACTIONS, BY_ID

Predicate = Callable[[], bool]
Keys = dict[str, tuple[str, ...]]
PORTABLE = QKeySequence.SequenceFormat.PortableText


def portable(key: str) -> str:
    """A key as Qt writes it, however it was written: `Del` for `Delete`."""
    return QKeySequence.fromString(key, PORTABLE).toString(PORTABLE)


def delivered(name: str) -> tuple[str, ...]:
    """The keys of an action in the table."""
    return tuple(portable(key) for key in BY_ID[name].keys)


def keys_in_use(own: Mapping[str, tuple[str, ...]]) -> Keys:
    """The keys of every action: the describer's own, else the table's.

    A key of the table that the describer has given to another action stays there: it may be newer in the table.
    """
    taken = {portable(key) for name, keys in own.items() if name in BY_ID for key in keys}
    return {
        action.id: tuple(portable(key) for key in own[action.id])
        if action.id in own
        else tuple(key for key in delivered(action.id) if key not in taken)
        for action in ACTIONS
    }


class Actions:
    """One QAction for each entry of the table. Whoever does an action connects it once.

    `refresh` asks again which actions are enabled; the window calls it when the selection or the script changes.
    """

    def __init__(self, window: QWidget, keys: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.window = window
        self._actions: dict[str, QAction] = {}
        self._does: dict[str, Callable[[], object]] = {}
        self._lazy: set[str] = set()
        """Those whose handler is yet to be built."""
        self._enabled: dict[str, Predicate] = {}
        self._checked: dict[str, Predicate] = {}
        self._doing = ""
        for entry in ACTIONS:
            action = QAction(entry.text, window)
            action.setObjectName(entry.id)
            action.setStatusTip(entry.help)
            action.setCheckable(entry.checkable)
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.setEnabled(False)
            self._actions[entry.id] = action
            window.addAction(action)
        self.bind_keys(keys or {})

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def bind_keys(self, own: Mapping[str, tuple[str, ...]]) -> None:
        """Give every action its keys: the describer's own where there are some, else the table's."""
        in_use = keys_in_use(own)
        for name, action in self._actions.items():
            action.setShortcuts([QKeySequence.fromString(key, PORTABLE) for key in in_use[name]])
            shown = ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts())
            action.setToolTip(f"{BY_ID[name].help} ({shown})" if shown else BY_ID[name].help)

    def connect(
        self, name: str, do: Callable[[], object], enabled: Predicate | None = None, checked: Predicate | None = None
    ) -> None:
        """Register the handler of an action, when it is enabled (always by default), and when it is checked.

        Raises:
            KeyError: for a name that is not in the table.
            ValueError: if it is connected already.
        """
        if name in self._enabled and name not in self._lazy:
            raise ValueError(f"{name} is connected already")
        action = self._actions[name]
        if name not in self._does:
            action.triggered.connect(lambda *_: self._do(name))
        self._does[name] = do
        self._lazy.discard(name)
        self._enabled[name] = enabled or (lambda: True)
        if checked is not None:
            self._checked[name] = checked
        action.setEnabled(self._enabled[name]())

    def connect_lazily(self, name: str, build: Callable[[], object], enabled: Predicate) -> None:
        """Register an action that is done by what `build` connects to it when it is first triggered."""

        def build_and_do() -> None:
            build()
            self._does[name]()

        self.connect(name, build_and_do, enabled)
        self._lazy.add(name)

    def _do(self, name: str) -> None:
        self._doing = name
        self._does[name]()

    @property
    def unchanged(self) -> str:
        """What the action that is being done says where it changes nothing."""
        return f"“{BY_ID[self._doing].title}” changes nothing here." if self._doing else ""

    @property
    def unconnected(self) -> tuple[str, ...]:
        """The actions that are not connected yet."""
        return tuple(name for name in self._actions if name not in self._enabled)

    def refresh(self) -> None:
        """Ask again what is enabled and what is checked."""
        for name, enabled in self._enabled.items():
            action = self._actions[name]
            action.setEnabled(enabled())
            if name in self._checked:
                action.setChecked(self._checked[name]())

    def is_possible(self, name: str) -> bool:
        """Whether an action can be done now, asked again."""
        return name in self._enabled and self._enabled[name]()

    def refused(self, key: QKeySequence) -> str:
        """The disabled action that a key belongs to; empty where there is none."""
        return next(
            (name for name, action in self._actions.items() if not action.isEnabled() and key in action.shortcuts()), ""
        )

    def name_of(self, key: QKeySequence) -> str:
        """The action that a key belongs to; empty where there is none."""
        return next((name for name, action in self._actions.items() if key in action.shortcuts()), "")

    def insert_menu(self, bar: QMenuBar, after: str, submenu: QMenu) -> None:
        """Insert a submenu behind an action, in the menu that has that and ends with another."""
        for menu in bar.findChildren(QMenu):
            entries = menu.actions()
            if self._actions[after] in entries:
                menu.insertMenu(entries[entries.index(self._actions[after]) + 1], submenu)

    def fill(self, bar: QMenuBar) -> None:
        """Put every action into its menu."""
        menus = {}
        for entry in ACTIONS:
            if entry.menu not in menus:
                menus[entry.menu] = bar.addMenu(entry.menu)
                menus[entry.menu].setObjectName(f"menu.{entry.menu.replace('&', '').lower()}")
            if entry.label.startswith("|"):
                menus[entry.menu].addSeparator()
            menus[entry.menu].addAction(self._actions[entry.id])
