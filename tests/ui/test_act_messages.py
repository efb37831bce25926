"""Every key says what it did: once, its result before what the plan makes of it, conflicts at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desks import small_script, window_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from adstudio.editing import pins
from adstudio.store.project import ProjectFile
from adstudio.ui.app import window as window_module
from adstudio.ui.app.window import Window
from adstudio.ui.session.selection import Kind, Selection


@pytest.fixture
def window(qapp, tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with window_on(tmp_path) as made:
        yield made


@pytest.fixture
def said(window: Window) -> list[tuple[str, bool]]:
    """What is said, and whether it is urgent."""
    found: list[tuple[str, bool]] = []
    messages = window.session.messages
    messages.said.connect(lambda sentence: found.append((sentence, messages.urgent)))
    return found


# In the small script a and c are spoken, e and d share the third gap, b is spoken in its shorter wording.
KEYS = {
    "line.accept": "Accepted: “c in 3000 ms”.",
    "line.salience_up": "Salience 0.85: “c in 3000 ms”.",
    "line.salience_down": "Salience 0.75: “c in 3000 ms”.",
    "line.keep_in": "Locked in: “c in 3000 ms”.",
    "line.keep_out": "Locked out: “c in 3000 ms”. 1 left out.",
    "line.free": "“Clear locks” changes nothing here.",
    "line.pin_wording": "Wording 1 of 1 locked, “c in 3000 ms”: “c in 3000 ms”.",
    "line.pin_start": "Time locked at 00:00:14:00: “c in 3000 ms”.",
    "line.not_before": "Limited to 00:00:14:00–00:00:30:00: “c in 3000 ms”.",
    # c has 3 s from 6 s on, behind a; b's 4 s fill the second gap, 10 s from its action.
    "line.up": "Item 2 of 5: “c in 3000 ms”. 2 moved.",
    "edit.delete": "Deleted: “c in 3000 ms”.",
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_says_what_it_did_once(window: Window, said: list[tuple[str, bool]], name: str):
    window.session.cursor.select_line("c")
    said.clear()
    window.actions_[name].trigger()
    assert [sentence for sentence, _ in said] == [KEYS[name]]
    if "changes nothing" in KEYS[name]:
        return
    said.clear()
    window.actions_["edit.undo"].trigger()
    (undone,) = [sentence for sentence, _ in said]
    assert undone.startswith("Undone: ")
    said.clear()
    window.actions_["edit.redo"].trigger()
    (redone,) = [sentence for sentence, _ in said]
    label = undone.partition(". ")[0].rstrip(".").removeprefix("Undone")
    assert redone.startswith(f"Redone{label}.")


def test_a_key_pressed_again_says_the_new_value_or_that_it_is_so(window: Window, said: list[tuple[str, bool]]):
    window.session.cursor.select_line("c")
    for name in ("line.salience_up", "line.salience_up", "line.keep_out", "line.keep_out"):
        window.actions_[name].trigger()
    assert [sentence.partition(":")[0] for sentence, _ in said] == [
        "Salience 0.85", "Salience 0.90", "Locked out", "“Lock out” changes nothing here.",
    ]  # fmt: skip


def test_a_conflict_is_said_urgently_and_so_is_its_end(window: Window, said: list[tuple[str, bool]]):
    session = window.session
    session.edits.attempt(lambda script: pins.pin_start(script, "a", 0))
    said.clear()
    # b of 4 s cannot be spoken at 2 s, while a is spoken from 0 to 6 s.
    session.edits.attempt(lambda script: pins.pin_start(script, "b", 2_000))
    ((sentence, urgent),) = said
    result, conflict, _ = sentence.partition(" Conflict: ")
    assert (result, bool(conflict), urgent) == (
        "Time locked at 00:00:02:00, and now left out: “b in 4000 ms”.",
        True,
        True,
    )
    said.clear()
    session.undo()
    ((sentence, urgent),) = said
    assert "No locks conflict any more." in sentence
    assert not urgent


def test_typing_is_not_interrupted_by_its_result(window: Window, said: list[tuple[str, bool]]):
    for note in ("l", "lo"):
        window.session.edits.attempt(lambda script, note=note: pins.set_note(script, "c", note), amends="note c")
    assert said == []


def test_after_a_deletion_the_next_line_is_selected(window: Window):
    cursor = window.session.cursor
    for gone, then in (("b", "c"), ("e", "d")):
        cursor.select_line(gone)
        window.actions_["edit.delete"].trigger()
        assert cursor.selection == Selection(Kind.LINE, (then,))
    window.actions_["edit.undo"].trigger()
    assert cursor.selection == Selection(Kind.LINE, ("e",))


@pytest.mark.parametrize(
    ("name", "why"), [("edit.undo", "Nothing to undo."), ("edit.redo", "Nothing to redo."), ("line.keep_in", "Select")]
)
def test_a_key_that_can_do_nothing_says_why(window: Window, said: list[tuple[str, bool]], qtbot, name: str, why: str):
    key = window.actions_[name].shortcut()[0]
    qtbot.keyClick(window, key.key(), key.keyboardModifiers())
    assert [sentence.startswith(why) for sentence, _ in said] == [True]


def test_what_has_the_keys_tells_what_is_selected(window: Window, qtbot, monkeypatch: pytest.MonkeyPatch):
    heard: list[str] = []
    monkeypatch.setattr(window.announcer, "say", heard.append)
    window.editor._announce = heard.append
    table, canvas = window.editor.table.view, window.editor.timeline.canvas
    table.setFocus()
    window.session.cursor.select_line("d")
    assert heard == [], "the table reads its row"
    window.session.cursor.select(Selection(Kind.GAP, gap=window.session.gaps[0]))
    assert [each.startswith("Gap of 10.0 s") for each in heard] == [True], "a gap is in no row"
    heard.clear()
    canvas.setFocus()
    window.session.cursor.select_line("c")
    assert heard == [], "the timeline reads its item"
    window.editor.scenes.widget().setFocus()
    window.session.cursor.select_line("d")
    assert [each.startswith("“d in 4000 ms”") for each in heard] == [True]


def test_with_a_screen_reader_the_first_row_is_selected_as_it_is_read(window: Window):
    view = window.editor.table.view
    view.clearFocus()
    view.selectionModel().clear()
    QAccessible.setActive(True)
    try:
        view.setFocus(Qt.FocusReason.TabFocusReason)
        assert window.session.cursor.selection.lines() == ("a",)
    finally:
        QAccessible.setActive(False)


def test_what_is_opened_is_said_by_name_and_never_called_empty(qapp, qtbot, tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(window_module, "QUIET_MS", 1)
    window = Window()
    window.show()
    window.activateWindow()
    heard: list[str] = []
    monkeypatch.setattr(window.announcer, "say", lambda sentence, **_: heard.append(sentence))
    table = window.editor.table
    assert table.view.accessibleDescription().startswith("No lines yet.")
    described: list[str] = []
    monkeypatch.setattr(table, "setFocus", lambda *_: described.append(table.view.accessibleDescription()))
    QAccessible.setActive(True)
    try:
        window.session.open_project(ProjectFile.create(tmp_path / "A film.adproj", small_script()))
        assert described == [""]
        assert QAccessible.queryAccessibleInterface(window).text(QAccessible.Text.Name) == "A film, adstudio"
        qtbot.waitUntil(lambda: "Open: 5 of 5 items described in 5 lines." in heard)
        assert heard.count("Open: 5 of 5 items described in 5 lines.") == 1
    finally:
        QAccessible.setActive(False)
        window.close()
        window.deleteLater()
