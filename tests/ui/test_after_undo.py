"""After undo and redo the hand is where the change was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line, small_script

from adstudio.core.script import Scene, Silence
from adstudio.core.steps import Agent, Insert, Move, Replace, SetRules, Several, StepOrigin
from adstudio.core.timebase import Span
from adstudio.editing import lines, pins, regions, wordings
from adstudio.ui.session.act_messages import act_result
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import MOST_SELECTED, NOTHING, Kind, Selection, touched_by

SCRIPT = small_script()


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


def test_the_line_that_changed_is_selected_after_undo_and_redo(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: wordings.rewrite(script, "b", 0, "Other words"))
    session.cursor.select_line("e")
    session.undo()
    assert session.cursor.selection == Selection(Kind.LINE, ("b",))
    session.cursor.select_line("e")
    session.redo()
    assert session.cursor.selection == Selection(Kind.LINE, ("b",))


def test_several_lines_are_selected_in_the_order_of_the_script(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("d", "a")))
    session.undo()
    assert session.cursor.selection == Selection(Kind.LINE, ("a", "d"))


def test_how_many_lines_the_next_key_acts_on_is_said(desk: Context):
    session, said = desk.session, list[str]()
    session.current_plan.announced.connect(lambda event: said.append(act_result(session, event)))
    session.edits.attempt(lambda script: pins.pin_out(script, ("d", "a")))
    session.undo()
    session.redo()
    assert said[1:] == ["Undone: Lock 2 lines out. 2 lines selected", "Redone: Lock 2 lines out. 2 lines selected"]


def test_what_the_editor_did_to_many_lines_is_not_selected_by_its_undo(desk: Context):
    session = desk.session
    both = pins.pin_out(session.script, ("d", "a"))
    assert isinstance(both, Several)
    session.edits.attempt(lambda _: replace(both, origin=StepOrigin(Agent.EDITOR)))
    session.cursor.select_line("e")
    session.undo()
    assert session.cursor.selection == Selection(Kind.LINE, ("e",))
    session.redo()
    assert session.cursor.selection == Selection(Kind.LINE, ("e",))


def test_a_deleted_line_that_comes_back_is_selected_and_one_that_goes_again_is_not(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: lines.delete_lines(script, ("c",)))
    session.undo()
    assert session.cursor.selection == Selection(Kind.LINE, ("c",))
    session.redo()
    assert session.cursor.selection.lines() == ()


def test_a_silence_is_selected(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: regions.draw_silence(script, session.edits.ids, 1_000, 2_000))
    name = session.script.silences[0].id
    session.undo()
    session.redo()
    assert session.cursor.selection == Selection(Kind.SILENCE, (name,))


def test_typing_back_to_the_old_text_leaves_the_selection_alone(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: wordings.rewrite(script, "a", 0, "Anew"), amends="x")
    session.cursor.select(Selection(Kind.LINE, ("a", "b")))
    session.edits.attempt(lambda script: wordings.rewrite(script, "a", 0, "a in 6000 ms"), amends="x")
    assert session.cursor.selection == Selection(Kind.LINE, ("a", "b"))


def test_what_is_touched_by_each_kind_of_step():
    a, c = SCRIPT.eventuality("a"), SCRIPT.eventuality("c")
    scene = SCRIPT.scenes[0]
    quiet = Silence("q", Span(0, 10))
    assert touched_by(Move(a, "b", "e"), SCRIPT) == Selection(Kind.LINE, ("a",))
    renamed = Replace(Scene("s1", scene.span, "In"), scene)
    assert touched_by(renamed, SCRIPT) == Selection(Kind.SCENE, ("s1",))
    # Lines before anything else, and only what is there.
    both = Several("Both", (renamed, Insert(c, "d"), Insert(line("z", 0, 1, 0.1, 10), None)))
    assert touched_by(both, SCRIPT) == Selection(Kind.LINE, ("c",))
    assert touched_by(Insert(quiet), SCRIPT) == NOTHING
    assert touched_by(SetRules(SCRIPT.rules, SCRIPT.rules), SCRIPT) == NOTHING


def test_no_more_than_fifty_are_selected():
    many = tuple(line(f"x{n}", 0, 1, 0.1, 10) for n in range(MOST_SELECTED + 1))
    script = replace(SCRIPT, eventualities=many)
    step = Several("All", tuple(Insert(each) for each in reversed(many)))
    assert touched_by(step, script).ids == tuple(f"x{n}" for n in range(50))
