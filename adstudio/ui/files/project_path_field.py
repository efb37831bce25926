"""The file of a new project: proposed after its film, until the describer names one."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from adstudio.core.errors import BadInputError
from adstudio.drafting.companion_files import PROJECT, free_project
from adstudio.ui.files.typed_path import shown, typed_path
from adstudio.ui.widgets.controls import button, line
from adstudio.ui.widgets.file_dialogs import PROJECTS, ask_save, documents
from adstudio.ui.widgets.form import row, tie


class ProjectPathField(QWidget):
    """A field for the file, and a button to choose it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_named = False
        self.field = line("Project file")
        self.field.textEdited.connect(self._named)
        self.field.textChanged.connect(lambda _: self.changed.emit())
        self.choose = button("Choose…", "Choose the project file", self._ask)
        label = QLabel("Pro&ject file")
        tie(label, self.field)
        self.setLayout(row(label, self.field, self.choose, grows=self.field))

    @property
    def path(self) -> Path:
        """The project's file.

        Raises:
            BadInputError: if what is typed is not a file name.
        """
        path = typed_path(self.field.text())
        if path.name.lower().endswith(PROJECT):
            return path
        return typed_path(str(path.with_name(path.name + PROJECT)))

    @property
    def problem(self) -> str:
        """Why no project can be created there, in a sentence; empty if one can."""
        if not self.field.text().strip():
            return "Name the project file."
        try:
            return _taken(self.path)
        except BadInputError as error:
            return str(error)

    def propose(self, film: Path) -> None:
        """Name it after a film, unless the describer has named it."""
        if not self._is_named:
            self.field.setText(str(free_project(film)))
            self.field.setCursorPosition(len(self.field.text()))

    def _named(self) -> None:
        self._is_named = True

    def _ask(self) -> None:
        try:
            start = self.path
        except BadInputError:
            start = free_project(documents() / "Film")
        answer = ask_save(self, "New project file", start, (PROJECTS,))
        if answer is not None:
            self._is_named = True
            self.field.setText(str(answer[0]))


def _taken(path: Path) -> str:
    """Why no project can be created there, in a sentence; empty if one can."""
    folder = path.parent
    try:
        if path.exists():
            return f"{shown(path.name)} already exists: open it, or choose another name."
        if not folder.is_dir():
            return f"No folder {shown(str(folder))}: choose another one."
        if not os.access(folder, os.W_OK | os.X_OK):
            return f"Cannot write in {shown(str(folder))}: choose another folder."
    except (OSError, ValueError):
        return f"{shown(path.name)} is not a valid file name: choose another one."
    return ""
