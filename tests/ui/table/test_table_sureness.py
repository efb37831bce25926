"""The table tells how sure it is when a line happens: a chip, a column to sort by, words for a screen reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script
from PySide6.QtCore import Qt

from adstudio.core.provenance import Provenance, ScreenplayLine
from adstudio.editing.occurrences import confirm_occurrences, set_occurrence
from adstudio.ui.session.context import Context
from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column

DOUBTS = {"a": 900, "b": 310, "c": None, "d": 600}


@pytest.fixture
def desk(qapp, tmp_path: Path):
    script = small_script()
    lines = tuple(
        replace(each, occurrence=None, salience=None)
        if each.id == "e"
        else replace(each, confidence=DOUBTS[each.id], provenance=Provenance(ScreenplayLine(12)))
        for each in script.eventualities
    )
    with desk_on(tmp_path, replace(script, eventualities=lines)) as made:
        yield made


@pytest.fixture
def table(qtbot, desk: Context) -> ScriptTable:
    found = ScriptTable(desk)
    qtbot.addWidget(found)
    return found


def cell(table: ScriptTable, identity: str, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    row = table.model.row_of(identity)
    assert row is not None
    return table.model.index(row, Column.SURE).data(role)


def test_the_chip_shows_what_is_not_sure_and_what_has_no_footing(desk: Context, table: ScriptTable):
    chip = table.head.filters.chips[Filter.UNSURE]
    assert chip.text() == "Uncertain time 3"
    assert chip.accessibleName() == "Uncertain time: 3 items"
    chip.click()
    assert table.model.ids == ["b", "d", "e"]
    assert desk.session.edits.attempt(lambda script: confirm_occurrences(script, ("b", "d")))
    table._let_go()
    assert table.model.ids == ["e"]
    desk.session.undo()
    assert table.model.counts[Filter.UNSURE] == 3


def test_the_column_has_words_and_sorts_the_least_sure_first(table: ScriptTable):
    assert [cell(table, each) for each in "abcde"] == [
        "sure (90 %)",
        "a guess (31 %)",
        "",
        "likely (60 %)",
        "not placed",
    ]
    table.model.sort(Column.SURE)
    assert table.model.ids == ["e", "b", "d", "a", "c"]
    table.model.sort(Column.SURE, Qt.SortOrder.DescendingOrder)
    assert table.model.ids == ["c", "a", "d", "b", "e"]
    assert table.head.order.findText("Least sure first") >= 0


def test_a_screen_reader_hears_the_level_and_the_source(table: ScriptTable):
    role = Qt.ItemDataRole.AccessibleTextRole
    table.model.read_column = Column.SURE
    assert cell(table, "b", role) == "a guess (31 %) · from screenplay, line 12"
    assert cell(table, "e", role) == "not placed"
    assert cell(table, "b", Qt.ItemDataRole.ToolTipRole) == "a guess (31 %) · from screenplay, line 12"
    assert cell(table, "e", Qt.ItemDataRole.ToolTipRole) == "not placed"


def test_the_column_is_there_once_any_line_is_not_sure_and_stays(qtbot, qapp, tmp_path: Path, table: ScriptTable, desk):
    assert not table.view.isColumnHidden(Column.SURE)
    assert desk.session.edits.attempt(lambda script: confirm_occurrences(script, ("b", "d")))
    assert not table.view.isColumnHidden(Column.SURE)
    (tmp_path / "other").mkdir()
    with desk_on(tmp_path / "other") as plain:
        other = ScriptTable(plain)
        qtbot.addWidget(other)
        assert other.view.isColumnHidden(Column.SURE)
        assert plain.session.edits.attempt(lambda script: set_occurrence(script, "a", None))
        assert not other.view.isColumnHidden(Column.SURE)
        plain.session.undo()
        assert not other.view.isColumnHidden(Column.SURE)
