"""Other subtitles for an open project: what differs, what it does to gaps and plan, and the one step that it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from adstudio.core.steps import SetFilm
from adstudio.editing import pins
from adstudio.store.media import source_file
from adstudio.ui.files.plan_preview import UNCHANGED
from adstudio.ui.files.replace_dialogue import CHOOSE, SAME, Column, ReplaceDialogueDialog

HERE = "1\n00:00:10,000 --> 00:00:14,000\nANNA: Who is there?\n\n2\n00:00:18,000 --> 00:00:22,000\nTOM: It is me.\n"
MOVED = HERE.replace("18,000 --> 00:00:22", "16,000 --> 00:00:20")


@pytest.fixture
def subtitles(folder: Path) -> Path:
    return folder / "new one.srt"


def dialog_on(context, qtbot) -> ReplaceDialogueDialog:
    made = ReplaceDialogueDialog(context, None, context.session.project.path)
    qtbot.addWidget(made)
    return made


def shown(dialog: ReplaceDialogueDialog) -> list[tuple[str, ...]]:
    return [tuple(dialog.changes.text(row, column) for column in Column) for row in range(dialog.changes.count())]


def settled(dialog: ReplaceDialogueDialog, qtbot) -> str:
    """What is said of the plan once the process has answered."""
    qtbot.waitUntil(lambda: not dialog._preview.working)
    return dialog.effect.text()


def test_nothing_is_taken_before_subtitles_are_chosen(context, qtbot):
    dialog = dialog_on(context, qtbot)
    assert not dialog.ok.isEnabled()
    assert dialog.odd.text() == CHOOSE


def test_the_same_dialogue_is_said_to_be_the_same(context, qtbot, subtitles):
    subtitles.write_text(HERE)
    dialog = dialog_on(context, qtbot)
    dialog.fields.take(subtitles)
    assert dialog.summary.text() == SAME
    assert not dialog.ok.isEnabled()
    assert shown(dialog) == []
    assert dialog.gaps.text().endswith("no gap changes")


def test_what_differs_is_shown_with_what_it_does_and_taken_as_one_step(context, files, qtbot, subtitles):
    session = context.session
    subtitles.write_text(MOVED + "\n3\n00:00:25,000 --> 00:00:26,500\nGo!\n", encoding="utf-16")
    before, revision = session.script, session.edits.revision

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ReplaceDialogueDialog)
        try:
            dialog.fields.take(subtitles)
            assert dialog.summary.text() == "3 cues: 1 added, 1 retimed, 1 unchanged."
            assert shown(dialog) == [
                ("Retimed", "00:00:16:00", "00:00:18:00–00:00:22:00  TOM: It is me.",
                 "00:00:16:00–00:00:20:00  2.0 s earlier"),
                ("Added", "00:00:25:00", "", "Go!"),
            ]  # fmt: skip
            # Gaps were 0–10, 14–18 and 22–30; now 0–10, 14–16, 20–25 and 26.5–30.
            assert dialog.gaps.text() == "4 gaps · 20.5 s free of 30.0 s · 1 gap more; 1.5 s less free"
            assert session.edits.revision == revision
            # `c` takes three seconds: it no longer has a gap between Anna and Tom.
            assert "instead of" in settled(dialog, qtbot)
            dialog.ok.click()
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, look)
    context.actions["file.dialogue"].trigger()
    script = session.script
    first, second, third = script.cues
    assert (first.id, first.start, first.speaker) == ("c1", 10_000, "ANNA")
    assert (second.id, second.start, second.speaker) == ("c2", 16_000, "TOM")
    assert third.text == "Go!"
    assert script.film.subtitles == source_file(subtitles, session.project.path)
    assert script.film.encoding.startswith("utf-16")
    assert session.undo()
    assert session.script == before


def test_another_time_base_and_conflicts_are_told_before(context, qtbot, subtitles):
    session = context.session
    session.edits.attempt(lambda script: pins.pin_starts(script, {"c": 14_000}))
    cues = "".join(f"{n}\n00:00:{n:02d},000 --> 00:00:{n:02d},900\nWord {n}.\n\n" for n in range(1, 9))
    subtitles.write_text(cues)
    first = dialog_on(context, qtbot)
    first.fields.take(subtitles)
    session.edits.do(first.step(session.script, session.edits.ids))
    late = "".join(f"{n}\n00:00:{n + 8:02d},000 --> 00:00:{n + 8:02d},900\nWord {n}.\n\n" for n in range(1, 9))
    subtitles.write_text(late)
    dialog = dialog_on(context, qtbot)
    # The project's own subtitles are offered: the file has changed since.
    assert dialog.fields.path == subtitles
    assert "8.0 s later throughout" in dialog.shift.text()
    # A line is locked at 14 s, where somebody speaks now.
    assert "conflict" in settled(dialog, qtbot)


def test_times_from_the_start_timecode_are_brought_into_the_film(context, qtbot, subtitles):
    session = context.session
    film = session.script.film
    session.edits.do(SetFilm(film, replace(film, start_timecode="10:00:00:00")))
    subtitles.write_text(HERE.replace("00:00:", "10:00:"))
    dialog = dialog_on(context, qtbot)
    dialog.fields.take(subtitles)
    assert dialog.summary.text() == SAME
    assert not dialog.ok.isEnabled()
    assert "10:00:00:00" in dialog.odd.text()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "no cues"),
        (b"1\n00:00:01,000 --> 00:00:02,000\n[DOOR SLAMS]\n", "only sound labels"),
        (HERE.replace("00:00:", "03:00:").encode(), "03:00:00"),
        (b"\x00\x01\x02\x03" * 50, "subtitle"),
    ],
)
def test_subtitles_that_cannot_be_used_say_why(context, qtbot, subtitles, content, part):
    subtitles.write_bytes(content)
    dialog = dialog_on(context, qtbot)
    dialog.fields.take(subtitles)
    assert not dialog.ok.isEnabled()
    assert part in f"{dialog.fields.problem} {dialog.problem.text()}"
    assert shown(dialog) == []


def test_a_dialogue_that_changes_no_plan_says_so(context, qtbot, subtitles):
    subtitles.write_text(HERE.replace("It is me.", "It is I."))
    dialog = dialog_on(context, qtbot)
    dialog.fields.take(subtitles)
    assert shown(dialog) == [("Reworded", "00:00:18:00", "TOM: It is me.", "TOM: It is I.")]
    assert settled(dialog, qtbot) == UNCHANGED
