"""Beside a line stands what has become of it, with Undo, Put back and Keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on

from adstudio.core.script import Approval, Pin
from adstudio.editing import pins
from adstudio.ui.inspector.line_change import LineChange
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Button


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def inspector(desk: Context, qtbot) -> Inspector:
    made = Inspector(desk)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def change(inspector: Inspector) -> LineChange:
    return inspector.line.change


@pytest.fixture
def said(desk: Context) -> list[str]:
    sentences: list[str] = []
    desk.session.messages.said.connect(sentences.append)
    return sentences


def buttons(change: LineChange) -> list[str]:
    return [button.text() for button in change.findChildren(Button) if button.isVisibleTo(change)]


def shown(change: LineChange) -> str:
    return "" if change.isHidden() else change.sentence.text()


def answers(desk: Context, **starts: int) -> None:
    current = desk.session.current_plan
    deliveries = list(current.plan.deliveries)
    for place, each in enumerate(deliveries):
        if each.element in starts:
            start = starts[each.element]
            deliveries[place] = replace(each, start=start, end=start + each.end - each.start)
    plan = replace(current.plan, deliveries=tuple(deliveries))
    current.planner.outcome = replace(current.outcome, plan=plan)
    current.accept_outcome(current.planner.outcome)


def test_it_says_what_the_last_action_did_to_the_line_and_undoes_it(desk: Context, change: LineChange):
    session = desk.session
    session.cursor.select_line("b")
    assert shown(change) == ""
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert shown(change) == "Reworded since the last action (Lock “a in 6000 ms” out)."
    assert buttons(change) == ["Undo", "Keep"]
    session.cursor.select_line("c")
    assert shown(change) == ""
    session.cursor.select_line("b")
    change.undo.click()
    assert not session.script.eventuality("a").pin.held
    session.cursor.select_line("b")
    assert shown(change) == "Reworded since the last action (Undo: Lock “a in 6000 ms” out)."
    assert buttons(change) == ["Redo", "Keep"]
    change.undo.click()
    assert session.script.eventuality("a").pin.selected is False


def test_what_an_engine_brings_later_is_told_as_of_the_action(desk: Context, change: LineChange):
    session = desk.session
    session.cursor.select_line("c")
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    answers(desk, c=14_150)
    assert shown(change) == ""
    answers(desk, c=14_600)
    assert shown(change) == "0.6 s later since the last action (Lock “a in 6000 ms” out)."


def test_what_comes_before_any_action_is_since_opening(desk: Context, change: LineChange):
    """Better lengths, or a better engine."""
    desk.session.cursor.select_line("c")
    answers(desk, c=14_600)
    assert shown(change) == "0.6 s later since opening."
    assert buttons(change) == ["Keep"]


def test_keep_accepts_it_as_it_is_and_the_rest_of_the_report_stays(desk: Context, change: LineChange, said: list[str]):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    session.cursor.select_line("b")
    change.keep.click()
    line = session.script.eventuality("b")
    assert (line.accepted, line.approval) == (True, Approval(0, session.plan.by_element["b"].start))
    assert said[-1] == "Accepted as it is now."
    assert session.current_plan.changes.dropped == ("a",)
    assert shown(change) == "Reworded since the last action (Lock “a in 6000 ms” out)."
    assert buttons(change) == [], "the action is no longer the last that was done"


def test_an_accepted_line_that_changed_can_be_put_back_or_kept(desk: Context, change: LineChange, said: list[str]):
    session = desk.session
    session.edits.attempt(lambda script: pins.set_accepted(script, ("b",), on=True, plan=session.plan))
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    session.cursor.select_line("b")
    was = "Accepted at 00:00:06:00; it is now spoken as “b in 6000 ms”."
    assert shown(change) == was
    assert buttons(change) == ["Undo", "Put back", "Keep"]
    session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    assert (shown(change), buttons(change)) == (was, ["Put back", "Keep"]), "whatever is done next"
    change.back.click()
    assert session.script.eventuality("b").pin == Pin(selected=True, variant=1, start=6_000)
    assert said[-1] == "1 line is back and locked as accepted."
    session.undo()
    assert shown(change) == was
    change.keep.click()
    assert session.script.eventuality("b").approval == Approval(0, session.plan.by_element["b"].start)
    assert session.current_plan.departures == ()
