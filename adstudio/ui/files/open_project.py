"""Opening a project file: to work on it, else to read it, else a copy that was kept of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path
from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.drafting.companion_files import free_project
from adstudio.store.backups import backups_of
from adstudio.store.project import ProjectFile
from adstudio.system.files import mode_of, read_bounded, write_atomically
from adstudio.ui.widgets.file_dialogs import ask, documents, tell
from adstudio.ui.widgets.formatting import moment_in_words

LARGEST = 1_000_000_000


@dataclass(frozen=True)
class OpenedProject:
    """A project that was opened, and what the describer has to know about it, or nothing."""

    project: ProjectFile
    said: str = ""


def backups_folder() -> Path:
    """Where copies of projects are kept as they were when they were opened."""
    return user_data_path("adstudio") / "backups"


def open_project(path: Path, window: QWidget) -> OpenedProject | None:
    """Open a project; None, and told, where nothing can be opened or the describer thinks better of it."""
    backups = backups_folder()
    try:
        return OpenedProject(ProjectFile.open(path, backups=backups))
    except AdstudioError as error:
        first = error
    try:
        project = ProjectFile.open(path, read_only=True)
    except AdstudioError:
        return _open_backup(path, backups, first, window)
    return OpenedProject(project, f"{first}. It is open read-only; to keep changes, save it under another name.")


def set_aside(path: Path) -> Path:
    """Keep a project's file as it is under another name beside it; the copy's path.

    Raises:
        AdstudioError: where it cannot be written.
    """
    copy = free_project(path.with_name(f"{path.stem} (not recovered){path.suffix}"))
    write_atomically(copy, read_bounded(path, LARGEST, "project"), replacing=False, mode=mode_of(path))
    return copy


def _open_backup(path: Path, backups: Path, first: AdstudioError, window: QWidget) -> OpenedProject | None:
    # A copy is of use where the file is damaged or gone, not where it is open elsewhere.
    copies = backups_of(path, backups) if isinstance(first, BadInputError) else []
    if not copies:
        tell(window, f"{first}.")
        return None
    newest = copies[0]
    answer = ask(
        window,
        f"{first}.",
        f"A backup was made when it was opened on {_moment(newest)}. It can be opened as a separate project; "
        "the file itself is not changed.",
        ("Open the backup",),
    )
    if answer is None:
        return None
    try:
        return _restored(path, newest)
    except AdstudioError as error:
        tell(window, f"{error}.")
        return None


def _restored(path: Path, backup: Path) -> OpenedProject:
    """The copy, under a free name beside the project, or among the documents where nothing can be written there."""
    content = read_bounded(backup, LARGEST, "copy of a project")
    folder = path.parent if os.access(path.parent, os.W_OK) else documents()
    target = free_project(folder / f"{path.stem} (copy).adproj")
    write_atomically(target, content, replacing=False, mode=mode_of(path))
    return OpenedProject(ProjectFile.open(target), f"The backup is open as {target.name}.")


def _moment(file: Path) -> str:
    return moment_in_words(QDateTime.fromMSecsSinceEpoch(int(file.stat().st_mtime * 1000)))
