"""What changed is measured from the describer's own last act, whatever engines and models bring after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView, QListWidget, QPushButton

from adstudio.core.narration import VoiceSettings
from adstudio.core.script import Pin, Variant
from adstudio.core.steps import Agent, ChangeKind, Insert, SetSettings, SetVoice, Several, StepOrigin
from adstudio.editing import pins, scenes, wordings
from adstudio.ui.panels.plan_changes import PlanChangesPanel
from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.panels.scenes import ScenesPanel
from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import RowChange
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.timeline.timeline import Timeline


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def said(desk: Context) -> list[str]:
    sentences: list[str] = []
    desk.session.messages.said.connect(sentences.append)
    return sentences


def answers(desk: Context, **starts: int) -> None:
    """An engine comes late with another plan of the present state: these lines start then, or are left out (−1)."""
    plan = desk.session.plan
    deliveries = tuple(
        replace(each, start=starts[each.element], end=starts[each.element] + each.end - each.start)
        if each.element in starts
        else each
        for each in plan.deliveries
        if starts.get(each.element) != -1
    )
    current = desk.session.current_plan
    current.planner.outcome = replace(current.outcome, plan=replace(plan, deliveries=deliveries))
    current.accept_outcome(current.planner.outcome)


def shares(desk: Context, share: int) -> None:
    settings = desk.session.script.settings
    desk.session.edits.do(SetSettings(settings, replace(settings, max_share=share)))


def changed(desk: Context) -> tuple[set[str], set[str], set[str], dict[str, int]]:
    changes = desk.session.current_plan.changes
    moved = {shift.element: shift.by for shift in changes.moved}
    return set(changes.added), set(changes.dropped), set(changes.reworded), moved


def scene_comes(identity: str = "new") -> Several:
    fresh = line(identity, 22_000, 23_000, 0.9, 2_000, scene="s2")
    return Several("", (Insert(fresh),), StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, "house"))


def test_a_change_of_voice_is_an_act_before_it_is_measured(desk: Context):
    session = desk.session

    def label() -> str:
        return session.current_plan.last_act.label(session.script, session.plan)

    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    session.edits.do(SetVoice(session.script.voice, VoiceSettings("espeak-ng", "en-gb")))
    assert label() == "Change voice"
    both = pins.pin_out(session.script, ("c", "e"))
    assert isinstance(both, Several)
    held = replace(both, label="Lock 2 lines where measured lengths moved them", origin=StepOrigin(Agent.EDITOR))
    session.edits.attempt(lambda _: held)
    assert label() == "Change voice, then lock 2 lines where measured lengths moved them"
    session.undo()
    session.undo()
    assert label() == "Undo: Change voice"


def test_a_late_answer_is_merged_into_what_the_act_did(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert changed(desk) == (set(), {"a"}, {"b"}, {})
    answers(desk, c=14_500)
    assert changed(desk) == (set(), {"a"}, {"b"}, {"c": 500})
    answers(desk, c=14_100, d=-1)
    assert changed(desk) == (set(), {"a", "d"}, {"b"}, {}), "0.1 s are no move"
    answers(desk, c=14_000)
    assert changed(desk) == (set(), {"a", "d"}, {"b"}, {})


def test_what_a_late_answer_takes_back_is_no_change(desk: Context):
    session = desk.session
    before = session.current_plan.outcome
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    session.current_plan.accept_outcome(before)
    assert not session.current_plan.changes


def test_each_act_is_compared_with_what_was_shown_before_it(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    session.edits.attempt(lambda script: pins.pin_out(script, ("c",)))
    assert changed(desk) == (set(), {"c"}, set(), {})
    session.undo()
    assert changed(desk) == ({"c"}, set(), set(), {})
    session.redo()
    assert changed(desk) == (set(), {"c"}, set(), {})


def test_going_through_the_changes_is_no_act(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    before = changed(desk)
    session.edits.attempt(lambda script: pins.set_accepted(script, ("b",), on=True, plan=session.plan))
    session.edits.attempt(lambda script: pins.set_note(script, "c", "louder?"))
    session.edits.attempt(lambda script: scenes.set_reviewed(script, ("s1",), on=True, plan=session.plan))
    assert changed(desk) == before
    session.undo()
    assert changed(desk) == before
    answers(desk, c=14_500)
    assert changed(desk) == (set(), {"a"}, {"b"}, {"c": 500})


def test_typing_in_one_field_is_one_act(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    for text in ("one", "one two three four five six", "one two three four five six seven eight nine ten"):
        session.edits.attempt(lambda script, text=text: wordings.rewrite(script, "c", 0, text), amends="text c")
    assert changed(desk) == (set(), set(), set(), {}), "c is as long as it was"
    assert session.current_plan.last_act.before.by_element["c"].end == 17_000
    session.undo()
    assert session.script.eventuality("c").variants[0] == Variant("c in 3000 ms", duration=3_000)


def test_scenes_that_a_model_drafted_add_to_it_and_are_named(desk: Context, qtbot, said: list[str]):
    panel = PlanChangesPanel(desk)
    qtbot.addWidget(panel)
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert panel.findChild(QLabel).text() == "Lock “a in 6000 ms” out: 1 left out, 1 reworded"
    assert said == ["Locked out: “a in 6000 ms”. 1 left out, 1 reworded."]
    session.edits.do(scene_comes())
    assert changed(desk)[:2] == ({"new"}, {"a"})
    head = panel.findChild(QLabel).text()
    assert head.startswith("Lock “a in 6000 ms” out, then 1 scene drafted by house: 1 added, 1 left out")
    assert said[1:] == [head]


def test_a_late_answer_is_said_once_and_only_if_it_changes_what_is_listed(desk: Context, qtbot, said: list[str]):
    panel = PlanChangesPanel(desk)
    qtbot.addWidget(panel)
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    answers(desk, c=14_100)
    assert said == ["Locked out: “a in 6000 ms”. 1 left out, 1 reworded."]
    answers(desk, c=14_600)
    assert said[1:] == ["Improved plan: 1 left out, 1 reworded, 1 moved"]


def test_a_better_plan_of_what_was_opened_is_listed_too(desk: Context, qtbot, said: list[str]):
    panel = PlanChangesPanel(desk)
    qtbot.addWidget(panel)
    assert panel.findChild(QLabel).text() == "No action has changed the plan yet."
    answers(desk, c=14_600)
    assert panel.findChild(QLabel).text() == "Since opening: 1 moved"
    assert said == ["Improved plan: 1 moved"]


def test_the_marks_stay_until_the_next_act(desk: Context, qtbot):
    table, timeline = ScriptTable(desk), Timeline(desk)
    for widget in (table, timeline):
        qtbot.addWidget(widget)
    session, overlay = desk.session, timeline.canvas.overlay

    def marks() -> dict[str, RowChange]:
        assert overlay.removed == {name for name, news in table.model.news.items() if news is RowChange.WENT}
        assert overlay.added == table.model.news.keys() - overlay.removed
        return dict(table.model.news)

    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    of_act = {"a": RowChange.WENT, "b": RowChange.REWORDED}
    assert marks() == of_act
    answers(desk, c=14_100)
    assert marks() == of_act
    answers(desk, c=14_400)
    assert marks() == {**of_act, "c": RowChange.MOVED}
    session.edits.attempt(lambda script: pins.set_accepted(script, ("b",), on=True, plan=session.plan))
    session.edits.do(scene_comes())
    assert marks().items() >= {**of_act, "new": RowChange.CAME}.items()
    session.edits.attempt(lambda script: pins.pin_out(script, ("d",)))
    assert "a" not in marks()
    assert marks()["d"] is RowChange.WENT


def test_a_row_shows_where_the_line_is_however_little_that_differs(desk: Context, qtbot):
    table = ScriptTable(desk)
    qtbot.addWidget(table)
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    for start in (14_080, 14_160, 14_000):
        answers(desk, c=start)
        assert table.model.line("c").time == start


def accept(desk: Context, *names: str) -> None:
    desk.session.edits.attempt(lambda script: pins.set_accepted(script, names, on=True, plan=desk.session.plan))


def problems(panel: ProblemsPanel) -> list[str]:
    view = panel.findChild(QListWidget)
    return [view.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(view.count())]


def test_an_accepted_line_that_an_engine_moves_later_becomes_a_lasting_problem(desk: Context, qtbot, said: list[str]):
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    session, button = desk.session, panel.findChild(QPushButton)
    accept(desk, "b", "c")
    assert button.isHidden() or not button.isVisibleTo(panel)
    session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    answers(desk, c=14_700)
    assert problems(panel) == ["“c in 3000 ms”, accepted at 00:00:14:00, is now spoken 0.7 s later."]
    session.edits.attempt(lambda script: pins.pin_out(script, ("d",)))
    answers(desk, c=-1)
    assert problems(panel) == ["“c in 3000 ms”, accepted at 00:00:14:00, is left out now."], "whatever was done since"
    assert button.isVisibleTo(panel)
    assert button.text() == "Put 1 line back"
    steps = len(session.edits.document.past)
    button.click()
    assert session.plan.by_element["c"].start == 14_000
    assert session.script.eventuality("c").pin == Pin(selected=True, variant=0, start=14_000)
    assert len(session.edits.document.past) == steps + 1
    assert said[-1] == "1 line is back and locked as accepted."
    qtbot.waitUntil(lambda: problems(panel) == ["Nothing needs your attention."])
    assert session.undo()
    assert not session.script.eventuality("c").pin.held


def test_accepting_it_as_it_is_now_settles_it(desk: Context, qtbot):
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    session = desk.session
    accept(desk, "b")
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    said = "“b in 4000 ms”, accepted at 00:00:06:00, is now spoken as “b in 6000 ms”."
    qtbot.waitUntil(lambda: problems(panel) == [said])
    accept(desk, "b")
    qtbot.waitUntil(lambda: problems(panel) == ["Nothing needs your attention."])
    assert session.undo()
    qtbot.waitUntil(lambda: problems(panel) == [said])


def test_a_reviewed_scene_whose_line_changed_shows_as_open_and_the_count_follows(desk: Context, qtbot):
    panel = ScenesPanel(desk)
    qtbot.addWidget(panel)
    session, view = desk.session, panel.findChild(QListView)

    def state() -> tuple[str, str]:
        index = view.model().index(0, 0)
        return panel._progress.text(), str(index.data(Qt.ItemDataRole.AccessibleTextRole)).rsplit(", ", 1)[1]

    desk.actions.refresh()
    session.edits.attempt(lambda script: scenes.set_reviewed(script, ("s1", "s2"), on=True, plan=session.plan))
    qtbot.waitUntil(lambda: state() == ("Reviewed 2/2", "reviewed"))
    session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    answers(desk, c=14_700)
    assert state() == ("Reviewed 1/2", "open again: 1 line changed since you reviewed it")
    assert session.script.scenes[0].reviewed, "only the describer clears it"
    reviewed = session.current_plan.reviewed_scenes
    assert scenes.next_unreviewed(session.script, 0, reviewed) == session.script.scenes[0]
    session.edits.attempt(lambda script: scenes.set_reviewed(script, ("s1",), on=True, plan=session.plan))
    assert session.current_plan.reviewed_scenes == {"s1", "s2"}


def test_what_cannot_go_back_is_said(desk: Context, qtbot, said: list[str]):
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    accept(desk, "a", "b")
    # Of the first gap's ten seconds 88 % are 8.8; a and b take ten.
    shares(desk, 880_000)
    assert {each.line for each in desk.session.current_plan.departures} == {"a", "b"}
    qtbot.waitUntil(lambda: panel.count == 2)
    panel.findChild(QPushButton).click()
    assert said[-1] == (
        "1 line is back and locked as accepted; "
        "there is no room for “b in 4000 ms” as accepted: make room, or accept the change."
    )
    assert [each.line for each in desk.session.current_plan.departures] == ["b"]
