"""The projects opened last, as a menu: the newest first, the first nine by their number."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from adstudio.ui.files.project_files import ProjectFiles
from adstudio.ui.session.preferences import Preferences

NUMBERED = 9


class RecentMenu(QMenu):
    """Opens one of them; one that is not there any more says so then."""

    def __init__(self, preferences: Preferences, files: ProjectFiles, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self.setObjectName("menu.recent")
        self._preferences = preferences
        self._files = files
        preferences.changed.connect(lambda name: self._fill() if name == "recent" else None)
        self._fill()

    def insert_after(self, action: QAction, bar: QMenuBar) -> None:
        """Stand behind an action, in the menu that it is in."""
        for menu in bar.findChildren(QMenu):
            entries = menu.actions()
            if action in entries:
                menu.insertMenu(entries[entries.index(action) + 1], self)

    def _fill(self) -> None:
        self.clear()
        for number, path in enumerate(self._preferences.recent, 1):
            key = f"&{number} " if number <= NUMBERED else ""
            entry = self.addAction(f"{key}{_plain(path.stem)}  ·  {_plain(str(path.parent))}")
            entry.setStatusTip(f"Open {path}.")
            entry.triggered.connect(lambda _=False, path=path: self._open(path))
        self.menuAction().setEnabled(not self.isEmpty())

    def _open(self, path: Path) -> None:
        self._files.open_path(path)


def _plain(text: str) -> str:
    """A text in which an ampersand is one."""
    return text.replace("&", "&&")
