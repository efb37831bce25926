"""Escape in a text: all is as before the typing, whatever came in meanwhile, and nothing is there to be redone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from model_work import done, drafted_line, film_script
from pending_events import run_pending_events
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QPlainTextEdit

from adstudio.core.script import Origin, Script, Silence, Variant
from adstudio.core.timebase import Span
from adstudio.editing.labels import label_of
from adstudio.editing.redraft import is_human_work
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.drafts.insertion_queue import InsertionQueue
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.text_field import TextField

SECOND = Span(16_000, 30_000)


def film() -> Script:
    script = film_script()
    lines = tuple(
        replace(each, variants=(*each.variants, Variant(f"{each.id} in short"))) for each in script.eventualities
    )
    return replace(script, silences=(Silence("q1", Span(1_000, 2_000), "Music"),), eventualities=lines)


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path):
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", film()))
    QTest.qWait(100)
    made.activateWindow()
    yield made
    made.session.flush()
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def wording(window: Window) -> TextField:
    window.session.cursor.select_line("a")
    return window.editor.inspector.line.wordings.rows[0].text


def note(window: Window) -> TextField:
    window.session.cursor.select_line("a")
    return window.editor.inspector.line.note


def title(window: Window) -> TextField:
    window.session.cursor.select(Selection(Kind.SCENE, ("s1",)))
    return _named(window, "Name of the scene")


def silence(window: Window) -> TextField:
    window.session.cursor.select(Selection(Kind.SILENCE, ("q1",)))
    return _named(window, "Note")


def _named(window: Window, name: str) -> TextField:
    found = [each for each in window.editor.inspector.findChildren(TextField) if each.accessibleName() == name]
    return next(each for each in found if each.isVisible())


FIELDS = {"wording": wording, "note": note, "title": title, "silence": silence}


@pytest.fixture
def field(request, window: Window) -> TextField:
    """The wording's, or that which a test names."""
    found = FIELDS[getattr(request, "param", "wording")](window)
    run_pending_events()
    found.setFocus(Qt.FocusReason.ShortcutFocusReason)
    return found


in_every_field = pytest.mark.parametrize("field", FIELDS, indirect=True)


def type_on(window: Window, field: TextField, text: str) -> None:
    """Type, and wait until it has been taken as a step after a pause."""
    before = window.session.script
    QTest.keyClicks(field, text)
    for _ in range(200):
        if window.session.script is not before:
            return
        QTest.qWait(10)
    raise AssertionError("what was typed was not taken")


def bring_scene(window: Window, qtbot, name: str = "y") -> None:
    """A model's draft of the second scene comes in."""
    arrivals = InsertionQueue(window.session, window)
    before = len(window.session.edits.document.past)
    arrivals.add(done("s2", drafted_line(name, 17_000, "s2")), SECOND, "qwen")
    qtbot.waitUntil(lambda: len(window.session.edits.document.past) == before + 1)


def first_scene(script: Script) -> object:
    """All that the second scene's draft does not concern."""
    return script.scenes, script.silences, [each for each in script.eventualities if each.scene == "s1"]


@in_every_field
def test_nothing_is_left_of_it_and_nothing_can_be_redone(window: Window, field: TextField):
    session = window.session
    before, plan, shown = session.script, session.plan, field.toPlainText()
    type_on(window, field, "zzz")
    type_on(window, field, " more")
    QTest.keyClicks(field, " not yet taken")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert session.script == before
    assert session.plan.deliveries == plan.deliveries
    assert (session.edits.document.past, session.edits.document.future) == ((), ())
    assert not session.edits.document.changed
    assert field.toPlainText() == shown


def test_typed_back_by_hand_it_leaves_nothing_to_be_redone_either(window: Window, field: TextField):
    session = window.session
    before = session.script
    type_on(window, field, "z")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    field.flush()
    assert session.script == before
    assert (session.edits.document.past, session.edits.document.future) == ((), ())


@in_every_field
def test_a_scene_that_came_in_meanwhile_makes_no_difference(window: Window, field: TextField, qtbot):
    session = window.session
    before, shown = session.script, field.toPlainText()
    type_on(window, field, "zzz")
    bring_scene(window, qtbot)
    arrived = [each for each in session.script.eventualities if each.scene == "s2"]
    assert field.hasFocus()
    type_on(window, field, " more")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert first_scene(session.script) == first_scene(before)
    assert [each for each in session.script.eventualities if each.scene == "s2"] == arrived
    assert session.edits.document.future == ()
    assert field.toPlainText() == shown
    # Each can be undone, one after the other.
    said = [label_of(step, session.script) for step in session.edits.document.past]
    assert len(said) == 3
    assert said[1:] == ["Scene “Outside” drafted by qwen", "Cancel typing"]
    while session.undo():
        pass
    assert session.script == before
    assert field.toPlainText() == shown


def test_the_line_is_the_machines_again_so_that_a_draft_may_make_it_anew(window: Window, qtbot):
    field = wording(window)
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    type_on(window, field, " zzz")
    assert is_human_work(window.session.script, window.session.script.eventuality("a"))
    bring_scene(window, qtbot)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    line = window.session.script.eventuality("a")
    assert (line.origin, line.seen, line.pin.held) == (Origin.MACHINE, False, False)
    assert not is_human_work(window.session.script, line)
    window.editor.table.view.setFocus()
    arrivals = InsertionQueue(window.session, window)
    arrivals.add(done("s1", drafted_line("x", 1_000)), Span(0, 16_000), "qwen")
    qtbot.waitUntil(lambda: "a" not in window.session.script.eventuality_index)


def test_a_line_just_begun_goes_with_the_words_that_were_taken(window: Window, qtbot):
    session = window.session
    session.cursor.select_line("a")
    before = first_scene(session.script)
    # In the table the text would be written in a cell, and taken at its end only.
    window.editor.timeline.canvas.setFocus()
    window.context.actions["line.new"].trigger()
    run_pending_events()
    field = QApplication.focusWidget()
    assert isinstance(field, TextField)
    type_on(window, field, "A cat")
    bring_scene(window, qtbot)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    QTest.qWait(20)
    assert first_scene(session.script) == before
    assert session.edits.document.future == ()
    assert session.cursor.selection == Selection(Kind.LINE, ("a",))


def test_a_save_meanwhile_makes_no_difference(window: Window, field: TextField):
    session = window.session
    before = session.script
    type_on(window, field, "zzz")
    assert session.save()
    type_on(window, field, " more")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert session.script == before
    assert session.edits.document.changed
    assert session.edits.document.future == ()


def test_a_second_escape_does_nothing(window: Window, field: TextField, qtbot):
    type_on(window, field, "zzz")
    bring_scene(window, qtbot)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    past = window.session.edits.document.past
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert window.session.edits.document.past == past


def test_what_was_agreed_to_with_return_is_not_cancelled(window: Window, field: TextField):
    session = window.session
    QTest.keyClicks(field, "one ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    agreed = session.script
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    type_on(window, field, "two ")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert session.script == agreed
    assert len(session.edits.document.past) == 1


def test_a_menu_or_another_window_in_between_is_no_agreement(window: Window, field: TextField):
    before = window.session.script
    for reason in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
        type_on(window, field, "zzz")
        QApplication.sendEvent(field, QFocusEvent(QEvent.Type.FocusOut, reason))
        QApplication.sendEvent(field, QFocusEvent(QEvent.Type.FocusIn, reason))
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert window.session.script == before
    assert window.session.edits.document.future == ()


def test_a_cell_of_the_table_that_is_given_up_leaves_nothing(window: Window, qtbot):
    session = window.session
    window.findChild(QDockWidget, "inspector").hide()
    window.editor.table.view.setFocus()
    for column in (Column.NOTE, Column.SALIENCE):
        window.editor.table.view.choice.choose(column, shown=True)
    session.cursor.select_line("a")
    makers: list[tuple[Column, type]] = [
        (Column.TEXT, QPlainTextEdit),
        (Column.NOTE, QPlainTextEdit),
        (Column.SALIENCE, QLineEdit),
    ]
    for number, (column, kind) in enumerate(makers):
        before, past = first_scene(session.script), len(session.edits.document.past)
        assert window.editor.table.view.edit_cell(column)
        cell = next(each for each in window.editor.table.view.viewport().findChildren(kind) if each.isVisible())
        QTest.keyClicks(cell, "1")
        if kind is QLineEdit:
            QTest.keyClick(cell, Qt.Key.Key_Up)
        bring_scene(window, qtbot, f"n{number}")
        QTest.keyClick(cell, Qt.Key.Key_Escape)
        run_pending_events()
        assert not window.editor.table.view.editing
        assert first_scene(session.script) == before
        assert len(session.edits.document.past) == past + 1
        assert session.edits.document.future == ()


@pytest.mark.parametrize("meanwhile", [False, True])
def test_a_value_that_is_given_up_leaves_nothing(window: Window, qtbot, meanwhile: bool):
    session = window.session
    session.cursor.select_line("a")
    before = first_scene(session.script)
    number = window.editor.inspector.line.wordings.rows[0].length
    number.setFocus(Qt.FocusReason.ShortcutFocusReason)
    number.selectAll()
    QTest.keyClicks(number, "2.5")
    if meanwhile:
        bring_scene(window, qtbot)
    QTest.keyClick(number, Qt.Key.Key_Escape)
    assert first_scene(session.script) == before
    assert session.edits.document.future == ()
    # Stepped there and back, there is nothing to be redone either.
    past = session.edits.document.past
    QTest.keyClick(number, Qt.Key.Key_Up)
    QTest.keyClick(number, Qt.Key.Key_Down)
    assert (session.edits.document.past, session.edits.document.future) == (past, ())
