"""Writing in the table: Return takes a text and goes on, and a line that is locked in is judged by its own plan."""

from __future__ import annotations

import pytest
from pending_events import run_pending_events
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from adstudio.editing import pins, rules
from adstudio.editing.lines import new_line
from adstudio.editing.wordings import rewrite
from adstudio.ui.commands.lines import LineCommands
from adstudio.ui.session.context import Context
from adstudio.ui.session.typed_fit import displaced_words, typed_fit
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.input_dialog import InputDialog


def begin(table: ScriptTable, identity: str, column: Column = Column.TEXT) -> QPlainTextEdit:
    row = table.model.row_of(identity)
    assert row is not None
    table.view.setCurrentIndex(table.model.index(row, column))
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    return next(each for each in table.view.viewport().findChildren(QPlainTextEdit) if each.isVisible())


def test_return_takes_the_text_and_goes_to_the_next_line(desk: Context, table: ScriptTable):
    field = begin(table, "b")
    field.selectAll()
    QTest.keyClicks(field, "She waits.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    run_pending_events()
    assert desk.session.script.eventuality("b").variants[1].text == "She waits."
    assert table.view.current == "c"
    assert desk.session.cursor.selection.lines() == ("c",)
    assert not table.view.editing
    assert table.view.hasFocus()
    # Again, Return edits the text that is current now; unchanged, it is no step.
    past = len(desk.session.edits.document.past)
    field = begin(table, "c")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert table.view.current == "d"
    assert len(desk.session.edits.document.past) == past


def test_return_goes_on_in_the_order_that_is_shown(desk: Context, table: ScriptTable):
    table.model.sort(Column.SALIENCE)
    assert table.model.ids == ["e", "b", "d", "c", "a"]
    QTest.keyClick(begin(table, "b"), Qt.Key.Key_Return)
    assert table.view.current == "d"


def test_return_in_the_last_line_says_so(desk: Context, table: ScriptTable):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    QTest.keyClick(begin(table, "e"), Qt.Key.Key_Return)
    assert table.view.current == "e"
    assert said == ["That was the last line."]


def test_a_text_that_is_refused_does_not_go_on(desk: Context, table: ScriptTable):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    field = begin(table, "b")
    field.setPlainText("x" * 10_001)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "characters" in said[-1]
    assert table.view.current == "b"


def test_a_line_that_is_locked_in_is_judged_by_the_plan_that_it_would_get(desk: Context):
    session = desk.session
    # The third gap is 8 s, from 22 s: d is spoken in 4 s, then e in 3 s. Ten words at 200 a minute are 3.0 s.
    ten = "one two three four five six seven eight nine ten"
    assert not typed_fit(session, "e", 0, f"{ten} {ten}").fit.fits
    session.edits.attempt(lambda script: pins.pin_in(script, ("e",)))
    before = session.script, session.plan
    found = typed_fit(session, "e", 0, f"{ten} {ten[:18]}")
    # 14 words are 4.2 s; d gives way: 3.0 s of it leave 5 s.
    assert (found.fit.words, found.fit.duration, found.fit.fits) == (14, 4200, True)
    assert found.changes.reworded == ("d",)
    assert displaced_words(session, found) == "rewords “d in 4000 ms”"
    # 20 words are 6.0 s. Of what could go for them, b is worth least: 0.5 × 4 s, against 0.7 × 4 s of d. Then d is said
    # in the gap before, and c beside a, which fills 6 s of 10.
    longer = typed_fit(session, "e", 0, f"{ten} {ten}")
    assert longer.fit.fits
    assert displaced_words(session, longer) == "leaves out “b in 4000 ms”"
    # 30 words are 9 s: the gap has 8 s, whoever gives way, and nobody does.
    too_long = typed_fit(session, "e", 0, f"{ten} {ten} {ten}")
    assert (too_long.fit.too_long, too_long.clashes) == (1_000, False)
    assert displaced_words(session, too_long) == ""
    assert (session.script, session.plan) == before


def test_a_line_whose_lock_contradicts_another_clashes_although_there_is_room(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("d", "e")))
    session.edits.attempt(lambda script: pins.pin_in(script, ("d", "e")))
    # Both are locked in, and only one of them may be spoken: three words of 0.9 s would have room, but cannot be.
    found = typed_fit(session, "e", 0, "She waits here.")
    assert found.clashes
    assert displaced_words(session, found) == "conflicts with other locks"
    session.edits.attempt(lambda script: pins.unpin(script, ("d",)))
    found = typed_fit(session, "e", 0, "She waits here.")
    assert (found.fit.fits, found.clashes) == (True, False)


def test_a_new_line_where_the_gap_is_full_says_who_gives_way(desk: Context, table: ScriptTable):
    session = desk.session
    session.cursor.show_playhead(14_500)  # in the gap of 4 s in which c takes 3 s
    session.edits.attempt(lambda script: new_line(script, session.edits.ids, 14_500))
    made = next(each.id for each in session.script.eventualities if not each.variants[0].text)
    field = begin(table, made)
    QTest.keyClicks(field, "A man in a long grey coat enters.")  # 8 words are 2.4 s
    assert "no room" not in field.accessibleDescription()
    # e is worth least, 0.3 × 3 s: it goes, and the others move over.
    assert field.accessibleDescription().endswith("leaves out “e in 3000 ms”")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert made in session.plan.by_element
    assert "e" not in session.plan.by_element
    # The film is where the line was written: it stays the current one.
    assert table.view.current == made


@pytest.mark.parametrize("points", [9, 18])
def test_the_figures_under_a_text_are_not_cut(desk: Context, table: ScriptTable, points: int):
    font = table.view.font()
    font.setPointSizeF(points)
    table.view.setFont(font)
    desk.session.edits.attempt(lambda script: pins.pin_in(script, ("e",)))
    field = begin(table, "e")
    field.setPlainText("one two three four five six seven eight nine ten eleven twelve thirteen fourteen")
    run_pending_events()
    foot = next(each for each in field.findChildren(QLabel) if each.isVisible())
    assert "rewords “d in 4000 ms”" in foot.text()
    assert foot.heightForWidth(foot.width()) <= foot.height()
    assert field.rect().contains(foot.geometry())
    assert not foot.geometry().intersects(field.viewport().geometry())
    QTest.keyClick(field, Qt.Key.Key_Escape)


def test_splitting_while_a_text_is_typed_begins_at_its_cursor(
    desk: Context, table: ScriptTable, monkeypatch: pytest.MonkeyPatch
):
    LineCommands(desk, table, lambda: True)
    desk.session.flush_asked.connect(table.flush)
    proposed: list[str] = []

    def ask(_parent, _title, _label, shown, now, **_):
        proposed.append(shown[now])
        return shown[now], True

    monkeypatch.setattr(InputDialog, "ask_item", ask)
    field = begin(table, "c")
    field.setPlainText("😀 One, two three four five six")  # two code units before the first word
    cursor = field.textCursor()
    cursor.setPosition(len("xx One, two three four five "))
    field.setTextCursor(cursor)
    desk.actions.refresh()
    desk.actions["line.split"].trigger()
    assert proposed == ["😀 One, two three four five  |  six"]
    lines = [line.variants[0].text for line in desk.session.script.eventualities]
    assert lines[2:4] == ["😀 One, two three four five", "Six"]
    # Of another line nothing is known.
    desk.session.edits.attempt(lambda script: rewrite(script, "e", 0, "It rains, then it snows for a very long time"))
    desk.session.cursor.select_line("e")
    desk.actions.refresh()
    desk.actions["line.split"].trigger()
    assert proposed[1:] == ["It rains,  |  then it snows for a very long time"]
