"""Versions in the window: keeping one, comparing side by side, taking lines back, renaming and deleting."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from adstudio.core.script import Origin, Variant
from adstudio.core.steps import Replace
from adstudio.editing.lines import delete_lines
from adstudio.ui.versions import versions as versions_module
from adstudio.ui.versions.compare_dialog import INTO_THE_SCRIPT, NO_VERSIONS, CompareDialog
from adstudio.ui.versions.compared_rows import Column
from adstudio.ui.versions.version_dialog import VersionDialog


def answering(look) -> None:
    """Has the next modal dialog looked at, and closed whatever happens."""

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        try:
            look(dialog)
        finally:
            if dialog is not None and dialog.isVisible():
                dialog.done(0)

    QTimer.singleShot(0, act)


def keep(context, name: str) -> None:
    session = context.session
    session.project.versions.keep(session.script, session.plan, name=name)


def reword(context) -> None:
    line = context.session.script.eventuality("c")
    new = replace(line, variants=(Variant("c in other words", duration=3000),), origin=Origin.HUMAN)
    context.session.edits.do(Replace(line, new))


def dialog_of(context, versions) -> CompareDialog:
    context.actions["file.compare_versions"].trigger()
    assert versions.dialog is not None
    return versions.dialog


def rows(dialog: CompareDialog) -> list[tuple[str, ...]]:
    return [tuple(dialog.model.text(row, column) for column in Column) for row in range(dialog.model.count())]


def choose(dialog: CompareDialog, line: str) -> None:
    dialog.table.selectRow(dialog.model.row_of(line))
    assert dialog.line is not None
    assert dialog.line.id == line


def test_a_version_is_kept_under_the_name_that_is_asked_for(context, versions):
    said: list[str] = []
    context.session.messages.said.connect(said.append)

    def look(dialog) -> None:
        assert isinstance(dialog, VersionDialog)
        assert dialog.name_field.text() == "Version 1"
        dialog.name_field.setText(" ")
        dialog.ok.click()
        assert dialog.isVisible()
        assert dialog.problem.text() == "A version needs a name."
        dialog.name_field.setText("Sent")
        dialog.note_field.setPlainText("to the client")
        dialog.by_field.setText("Anna")
        dialog.ok.click()
        assert not dialog.isVisible()

    answering(look)
    context.actions["file.keep_version"].trigger()
    (version,) = context.session.project.versions.all
    assert (version.name, version.note, version.by) == ("Sent", "to the client", "Anna")
    content = context.session.project.versions.content(version.number)
    assert (content.script, content.plan) == (context.session.script, context.session.plan)
    assert said[-1] == "Kept as “Sent”."
    found: list[str] = []
    answering(lambda dialog: found.append(dialog.by_field.text()))
    context.actions["file.keep_version"].trigger()
    assert found == ["Anna"]
    assert len(context.session.project.versions.all) == 1


def test_who_wants_to_be_named_by_nobody_is_not_named_again(context, versions):
    def unnamed(dialog) -> None:
        dialog.by_field.clear()
        dialog.ok.click()

    answering(unnamed)
    context.actions["file.keep_version"].trigger()
    found: list[str] = []
    answering(lambda dialog: found.append(dialog.by_field.text()))
    context.actions["file.keep_version"].trigger()
    assert found == [""]
    assert context.session.project.versions.all[0].by == ""


def test_without_versions_it_says_how_to_keep_one(context, versions):
    dialog = dialog_of(context, versions)
    assert dialog.summary.text() == NO_VERSIONS
    assert rows(dialog) == []
    assert not any(each.isEnabled() for each in (dialog.take, dialog.go, dialog.rename, dialog.delete))
    dialog.close()
    assert versions.dialog is None


def test_lines_are_side_by_side_and_one_is_taken_back_as_one_step(context, versions):
    session = context.session
    keep(context, "First")
    before = session.script
    reword(context)
    session.edits.do(delete_lines(session.script, ("e",)))
    dialog = dialog_of(context, versions)
    assert dialog.summary.text() == "1 gone, 1 reworded, 3 the same."
    assert rows(dialog) == [
        ("reworded, author", "00:00:14:00", "machine", "c in 3000 ms", "00:00:14:00", "person", "c in other words"),
        ("gone", "00:00:26:00", "machine", "e in 3000 ms", "", "", ""),
    ]
    choose(dialog, "c")
    assert dialog.words.toPlainText().strip() == "c in 3000 ms other words"
    spoken = dialog.model.spoken(0, Column.CHANGE)
    assert spoken == "reworded, author: “3000 ms” replaced by “other words”"
    revision = session.edits.revision
    dialog.take.click()
    assert session.edits.revision != revision
    assert session.script.eventuality("c").variants == before.eventuality("c").variants
    assert dialog.outcome.text().startswith("“c in 3000 ms” is as in “First”, and is spoken at ")
    assert [line.id for line in dialog.model.rows] == ["e"]
    choose(dialog, "e")
    assert not dialog.go.isEnabled()
    assert dialog.model.spoken(0, Column.CHANGE) == "gone"
    dialog.take.setFocus()
    dialog.take.click()
    assert dialog.focusWidget() is dialog.table
    assert [line.id for line in session.script.eventualities] == ["a", "b", "c", "d", "e"]
    assert rows(dialog) == []
    assert dialog.summary.text() == "5 the same."
    session.undo()
    session.undo()
    assert "e" not in session.script.eventuality_index
    assert session.script.eventuality("c").variants[0].text == "c in other words"
    dialog.close()


def test_what_is_edited_meanwhile_is_compared_anew(context, versions, qtbot):
    keep(context, "First")
    dialog = dialog_of(context, versions)
    assert rows(dialog) == []
    reword(context)
    qtbot.waitUntil(lambda: bool(rows(dialog)))
    assert [line.id for line in dialog.model.rows] == ["c"]
    context.session.undo()
    qtbot.waitUntil(lambda: not rows(dialog))
    dialog.close()


def test_a_line_can_be_locked_as_it_was_spoken(context, versions):
    keep(context, "First")
    start = context.session.plan.by_element["c"].start
    reword(context)
    dialog = dialog_of(context, versions)
    choose(dialog, "c")
    dialog.lock_field.setChecked(True)
    dialog.take.click()
    pin = context.session.script.eventuality("c").pin
    assert (pin.selected, pin.variant, pin.start) == (True, 0, start)
    dialog.take.click()
    assert dialog.outcome.text() == "That line is as it was in this version already."
    dialog.close()


def test_the_keyboard_goes_to_a_line_and_back(context, versions, qtbot):
    session = context.session
    keep(context, "First")
    reword(context)
    dialog = dialog_of(context, versions)
    choose(dialog, "c")
    with qtbot.waitSignal(session.cursor.seek_asked) as sought:
        QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    assert sought.args == [session.plan.by_element["c"].start]
    assert session.cursor.selection.ids == ("c",)
    revision = session.edits.revision
    QTest.keyClick(dialog.words, Qt.Key.Key_Return)
    assert (dialog.isVisible(), session.edits.revision) == (True, revision)
    dialog.close()


def test_two_versions_are_compared_but_only_the_script_takes_lines(context, versions):
    keep(context, "First")
    reword(context)
    keep(context, "Second")
    dialog = dialog_of(context, versions)
    assert dialog._version is not None
    assert dialog._version.name == "Second"
    dialog.old_field.setCurrentIndex(dialog.old_field.findData(1))
    dialog.new_field.setCurrentIndex(dialog.new_field.findData(2))
    assert [line.id for line in dialog.model.rows] == ["c"]
    choose(dialog, "c")
    assert not dialog.take.isEnabled()
    assert dialog.take.toolTip() == INTO_THE_SCRIPT
    dialog.changes_field.click()
    assert dialog.model.count() == 5
    assert dialog.line is not None
    assert dialog.line.id == "c"
    dialog.close()


def test_a_version_is_renamed_and_deleted_from_there(context, versions, monkeypatch):
    keep(context, "First")
    keep(context, "Second")
    dialog = dialog_of(context, versions)

    def renaming(asked) -> None:
        assert asked.name_field.text() == "Second"
        assert not asked.by_field.isVisible()
        asked.name_field.setText("first")
        asked.ok.click()
        assert "already" in asked.problem.text()
        asked.name_field.setText("Third")
        asked.ok.click()

    answering(renaming)
    dialog.rename.click()
    assert [version.name for version in context.session.project.versions.all] == ["First", "Third"]
    assert dialog.old_field.currentText().startswith("Third · ")
    monkeypatch.setattr(versions_module, "ask", lambda *_, **__: None)
    dialog.delete.click()
    assert len(context.session.project.versions.all) == 2
    monkeypatch.setattr(versions_module, "ask", lambda *_, **__: 0)
    dialog.delete.click()
    assert [version.name for version in context.session.project.versions.all] == ["First"]
    assert dialog.old_field.currentText().startswith("First · ")
    dialog.close()


def test_closing_the_project_closes_it(context, versions):
    keep(context, "First")
    dialog_of(context, versions)
    context.session.close_project()
    assert versions.dialog is None
    assert not context.actions.is_possible("file.keep_version")


def test_a_damaged_version_is_refused_with_a_sentence(context, versions):
    keep(context, "First")
    context.session.project._file.connection.execute("UPDATE version SET content = x'00' WHERE number = 1")
    dialog = dialog_of(context, versions)
    assert "is damaged" in dialog.problem.text()
    assert rows(dialog) == []
    assert not dialog.take.isEnabled()
    dialog.close()
