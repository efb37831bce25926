"""The welcome page: recent projects, a new one, the sample film. Files may be dropped on it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from adstudio.ui.desk import Desk
from adstudio.ui.files.files import Files
from adstudio.ui.theme import UNIT

ITS_PATH = Qt.ItemDataRole.UserRole
WIDTH = 180 * UNIT


class Welcome(QWidget):
    """Three ways in, and what was open last."""

    def __init__(self, desk: Desk, files: Files) -> None:
        super().__init__()
        self.setAccessibleName("Welcome")
        self.setAcceptDrops(True)
        self._preferences = desk.preferences
        self._files = files
        column = QWidget()
        column.setFixedWidth(WIDTH)
        layout = QVBoxLayout(column)
        layout.setSpacing(3 * UNIT)
        title = QLabel("adstudio")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 2.4)
        title.setFont(font)
        lead = QLabel("Audio description, drafted, planned to a proven best, and finished by you.")
        lead.setProperty("quiet", "true")
        lead.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * UNIT)
        for text, name in (("New project…", "file.new"), ("Open project…", "file.open"), ("Sample film", "file.sample")):
            button = QPushButton(text)
            button.clicked.connect(desk.actions[name].trigger)
            button.setToolTip(desk.actions[name].toolTip())
            buttons.addWidget(button)
        self._new_default(buttons)
        buttons.addStretch(1)
        heading = QLabel("Recent projects")
        heading.setProperty("quiet", "true")
        self._recent = QListWidget()
        self._recent.setAccessibleName("Recent projects")
        self._recent.setFrameShape(QListWidget.Shape.NoFrame)
        self._recent.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._recent.itemActivated.connect(self._open)
        self._recent.itemClicked.connect(self._open)
        hint = QLabel("Drop a project or a video here.")
        hint.setProperty("quiet", "true")
        layout.addStretch(1)
        layout.addWidget(title)
        layout.addWidget(lead)
        layout.addSpacing(4 * UNIT)
        layout.addLayout(buttons)
        layout.addSpacing(4 * UNIT)
        layout.addWidget(heading)
        layout.addWidget(self._recent, 3)
        layout.addWidget(hint)
        layout.addStretch(1)
        page = QHBoxLayout(self)
        page.addStretch(1)
        page.addWidget(column)
        page.addStretch(1)
        desk.preferences.changed.connect(lambda name: self._fill() if name == "recent" else None)
        self._fill()

    @staticmethod
    def _new_default(buttons: QHBoxLayout) -> None:
        item = buttons.itemAt(0)
        first = item.widget() if item is not None else None
        if isinstance(first, QPushButton):
            first.setDefault(True)

    def _fill(self) -> None:
        self._recent.clear()
        for path in self._preferences.recent:
            there = path.exists()
            item = QListWidgetItem(f"{path.stem}\n{path.parent}" if there else f"{path.stem} (not there)\n{path.parent}")
            item.setData(ITS_PATH, str(path))
            item.setToolTip(str(path))
            self._recent.addItem(item)
        if not self._preferences.recent:
            item = QListWidgetItem("None yet.")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self._recent.addItem(item)

    def _open(self, item: QListWidgetItem) -> None:
        name = item.data(ITS_PATH)
        if isinstance(name, str):
            self._files.open_path(Path(name))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Take a file."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Open the project, or set one up for the video."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            self._files.take(paths[0])
