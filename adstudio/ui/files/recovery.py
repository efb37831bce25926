"""Where a file holds steps after the last save, of a crash or a command, the describer chooses: these, or that save."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QWidget

from adstudio.editing.machine_steps import contributions_text, is_automatic, is_by_command, trailing_automatic_steps
from adstudio.store.project import ProjectFile
from adstudio.ui.widgets.file_dialogs import ask
from adstudio.ui.widgets.formatting import moment_in_words


class Choice(Enum):
    """What to open."""

    LAST_STEP = "last step"
    LAST_SAVE = "last save"
    NOT_NOW = "not now"


def ask_recovery(project: ProjectFile, window: QWidget) -> Choice:
    """Ask what to open; asking changes nothing in the file."""
    steps = project.unsaved_steps
    if steps and all(map(is_automatic, steps)) and (came := contributions_text(steps)):
        # Nobody worked on it: nothing of a person's has crashed.
        by = "By a command, " if any(map(is_by_command, steps)) else ""
        return _choice(
            ask(
                window,
                f"{by}{came} added to {project.path.name}. This is not saved yet.",
                "Open with the additions to review them: each step can be undone, and saving keeps the rest. Or open "
                "as last saved: the additions stay in the file until your first change, and are then lost.",
                ("Open with additions", "Open as last saved"),
                otherwise="Not now",
            )
        )
    when = ""
    if project.last_step_at is not None:
        moment = QDateTime.fromMSecsSinceEpoch(project.last_step_at)
        when = f", most recently from {moment_in_words(moment)}"
    came = contributions_text(trailing_automatic_steps(steps))
    last = f"The most recent are {came}. " if came else ""
    answer = ask(
        window,
        f"{project.path.name} wasn’t closed properly.",
        f"It contains unsaved work{when}. {last}Continuing from the last step keeps all of it. "
        "Reverting to the last save shows the script as you saved it; the unsaved work stays in the file until your "
        "first change, and is then lost.",
        ("Continue from last step", "Revert to last save"),
        otherwise="Not now",
    )
    return _choice(answer)


def _choice(answer: int | None) -> Choice:
    return Choice.NOT_NOW if answer is None else (Choice.LAST_STEP, Choice.LAST_SAVE)[answer]
