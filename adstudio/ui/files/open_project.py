"""Opening a project file: to edit it, else read-only, else from a backup; after a crash, from which state."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.drafting.companion_files import free_project
from adstudio.editing.machine_steps import contributions_text, is_automatic, is_by_command, trailing_automatic_steps
from adstudio.store.backups import backups_folder, backups_of
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.system.files import mode_of, read_bounded, write_atomically
from adstudio.ui.widgets.file_dialogs import ask, documents, tell
from adstudio.ui.widgets.formatting import moment_in_words

LARGEST = 1_000_000_000


def open_project(path: Path, window: QWidget) -> tuple[ProjectFile, str] | None:
    """The open project and a message about it, or ""; None, having said why, if nothing is opened."""
    backups = backups_folder()
    try:
        return ProjectFile.open(path, backups=backups), ""
    except AdstudioError as error:
        first = error
    try:
        project = ProjectFile.open(path, read_only=True)
    except AdstudioError:
        return _open_backup(path, backups, first, window)
    return project, f"{first}. It is open read-only; to keep changes, save it under another name."


def ask_recovery(project: ProjectFile, window: QWidget) -> RestorePoint | None:
    """Ask which state to open, as there are steps after the last save; None for neither. The file is not changed."""
    steps = project.unsaved_steps
    if steps and all(map(is_automatic, steps)) and (added := contributions_text(steps)):
        # Nobody was editing it, so nothing has crashed.
        by = "By a command, " if any(map(is_by_command, steps)) else ""
        text = f"{by}{added} added to {project.path.name}. This is not saved yet."
        detail = (
            "Open with the additions to review them: each step can be undone, and saving keeps the rest. Or open as "
            "last saved: the additions stay in the file until your first change, and are then lost."
        )
        answers = ("Open with additions", "Open as last saved")
    else:
        when = ""
        if project.last_step_at is not None:
            moment = QDateTime.fromMSecsSinceEpoch(project.last_step_at)
            when = f", most recently from {moment_in_words(moment)}"
        added = contributions_text(trailing_automatic_steps(steps))
        last = f"The most recent are {added}. " if added else ""
        text = f"{project.path.name} wasn’t closed properly."
        detail = (
            f"It contains unsaved work{when}. {last}Continuing from the last step keeps all of it. Reverting to the "
            "last save shows the script as you saved it; the unsaved work stays in the file until your first change, "
            "and is then lost."
        )
        answers = ("Continue from last step", "Revert to last save")
    answer = ask(window, text, detail, answers, otherwise="Not now")
    return None if answer is None else (RestorePoint.LAST_STEP, RestorePoint.LAST_SAVE)[answer]


def set_aside(path: Path) -> Path:
    """Copy a project's file as it is, under another name beside it; the copy's path.

    Raises:
        AdstudioError: if it cannot be written.
    """
    copy = free_project(path.with_name(f"{path.stem} (not recovered){path.suffix}"))
    write_atomically(copy, read_bounded(path, LARGEST, "project"), replacing=False, mode=mode_of(path))
    return copy


def _open_backup(path: Path, backups: Path, first: AdstudioError, window: QWidget) -> tuple[ProjectFile, str] | None:
    # A backup helps if the file is damaged or missing, not if it is open elsewhere.
    copies = backups_of(path, backups) if isinstance(first, BadInputError) else []
    newest = next((copy for copy in copies if _can_be_opened(copy)), None)
    if newest is None:
        tell(window, f"{first}.")
        return None
    when = moment_in_words(QDateTime.fromMSecsSinceEpoch(int(newest.stat().st_mtime * 1000)))
    detail = (
        f"A backup was made when it was opened on {when}. It can be opened as a separate project; the file itself is "
        "not changed."
    )
    if ask(window, f"{first}.", detail, ("Open the backup",)) is None:
        return None
    try:
        return _restored(path, newest)
    except AdstudioError as error:
        tell(window, f"{error}.")
        return None


def _can_be_opened(path: Path) -> bool:
    try:
        ProjectFile.open(path, read_only=True).close()
    except AdstudioError:
        return False
    return True


def _restored(path: Path, backup: Path) -> tuple[ProjectFile, str]:
    """The backup, under a free name beside the project, or in the documents if nothing can be written there."""
    content = read_bounded(backup, LARGEST, "copy of a project")
    folder = path.parent if os.access(path.parent, os.W_OK) else documents()
    target = free_project(folder / f"{path.stem} (copy).adproj")
    write_atomically(target, content, replacing=False, mode=mode_of(path))
    return ProjectFile.open(target), f"The backup is open as {target.name}."
