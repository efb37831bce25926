"""Columns: number and in time stay in sight, what is shown is chosen and kept, a line has an out time and a mark."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from adstudio.core.plan import Delivery
from adstudio.core.timebase import Span
from adstudio.delivery.lines import script_lines
from adstudio.editing import pins
from adstudio.editing.lines import delete_lines
from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import shown
from adstudio.ui.table.columns import FROZEN, PREFERENCE
from adstudio.ui.table.line_facts import lines_of
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.view import FEW_CHARACTERS, ScriptView


def cell(table: ScriptTable, identity: str, column: Column, role=Qt.ItemDataRole.DisplayRole):
    row = table.model.row_of(identity)
    assert row is not None
    return table.model.index(row, column).data(role)


@pytest.fixture
def narrow(table: ScriptTable) -> ScriptTable:
    for column in (Column.WORDING, Column.SALIENCE, Column.NOTE):
        table.view.choice.choose(column, shown=True)
    table.resize(500, 300)
    table.view.horizontalScrollBar().setValue(10_000)
    assert table.view.columns.offset() > 0
    return table


def test_number_and_in_time_stay_where_they_are_when_the_rest_is_scrolled(narrow: ScriptTable):
    at = 0
    for column in FROZEN:
        rect = narrow.view.visualRect(narrow.model.index(1, column))
        assert rect.left() == at
        at += rect.width()
        assert narrow.view.indexAt(rect.center()).column() == column
    beside = narrow.view.indexAt(QPoint(at + 4, 4)).column()
    assert beside not in FROZEN


def test_a_press_on_a_frozen_title_sorts_by_it(narrow: ScriptTable):
    header = narrow.view.columns
    centre = QPoint(header.sectionPosition(Column.TIME) + header.sectionSize(Column.TIME) // 2, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=centre)
    assert narrow.model.sorted_by is Column.TIME


def test_frozen_columns_are_painted_over_the_others(narrow: ScriptTable):
    frozen = narrow.view.columns.frozen_width
    there = narrow.view.viewport().grab().toImage().copy(0, 0, frozen, 100)
    narrow.view.horizontalScrollBar().setValue(0)
    assert narrow.view.viewport().grab().toImage().copy(0, 0, frozen, 100) == there


def test_no_column_comes_in_front_of_the_frozen_ones(table: ScriptTable):
    header = table.view.columns
    header.moveSection(header.visualIndex(Column.TEXT), 0)
    assert [header.visualIndex(column) for column in FROZEN] == [0, 1]


def test_a_cell_that_is_gone_to_is_not_left_behind_the_frozen_columns(narrow: ScriptTable):
    narrow.view.setCurrentIndex(narrow.model.index(0, Column.STATE))
    rect = narrow.view.visualRect(narrow.view.currentIndex())
    assert rect.left() >= narrow.view.columns.frozen_width


def test_what_is_chosen_is_kept(qtbot, tmp_path: Path, desk: Context, table: ScriptTable):
    view = table.view
    assert view.isColumnHidden(Column.NOTE)
    assert not view.isColumnHidden(Column.OUT)
    view.choice.choose(Column.NOTE, shown=True)
    view.choice.choose(Column.OUT, shown=False)
    view.columns.moveSection(view.columns.visualIndex(Column.SECONDS), 2)
    stored = json.loads(desk.preferences.text(PREFERENCE))
    assert stored["shown"] == {"NOTE": True, "OUT": False}
    assert stored["order"][:3] == ["NUMBER", "TIME", "SECONDS"]
    (tmp_path / "other").mkdir()
    with desk_on(tmp_path / "other") as another:
        found = ScriptTable(another)
        qtbot.addWidget(found)
        assert not found.view.isColumnHidden(Column.NOTE)
        assert found.view.isColumnHidden(Column.OUT)
        assert found.view.columns.visualIndex(Column.SECONDS) == 2


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[",
        "[]",
        '{"order": 3, "shown": [], "widths": "x"}',
        '{"order": ["X", "TEXT", "TEXT"], "shown": {"TEXT": false, "Q": true}}',
        '{"widths": {"OUT": 99999999, "STATE": "wide", "TIME": -3}}',
    ],
)
def test_a_stored_choice_that_makes_no_sense_is_passed_over(qtbot, desk: Context, stored: str):
    desk.preferences.store(PREFERENCE, stored)
    found = ScriptTable(desk)
    qtbot.addWidget(found)
    found.resize(1200, 500)
    found.show()
    assert not found.view.isColumnHidden(Column.TEXT)
    assert found.view.columns.sectionSize(Column.OUT) == found.view.choice.usual_width(Column.OUT)
    assert [found.view.columns.visualIndex(column) for column in FROZEN] == [0, 1]


def test_columns_are_chosen_in_a_menu_by_an_action(desk: Context, table: ScriptTable):
    desk.actions["view.columns"].trigger()
    menu = table.view.columns.findChild(QMenu)
    entries = {entry.text(): entry for entry in menu.actions()}
    assert "Text" not in entries
    assert entries["Out"].isChecked()
    entries["Note"].trigger()
    assert not table.view.isColumnHidden(Column.NOTE)
    entries["Reset columns"].trigger()
    assert table.view.isColumnHidden(Column.NOTE)
    menu.close()


def test_a_line_is_spoken_from_in_to_out(desk: Context, table: ScriptTable):
    # a is said in full, 6 s, from the start; of a line left out the action's times are shown.
    assert (cell(table, "a", Column.TIME), cell(table, "a", Column.OUT)) == ("00:00:00:00", "00:00:06:00")
    role = Qt.ItemDataRole.AccessibleTextRole
    table.model.read_column = Column.OUT
    assert cell(table, "a", Column.OUT, role) == "00:00:06:00"
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    assert (cell(table, "e", Column.TIME), cell(table, "e", Column.OUT)) == ("00:00:26:00", "00:00:28:00")
    assert cell(table, "e", Column.OUT, role) == "happens until 00:00:28:00"


def test_numbers_are_those_of_exported_lines_however_the_rows_are_filtered_and_sorted(
    desk: Context, table: ScriptTable
):
    table.head.find_box.setText("c in")
    assert [cell(table, each, Column.NUMBER) for each in table.model.ids] == ["3"]
    desk.session.edits.attempt(lambda script: delete_lines(script, ("a",)))
    assert cell(table, "c", Column.NUMBER) == "2"
    table.model.read_column = Column.NUMBER
    assert cell(table, "c", Column.NUMBER, Qt.ItemDataRole.AccessibleTextRole) == "2"
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("b",)))
    plan = desk.session.plan
    exported = {name: f"{line.number}" for line in script_lines(desk.session.script, plan) for name in line.elements}
    table.head.find_box.clear()
    assert {each: cell(table, each, Column.NUMBER) for each in table.model.ids} == {**exported, "b": "–"}


def test_the_current_line_and_the_one_that_is_spoken_are_marked(desk: Context, table: ScriptTable):
    table.view.clearFocus()
    frozen = table.view.columns.frozen_width

    def picture(row: int):
        rect = table.view.visualRect(table.model.index(row, Column.NUMBER))
        return table.view.viewport().grab(rect.adjusted(0, 0, frozen - rect.width(), 0)).toImage()

    plain = picture(3)
    table.view.painter.show_speaking("d")
    spoken = picture(3)
    assert spoken != plain
    table.view.painter.show_speaking(None)
    assert picture(3) == plain
    desk.session.cursor.select_line("d")
    assert picture(3) not in (plain, spoken)


@pytest.fixture
def view(qtbot, desk: Context) -> ScriptView:
    """The rows without their head, which needs a width of its own."""
    found = ScriptView(desk, ScriptModel(desk.session))
    qtbot.addWidget(found)
    found.show()
    return found


@pytest.mark.parametrize("points", [9, 13, 18])
@pytest.mark.parametrize("width", [403, 560, 780, 1300])
def test_the_text_is_in_sight_at_every_width_and_size(view: ScriptView, points: int, width: int):
    font = view.font()
    font.setPointSizeF(points)
    view.setFont(font)
    view.columns.setFont(font)
    view.choice.apply()
    view.resize(width * points // 9, 300)
    words = view.visualRect(view.model().index(0, Column.TEXT))
    assert words.right() < view.viewport().width()
    # Twenty letters at least, or what there is: the out time gives way, and then the word of the state.
    assert words.width() >= view.fontMetrics().horizontalAdvance("n" * 20)
    # It also goes where that is what brings another column into sight.
    assert not view.isColumnHidden(Column.OUT) or width < 1300
    assert view.isColumnHidden(Column.OUT) or width > 403
    view.choice.choose(Column.OUT, shown=True)
    assert not view.isColumnHidden(Column.OUT)


def in_sight(view: ScriptView) -> list[Column]:
    """The columns behind the text, from left to right, that are whole beside it; none may be cut at the edge."""
    columns, room = view.columns, view.viewport().width()
    order = sorted((each for each in Column if not view.isColumnHidden(each)), key=columns.visualIndex)
    found = []
    for each in order[order.index(Column.TEXT) + 1 :]:
        left = columns.sectionViewportPosition(each)
        assert left >= room or left + columns.sectionSize(each) <= room, f"{each.title} is cut"
        found += [each] if left < room else []
    return found


@pytest.mark.parametrize("points", [9, 13.5, 18])
@pytest.mark.parametrize("chosen", [(), (Column.SURE,), (Column.SURE, Column.SALIENCE, Column.NOTE), (Column.OUT,)])
def test_no_column_is_cut_off_at_the_edge(view: ScriptView, points: float, chosen: tuple[Column, ...]):
    """The text has twenty-two letters and what is left by the columns that are whole beside it."""
    font = view.font()
    font.setPointSizeF(points)
    view.setFont(font)
    view.columns.setFont(font)
    view.choice.apply()
    for column in chosen:
        view.choice.choose(column, shown=True)
    few = view.choice.usual_width(Column.TEXT, FEW_CHARACTERS * "n")
    seen: list[int] = []
    for width in range(int(400 * points / 9), int(1500 * points / 9), 45):
        view.resize(width, 300)
        seen.append(len(in_sight(view)))
        if seen[-1]:
            assert view.columns.sectionSize(Column.TEXT) >= few
    assert seen == sorted(seen)  # more room never shows fewer
    assert seen[-1] == len(chosen) + 3 - (Column.OUT in chosen)


def test_a_column_behind_the_out_time_is_not_cut_by_it(view: ScriptView):
    header = view.columns
    header.moveSection(header.visualIndex(Column.OUT), len(Column) - 1)
    for width in range(400, 1300, 45):
        view.resize(width, 300)
        in_sight(view)


def test_the_out_time_makes_room_for_the_columns_behind_the_text(view: ScriptView):
    """By hand: what must be beside the text is taken from the room; the out time is in sight where all has room."""
    few = view.choice.usual_width(Column.TEXT, FEW_CHARACTERS * "n")
    sign, out = view.choice.usual_width(Column.STATE, ""), view.choice.usual_width(Column.OUT)
    before = sum(map(view.choice.usual_width, FROZEN)) + sign + few
    length, spare, drift = map(view.choice.usual_width, (Column.SECONDS, Column.ROOM, Column.DRIFT))
    rest = length + spare + drift
    # Where not even all but the out time have room, it has what the last of them would need.
    crowded = length + spare + out > rest - 1
    for beside, hidden, seen in (
        (length, True, 1),
        (rest - 1, crowded, 2),
        (rest, True, 3),
        (rest + out - 1, True, 3),
        (rest + out, False, 3),
    ):
        view.resize(before + beside, 900)  # no bar stands beside the rows
        assert (view.viewport().width(), view.isColumnHidden(Column.OUT)) == (before + beside, hidden)
        assert len(in_sight(view)) == seen


def test_the_out_time_comes_back_with_the_room(view: ScriptView):
    for width, hidden in ((1200, False), (403, True), (1200, False)):
        view.resize(width, 300)
        assert view.isColumnHidden(Column.OUT) is hidden


def test_in_and_out_are_those_of_an_export(tmp_path: Path, qapp):
    """At 25 frames a second 85.100 s is nearest to frame 3 of second 85, which is past a gap that ends there."""
    with desk_on(tmp_path) as desk:
        row = lines_of(desk.session).of("c")
    gap = Span(80_000, 85_100)
    delivery = Delivery("c", 0, 82_000, 85_100)
    line = replace(row, gap=gap, delivery=delivery, time=82_000, out=85_100, film=replace(row.film, end=90_000))
    assert line.timecodes == ("00:01:22:00", "00:01:25:02")
    assert shown(line, Column.OUT) == "00:01:25:02"
    assert replace(line, delivery=None).timecodes == ("00:01:22:00", "00:01:25:03")
