"""The script table: two-way selection, filters, order, editing in the cell, and rows that stay where they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line, small_script
from pending_events import run_pending_events
from PySide6.QtCore import QItemSelectionModel, QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPlainTextEdit

from adstudio.core.film import Film
from adstudio.core.script import Cue, Script, Variant
from adstudio.editing import lines, pins
from adstudio.planning.film.plan_changes import PlanChanges
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.value_field import ValueField


def cell(table: ScriptTable, identity: str, column: Column, role=Qt.ItemDataRole.DisplayRole):
    row = table.model.row_of(identity)
    assert row is not None
    return table.model.index(row, column).data(role)


def selected(table: ScriptTable) -> list[str]:
    rows = sorted(index.row() for index in table.view.selectionModel().selectedRows())
    return [table.model.ids[row] for row in rows]


def point_at(table: ScriptTable, identity: str, column: Column) -> None:
    row = table.model.row_of(identity)
    assert row is not None
    table.view.setCurrentIndex(table.model.index(row, column))


def editor(table: ScriptTable, kind: type):
    found = [each for each in table.view.viewport().findChildren(kind) if each.isVisible()]
    assert len(found) == 1
    return found[0]


def steps(desk: Context) -> int:
    return len(desk.session.edits.document.past)


def test_the_rows_are_the_script_in_its_order(table: ScriptTable):
    assert table.model.ids == ["a", "b", "c", "d", "e"]
    # a is said in full from 0 (its middle is at 2 s, so it starts as early as it can), b in 4 s after it.
    assert cell(table, "a", Column.TIME) == "00:00:00:00"
    assert cell(table, "b", Column.TEXT) == "b in 4000 ms"
    assert cell(table, "b", Column.WORDING) == "2/2 · 100 %"
    assert cell(table, "b", Column.SECONDS) == "4.0 s"
    assert cell(table, "a", Column.ROOM) == "nothing"
    assert cell(table, "c", Column.ROOM) == "1.0 s"  # 3 s of the gap of 4 s
    assert cell(table, "d", Column.ROOM) == "nothing"  # e follows at once, and stays where it is
    assert cell(table, "e", Column.SALIENCE) == "0.30"
    assert cell(table, "e", Column.SEEN) == "Unseen"


def row_read(table: ScriptTable, identity: str) -> list[str]:
    """What a screen reader says of a row, cell by cell, where the keys are."""
    cells = (cell(table, identity, column, Qt.ItemDataRole.AccessibleTextRole) for column in Column)
    return [each for each in cells if each.strip()]


def test_of_a_row_the_text_is_read_and_the_column_that_the_keys_are_in(desk: Context, table: ScriptTable):
    point_at(table, "a", Column.TEXT)
    assert row_read(table, "b") == ["b in 4000 ms"]
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    assert row_read(table, "e") == ["e in 3000 ms. Locked out, just left out."]
    # The column's title is read from its head when the keys come to it.
    point_at(table, "a", Column.STATE)
    assert row_read(table, "a")[0] == "Spoken"
    point_at(table, "b", Column.WORDING)
    assert row_read(table, "b")[1] == "2 of 2, 100 %"
    point_at(table, "c", Column.ROOM)
    assert row_read(table, "c") == ["c in 3000 ms", "1.0 s to spare"]
    point_at(table, "c", Column.PIN)
    assert row_read(table, "c") == ["c in 3000 ms"], "none is left out"
    assert cell(table, "c", Column.PIN, Qt.ItemDataRole.AccessibleDescriptionRole) is None


def test_a_key_that_goes_to_a_row_selects_it(table: ScriptTable, desk: Context, qtbot):
    point_at(table, "b", Column.STATE)
    for key, identity in ((Qt.Key.Key_End, "e"), (Qt.Key.Key_Up, "d"), (Qt.Key.Key_Home, "a"), (Qt.Key.Key_Down, "b")):
        qtbot.keyClick(table.view, key, Qt.KeyboardModifier.ControlModifier)
        assert (table.view.current, table.view.currentIndex().column()) == (identity, Column.STATE)
        assert desk.session.cursor.selection.lines() == (identity,)


def test_a_line_in_one_breath_bears_a_sign_with_a_name(desk: Context, table: ScriptTable):
    table.view.clearFocus()
    before = table.view.viewport().grab().toImage()
    desk.session.edits.attempt(lambda script: lines.join(script, ("b",)))
    assert cell(table, "b", Column.STATE) == "Spoken"
    role = Qt.ItemDataRole.AccessibleTextRole
    table.model.read_column = Column.STATE
    assert cell(table, "b", Column.STATE, role) == "Spoken, in one breath with the line before"
    assert cell(table, "a", Column.STATE, role) == "Spoken"
    tip = cell(table, "b", Column.STATE, Qt.ItemDataRole.ToolTipRole)
    assert tip == "Joined: in one breath with the line before\nWithout it, its 4.0 s would stay silent."
    table.model.mark(PlanChanges())
    assert table.view.viewport().grab().toImage() != before


def test_what_the_table_selects_the_session_has_in_the_order_it_was_taken(desk: Context, table: ScriptTable):
    point_at(table, "d", Column.TEXT)
    flag = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    table.view.selectionModel().setCurrentIndex(table.model.index(1, 2), flag)
    assert desk.session.cursor.selection == Selection(Kind.LINE, ("d", "b"))


def test_what_the_session_selects_the_table_shows_without_answering(desk: Context, table: ScriptTable):
    heard: list[Selection] = []
    desk.session.cursor.selection_changed.connect(lambda: heard.append(desk.session.cursor.selection))
    wanted = Selection(Kind.LINE, ("e", "b"))
    desk.session.cursor.select(wanted)
    assert selected(table) == ["b", "e"]
    assert table.view.current == "b"
    assert heard == [wanted]
    desk.session.cursor.select(Selection(Kind.GAP, gap=desk.session.gaps[0]))
    assert selected(table) == []
    assert len(heard) == 2


def test_looking_marks_nothing(desk: Context, table: ScriptTable):
    point_at(table, "b", Column.TEXT)
    table.head.find_box.setText("in")
    table.model.sort(Column.SALIENCE)
    table.view.edit_cell(Column.TEXT)
    QTest.keyClick(editor(table, QPlainTextEdit), Qt.Key.Key_Return)
    assert not desk.session.edits.document.changed
    assert not desk.session.script.eventuality("b").seen


def test_only_the_rows_that_changed_are_touched(desk: Context, table: ScriptTable):
    for row in range(5):
        table.model.line(table.model.ids[row])
    touched: list[tuple[int, int]] = []
    table.model.dataChanged.connect(lambda first, last: touched.append((first.row(), last.row())))
    resets: list[int] = []
    table.model.modelReset.connect(lambda: resets.append(1))
    desk.session.edits.attempt(lambda script: pins.set_note(script, "c", "look"))
    assert touched == [(2, 2)]
    touched.clear()
    # Without e there are 4 s more beside d: what the gap has left changes for both, and e is marked.
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    assert {row for first, last in touched for row in range(first, last + 1)} == {3, 4}
    assert cell(table, "d", Column.ROOM) == "4.0 s"
    assert cell(table, "e", Column.STATE) == "Locked out"
    assert cell(table, "e", Column.TEXT, Qt.ItemDataRole.AccessibleTextRole).endswith("Locked out, just left out.")
    assert not resets


def test_lines_come_and_go_as_rows_and_undo_keeps_the_current_one(desk: Context, table: ScriptTable):
    operations: list[str] = []
    table.model.rowsInserted.connect(lambda *_: operations.append("in"))
    table.model.rowsRemoved.connect(lambda *_: operations.append("out"))
    table.model.modelReset.connect(lambda: operations.append("reset"))
    point_at(table, "d", Column.SALIENCE)
    desk.session.edits.attempt(lambda script: lines.delete_lines(script, ("b",)))
    assert table.model.ids == ["a", "c", "d", "e"]
    desk.session.edits.document.undo()
    assert table.model.ids == ["a", "b", "c", "d", "e"]
    assert operations == ["out", "in"]
    assert table.view.current == "d"
    assert selected(table) == ["d"]
    assert desk.session.cursor.selection.lines() == ("d",)


def test_a_line_that_moves_in_the_order_moves_as_one_row(desk: Context, table: ScriptTable):
    moves: list[tuple[int, int]] = []
    table.model.rowsMoved.connect(lambda _, first, __, ___, to: moves.append((first, to)))
    point_at(table, "a", Column.TEXT)
    desk.session.edits.attempt(lambda script: lines.move_later(script, "a"))
    assert table.model.ids == ["b", "a", "c", "d", "e"]
    assert len(moves) == 1
    assert table.view.current == "a"
    assert selected(table) == ["a"]


def test_chips_count_and_filter(desk: Context, table: ScriptTable):
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("a", "c")))
    desk.session.edits.attempt(lambda script: pins.set_accepted(script, ("d",), on=True))
    counts = {wanted.value: table.model.counts[wanted] for wanted in Filter}
    assert counts == {
        "All": 5,
        "Spoken": 3,
        "Left out": 2,
        "Locked": 2,
        "Overlapping": 0,
        "In conflict": 0,
        "Unseen": 4,
        "Uncertain time": 0,
        "Far from action": 0,
        "Picture held": 0,
    }
    assert table.head.filters.chips[Filter.DROPPED].text() == "Left out 2"
    table.head.filters.chips[Filter.DROPPED].click()
    assert table.model.ids == ["a", "c"]
    assert table.head.counts.text() == "2 of 5 items"
    table.head.filters.chips[Filter.UNSEEN].click()
    assert table.model.ids == ["a", "b", "c", "e"]


def test_how_many_lines_are_shown_is_never_cut_off_without_a_sign(table: ScriptTable, qtbot):
    head = table.head
    qtbot.addWidget(table)
    table.show()
    words = "2 of 5 items · 1 selected not shown"
    for width in range(head.narrowest, 1600, 40):
        head.show_counts(table.model.counts, "5 items")
        table.resize(width, 600)
        run_pending_events()
        head.show_counts(table.model.counts, words)
        run_pending_events()
        label, shown = head.counts, head.counts.text()
        assert shown == words or ((shown.endswith("…") or not shown) and label.toolTip() == words)
        if shown:
            assert label.fontMetrics().horizontalAdvance(shown) <= head.width() - label.x(), width


def test_a_line_in_hand_stays_until_the_hand_leaves_it(desk: Context, table: ScriptTable, qtbot):
    table.head.filters.chips[Filter.UNSEEN].click()
    point_at(table, "b", Column.TEXT)
    desk.session.edits.attempt(lambda script: pins.set_accepted(script, ("b",), on=True))
    run_pending_events()
    assert "b" in table.model.ids
    assert table.head.filters.chips[Filter.UNSEEN].text() == "Unseen 4"
    point_at(table, "c", Column.TEXT)
    qtbot.waitUntil(lambda: table.model.ids == ["a", "c", "d", "e"])
    assert table.view.current == "c"


def test_an_empty_table_says_what_to_do(desk: Context, table: ScriptTable):
    assert table.view.empty == ""
    table.head.find_box.setText("no such words")
    assert table.view.empty == "No line matches; Escape shows all."
    assert table.view.accessibleDescription() == "No line matches; Escape shows all."
    table.view.setFocus()
    QTest.keyClick(table.view, Qt.Key.Key_Escape)
    assert table.model.ids == ["a", "b", "c", "d", "e"]
    assert (table.view.empty, table.head.find_box.text()) == ("", "")
    table.head.filters.chips[Filter.CONFLICTING].click()
    assert table.view.empty == "No line matches; Escape shows all."
    table.head.find_box.setFocus()
    QTest.keyClick(table.head.find_box, Qt.Key.Key_Escape)
    assert table.model.ids == ["a", "b", "c", "d", "e"]
    desk.session.edits.attempt(lambda script: lines.delete_lines(script, "abcde"))
    # Both ways on: by hand, and by a model where there are scenes.
    told = "No lines yet. Press Ctrl+Return to write the first one at the playhead"
    assert table.view.empty == f"{told}, or have a model draft the scenes under Drafts (F12)."
    desk.session.edits.document.undo()
    assert table.view.empty == ""


def test_find_is_typed_and_escape_clears_it(desk: Context, table: ScriptTable):
    desk.actions["edit.find"].trigger()
    assert table.head.find_box.hasFocus()
    QTest.keyClicks(table.head.find_box, "B IN 6000")
    assert table.model.ids == ["b"]  # a wording that is not spoken now is found as well
    QTest.keyClick(table.head.find_box, Qt.Key.Key_Space)
    assert table.head.find_box.text() == "B IN 6000 "
    QTest.keyClick(table.head.find_box, Qt.Key.Key_Escape)
    assert table.head.find_box.text() == ""
    assert len(table.model.ids) == 5
    QTest.keyClick(table.head.find_box, Qt.Key.Key_Escape)
    assert table.view.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Down])
def test_from_the_find_box_the_keys_lead_to_the_line_that_is_found(desk: Context, table: ScriptTable, key: Qt.Key):
    desk.session.cursor.select_line("a")
    desk.actions["edit.find"].trigger()
    table.head.find_box.setText("b in")
    QTest.keyClick(table.head.find_box, key)
    assert table.view.hasFocus()
    assert desk.session.cursor.selection.ids == ("b",)


def test_where_nothing_is_found_return_keeps_filter_and_selection(desk: Context, table: ScriptTable):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    desk.session.cursor.select_line("a")
    desk.actions["edit.find"].trigger()
    table.head.find_box.setText("no such words")
    QTest.keyClick(table.head.find_box, Qt.Key.Key_Return)
    assert table.head.find_box.hasFocus()
    assert (table.head.find_box.text(), table.model.ids) == ("no such words", [])
    assert desk.session.cursor.selection.ids == ("a",)
    assert said == ["No line matches; Escape shows all."]


def test_the_header_sorts_up_down_and_back_to_the_script(table: ScriptTable):
    header = table.view.horizontalHeader()
    header.sectionClicked.emit(Column.SALIENCE)
    assert table.model.ids == ["e", "b", "d", "c", "a"]
    header.sectionClicked.emit(Column.SALIENCE)
    assert table.model.ids == ["a", "c", "d", "b", "e"]
    header.sectionClicked.emit(Column.SALIENCE)
    assert table.model.ids == ["a", "b", "c", "d", "e"]
    assert table.head.order.currentText() == "Script order"


def test_sorted_rows_follow_an_edit_and_the_current_row_stays_current(desk: Context, table: ScriptTable):
    table.model.sort(Column.SALIENCE)
    point_at(table, "e", Column.SALIENCE)
    desk.session.edits.attempt(lambda script: lines.set_salience(script, ("e",), 950_000))
    assert table.model.ids == ["b", "d", "c", "a", "e"]
    assert table.view.current == "e"
    desk.session.undo()
    assert table.model.ids == ["e", "b", "d", "c", "a"]
    assert table.view.current == "e"


def test_text_is_written_in_the_cell_as_one_step_with_its_length_and_fit(desk: Context, table: ScriptTable):
    point_at(table, "b", Column.TEXT)
    before = steps(desk)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = editor(table, QPlainTextEdit)
    field.selectAll()
    QTest.keyClicks(field, "She waits here.")
    # Three words at 200 a minute are 0.9 s; b has 4 s between a, which ends at 6 s, and the gap's end.
    assert field.accessibleDescription() == "3 words · 0.9 s · 3.1 s to spare"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "Alone.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.session.script.eventuality("b").variants[1].text == "She waits here.\nAlone."
    assert steps(desk) == before + 1
    desk.session.undo()
    assert cell(table, "b", Column.TEXT) == "b in 4000 ms"


def test_escape_in_a_cell_leaves_no_step(desk: Context, table: ScriptTable):
    point_at(table, "b", Column.TEXT)
    before = steps(desk)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    QTest.keyClicks(editor(table, QPlainTextEdit), "xyz")
    QTest.keyClick(editor(table, QPlainTextEdit), Qt.Key.Key_Escape)
    run_pending_events()
    assert steps(desk) == before
    assert not table.view.editing


@pytest.mark.parametrize("typed", ["1,5", "1.5"])
def test_salience_is_read_with_a_comma_and_with_a_point(desk: Context, table: ScriptTable, typed: str):
    point_at(table, "e", Column.SALIENCE)
    before = steps(desk)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = editor(table, ValueField)
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    run_pending_events()
    assert desk.session.script.eventuality("e").salience == 1_500_000
    assert steps(desk) == before + 1


def test_figures_are_shown_as_the_language_writes_them(desk: Context, table: ScriptTable):
    QLocale.setDefault(QLocale("de_DE"))
    try:
        assert cell(table, "e", Column.SALIENCE) == "0,30"
        assert cell(table, "b", Column.SECONDS) == "4,0 s"
    finally:
        QLocale.setDefault(QLocale.c())


def test_what_is_no_number_is_said_and_changes_nothing(desk: Context, table: ScriptTable):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    point_at(table, "e", Column.SALIENCE)
    before = steps(desk)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = editor(table, ValueField)
    field.selectAll()
    QTest.keyClicks(field, "much")
    QTest.keyClick(field, Qt.Key.Key_Return)
    run_pending_events()
    assert steps(desk) == before
    assert said == ["“much” is not a salience: type a number such as 0.8"]


def test_a_pin_and_a_wording_are_chosen_in_their_cells(desk: Context, table: ScriptTable):
    before = steps(desk)
    point_at(table, "b", Column.PIN)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    box = editor(table, QComboBox)
    assert [box.itemText(place) for place in range(box.count())] == ["Auto", "In", "Out"]
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Return)
    run_pending_events()
    assert desk.session.script.eventuality("b").pin.selected is False
    point_at(table, "a", Column.WORDING)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    box = editor(table, QComboBox)
    QTest.keyClick(box, Qt.Key.Key_End)
    assert desk.session.script.eventuality("a").pin.variant is None  # the arrow keys wait for Return
    QTest.keyClick(box, Qt.Key.Key_Return)
    run_pending_events()
    assert desk.session.script.eventuality("a").pin.variant == 1
    assert steps(desk) == before + 2


def test_what_is_typed_in_a_cell_survives_a_change_from_elsewhere(desk: Context, table: ScriptTable):
    point_at(table, "b", Column.TEXT)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = editor(table, QPlainTextEdit)
    field.selectAll()
    QTest.keyClicks(field, "Half a sen")
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    desk.session.edits.attempt(lambda script: lines.delete_lines(script, ("d",)))
    assert editor(table, QPlainTextEdit).toPlainText() == "Half a sen"
    table.flush()
    run_pending_events()
    assert "Half a sen" in [variant.text for variant in desk.session.script.eventuality("b").variants]


def test_space_is_typed_in_a_cell_and_not_taken_for_play(desk: Context, table: ScriptTable):
    played: list[int] = []
    desk.actions.connect("play.toggle", lambda: played.append(1))
    desk.actions.connect("line.keep_out", lambda: played.append(2))
    point_at(table, "b", Column.TEXT)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = editor(table, QPlainTextEdit)
    field.selectAll()
    QTest.keyClicks(field, "a x b")
    assert field.toPlainText() == "a x b"
    assert not played


def test_f2_edits_where_the_hand_is(desk: Context, table: ScriptTable):
    asked: list[int] = []
    table.edit_asked.connect(lambda: asked.append(1))
    desk.session.cursor.select_line("c")
    desk.actions.refresh()
    table.view.setFocus()
    desk.actions["line.edit"].trigger()
    assert editor(table, QPlainTextEdit).toPlainText() == "c in 3000 ms"
    QTest.keyClick(editor(table, QPlainTextEdit), Qt.Key.Key_Escape)
    run_pending_events()
    table.hide()
    desk.actions["line.edit"].trigger()
    assert asked == [1]


def test_return_on_a_cell_that_is_not_edited_goes_to_the_line(desk: Context, table: ScriptTable):
    sought: list[int] = []
    desk.session.cursor.seek_asked.connect(sought.append)
    point_at(table, "d", Column.TIME)
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    assert sought == [desk.session.plan.by_element["d"].start]


def test_select_all_takes_what_is_shown(desk: Context, table: ScriptTable):
    table.head.find_box.setText("in 4000")
    desk.actions.refresh()
    desk.actions["edit.select_all"].trigger()
    assert desk.session.cursor.selection == Selection(Kind.LINE, ("a", "b", "d"))
    desk.session.cursor.select(NOTHING)
    assert selected(table) == []


def test_hebrew_stands_from_right_to_left(qtbot, tmp_path: Path, qapp):
    text = "נורה נכנסת, Tom!"
    small = small_script()
    first = replace(small.eventualities[0], variants=(Variant(text, duration=4000),))
    with desk_on(tmp_path, replace(small, eventualities=(first, *small.eventualities[1:]))) as desk:
        table = ScriptTable(desk)
        qtbot.addWidget(table)
        table.show()
        assert cell(table, "a", Column.TEXT) == text
        # The words begin at the right edge of the column, those of a line from left to right at the left edge.
        picture = table.view.viewport().grab().toImage()
        ground = picture.pixelColor(2, 2)

        def ink(identity: str) -> tuple[int, int]:
            rect = table.view.visualRect(table.model.index(table.model.row_of(identity), Column.TEXT))
            found = [
                x
                for x in range(rect.left() + 2, rect.right() - 2)
                if any(picture.pixelColor(x, y) != ground for y in range(rect.top() + 2, rect.bottom() - 2))
            ]
            return found[0] - rect.left(), rect.right() - found[-1]

        left, right = ink("a")
        assert right < 16 < left
        left, right = ink("b")
        assert left < 16 < right


def long_script(count: int) -> Script:
    """A line each 1.8 s, dialogue of half a second after every second one."""
    cues = tuple(Cue(f"c{n}", n * 3600 + 3000, n * 3600 + 3500, "Well.") for n in range(count // 2))
    events = tuple(line(f"e{n}", n * 1800, n * 1800 + 1000, 0.2 + (n * 37 % 80) / 100, 1500, 900) for n in range(count))
    return Script(Film("Long", count * 1800 + 5000), cues=cues, eventualities=events)


def test_of_four_thousand_rows_an_edit_touches_a_handful(qtbot, tmp_path: Path, qapp):
    with desk_on(tmp_path, long_script(4000)) as desk:
        table = ScriptTable(desk)
        qtbot.addWidget(table)
        table.resize(1200, 600)
        table.show()
        assert len(table.model.ids) == 4000
        bar = table.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        top = table.model.ids[table.view.rowAt(0)]
        desk.session.cursor.select_line(table.model.ids[table.view.rowAt(0) + 5])
        touched: list[int] = []
        table.model.dataChanged.connect(lambda first, last: touched.extend(range(first.row(), last.row() + 1)))
        resets: list[int] = []
        table.model.modelReset.connect(lambda: resets.append(1))
        identity = desk.session.cursor.selection.lines()[0]
        spoken = identity in desk.session.plan.by_element
        hold = pins.pin_out if spoken else pins.pin_in
        desk.session.edits.attempt(lambda script: hold(script, (identity,)))
        assert 0 < len(set(touched)) < 40
        desk.session.edits.attempt(lambda script: lines.delete_lines(script, ("e7",)))
        assert len(table.model.ids) == 3999
        assert table.model.ids[table.view.rowAt(0)] == top
        assert table.view.current == identity
        desk.session.edits.document.undo()
        desk.session.edits.document.undo()
        assert table.model.ids[table.view.rowAt(0)] == top
        assert table.view.current == identity
        assert not resets


def test_what_stands_in_place_of_rows_is_whole_where_there_is_little_room(table: ScriptTable):
    view = table.view
    view.show_empty_message("No lines yet. Press Ctrl+Return to write the first one at the playhead.")
    heads = view.height() - view.viewport().height()
    for room in (24, 40, 300):
        view.setFixedHeight(heads + room)
        run_pending_events()
        told = view._room_of_note()
        needs = view.fontMetrics().boundingRect(told, Qt.TextFlag.TextWordWrap, view.empty).height()
        assert view.viewport().height() == room
        assert 0 <= told.top() <= room - needs
    assert told.top() == 16


def gone_of_itself(desk: Context, identity: str) -> None:
    """A line goes, as where a model has drafted its scene again: no hand waits to see it."""
    step = lines.delete_lines(desk.session.script, (identity,))
    assert step is not None
    while desk.session.current_plan.ahead is not step:
        desk.session.current_plan.look_ahead(step)
    desk.session.edits.do(step)


def test_what_comes_of_itself_is_shown_a_moment_later(table: ScriptTable, desk: Context, qtbot):
    gone_of_itself(desk, "c")
    assert table.model.ids == ["a", "b", "c", "d", "e"]
    assert cell(table, "c", Column.TEXT) == "c in 3000 ms"
    qtbot.waitUntil(lambda: table.model.ids == ["a", "b", "d", "e"])


def test_a_press_in_that_moment_meets_the_script_as_it_is(table: ScriptTable, desk: Context):
    row = table.model.row_of("c")
    assert row is not None
    place = table.view.visualRect(table.model.index(row, Column.TEXT)).center()
    gone_of_itself(desk, "c")
    QTest.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    # The row below has come up to where it was pressed.
    assert selected(table) == ["d"]
    assert desk.session.cursor.selection == Selection(Kind.LINE, ("d",))


def test_so_do_a_key_and_what_is_selected_without_one(table: ScriptTable, desk: Context, qtbot):
    point_at(table, "b", Column.TEXT)
    gone_of_itself(desk, "c")
    QTest.keyClick(table.view, Qt.Key.Key_Down)
    assert desk.session.cursor.selection.current == "d"
    gone_of_itself(desk, "e")
    row = table.model.row_of("e")
    assert row is not None
    table.view.selectRow(row)  # as a screen reader does
    assert "e" not in desk.session.cursor.selection.ids
    table.select_all()
    assert desk.session.cursor.selection.ids == ("a", "b", "d")
    qtbot.waitUntil(lambda: selected(table) == ["a", "b", "d"])


@pytest.mark.parametrize(("width", "text"), [(420, None), (420, 1400), (700, 1400)])
def test_the_time_stays_in_sight_when_a_line_is_shown(desk: Context, table: ScriptTable, width: int, text: int | None):
    """At 150 % there is room for little more than time, state and text, and the text may be made wide."""
    table.resize(width, 300)
    header = table.view.horizontalHeader()
    if text is not None:
        header.resizeSection(Column.TEXT, text)
    for identity in ("e", "a"):
        table.view.horizontalScrollBar().setValue(200)
        desk.session.cursor.select_line(identity)
        row = table.model.row_of(identity)
        assert row is not None
        time, words = (table.view.visualRect(table.model.index(row, each)) for each in (Column.TIME, Column.TEXT))
        assert time.left() == header.sectionSize(Column.NUMBER)
        assert time.right() < words.left() < table.view.viewport().width()
