"""The ask keys: a sentence each, detail when asked again, and the right ones for what is selected."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtWidgets import QWidget

from adstudio.editing.pins import pin_in, pin_start, set_override
from adstudio.ui.commands import answers
from adstudio.ui.commands.commands import connect_commands
from adstudio.ui.session.context import Context
from adstudio.ui.session.reason_texts import NOT_IN_TIME, WORKING
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.table.line_facts import lines_of
from adstudio.ui.timeline.film_loader import FilmLoader


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        window = QWidget()
        connect_commands(made, window, FilmLoader(made, made.actions.window), lambda: "Script table")
        made.actions.refresh()
        yield made
        window.deleteLater()


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


def ask(desk: Context, name: str) -> None:
    desk.actions[f"ask.{name}"].trigger()


def test_where_am_i_says_time_scene_gap_and_line(desk: Context, said: list[str]):
    """By hand: at 15 s of the small script, in its second gap, 14–18 s, of which `c` takes three seconds."""
    desk.session.cursor.select_line("c")
    desk.session.cursor.show_playhead(15_000)
    ask(desk, "where")
    assert said == ["At 00:00:15:00, scene 1 of 2 “Inside”, in a gap, 3.0 s to its end, line 3 of 5, “c in 3000 ms”."]
    ask(desk, "where")
    assert said[1].startswith("In the panel Script table. The line is spoken, spoken at 00:00:1")
    assert "Its text: c in 3000 ms. The gap is from 00:00:14:00 to 00:00:18:00, 3.0 s of 4.0 s used, 1.0 s" in said[1]
    assert said[1].endswith("of 5 items described in 5 lines; the film ends at 00:00:30:00.")
    ask(desk, "where")
    assert said[2] == said[0]


def test_the_state_of_a_line_is_said_as_a_sentence(desk: Context, said: list[str]):
    """By hand: `c` is started over dialogue, which no lock allows; then it is allowed to overlap."""
    desk.session.cursor.select_line("c")
    desk.session.edits.attempt(lambda script: pin_start(script, "c", 11_000))
    ask(desk, "where")
    ask(desk, "where")
    assert "The line is in conflict, " in said[-1]
    desk.session.edits.attempt(lambda script: set_override(script, ("c",), on=True))
    ask(desk, "where")
    ask(desk, "where")
    assert "The line is allowed to overlap, spoken at 00:00:11:00, " in said[-1]


def test_where_am_i_during_dialogue_and_with_nothing_selected(desk: Context, said: list[str]):
    desk.session.cursor.show_playhead(11_000)
    ask(desk, "where")
    assert said == [
        "At 00:00:11:00, scene 1 of 2 “Inside”, during dialogue of ANNA, 3.0 s to the next gap, nothing selected."
    ]
    desk.session.cursor.mark(1_000, None)
    ask(desk, "where")
    ask(desk, "where")
    assert "In point marked at 00:00:01:00." in said[-1]
    desk.session.cursor.select(Selection(Kind.LINE, ("a", "b")))
    ask(desk, "where")
    assert said[-1].endswith("2 lines selected, the last is line 2 of 5.")


def test_another_question_or_another_line_is_answered_in_a_sentence_again(desk: Context, said: list[str]):
    desk.session.cursor.select_line("c")
    ask(desk, "where")
    ask(desk, "conflicts")
    ask(desk, "where")
    assert said[2] == said[0]
    desk.session.cursor.select_line("d")
    ask(desk, "where")
    assert said[3].endswith("line 4 of 5, “d in 4000 ms”.")


def test_where_am_i_is_answered_anew_once_the_film_has_gone_on(desk: Context, said: list[str]):
    """Detail as long as the film has not gone on for five seconds, however long the sentence takes to be read."""
    desk.session.cursor.show_playhead(1_000)
    ask(desk, "where")
    desk.session.cursor.show_playhead(5_500)
    ask(desk, "where")
    assert said[1].startswith("In the panel")
    ask(desk, "where")
    desk.session.cursor.show_playhead(12_000)
    ask(desk, "where")
    assert [each[:14] for each in said[2:]] == ["At 00:00:05:13", "At 00:00:12:00"]


def test_why_needs_something_selected_and_speaks_of_lines_and_gaps(desk: Context, said: list[str]):
    ask(desk, "why")
    assert said == [answers.NOTHING_SELECTED]
    desk.session.cursor.select_line("b")
    ask(desk, "why")
    assert said[-1] == "Spoken: Without it, its 4.0 s would stay silent."
    gap = desk.session.gaps[1]
    desk.session.cursor.select(Selection(Kind.GAP, gap=gap))
    ask(desk, "why")
    assert said[-1].startswith("One more second of this gap would bring nothing")


def test_why_in_detail_says_what_one_more_second_of_its_gap_would_bring(desk: Context, said: list[str]):
    desk.session.cursor.select_line("c")
    ask(desk, "why")
    ask(desk, "why")
    assert said[1].startswith("Spoken: ")
    assert "one more second of its gap" in said[1].lower()
    assert "one more second" not in said[0].lower()


def test_a_reason_that_is_being_worked_out_is_said_when_it_is_known(desk: Context, said: list[str], monkeypatch):
    plan = desk.session.current_plan
    known = plan.planner.reason("b")
    assert known is not None
    desk.session.cursor.select_line("b")
    with monkeypatch.context() as none:
        none.setattr(type(plan.planner), "reason", lambda *_: None)
        ask(desk, "why")
    assert said == [f"Spoken: {WORKING}"]
    plan.explained.emit(known)
    plan.explained.emit(known)
    assert said[1:] == ["Without it, its 4.0 s would stay silent."]
    with monkeypatch.context() as none:
        none.setattr(type(plan.planner), "reason", lambda *_: None)
        ask(desk, "where")
        ask(desk, "why")
    plan.unexplained.emit("b")
    assert said[-1] == NOT_IN_TIME


def test_what_changed_names_the_act_and_then_every_line(desk: Context, said: list[str]):
    ask(desk, "changed")
    assert said == [answers.NO_CHANGES]
    desk.session.edits.attempt(lambda script: pin_in(script, ("c",)))
    ask(desk, "changed")
    assert said[-1] == "Lock “c in 3000 ms” in: the plan is the same."
    delivery = desk.session.plan.by_element["e"]
    desk.session.edits.attempt(lambda script: pin_start(script, "e", delivery.start - 500))
    desk.actions.refresh()
    del said[:]
    ask(desk, "changed")
    ask(desk, "changed")
    assert "1 moved" in said[0]
    assert "0.5 s earlier, at" in said[1]


def test_what_cannot_hold_counts_the_conflicts_and_lists_them(desk: Context, said: list[str]):
    ask(desk, "conflicts")
    assert said == [answers.NO_CONFLICTS]
    for identity in ("c", "d"):  # both over dialogue
        at = {"c": 11_000, "d": 19_000}[identity]
        desk.session.edits.attempt(lambda script, identity=identity, at=at: pin_start(script, identity, at))
    del said[:]
    ask(desk, "conflicts")
    ask(desk, "conflicts")
    assert said[0].startswith("2 conflicts; the first: ")
    assert "“c in 3000 ms”" in said[1]
    assert "“d in " in said[1]
    assert said[1].endswith("Move it, unlock it, or make room.")


def test_details_of_many_things_are_the_first_of_them():
    many = [f"thing {number}" for number in range(40)]
    listed = answers._listed(many)
    assert listed.count("Thing") == answers.MOST_LISTED
    assert listed.endswith("And 28 more.")


def test_why_says_the_state_once(desk: Context, said: list[str]):
    desk.session.cursor.select_line("b")
    for pinned in (lambda script: pin_in(script, ("b",)), lambda script: pin_start(script, "b", 4_000)):
        desk.session.edits.attempt(pinned)
        desk.session.current_plan.catch_up()
        del said[:]
        ask(desk, "why")
        state = lines_of(desk.session).of("b").state.value
        assert said[0].count(state) == 1, said[0]
        assert said[0].startswith(f"{state}. Without it")
