"""After a crash the describer chooses: the last step, or the last save."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QDateTime, QLocale
from PySide6.QtWidgets import QWidget

from adstudio.store.project import ProjectFile
from adstudio.ui.files.asking import ask


class Choice(Enum):
    """From where to go on."""

    LAST_STEP = "last step"
    LAST_SAVE = "last save"
    NOT_NOW = "not now"


def ask_recovery(project: ProjectFile, window: QWidget) -> Choice:
    """Ask from where to go on; nothing is taken out of the file by asking."""
    when = ""
    if project.last_step_at is not None:
        moment = QDateTime.fromMSecsSinceEpoch(project.last_step_at)
        when = f", the last of it from {QLocale().toString(moment, QLocale.FormatType.ShortFormat)}"
    answer = ask(
        window,
        f"{project.path.name} was not closed in order.",
        f"It holds work that was not saved{when}. Going on from the last step keeps all of it; "
        "going back to the last save lets it go with your first new step.",
        ("Go on from the last step", "Go back to the last save"),
        otherwise="Not now",
    )
    return Choice.NOT_NOW if answer is None else (Choice.LAST_STEP, Choice.LAST_SAVE)[answer]
