"""What this program is, under which licence, and which parts of it run here: for support, to be copied."""

from __future__ import annotations

import platform
import shutil
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QSize, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from adstudio import __version__
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.form import column, in_text_size
from adstudio.ui.widgets.text import title, words
from adstudio.ui.widgets.theme import UNIT

PARTS = (
    ("PySide6-Essentials", "window"),
    ("mpv", "picture"),
    ("ortools", "planning"),
    ("gurobipy", "planning, optional"),
    ("numpy", "planning"),
    ("av", "media"),
    ("scenedetect-headless", "shots"),
    ("pyttsx3", "speech"),
    ("pysrt", "subtitles"),
    ("charset-normalizer", "subtitles"),
    ("openpyxl", "spreadsheets"),
    ("python-docx", "Word documents"),
    ("typst", "PDF"),
)
LICENCE = (
    "GPL-3.0-or-later. You may use it, study it, pass it on and change it under the terms of the GNU General Public "
    "License; it comes without any warranty."
)


def parts() -> list[tuple[str, str, str]]:
    """Name, version and use of every part; those that are not installed say so."""
    found = [("Python", platform.python_version(), "everything"), ("Qt", qVersion(), "window")]
    for name, use in PARTS:
        try:
            found.append((name, version(name), use))
        except PackageNotFoundError:
            found.append((name, "not installed", use))
    found.append(("espeak-ng", "installed" if shutil.which("espeak-ng") else "not installed", "speech"))
    return [*found, ("System", platform.platform(), "")]


class AboutDialog(QDialog):
    """Version, licence and parts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About adstudio")
        name = title("adstudio")
        release = words(f"Version {__version__}")
        licence = words(LICENCE, quiet=True, wrap=True)
        self.list = QTreeWidget()
        self.list.setAccessibleName("Components and their versions")
        self.list.setHeaderLabels(["Component", "For", "Version"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.addTopLevelItems([QTreeWidgetItem([name, use, number]) for name, number, use in parts()])
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        take_ctrl_return(self)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAccessibleName("Copy versions")
        copy.setAutoDefault(False)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        layout = column(name, release, licence, self.list, buttons, spacing=3 * UNIT)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self.resize(in_text_size(self, QSize(150, 120) * UNIT))

    def _copy(self) -> None:
        lines = [f"adstudio {__version__}", *(f"{name} {number}" for name, number, _ in parts())]
        QGuiApplication.clipboard().setText("\n".join(lines))
