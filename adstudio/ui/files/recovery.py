"""Where a file holds steps after the last save, of a crash or a command, the describer chooses: these, or that save."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QWidget

from adstudio.editing.machine_steps import contributions_text, is_automatic, is_by_command, trailing_automatic_steps
from adstudio.store.project import ProjectFile
from adstudio.ui.widgets.dates import moment_in_words
from adstudio.ui.widgets.file_dialogs import ask


class Choice(Enum):
    """From where to go on."""

    LAST_STEP = "last step"
    LAST_SAVE = "last save"
    NOT_NOW = "not now"


def ask_recovery(project: ProjectFile, window: QWidget) -> Choice:
    """Ask from where to go on; nothing is taken out of the file by asking."""
    steps = project.unsaved_steps
    if steps and all(map(is_automatic, steps)) and (came := contributions_text(steps)):
        # Nobody worked on it: nothing of a person's has crashed.
        by = "By a command, " if any(map(is_by_command, steps)) else ""
        return _choice(
            ask(
                window,
                f"{by}{came} came into {project.path.name}. This is not saved yet.",
                "Open the project with it to have a look: each step can be undone, and Save keeps the rest. Or open it "
                "as it was last saved: what came stays in the file until you change something, and is then gone for "
                "good.",
                ("Open with what came", "Open as last saved"),
                otherwise="Not now",
            )
        )
    when = ""
    if project.last_step_at is not None:
        moment = QDateTime.fromMSecsSinceEpoch(project.last_step_at)
        when = f", the last of it from {moment_in_words(moment)}"
    came = contributions_text(trailing_automatic_steps(steps))
    last = f"The last that came in are {came}. " if came else ""
    answer = ask(
        window,
        f"{project.path.name} was not closed in order.",
        f"It holds work that was not saved{when}. {last}Going on from the last step keeps all of it. "
        "Going back to the last save shows the script as you saved it; the work that was not saved stays in the file "
        "until you change something, and is then gone for good.",
        ("Go on from the last step", "Go back to the last save"),
        otherwise="Not now",
    )
    return _choice(answer)


def _choice(answer: int | None) -> Choice:
    return Choice.NOT_NOW if answer is None else (Choice.LAST_STEP, Choice.LAST_SAVE)[answer]
