"""Finding and replacing in the window: marks in the texts, from match to match, scope, and one step that re-plans."""

from __future__ import annotations

import pytest
from pending_events import run_pending_events
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from adstudio.editing.pins import set_accepted, set_note
from adstudio.editing.replacing import Where
from adstudio.editing.wordings import rewrite
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.replace_bar import Scope
from adstudio.ui.table.row_order import Column


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


@pytest.fixture
def replacing(desk: Context, table: ScriptTable) -> ScriptTable:
    """The bar is open, to replace “in” by “within” in all wordings."""
    table.head.find_box.setText("in")
    desk.actions["edit.replace"].trigger()
    table.replace_bar.by.setText("within")
    return table


def choose(table: ScriptTable, scope: Scope, where: Where = Where.WORDINGS) -> None:
    bar = table.replace_bar
    for box, value in ((bar.scope, scope), (bar.where, where)):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())


def texts(desk: Context) -> dict[str, list[str]]:
    return {line.id: [each.text for each in line.variants] for line in desk.session.script.eventualities}


def test_what_is_found_is_marked_in_the_text(table: ScriptTable):
    rect = table.view.visualRect(table.model.index(1, Column.TEXT))
    plain = table.view.viewport().grab(rect).toImage()
    table.view.painter.show_marks(None)
    assert table.view.viewport().grab(rect).toImage() == plain
    table.head.find_box.setText("in")
    marked = table.view.viewport().grab(rect).toImage()
    assert marked != plain
    # “b in 4000 ms”: the first letter is as it was, and the accent is under the second word.
    before = table.view.fontMetrics().horizontalAdvance("b ") - 1
    strip = QPoint(0, 0), QPoint(8 + before, rect.height())
    assert marked.copy(0, 0, strip[1].x(), rect.height()) == plain.copy(0, 0, strip[1].x(), rect.height())
    table.head.find_box.clear()
    assert table.view.viewport().grab(rect).toImage() == plain


def test_a_mark_goes_on_in_the_next_line_of_a_wrapped_text(desk: Context, table: ScriptTable):
    text = " ".join(f"word{number}" for number in range(60))
    desk.session.edits.attempt(lambda script: rewrite(script, "c", 0, text))
    run_pending_events()
    rect = table.view.visualRect(table.model.index(2, Column.TEXT))
    painter = table.view.painter._cells
    assert painter is not None
    places = list(painter._places(rect, text, [(0, len(text))]))
    lines = table.view.heights.wrapper.lines(text, rect.width() - 16)
    assert len(places) == len(lines) > 1
    assert [place.top() for place in places] == sorted({place.top() for place in places})


def test_replacing_all_is_one_step_that_is_planned_at_once(desk: Context, replacing: ScriptTable, said: list[str]):
    before, past = desk.session.script, len(desk.session.edits.document.past)
    replacing.replace_bar.all.click()
    assert texts(desk)["b"] == ["b within 6000 ms", "b within 4000 ms"]
    assert said == ["Replaced 8 times in 5 lines."]
    assert len(desk.session.edits.document.past) == past + 1
    # Four words at 200 a minute are 1.2 s: planned anew, all are spoken in full.
    assert all(each.end - each.start == 1_200 for each in desk.session.plan.deliveries)
    assert len(desk.session.plan.deliveries) == 5
    desk.session.undo()
    assert desk.session.script == before


@pytest.mark.parametrize(
    ("scope", "where", "changed"),
    [
        (Scope.SCRIPT, Where.WORDINGS, {"a": 2, "b": 2, "c": 1, "d": 2, "e": 1}),
        (Scope.SCRIPT, Where.SPOKEN, {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}),
        (Scope.SELECTED, Where.WORDINGS, {"b": 2, "d": 2}),
        (Scope.SCENE, Where.WORDINGS, {"a": 2, "b": 2, "c": 1}),
        (Scope.SHOWN, Where.WORDINGS, {"a": 2, "b": 2, "c": 1, "d": 2, "e": 1}),
    ],
)
def test_only_the_lines_and_texts_that_were_chosen(
    desk: Context, replacing: ScriptTable, scope: Scope, where: Where, changed: dict[str, int]
):
    script = desk.session.script
    for scene, names in (("s1", "abc"), ("s2", "de")):
        for name in names:
            step = _in_scene(script, name, scene)
            desk.session.edits.do(step)
            script = desk.session.script
    desk.session.cursor.select(Selection(Kind.LINE, ("d", "b")))  # b is the current line, in the first scene
    choose(replacing, scope, where)
    replacing.replace_bar.all.click()
    found = {name: sum("within" in text for text in said) for name, said in texts(desk).items()}
    assert {name: count for name, count in found.items() if count} == changed


def _in_scene(script, name, scene):
    from dataclasses import replace

    from adstudio.core.steps import Replace

    line = script.eventuality(name)
    return Replace(line, replace(line, scene=scene))


def test_the_bar_says_how_often_it_is_found(desk: Context, replacing: ScriptTable, qtbot):
    qtbot.waitUntil(lambda: replacing.replace_bar.count.text() == "8 in 5 lines")
    choose(replacing, Scope.SELECTED)
    desk.session.cursor.select_line("b")
    qtbot.waitUntil(lambda: replacing.replace_bar.count.text() == "2 in 1 line")
    replacing.head.find_box.setText("nobody")
    qtbot.waitUntil(lambda: replacing.replace_bar.count.text() == "nothing found")


def test_one_line_after_the_other(desk: Context, replacing: ScriptTable, said: list[str]):
    desk.session.cursor.select_line("b")
    QTest.keyClick(replacing.replace_bar.by, Qt.Key.Key_Return)
    assert texts(desk)["b"] == ["b within 6000 ms", "b within 4000 ms"]
    assert texts(desk)["c"] == ["c in 3000 ms"]
    assert desk.session.cursor.selection.lines() == ("c",)
    assert said == ["Replaced 2 times in the line."]
    assert replacing.replace_bar.by.hasFocus()


def test_f3_goes_from_match_to_match_and_round(desk: Context, table: ScriptTable, said: list[str]):
    table.head.find_box.setText("in 3000")  # in c, d and e
    went = []
    for _ in range(4):
        desk.actions["edit.find_next"].trigger()
        went.append(desk.session.cursor.selection.current)
    assert went == ["c", "d", "e", "c"]
    assert said == ["From the start again."]
    desk.actions["edit.find_previous"].trigger()
    assert desk.session.cursor.selection.current == "e"
    assert said[-1] == "From the end again."
    table.head.find_box.setText("nobody")
    desk.actions["edit.find_next"].trigger()
    assert said[-1] == "Nothing found for “nobody”."


def test_an_expression_that_is_wrong_says_so_and_replaces_nothing(desk: Context, replacing: ScriptTable, said):
    before = desk.session.script
    replacing.head.regex.setChecked(True)
    replacing.head.find_box.setText("(b")
    assert "Invalid regular expression" in replacing.head.find_box.accessibleDescription()
    replacing.replace_bar.all.click()
    assert "Invalid regular expression" in said[-1]
    replacing.head.find_box.setText("(b)")
    replacing.replace_bar.by.setText(r"\9")
    replacing.replace_bar.all.click()
    assert "not a valid replacement" in said[-1]
    assert desk.session.script == before


def test_whole_words_and_capitals(desk: Context, replacing: ScriptTable):
    desk.session.edits.attempt(lambda script: rewrite(script, "c", 0, "In the inn, in rain"))
    replacing.replace_bar.whole_words.click()
    replacing.replace_bar.match_case.click()
    replacing.replace_bar.all.click()
    assert texts(desk)["c"] == ["In the inn, within rain"]
    # Closed, the bar leaves finding as it is without it.
    replacing.replace_bar.close_button.click()
    assert replacing.replace_bar.isHidden()
    replacing.head.find_box.setText("INN")
    assert replacing.model.ids == ["c"]


def test_escape_leaves_for_the_table_and_typing_is_no_action(desk: Context, replacing: ScriptTable):
    QTest.keyClicks(replacing.replace_bar.by, "px u")
    assert not desk.session.edits.document.changed
    QTest.keyClick(replacing.replace_bar.by, Qt.Key.Key_Escape)
    assert replacing.replace_bar.isHidden()
    assert replacing.view.hasFocus()


@pytest.mark.parametrize("place", range(8))
def test_escape_leaves_from_everything_in_the_bar(desk: Context, replacing: ScriptTable, place: int):
    widget = replacing.replace_bar.in_order[place]
    widget.setFocus()
    taken = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    taken.ignore()
    QApplication.sendEvent(widget, taken)
    assert taken.isAccepted(), "else it would be the shortcut that stops speaking"
    QTest.keyClick(widget, Qt.Key.Key_Escape)
    assert replacing.replace_bar.isHidden()
    assert replacing.view.hasFocus()


def test_what_was_replaced_can_be_seen_until_something_else_is_looked_for(desk: Context, replacing: ScriptTable):
    replacing.head.find_box.setText("in 3000")
    assert replacing.model.ids == ["c", "d", "e"]
    desk.session.cursor.select_line("d")
    replacing.replace_bar.all.click()
    run_pending_events()
    desk.session.cursor.select_line("e")
    run_pending_events()
    assert replacing.model.ids == ["c", "d", "e"]
    assert "within" in replacing.model.text("c")
    replacing.head.find_box.setText("in 3000 ")
    assert replacing.model.ids == []


def test_it_says_that_an_accepted_line_changed(desk: Context, replacing: ScriptTable, said: list[str]):
    plan = desk.session.plan
    desk.session.edits.attempt(lambda script: set_accepted(script, ("c",), on=True, plan=plan))
    replacing.head.find_box.setText("in 3000")
    replacing.replace_bar.all.click()
    assert said == ["Replaced 3 times in 3 lines; 1 accepted line changed."]
    desk.session.undo()
    # A note is no wording, and how the plan was changed before is another matter.
    desk.session.edits.attempt(lambda script: set_note(script, "c", "Interesting"))
    choose(replacing, Scope.SELECTED, Where.NOTES)
    replacing.head.find_box.setText("Interesting")
    desk.session.cursor.select_line("c")
    replacing.replace_bar.all.click()
    assert said[1:] == ["Replaced once in 1 line."]


def test_without_words_to_look_for_the_find_box_comes_first(desk: Context, table: ScriptTable):
    desk.actions["edit.replace"].trigger()
    assert table.head.find_box.hasFocus()
    assert not table.replace_bar.isHidden()


def test_the_mark_is_seen_in_both_themes(desk: Context, table: ScriptTable):
    from adstudio.ui.widgets.theme import DARK, LIGHT, contrast

    for tokens in (LIGHT, DARK):
        assert contrast(QColor(tokens.accent), QColor(tokens.panel)) >= 3  # the line under what is found
        assert contrast(QColor(tokens.accent), QColor(tokens.accent_wash)) >= 3
