"""After a crash the describer chooses: the last step, or the last save."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QDateTime, QLocale
from PySide6.QtWidgets import QMessageBox, QWidget

from adstudio.store.project import ProjectFile


class Choice(Enum):
    """From where to go on."""

    LAST_STEP = "last step"
    LAST_SAVE = "last save"
    NOT_NOW = "not now"


def ask_recovery(project: ProjectFile, window: QWidget) -> Choice:
    """Ask from where to go on; nothing is taken out of the file by asking."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(f"{project.path.name} was not closed in order.")
    when = ""
    if project.last_step_at is not None:
        moment = QDateTime.fromMSecsSinceEpoch(project.last_step_at)
        when = f", the last on {QLocale().toString(moment, QLocale.FormatType.ShortFormat)}"
    box.setInformativeText(
        f"It holds work that was not saved{when}. Going on from the last step keeps all of it; "
        "going back to the last save lets it go with your first new step."
    )
    last_step = box.addButton("Go on from the last step", QMessageBox.ButtonRole.AcceptRole)
    last_save = box.addButton("Go back to the last save", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton("Not now", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(last_step)
    box.exec()
    if box.clickedButton() is last_step:
        return Choice.LAST_STEP
    return Choice.LAST_SAVE if box.clickedButton() is last_save else Choice.NOT_NOW
