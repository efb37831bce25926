"""Texts are broken into lines as Qt breaks them, and a row is as high as its text."""

from __future__ import annotations

import random

import pytest
from desks import line
from PySide6.QtGui import QTextLayout, QTextOption
from PySide6.QtTest import QTest

from adstudio.core.steps import Insert
from adstudio.editing.lines import delete_lines
from adstudio.editing.wordings import rewrite
from adstudio.ui.session.context import Context
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.text_wrapping import MOST_LINES, TextWrapper

SENTENCE = "She parks her motorbike, takes a small package out of the crate and looks up at the lit window above"
WORDS = SENTENCE.split()
LONG = " ".join(WORDS * 6)


def by_qt(text: str, font, width: int) -> list[str]:
    layout, option, found = QTextLayout(text, font), QTextOption(), []
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    while (made := layout.createLine()).isValid():
        made.setLineWidth(width)
        found.append(text[made.textStart() : made.textStart() + made.textLength()].strip())
    layout.endLayout()
    return found


@pytest.mark.parametrize("width", [90, 180, 400, 2000])
def test_words_are_broken_where_qt_breaks_them(qapp, width: int):
    rng, wrapper = random.Random(width), TextWrapper(qapp.font())
    for _ in range(200):
        text = " ".join(rng.choices(WORDS, k=rng.randint(1, 24)))
        found = list(wrapper.lines(text, width))
        assert found[: MOST_LINES - 1] == by_qt(text, qapp.font(), width)[: MOST_LINES - 1]


@pytest.mark.parametrize(
    "text", ["漢字" * 60, "A" * 200, "She says 漢字漢字漢字漢字漢字漢字漢字漢字 and 😀😀😀 leaves.", ""]
)
def test_what_has_no_blanks_is_broken_anywhere_and_nothing_is_lost(qapp, text: str):
    found = TextWrapper(qapp.font()).lines(text, 300)
    assert len(found) < MOST_LINES
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_a_very_long_text_ends_in_an_ellipsis(qapp):
    found = TextWrapper(qapp.font()).lines(" ".join(WORDS * 200), 300)
    assert len(found) == MOST_LINES
    assert found[-1].endswith("…")


def heights(table: ScriptTable) -> list[int]:
    return [table.view.rowHeight(row) for row in range(table.model.rowCount())]


def test_a_row_is_as_high_as_its_text_and_follows_it(desk: Context, table: ScriptTable):
    single = heights(table)[0]
    assert heights(table) == [single] * 5
    desk.session.edits.attempt(lambda script: rewrite(script, "c", 0, LONG))
    high = table.view.rowHeight(2)
    assert high > single
    assert (high - single) % table.view.heights.wrapper.spacing == 0
    desk.session.edits.attempt(lambda script: delete_lines(script, ("a",)))
    assert heights(table) == [single, high, single, single]
    table.head.find_box.setText("motorbike")
    assert heights(table) == [high]
    table.head.find_box.clear()
    desk.session.undo()
    desk.session.undo()
    assert heights(table) == [single] * 5


def test_a_wider_table_needs_fewer_lines(desk: Context, table: ScriptTable):
    desk.session.edits.attempt(lambda script: rewrite(script, "c", 0, " ".join(WORDS)))
    table.resize(700, 500)
    narrow = table.view.rowHeight(2)
    table.resize(2400, 500)
    assert table.view.rowHeight(2) < narrow


def test_the_row_at_the_top_stays_when_rows_above_become_higher(desk: Context, table: ScriptTable):
    for place in range(40):
        made = line(f"n{place}", 14_000, 16_000, 0.1, 1_000)
        desk.session.edits.attempt(lambda _, made=made: Insert(made, None))
    QTest.qWait(1)
    table.view.verticalScrollBar().setValue(12 * table.view.rowHeight(0))
    top = table.model.ids[table.view.rowAt(0)]
    desk.session.edits.attempt(lambda script: rewrite(script, table.model.ids[3], 0, LONG))
    assert table.model.ids[table.view.rowAt(0)] == top
    assert table.view.rowHeight(3) > table.view.rowHeight(0)


def test_the_whole_text_is_read_in_its_cell(desk: Context, table: ScriptTable):
    desk.session.edits.attempt(lambda script: rewrite(script, "c", 0, LONG))
    rect = table.view.visualRect(table.model.index(2, Column.TEXT))
    assert rect.height() == table.view.rowHeight(2)
