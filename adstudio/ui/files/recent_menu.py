"""The recent projects as a menu: the newest first, the first nine with their number as key."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from adstudio.ui.files.project_files import ProjectFiles
from adstudio.ui.session.preferences import Preferences

NUMBERED = 9


class RecentMenu(QMenu):
    """Opens a recent project; a missing one is only reported then."""

    def __init__(self, preferences: Preferences, files: ProjectFiles, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self.setObjectName("menu.recent")
        self._preferences = preferences
        self._files = files
        preferences.changed.connect(lambda name: self._fill() if name == "recent" else None)
        self._fill()

    def _fill(self) -> None:
        self.clear()
        for number, path in enumerate(self._preferences.recent, 1):
            key = f"&{number} " if number <= NUMBERED else ""
            entry = self.addAction(f"{key}{_plain(path.stem)}  ·  {_plain(str(path.parent))}")
            entry.setStatusTip(f"Open {path}.")
            entry.triggered.connect(lambda _=False, path=path: self._files.open_path(path))
        self.menuAction().setEnabled(not self.isEmpty())


def _plain(text: str) -> str:
    """A text whose ampersands are not taken for mnemonics."""
    return text.replace("&", "&&")
