"""A new cut for an open project: compared in a process, shown first, and taken as one step that one undo takes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from adstudio.core.script import Cue
from adstudio.core.steps import Several
from adstudio.core.timebase import clock
from adstudio.editing.dialogue_replacement import replace_dialogue
from adstudio.ui.files.new_cut import CHOOSE, NOTHING, Column, NewCutDialog

SAID = (
    "Amber light over the harbour.",
    "Nobody knew the captain then.",
    "Seven barrels went ashore.",
    "Keep the lantern low.",
    "My brother sold his violin.",
    "Tomorrow we leave for Lisbon.",
    "Who painted that door green?",
    "Salt ruins every hinge.",
)
LATER_MS = 5000


def srt(later: int = 0, *, other: bool = False) -> str:
    def time(ms: int) -> str:
        return clock(ms + later, separator=",")

    return "\n".join(
        f"{k}\n{time(3000 * k)} --> {time(3000 * k + 1500)}\n{text[::-1] if other else text}\n"
        for k, text in enumerate(SAID, 1)
    )


@pytest.fixture
def session(context):
    """The open project, with dialogue that can be recognised."""
    cues = tuple(Cue("", 3000 * k, 3000 * k + 1500, text) for k, text in enumerate(SAID, 1))
    found = context.session
    found.edits.do(replace_dialogue(found.script, found.edits.ids, cues, None))
    return found


@pytest.fixture
def subtitles(folder: Path) -> Path:
    path = folder / "néw cut.srt"
    path.write_text(srt(LATER_MS), "utf-8")
    return path


def dialog_on(context, qtbot) -> NewCutDialog:
    made = NewCutDialog(context, None, context.session.project.path)
    qtbot.addWidget(made)
    return made


def compared(dialog: NewCutDialog, qtbot, subtitles: Path) -> None:
    dialog.subtitles.setText(str(subtitles))
    dialog.compare.click()
    qtbot.waitUntil(lambda: not dialog._client.busy, timeout=60_000)


def test_nothing_is_compared_before_files_are_chosen(context, qtbot):
    dialog = dialog_on(context, qtbot)
    assert (dialog.ok.isEnabled(), dialog.compare.isEnabled(), dialog.state.text()) == (False, False, CHOOSE)
    dialog.film.setText("\0")
    dialog.compare.click()
    assert dialog.problem.text()
    assert not dialog.ok.isEnabled()


def test_what_a_new_cut_did_is_shown_and_followed_as_one_step(context, files, session, qtbot, subtitles):
    before = session.script
    wrong: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, NewCutDialog)
        try:
            compared(dialog, qtbot, subtitles)
            rows = [tuple(dialog.rows.text(row, column) for column in Column) for row in range(dialog.rows.count())]
            wrong.extend(each for each in ("Film shifted", "Film inserted") if each not in {row[0] for row in rows})
            assert "100 % of the dialogue" in dialog.state.text()
            assert session.script is before
            dialog.ok.click()
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, look)
    context.actions["file.new_cut"].trigger()
    assert wrong == []
    after = session.script
    assert after.cues[0].start == before.cues[0].start + LATER_MS
    moved = [
        (old.occurrence.start, new.occurrence.start)
        for old, new in zip(before.eventualities, after.eventualities, strict=True)
        if old.occurrence is not None and new.occurrence is not None
    ]
    assert moved
    assert all(new == old + LATER_MS for old, new in moved)
    assert after.film.subtitles is not None
    assert Path(after.film.subtitles.path) == subtitles
    assert isinstance(session.edits.document.past[-1], Several)
    assert session.undo()
    assert session.script == before


def test_another_film_is_refused_and_can_be_exchanged(context, session, qtbot, subtitles):
    subtitles.write_text(srt(other=True), "utf-8")
    dialog = dialog_on(context, qtbot)
    compared(dialog, qtbot, subtitles)
    assert "another film" in dialog.problem.text()
    assert not dialog.ok.isEnabled()
    subtitles.write_text(srt(), "utf-8")
    dialog.compare.click()
    qtbot.waitUntil(lambda: not dialog._client.busy, timeout=60_000)
    assert dialog.problem.text() == ""
    assert dialog.cut is not None
    # Where only the file is another one, that is the change.
    assert dialog.ok.isEnabled() or dialog.state.text() == NOTHING


def test_other_files_end_a_comparison(context, session, qtbot, subtitles):
    dialog = dialog_on(context, qtbot)
    dialog.subtitles.setText(str(subtitles))
    dialog.compare.click()
    assert dialog._client.busy
    dialog.subtitles.setText("")
    assert not dialog._client.busy
    assert (dialog.state.text(), dialog.cut) == (CHOOSE, None)
