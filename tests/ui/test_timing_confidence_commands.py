"""Confirming when lines happen, and going through those that are not sure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script

from adstudio.editing.labels import label_of
from adstudio.ui.actions.table import BY_ID
from adstudio.ui.commands.commands import NavigationCommands
from adstudio.ui.commands.lines import LineCommands
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import NOTHING, Kind, Selection

DOUBTS = {"a": 310, "b": 600, "c": 900, "d": None, "e": 100}


@pytest.fixture
def desk(qapp, tmp_path: Path):
    script = small_script()
    lines = tuple(replace(each, confidence=DOUBTS[each.id]) for each in script.eventualities)
    lost = replace(lines[3], id="lost", occurrence=None, salience=None)
    with desk_on(tmp_path, replace(script, eventualities=(*lines[:4], lost, lines[4]))) as made:
        is_open = lambda: made.session.project is not None
        LineCommands(made, None, is_open)
        NavigationCommands(made, is_open)
        made.session.cursor.seek_asked.connect(made.session.cursor.show_playhead)
        made.session.cursor.selection_changed.connect(made.actions.refresh)
        made.session.storage.saved_changed.connect(made.actions.refresh)
        yield made


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


def test_several_are_confirmed_in_one_step(desk: Context, said: list[str]):
    desk.session.cursor.select(Selection(Kind.LINE, ("a", "b", "d", "lost")))
    desk.actions["line.confirm"].trigger()
    script = desk.session.script
    assert [script.eventuality(each).confidence for each in ("a", "b", "d")] == [None] * 3
    assert [label_of(step, script) for step in desk.session.edits.document.past] == ["Confirm times of 2 lines"]
    assert said == ["Confirmed when 2 lines happen."]
    assert not desk.actions["line.confirm"].isEnabled()
    desk.session.undo()
    assert desk.session.script.eventuality("a").confidence == 310
    desk.session.redo()
    assert desk.session.script.eventuality("a").confidence is None


def test_it_is_off_where_nothing_is_in_doubt(desk: Context):
    for ids in (("d",), ("lost",), ()):
        desk.session.cursor.select(Selection(Kind.LINE, ids) if ids else NOTHING)
        assert not desk.actions["line.confirm"].isEnabled()
    desk.session.cursor.select(Selection(Kind.LINE, ("c",)))  # sure, but still a machine's word
    assert desk.actions["line.confirm"].isEnabled()


def test_from_one_to_the_next_in_the_order_of_the_film_and_round(desk: Context, said: list[str]):
    went: list[tuple[tuple[str, ...], int]] = []
    for _ in range(5):
        desk.actions["plan.next_unsure"].trigger()
        went.append((desk.session.cursor.selection.lines(), desk.session.cursor.playhead))
    # a happens at 0 s, b at 4 s, e at 26 s; what has no footing stands behind d, which is over at 24 s.
    assert went == [(("a",), 0), (("b",), 4_000), (("lost",), 24_000), (("e",), 26_000), (("a",), 0)]
    assert said[0] == "“a in 6000 ms”: a guess (31 %); 3 other lines uncertain."
    assert said[2].endswith("not placed; 3 other lines uncertain.")
    assert not desk.session.edits.document.past


def test_it_begins_at_the_playhead_where_no_line_is_in_hand(desk: Context):
    desk.session.cursor.show_playhead(5_000)
    desk.actions["plan.next_unsure"].trigger()
    assert desk.session.cursor.selection.lines() == ("lost",)


def test_where_all_is_known_that_is_said(desk: Context, said: list[str]):
    from adstudio.editing.lines import delete_lines
    from adstudio.editing.occurrences import confirm_occurrences

    assert desk.session.edits.attempt(lambda script: delete_lines(script, ("lost",)))
    assert desk.session.edits.attempt(lambda script: confirm_occurrences(script, tuple(script.eventuality_index)))
    desk.actions["plan.next_unsure"].trigger()
    assert said[-1] == "No line has an uncertain time."
    assert desk.session.cursor.selection == NOTHING or desk.session.cursor.selection.lines()


def test_both_have_keys_that_can_be_bound(desk: Context):
    assert BY_ID["line.confirm"].keys == ("C",)
    assert BY_ID["plan.next_unsure"].keys == ("Shift+N",)
    assert desk.actions["plan.next_unsure"].isEnabled()
