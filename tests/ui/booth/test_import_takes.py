"""Importing takes in the window: every file is shown with what becomes of it, and the takes come in one step."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from recording_inputs import tone, wav
from small_editor import script_of

from adstudio.recording.importing import matched_files, numbered_lines
from adstudio.ui.booth import import_takes as importing
from adstudio.ui.booth.import_takes import ImportTakesDialog, import_takes

LIMIT = 30_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "takes"
    path.mkdir()
    for name, data in {
        "1.wav": wav(tone(1300)),
        "2_take1.wav": wav(tone(700)),
        "2_take2.wav": wav(tone(900)),
        "7.wav": wav(tone(900)),
        "1b.wav": b"no sound",
        "notes.txt": b"",
    }.items():
        (path / name).write_bytes(data)
    return path


def open_dialog(editor, folder: Path, qtbot) -> ImportTakesDialog:
    session = editor.session
    places = numbered_lines(session.script, session.plan)
    dialog = ImportTakesDialog(editor.context, editor, matched_files(folder, session.script, places), places)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "to import" in dialog.state.text(), timeout=LIMIT)
    return dialog


def test_each_file_is_shown_and_the_takes_come_in_one_step(booth, folder: Path, qtbot) -> None:
    editor = booth(script_of(None)).editor
    dialog = open_dialog(editor, folder, qtbot)
    assert dialog.state.text() == "3 takes of 2 lines to import, 3 files not imported."
    rows = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert rows[0] == "1.wav: line 1, “She turns.”, 1.3 s"
    assert sum("not imported" in row for row in rows) == 3
    assert dialog.ok.text() == "Import 3"
    assert dialog.store()
    script = editor.session.script
    assert [script.duration(line.variants[0]) for line in script.eventualities] == [1300, 900]
    assert all(
        editor.session.project.sound(take.sound)[:4] == b"fLaC"
        for line in script.eventualities
        for take in line.variants[0].takes
    )
    assert editor.session.undo()
    assert all(not line.variants[0].takes for line in editor.session.script.eventualities)
    dialog.reject()


def test_takes_can_be_added_without_being_used(booth, folder: Path, qtbot) -> None:
    editor = booth(script_of(None)).editor
    dialog = open_dialog(editor, folder, qtbot)
    dialog.use.setChecked(False)
    assert dialog.store()
    assert [line.variants[0].take for line in editor.session.script.eventualities] == [None, None]
    dialog.reject()


def test_it_can_be_cancelled_while_it_reads(booth, folder: Path, qtbot) -> None:
    editor = booth(script_of(None)).editor
    session = editor.session
    places = numbered_lines(session.script, session.plan)
    dialog = ImportTakesDialog(editor.context, editor, matched_files(folder, session.script, places), places)
    qtbot.addWidget(dialog)
    assert not dialog.ok.isEnabled()
    dialog.reject()
    assert all(not line.variants[0].takes for line in session.script.eventualities)


def test_the_action_asks_for_a_folder_and_says_what_was_imported(booth, folder: Path, qtbot, monkeypatch) -> None:
    editor = booth(script_of(None)).editor
    monkeypatch.setattr(importing.QFileDialog, "getExistingDirectory", lambda *_: str(folder))

    def agree(dialog: ImportTakesDialog) -> int:
        qtbot.waitUntil(dialog.ok.isEnabled, timeout=LIMIT)
        dialog.done(1)
        return 1

    monkeypatch.setattr(ImportTakesDialog, "exec", agree)
    editor.context.actions.refresh()
    editor.context.actions["booth.import"].trigger()
    assert editor.said[-1] == "3 takes of 2 lines imported, 3 files not imported."


def test_an_empty_folder_is_said_to_be_one(booth, tmp_path: Path, monkeypatch) -> None:
    editor = booth(script_of(None)).editor
    told: list[str] = []
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setattr(importing.QFileDialog, "getExistingDirectory", lambda *_: str(empty))
    monkeypatch.setattr(importing, "tell", lambda _parent, sentence: told.append(sentence))
    import_takes(editor.context, editor)
    monkeypatch.setattr(importing.QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "none"))
    import_takes(editor.context, editor)
    assert "no files" in told[0]
    assert "is not a folder" in told[1]


def test_lines_that_are_no_longer_spoken_are_said(booth, tmp_path: Path, qtbot, monkeypatch) -> None:
    editor = booth(script_of(None)).editor
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "1.wav").write_bytes(wav(tone(4000)))
    monkeypatch.setattr(importing.QFileDialog, "getExistingDirectory", lambda *_: str(folder))

    def agree(dialog: ImportTakesDialog) -> int:
        qtbot.waitUntil(dialog.ok.isEnabled, timeout=LIMIT)
        dialog.done(1)
        return 1

    monkeypatch.setattr(ImportTakesDialog, "exec", agree)
    import_takes(editor.context, editor)
    assert "no longer spoken: line 1, “She turns.”, with its take of 4.0 s" in editor.said[-1]
    # The same recording is known under another number.
    (folder / "1.wav").unlink()
    (folder / "1 – new.wav").write_bytes(wav(tone(900)))
    (folder / "1 – new, copied.wav").write_bytes(wav(tone(900)))
    (folder / "2.wav").write_bytes(wav(tone(4000)))
    dialog = open_dialog(editor, folder, qtbot)
    assert "it is already a take of a line that is not spoken, “She turns.”" in dialog.list.item(2).text()
    assert dialog.state.text().startswith("1 take of 1 line to import, 2 files not imported.")
    dialog.reject()


def test_files_at_which_the_process_crashes_are_listed_with_that_as_the_reason(
    booth, folder: Path, qtbot, monkeypatch
) -> None:
    editor = booth(script_of(None)).editor
    monkeypatch.setattr(importing.PROTOCOL, "command", lambda: [sys.executable, "-c", "input()"])
    session = editor.session
    places = numbered_lines(session.script, session.plan)
    dialog = ImportTakesDialog(editor.context, editor, matched_files(folder, session.script, places), places)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "to import" in dialog.state.text(), timeout=LIMIT)
    rows = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert sum("not imported: the process that read it has crashed" in row for row in rows) == 4
    assert dialog.state.text().startswith("Nothing to import")
    dialog.reject()
