"""Selecting a line goes to it, playing selects the line that is spoken, and one switch ends both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import window_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from adstudio.editing import pins
from adstudio.ui.app.window import Window
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.table.row_order import Column


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path):
    with window_on(tmp_path) as made:
        yield made


@pytest.fixture
def sought(window: Window) -> list[int]:
    found: list[int] = []
    window.session.cursor.seek_asked.connect(found.append)
    return found


def point_at(window: Window, identity: str) -> None:
    table = window.editor.table
    row = table.model.row_of(identity)
    assert row is not None
    table.view.setCurrentIndex(table.model.index(row, Column.TEXT))


def play_to(window: Window, ms: int) -> None:
    """As while the film plays: the playhead comes here of itself."""
    player = window.editor.player
    player.state = replace(player.state, playing=True)
    window.session.cursor.show_playhead(ms)
    player.state = replace(player.state, playing=False)


def test_selecting_a_line_goes_to_where_it_is_spoken_or_seen(window: Window, sought: list[int]):
    point_at(window, "c")
    assert sought == [window.session.plan.by_element["c"].start]
    window.session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    QTest.qWait(200)
    point_at(window, "e")
    assert sought[1:] == [26_000]  # it is left out: its action is there


def test_a_key_that_is_held_down_seeks_now_and_then_and_at_last(window: Window, sought: list[int], qtbot):
    for identity in "abcde":
        point_at(window, identity)
    last = window.session.plan.by_element["e"].start
    qtbot.waitUntil(lambda: sought[-1] == last)
    assert len(sought) == 2


@pytest.mark.parametrize("listening", [False, True])
def test_a_screen_reader_in_the_table_is_not_made_to_read_over_the_film(window: Window, listening: bool):
    window.editor.table.view.setFocus()
    window.session.cursor.select(NOTHING)
    QAccessible.setActive(listening)
    try:
        play_to(window, window.session.plan.by_element["c"].start)
    finally:
        QAccessible.setActive(False)
    assert window.session.cursor.selection.current == (None if listening else "c")
    assert window.editor.table.view.painter.speaking == "c"


def test_several_lines_and_what_others_select_do_not_move_the_playhead(window: Window, sought: list[int]):
    window.session.cursor.select(Selection(Kind.LINE, ("b",)))
    window.editor.table.select_all()
    window.session.undo()
    assert sought == []


def test_playing_selects_the_line_that_is_spoken_once(window: Window, sought: list[int]):
    cursor, plan = window.session.cursor, window.session.plan.by_element
    play_to(window, plan["c"].start)
    assert cursor.selection.lines() == ("c",)
    assert window.editor.table.view.painter.speaking == "c"
    # Who selects another line meanwhile keeps it until the next is spoken.
    cursor.select_line("a")
    play_to(window, plan["c"].start + 500)
    assert cursor.selection.lines() == ("a",)
    play_to(window, plan["d"].start)
    assert cursor.selection.lines() == ("d",)
    play_to(window, plan["c"].end)
    assert window.editor.table.view.painter.speaking is None
    assert sought == []


def test_a_playhead_that_is_moved_selects_nothing(window: Window):
    window.session.cursor.select(NOTHING)
    window.session.cursor.show_playhead(window.session.plan.by_element["c"].start)
    assert window.session.cursor.selection == NOTHING
    assert window.editor.table.view.painter.speaking == "c"


def test_nothing_is_taken_from_who_types_or_has_several_lines(window: Window):
    cursor, start = window.session.cursor, window.session.plan.by_element["c"].start
    cursor.select(Selection(Kind.LINE, ("a", "b")))
    play_to(window, start)
    assert cursor.selection.lines() == ("a", "b")
    play_to(window, 0)
    cursor.select_line("a")
    window.editor.table.view.edit_cell(Column.TEXT)
    field = window.editor.table.view.viewport().findChild(QPlainTextEdit)
    QTest.keyClicks(field, "words")
    play_to(window, start)
    assert cursor.selection.lines() == ("a",)
    QTest.keyClick(field, Qt.Key.Key_Escape)


def test_one_switch_ends_both_and_is_kept(window: Window, sought: list[int]):
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    action = window.actions_["play.link"]
    assert action.isChecked()
    action.trigger()
    assert said == ["Selection and playhead are no longer linked."]
    assert not action.isChecked()
    assert window.context.preferences.text("link_selection") == "off"
    point_at(window, "c")
    play_to(window, window.session.plan.by_element["d"].start)
    assert (sought, window.session.cursor.selection.lines()) == ([], ("c",))
    assert window.editor.table.view.painter.speaking == "d"  # it is marked all the same


def test_looking_changes_nothing_in_the_document(window: Window):
    point_at(window, "d")
    play_to(window, window.session.plan.by_element["c"].start)
    assert not window.session.edits.document.changed
