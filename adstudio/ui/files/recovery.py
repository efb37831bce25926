"""After a crash the describer chooses: the last step, or the last save."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QWidget

from adstudio.store.project import ProjectFile
from adstudio.ui.files.asking import ask
from adstudio.ui.files.moments import moment_in_words


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
        when = f", the last of it from {moment_in_words(moment)}"
    answer = ask(
        window,
        f"{project.path.name} was not closed in order.",
        f"It holds work that was not saved{when}. Going on from the last step keeps all of it. "
        "Going back to the last save shows the script as you saved it; the work that was not saved stays in the file "
        "until you change something, and is then gone for good.",
        ("Go on from the last step", "Go back to the last save"),
        otherwise="Not now",
    )
    return Choice.NOT_NOW if answer is None else (Choice.LAST_STEP, Choice.LAST_SAVE)[answer]
