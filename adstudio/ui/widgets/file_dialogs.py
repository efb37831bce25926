"""Dialogs for files and questions. All of the program's are asked here, so that tests can answer them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from platformdirs import user_documents_path
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QGridLayout, QLabel, QMessageBox, QWidget

from adstudio.drafting.companion_files import DESCRIPTIONS, PROJECT, SCREENPLAYS, SCRIPTS, SUBTITLES, VIDEOS

PROJECTS = f"adstudio projects (*{PROJECT})"
ALL = "All files (*)"
VIDEO_FILES = f"Videos ({' '.join(f'*{ending}' for ending in VIDEOS)})"
CAST_LIST_FILES = "Cast lists (*.csv *.tsv *.txt)"
SUBTITLE_FILES = f"Subtitles ({' '.join(f'*{ending}' for ending in SUBTITLES)})"
SCRIPT_FILES = f"Scripts ({' '.join(f'*{ending}' for ending in (*SCRIPTS, '.txt'))})"
JSON_FILES = "Candidates (*.json)"
SCREENPLAY_FILES = f"Screenplays ({' '.join(f'*{ending}' for ending in SCREENPLAYS)})"
DESCRIPTION_FILES = f"Descriptions ({' '.join(f'*{ending}' for ending in DESCRIPTIONS)})"


def documents() -> Path:
    """Where the describer's documents lie; their home where there is no such folder."""
    folder = user_documents_path()
    return folder if folder.is_dir() else Path.home()


def ask_open(parent: QWidget, title: str, start: Path, filters: Sequence[str]) -> Path | None:
    """Ask for an existing file; None if cancelled."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(start), ";;".join(filters))
    return Path(name) if name else None


def ask_save(
    parent: QWidget, title: str, start: Path, filters: Sequence[str], *, confirm: bool = True
) -> tuple[Path, str] | None:
    """Ask for a file to write to; returns it with the chosen filter, None if cancelled.

    With `confirm` the dialog asks before a file is replaced; without it the caller has to.
    """
    options = QFileDialog.Option(0) if confirm else QFileDialog.Option.DontConfirmOverwrite
    name, chosen = QFileDialog.getSaveFileName(parent, title, str(start), ";;".join(filters), options=options)
    return (Path(name), chosen) if name else None


def with_ending(parent: QWidget, path: Path, ending: str) -> Path | None:
    """The path with an ending, whatever dots its name has; asks where that is another, existing file."""
    if path.name.lower().endswith(ending):
        return path
    full = path.with_name(path.name + ending)
    return full if not is_there(full) or ask_replace(parent, full) else None


def is_there(path: Path) -> bool:
    """Whether a path exists; False for a name that no file can have, which is reported when it is used."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def ask_replace(parent: QWidget, path: Path) -> bool:
    """Ask whether a file may be replaced."""
    return ask(parent, f"{path.name} already exists.", "Replace it?", ("Replace",), careful=True) == 0


def ask(
    parent: QWidget,
    text: str,
    detail: str,
    answers: Sequence[str],
    *,
    otherwise: str = "Cancel",
    careful: bool = False,
) -> int | None:
    """Ask a question; returns the number of the answer, None for none of them.

    The first answer is the proposed one; with `careful`, where something would be lost, it is to do nothing.
    """
    box = QMessageBox(parent)
    box.setText(text)
    box.setInformativeText(detail)
    _name_whole(box)
    buttons = [box.addButton(answer, QMessageBox.ButtonRole.AcceptRole) for answer in answers]
    neither = box.addButton(otherwise, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(neither if careful else buttons[0])
    box.setEscapeButton(neither)
    _align(box)
    box.exec()
    clicked = box.clickedButton()
    number = next((number for number, button in enumerate(buttons) if button is clicked), None)
    box.deleteLater()
    return number


def _name_whole(box: QMessageBox) -> None:
    """Name a question by all of its words: of the labels in it a screen reader leaves out those of one or two words."""
    box.setAccessibleName(" ".join(filter(None, (box.text(), box.informativeText()))))


def _align(box: QMessageBox) -> None:
    """Put the buttons under the text: Qt begins them where an icon would stand, and there is none."""
    grid, text, buttons = box.layout(), box.findChild(QLabel, "qt_msgbox_label"), box.findChild(QDialogButtonBox)
    if isinstance(grid, QGridLayout) and text is not None and buttons is not None:
        # Row, column and what it spans: Qt's stubs do not say so.
        _, column, *_ = cast("tuple[int, int, int, int]", grid.getItemPosition(grid.indexOf(text)))
        row, *_ = cast("tuple[int, int, int, int]", grid.getItemPosition(grid.indexOf(buttons)))
        grid.removeWidget(buttons)
        grid.addWidget(buttons, row, column, 1, -1)


def tell(parent: QWidget, sentence: str) -> None:
    """Show a warning that has to be acknowledged."""
    box = QMessageBox(QMessageBox.Icon.Warning, "adstudio", sentence, QMessageBox.StandardButton.Ok, parent)
    _name_whole(box)
    box.exec()
    box.deleteLater()
