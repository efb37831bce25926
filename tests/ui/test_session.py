"""The session: every step plans at once, undo brings the plan back, looking changes nothing, typing is one step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script

from adstudio.core.document import Act
from adstudio.core.plan import Plan
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import lines, pins, regions, wordings
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Proof, ProofState
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.selection import Kind, Selection


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


def said_by(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


def news_of(desk: Context) -> list[ChangeEvent]:
    found: list[ChangeEvent] = []
    desk.session.current_plan.changed.connect(found.append)
    return found


def test_the_first_plan_is_the_best_one(desk: Context):
    # a in full and b in short fill the first gap: 0.9·6 + 0.5·4 = 7.4; the other way round 0.9·4 + 0.5·6 = 6.6.
    # c 0.8·3 = 2.4, d 0.7·4 = 2.8, e 0.3·3 = 0.9.
    session = desk.session
    assert session.plan.objective == 13_500_000_000
    assert {d.element: d.variant for d in session.plan.deliveries} == {"a": 0, "b": 1, "c": 0, "d": 0, "e": 0}
    assert session.gaps == (Span(0, 10_000), Span(14_000, 18_000), Span(22_000, 30_000))


def test_a_step_plans_within_the_call_and_tells_what_changed(desk: Context):
    session, news = desk.session, news_of(desk)
    assert session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert len(news) == 1
    assert news[0].change is not None
    assert news[0].change.act is Act.DO
    assert news[0].changes.dropped == ("a",)
    assert news[0].changes.reworded == ("b",)  # now there is room for b in full
    assert session.plan.objective == 3_000_000_000 + 2_400_000_000 + 2_800_000_000 + 900_000_000


def test_undo_brings_the_very_plan_back(desk: Context):
    session = desk.session
    first = session.plan
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    second = session.plan
    assert session.undo()
    assert session.plan.deliveries == first.deliveries
    assert session.redo()
    assert session.plan.deliveries == second.deliveries


def test_undo_stops_at_the_opened_state(desk: Context):
    session = desk.session
    for _ in range(21):
        assert not session.undo()
    assert session.script == small_script()
    assert not session.edits.document.changed


def test_looking_and_playing_change_nothing(desk: Context):
    session, news = desk.session, news_of(desk)
    session.cursor.select_line("b", go=True)
    session.cursor.seek(5_000)
    session.cursor.show_playhead(5_000)
    session.cursor.mark(1_000, 2_000)
    session.cursor.select(Selection(Kind.GAP, gap=session.gaps[0]))
    assert (session.edits.document.changed, session.edits.document.past, news) == (False, (), [])


def test_a_replan_that_changes_nothing_leaves_the_document_clean(desk: Context):
    desk.session.current_plan.plan_again()
    assert not desk.session.edits.document.changed


def test_typing_in_one_field_is_one_step(desk: Context):
    session = desk.session
    for text in ("N", "No", "Nora runs"):
        assert session.edits.attempt(
            lambda script, text=text: wordings.rewrite(script, "c", 0, text), amends="text c 0"
        )
    assert len(session.edits.document.past) == 1
    assert session.script.eventuality("c").variants[0].text == "Nora runs"
    session.undo()
    assert session.script == small_script()


def test_another_action_ends_a_bout_of_typing(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, "One"), amends="text c 0")
    session.edits.attempt(lambda script: pins.pin_in(script, ("c",)))
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, "One two"), amends="text c 0")
    assert len(session.edits.document.past) == 3


def test_a_save_ends_a_bout_of_typing(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, "One"), amends="text c 0")
    assert session.save()
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, "One two"), amends="text c 0")
    assert len(session.edits.document.past) == 2
    session.undo()
    assert not session.edits.document.changed
    assert session.script.eventuality("c").variants[0].text == "One"


def test_undo_ends_a_bout_of_typing(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: lines.nudge_salience(script, ("a",), 10), amends="salience a")
    session.undo()
    session.edits.attempt(lambda script: lines.nudge_salience(script, ("a",), 10), amends="salience a")
    assert len(session.edits.document.past) == 1


def test_typing_back_to_the_old_text_leaves_no_step(desk: Context):
    session = desk.session
    first = session.plan
    old = session.script.eventuality("c").variants[0].text
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, "One"), amends="text c 0")
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, old), amends="text c 0")
    assert session.script == small_script()
    assert session.plan.deliveries == first.deliveries
    assert session.edits.document.past == ()
    assert session.edits.document.future == ()  # nobody has undone anything


def test_a_refusal_while_typing_keeps_what_was_typed(desk: Context):
    session, said = desk.session, said_by(desk)
    session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, "One"), amends="text c 0")
    assert not session.edits.attempt(
        lambda script: wordings.rewrite(script, "c", 0, "x" * 10_000_000), amends="text c 0"
    )
    assert session.script.eventuality("c").variants[0].text == "One"
    assert len(said) == 1


def test_a_refusal_is_said_and_changes_nothing(desk: Context):
    session, said = desk.session, said_by(desk)
    assert not session.edits.attempt(lambda script: regions.draw_silence(script, session.edits.ids, 3_000, 3_000))
    assert len(said) == 1
    assert session.edits.document.past == ()


def test_a_silence_takes_time_from_its_gap(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: regions.draw_silence(script, session.edits.ids, 0, 5_000))
    assert session.gaps[0] == Span(5_000, 10_000)
    assert [d.element for d in session.plan.deliveries][:1] == ["a"]  # 0.9·4 in short beats 0.5·4


def test_the_selection_follows_what_is_there(desk: Context):
    session = desk.session
    session.cursor.select(Selection(Kind.LINE, ("a", "b")))
    session.edits.attempt(lambda script: lines.delete_lines(script, ("b",)))
    assert session.cursor.selection.ids == ("a",)
    session.cursor.select(Selection(Kind.GAP, gap=session.gaps[0]))
    session.edits.attempt(lambda script: regions.draw_silence(script, session.edits.ids, 0, 5_000))
    assert session.cursor.selection.kind is Kind.NOTHING


def test_pins_that_cannot_hold_leave_the_rest_planned(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_start(script, "a", 4_000))
    session.edits.attempt(lambda script: pins.pin_start(script, "b", 5_000))
    outcome = session.current_plan.outcome
    assert {hold.element for hold in outcome.suspended} == {"a", "b"}
    assert {d.element for d in outcome.plan.deliveries} >= {"c", "d", "e"}
    assert {(d.element, d.start) for d in outcome.overlay} == {("a", 4_000), ("b", 5_000)}
    session.undo()
    assert session.current_plan.outcome.suspended == ()


def test_steps_are_in_the_file_at_once_and_come_back_after_a_crash(desk: Context, tmp_path: Path):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    project = session.project
    assert project is not None
    copy = tmp_path / "crashed.adproj"
    copy.write_bytes(project.path.read_bytes())
    with ProjectFile.open(copy) as crashed:
        assert crashed.recoverable
        assert crashed.last_script == session.script
        assert crashed.saved_script == small_script()


def test_going_on_in_another_file_keeps_the_undo_list(desk: Context, tmp_path: Path):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    first = session.project
    assert first is not None
    other = tmp_path / "other.adproj"
    ProjectFile.create(other, session.script, like=first).close()
    session.go_on_in(ProjectFile.open(other))
    assert session.project is not None
    assert session.project.path == other
    assert not session.edits.document.changed
    assert session.undo()
    assert session.script == small_script()
    session.edits.attempt(lambda script: pins.pin_in(script, ("e",)))
    assert session.save()
    session.close_project()
    with ProjectFile.open(other) as again:
        assert again.saved_script.eventuality("e").pin.selected is True
    with ProjectFile.open(tmp_path / "small.adproj") as left:
        assert (left.recoverable, left.saved_script) == (False, small_script())


def test_opening_another_project_forgets_everything_of_the_first(desk: Context, tmp_path: Path):
    session = desk.session
    session.cursor.select_line("a")
    session.cursor.show_playhead(9_000)
    script = replace(small_script(), eventualities=small_script().eventualities[:2])
    session.open_project(ProjectFile.create(tmp_path / "second.adproj", script), RestorePoint.LAST_SAVE)
    assert session.script == script
    assert (session.cursor.selection.kind, session.cursor.playhead, session.edits.document.past) == (
        Kind.NOTHING,
        0,
        (),
    )


def test_engines_can_be_changed(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert session.current_plan.outcome.open
    session.current_plan.use(Engines("exact"))
    assert session.current_plan.outcome.open == ()


def test_an_answer_that_only_proves_the_plan_moves_nothing(desk):
    session, news, proved = desk.session, [], []
    session.current_plan.changed.connect(news.append)
    session.current_plan.proved.connect(lambda: proved.append(session.current_plan.outcome.proof))
    same = replace(session.plan, seconds=1.0)
    proof = Proof(ProofState.CONFIRMED, text="CP-SAT agrees")
    session.current_plan.accept_outcome(replace(session.current_plan.outcome, plan=same, proof=proof))
    assert (news, proved) == ([], [proof])
    assert session.edits.document.plan is same
    other = replace(session.plan, deliveries=session.plan.deliveries[1:])
    session.current_plan.accept_outcome(replace(session.current_plan.outcome, plan=other))
    assert [each.changes.dropped for each in news] == [(same.deliveries[0].element,)]
    assert len(proved) == 1


def test_the_file_is_tidied_when_the_hand_has_rested_and_not_before(desk: Context, monkeypatch, qtbot):
    session, tidied = desk.session, []
    assert session.project is not None
    monkeypatch.setattr(session.project, "tidy", lambda: tidied.append(session.edits.revision))
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    with qtbot.waitSignal(session.idle.became_idle):
        pass
    assert tidied == []
    session.edits.attempt(lambda script: pins.pin_out(script, ("b",)))
    qtbot.waitUntil(lambda: bool(tidied))
    assert tidied == [session.edits.revision]


def test_a_selection_is_taken_up_again_as_far_as_it_is_there(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: lines.delete_lines(script, ("b",)))
    session.cursor.select_again(Selection(Kind.LINE, ("a", "b")))
    assert session.cursor.selection.ids == ("a",)
    session.cursor.select_again(Selection(Kind.LINE, ("b",)))
    assert session.cursor.selection.kind is Kind.NOTHING


def looked_ahead(desk: Context, *out: str) -> Step:
    """A step that holds lines out, planned ahead to the end."""
    session = desk.session
    step = pins.pin_out(session.script, out)
    assert step is not None
    assert session.current_plan.ahead is None
    while session.current_plan.ahead is not step:
        session.current_plan.look_ahead(step)
    return step


def cold(desk: Context) -> Plan:
    return FilmPlanner(desk.session.script, desk.session.gaps).outcome.plan


def test_looking_ahead_shows_nothing_and_the_step_then_shows_its_plan(desk: Context, qtbot):
    session, news, told = desk.session, news_of(desk), list[ChangeEvent]()
    session.current_plan.announced.connect(told.append)
    before, script = session.current_plan.outcome, session.script
    step = looked_ahead(desk, "a")
    assert (session.current_plan.outcome, session.script, news) == (before, script, [])
    assert not session.edits.document.changed
    session.edits.do(step)
    assert session.plan.deliveries == cold(desk).deliveries
    assert [(each.urgent, each.changes.dropped, each.changes.reworded) for each in news] == [(False, ("a",), ("b",))]
    assert told == []
    qtbot.waitUntil(lambda: told == news)
    session.undo()
    assert session.plan.deliveries == before.plan.deliveries
    assert told == news  # the hand is answered at once
    assert all(each.urgent for each in news[1:])


def test_what_was_done_is_told_before_what_comes_after_it(desk: Context):
    session, told = desk.session, list[ChangeEvent]()
    session.current_plan.announced.connect(told.append)
    session.edits.do(looked_ahead(desk, "a"))
    session.edits.attempt(lambda script: pins.pin_out(script, ("c",)))
    assert [each.changes.dropped for each in told] == [("a",), ("c",)]


def test_the_planner_tells_of_what_is_shown_whatever_was_looked_at_ahead(desk: Context):
    session = desk.session
    step = looked_ahead(desk, "a")
    reason = session.current_plan.planner.reason("a")
    assert reason is not None
    assert reason.spoken
    session.edits.do(step)
    assert session.plan.deliveries == cold(desk).deliveries
    reason = session.current_plan.planner.reason("a")
    assert reason is not None
    assert not reason.spoken


@pytest.mark.parametrize("instead", ["edit", "undo", "again"])
def test_another_step_than_the_one_looked_at_ahead_is_planned_as_ever(desk: Context, qtbot, instead: str):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("d",)))
    looked_ahead(desk, "a", "c")
    match instead:
        case "edit":
            session.edits.attempt(lambda script: pins.pin_out(script, ("b",)))
        case "undo":
            session.undo()
        case _:
            session.current_plan.plan_again()
    assert session.current_plan.ahead is None
    assert session.plan.deliveries == cold(desk).deliveries
    assert {d.element for d in session.plan.deliveries} <= {line.id for line in session.script.eventualities}
    qtbot.wait(10)
    assert session.plan.deliveries == cold(desk).deliveries
