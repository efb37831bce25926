"""A finished script for an open project: how it is read, what changes, and the one step that it is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from adstudio.cli.import_script import ScriptOptions
from adstudio.core.steps import Several
from adstudio.delivery.export import export_of
from adstudio.importing.placing import PlacedLine
from adstudio.ui.files.import_script import CHOOSE, SHORTENING, Column, ImportScriptDialog
from adstudio.ui.panels.plan_changes import PlanChangesPanel

SCRIPT = "in,out,text\n00:00:02:00,00:00:04:00,Snow falls.\n00:00:23:00,00:00:24:12,He goes.\n"


@pytest.fixture
def script(folder: Path) -> Path:
    path = folder / "äd 1.csv"
    path.write_text(SCRIPT, "utf-8")
    return path


def dialog_on(context, qtbot, path: Path | None = None) -> ImportScriptDialog:
    made = ImportScriptDialog(context, None, context.session.project.path, path)
    qtbot.addWidget(made)
    return made


def shown(dialog: ImportScriptDialog) -> list[tuple[str, ...]]:
    return [tuple(dialog.changes.text(row, column) for column in Column) for row in range(dialog.changes.count())]


def test_nothing_is_imported_before_a_script_is_chosen(context, qtbot):
    dialog = dialog_on(context, qtbot)
    assert (dialog.ok.isEnabled(), dialog.summary.text()) == (False, CHOOSE)
    dialog.field.setText("\0")
    dialog._renew_file()
    assert dialog.problem.text()
    assert not dialog.ok.isEnabled()


def test_while_another_name_is_typed_nothing_is_imported(context, qtbot, script):
    dialog = dialog_on(context, qtbot, script)
    assert dialog.ok.isEnabled()
    other = script.with_name("ab.csv")
    other.write_text("in,out,text\n00:00:05:00,00:00:07:00,It rains.\n", "utf-8")
    dialog.field.setText(str(other)[:-1])
    qtbot.keyClicks(dialog.field, "v")
    assert not dialog.ok.isEnabled()
    qtbot.waitUntil(dialog.ok.isEnabled)
    assert "It rains." in {row[3] for row in shown(dialog)}
    assert "Snow falls." not in {row[3] for row in shown(dialog)}


def test_what_changes_is_shown_and_comes_in_as_one_step(context, files, qtbot, script):
    session = context.session
    before = session.script

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ImportScriptDialog)
        try:
            assert not dialog.ok.isEnabled()
            dialog.take(script)
            # The plan speaks `a` at 0, and another line from 22 s on.
            changes = [(row[0], row[3]) for row in shown(dialog)]
            assert ("Changed text and moved", "Snow falls.") in changes
            assert {row[0] for row in shown(dialog)} >= {"Changed text and moved", "Not in the script"}
            assert dialog.summary.text().startswith("2 lines: ")
            assert session.script is before
            dialog.ok.click()
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, look)
    context.actions["file.import"].trigger()
    texts = {line.variants[0].text: line.pin for line in session.script.eventualities}
    assert texts["Snow falls."].start == 2_000
    assert texts["He goes."].start == 23_000
    assert isinstance(session.edits.document.past[-1], Several)
    assert session.undo()
    assert session.script == before


def test_the_encoding_is_guessed_until_one_is_chosen(context, qtbot, script):
    """0xF1 is ñ in one of them, ń in the other."""
    script.write_bytes("in,out,text\n00:00:02:00,00:00:04:00,Señor.\n".encode("windows-1252"))
    dialog = dialog_on(context, qtbot, script)
    assert dialog.encoding.encoding is None
    for name, text in (("iso-8859-2", "Seńor."), ("windows-1252", "Señor.")):
        dialog.encoding.setCurrentIndex(dialog.encoding.findData(name))
        dialog.encoding.activated.emit(dialog.encoding.currentIndex())
        assert text in {row[3] for row in shown(dialog)}
    dialog.take(script)
    assert dialog.encoding.encoding is None, "another file has its own"


def test_unclear_columns_are_asked_for(context, qtbot, script):
    script.write_text("A,B,C\n0:02,Snow falls slowly.,It never stops here.\n", "utf-8")
    dialog = dialog_on(context, qtbot, script)
    assert not dialog.columns.isHidden()
    assert "no column of" in dialog.problem.text().lower()
    picker = dialog.columns._pickers[2]
    picker.setCurrentIndex(picker.findData("text"))
    picker.activated.emit(picker.currentIndex())
    assert dialog.problem.text() == ""
    assert shown(dialog)[0][3] == "Snow falls slowly."
    assert dialog.ok.isEnabled()


def test_times_one_hour_off_are_mended_by_a_button(context, qtbot, script):
    script.write_text(SCRIPT.replace("00:00:", "01:00:"), "utf-8")
    dialog = dialog_on(context, qtbot, script)
    assert (dialog.ok.isEnabled(), dialog.mend.text()) == (False, "Count from 01:00:00:00")
    dialog.mend.click()
    assert (dialog.ok.isEnabled(), shown(dialog)[0][1]) == (True, "00:00:02:00")
    assert dialog.mend.isHidden()


def test_unlocked_lines_are_planned_anew(context, qtbot, script):
    dialog = dialog_on(context, qtbot, script)
    dialog.locked.click()
    session = context.session
    session.edits.do(dialog.step(session.script, session.edits.ids))
    added = [line for line in session.script.eventualities if line.variants[0].text == "Snow falls."]
    assert [line.pin.held for line in added] == [False]


def test_a_script_that_is_dropped_comes_into_the_open_project(context, files, qtbot, script, monkeypatch):
    dropped: list[Path] = []
    monkeypatch.setattr(files, "import_script", dropped.append)
    monkeypatch.setattr(files, "new", lambda path: dropped.append(Path("new")))
    files.take(script)
    subtitles = script.with_name("film.srt")
    subtitles.write_text("", "utf-8")
    files.take(subtitles)
    assert dropped == [script, Path("new")]


def test_a_script_that_changes_nothing_cannot_be_imported(context, qtbot, script):
    session = context.session
    script.write_bytes(export_of("csv", session.script, session.plan).content)
    dialog = dialog_on(context, qtbot, script)
    assert dialog.summary.text().endswith(" same; nothing to change.")
    assert (dialog.ok.isEnabled(), shown(dialog)) == (False, [])
    dialog.locked.click()
    assert not dialog.ok.isEnabled()


def test_after_an_import_its_own_counts_are_said(context, files, qtbot, script):
    said: list[str] = []
    context.session.messages.said.connect(said.append)
    summaries: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ImportScriptDialog)
        try:
            dialog.take(script)
            # Without locks, lines are accepted however they are spoken.
            dialog.locked.click()
            summaries.append(dialog.summary.text())
            dialog.ok.click()
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, look)
    context.actions["file.import"].trigger()
    assert "accepted" in summaries[0]
    assert said[-1].removeprefix("Script imported: ") in summaries[0]
    panel = PlanChangesPanel(context)
    qtbot.addWidget(panel)
    # Nobody had accepted any before.
    assert panel._affected.lines == ()


def first_change(dialog: ImportScriptDialog) -> PlacedLine:
    assert dialog.found is not None
    return dialog.found.diff.changes[0].line


def test_times_are_read_as_the_command_reads_them(context, qtbot, folder):
    """The first frame is 10:00:00:00 at 50 frames a second, where the film counts 25 from zero."""
    path = folder / "ten.csv"
    path.write_text("in,out,text\n10:00:02:25,10:00:04:00,Snow falls.\n", "utf-8")
    dialog = dialog_on(context, qtbot, path)
    dialog.times.start.setText("10:00:00:00")
    dialog.times.start.editingFinished.emit()
    dialog.times.rate.setCurrentIndex(dialog.times.rate.findData("50"))
    dialog.times.rate.activated.emit(dialog.times.rate.currentIndex())
    assert dialog.problem.text() == ""
    span = first_change(dialog).span
    assert span is not None
    assert span.start == 2_500
    dialog.times.start.setText("10:00")
    dialog.times.start.editingFinished.emit()
    assert "10:00" in dialog.problem.text()
    assert not dialog.ok.isEnabled()


def test_a_mending_shows_in_the_fields(context, qtbot, script):
    script.write_text(SCRIPT.replace("00:00:", "01:00:"), "utf-8")
    dialog = dialog_on(context, qtbot, script)
    dialog.mend.click()
    assert dialog.times.start.text() == "01:00:00:00"
    assert dialog.ok.isEnabled()
    dialog.take(script)
    assert dialog.times.start.text() == "", "another file is read as the film is"


def test_the_picture_is_held_for_lines_without_time(context, qtbot, script):
    script.write_text("in,out,text\n00:00:02:00,00:00:02:00,Snow falls.\n", "utf-8")
    dialog = dialog_on(context, qtbot, script)
    assert not first_change(dialog).source.extended
    dialog.extended.click()
    assert first_change(dialog).source.extended


def test_shorter_wordings_are_made_in_the_background_and_come_in(context, qtbot, script):
    long = "The old clerk slowly opens the heavy wooden door and looks into the empty street."
    script.write_text(f"in,out,text\n00:00:02:00,00:00:04:00,{long}\n", "utf-8")
    dialog = dialog_on(context, qtbot, script)
    assert first_change(dialog).shorter == ()
    dialog.shorter.click()
    assert not dialog.ok.isEnabled(), "while they are being made"
    assert SHORTENING in dialog.summary.text()
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=120_000)
    shorter = first_change(dialog).shorter
    assert shorter
    assert all(len(each.text.split()) < len(long.split()) for each in shorter)
    dialog.shorter.click()
    assert first_change(dialog).shorter == ()
    dialog.shorter.click()
    assert first_change(dialog).shorter == shorter, "they are kept"


def test_the_window_has_every_choice_of_the_command():
    """What a script is read by, beside its encoding."""
    in_window = {"columns", "start", "rate", "speed", "text_lengths", "shorter", "extended", "unlocked", "only"}
    assert {each.name for each in fields(ScriptOptions)} == in_window
