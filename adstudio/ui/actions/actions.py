"""The Qt actions made from the table: menus, keys, and who does them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

from adstudio.ui.actions.table import ACTIONS, BY_ID

Always = Callable[[], bool]


class Actions:
    """One QAction for each entry of the table. Whoever does an action connects it once; the window asks what is off.

    `enabled` of an action is asked again by `refresh`, which the window calls when the selection or the script moves.
    """

    def __init__(self, window: QWidget, keys: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.window = window
        self._actions: dict[str, QAction] = {}
        self._enabled: dict[str, Always] = {}
        self._checked: dict[str, Always] = {}
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
        for name, action in self._actions.items():
            keys = own.get(name, BY_ID[name].keys)
            action.setShortcuts(
                [QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText) for key in keys]
            )
            shown = ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts())
            action.setToolTip(f"{BY_ID[name].help} ({shown})" if shown else BY_ID[name].help)

    def connect(
        self, name: str, do: Callable[[], object], enabled: Always | None = None, checked: Always | None = None
    ) -> None:
        """Say who does an action, when it can be done (always, if not said), and whether its mark is set.

        Raises:
            KeyError: for a name that is not in the table.
            ValueError: when somebody does it already.
        """
        if name in self._enabled:
            raise ValueError(f"{name} is connected already")
        action = self._actions[name]
        action.triggered.connect(lambda *_: do())
        self._enabled[name] = enabled or (lambda: True)
        if checked is not None:
            self._checked[name] = checked
        action.setEnabled(self._enabled[name]())

    @property
    def unconnected(self) -> tuple[str, ...]:
        """The actions that nobody does yet."""
        return tuple(name for name in self._actions if name not in self._enabled)

    def refresh(self) -> None:
        """Ask again what can be done and what is marked."""
        for name, enabled in self._enabled.items():
            action = self._actions[name]
            action.setEnabled(enabled())
            if name in self._checked:
                action.setChecked(self._checked[name]())

    def refused(self, key: QKeySequence) -> str:
        """The action that a key would do if it could be done now; empty where there is none."""
        return next(
            (name for name, action in self._actions.items() if not action.isEnabled() and key in action.shortcuts()), ""
        )

    def fill(self, bar: QMenuBar) -> None:
        """Put every action into its menu."""
        menus = {}
        for entry in ACTIONS:
            title, bar_first = entry.menu.rstrip("|"), entry.menu.endswith("|")
            if title not in menus:
                menus[title] = bar.addMenu(title)
                menus[title].setObjectName(f"menu.{title.replace('&', '').lower()}")
            if bar_first:
                menus[title].addSeparator()
            menus[title].addAction(self._actions[entry.id])
