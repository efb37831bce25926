"""The second opinion: CP-SAT confirms in a process of its own, delivers where there are rules, and never comes late."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on

from adstudio.editing import lines, pins, rules
from adstudio.planning.film import reasons
from adstudio.planning.film.live_plan import ProofState
from adstudio.planning.live.explain import Reason
from adstudio.ui.session.context import Context
from adstudio.ui.session.second_opinion import SecondOpinion


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def opinions(desk: Context):
    made = SecondOpinion(desk.session, desk.jobs, desk.actions)
    yield made
    made.close()


def test_an_edit_is_confirmed(desk: Context, opinions: SecondOpinion, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert session.current_plan.outcome.proof.state is ProofState.EXACT
    plan = session.plan
    qtbot.waitUntil(lambda: session.current_plan.outcome.proof.state is ProofState.CONFIRMED)
    assert session.plan.deliveries == plan.deliveries
    assert len(session.edits.document.past) == 1


def test_with_rules_a_sound_plan_is_shown_at_once_and_the_best_follows(desk: Context, opinions: SecondOpinion, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("a", "c")))
    said = session.plan.by_element
    assert not {"a", "c"} <= set(said)
    qtbot.waitUntil(lambda: session.current_plan.outcome.proof.state is ProofState.IN_PARTS)
    # Without c the first scene is worth 0.9·6 + 0.5·4 = 7.4, without a 0.5·6 + 0.8·3 = 5.4; the second 3.7 anyway.
    assert session.plan.objective == 11_100_000_000
    assert "c" not in session.plan.by_element
    revision = session.edits.revision
    session.undo()
    session.redo()
    assert session.edits.revision == revision
    assert session.plan.objective == 11_100_000_000


def test_newer_edits_are_never_overwritten(desk: Context, opinions: SecondOpinion, qtbot):
    session = desk.session
    for salience in range(1, 12):
        session.edits.attempt(lambda script, s=salience: lines.set_salience(script, ("b",), s * 80_000))
        qtbot.wait(40)
    qtbot.waitUntil(lambda: session.current_plan.outcome.proof.state is ProofState.CONFIRMED)
    assert session.script.eventuality("b").salience == 880_000
    # a in full and b in short: 0.9·6 + 0.88·4 = 8.92; a in short and b in full: 0.9·4 + 0.88·6 = 8.88.
    assert session.plan.objective == 8_920_000_000 + 2_400_000_000 + 2_800_000_000 + 900_000_000


def test_a_process_that_dies_leaves_the_exact_proof(desk: Context, opinions: SecondOpinion, qtbot, monkeypatch):
    monkeypatch.setattr(opinions._client, "command", ["/bin/false"])
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    qtbot.waitUntil(lambda: not session.current_plan.outcome.open)
    assert session.current_plan.outcome.proof.state is ProofState.EXACT


def test_closing_while_it_works_leaves_nothing(desk: Context, opinions: SecondOpinion, qtbot):
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    qtbot.waitUntil(lambda: opinions._client.running)
    opinions.close()
    assert not opinions.working
    assert not opinions._client.running


def test_why_in_a_scene_with_rules_is_known_at_once(desk: Context):
    session = desk.session
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("a", "c")))
    assert session.current_plan.outcome.proof.state is ProofState.IN_PARTS
    found = session.current_plan.planner.reason("c")
    assert found is not None
    # With c, a has to go: 0.5·6 + 0.8·3 = 5.4 in place of 0.9·6 + 0.5·4 = 7.4.
    assert (found.loss, found.displaces, found.open) == (2_000_000_000, ("a",), False)


def test_why_in_a_scene_too_large_for_that_is_asked_of_the_worker(
    desk: Context, opinions: SecondOpinion, qtbot, monkeypatch
):
    monkeypatch.setattr(reasons, "MAX_IMMEDIATE", 0)
    session = desk.session
    told: list[Reason] = []
    session.current_plan.explained.connect(told.append)
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("a", "c")))
    qtbot.waitUntil(lambda: session.current_plan.outcome.proof.state is ProofState.IN_PARTS)
    session.cursor.select_line("c")
    qtbot.waitUntil(lambda: bool(told))
    assert (told[0].element, told[0].loss, told[0].displaces) == ("c", 2_000_000_000, ("a",))
    session.cursor.select_line("a")
    qtbot.waitUntil(lambda: told[-1].element == "a")
    assert told[-1].loss == 2_000_000_000  # without a, b in full and c are the best
    assert not session.edits.document.future


def test_an_answer_that_the_worker_does_not_find_is_said_to_be_missing(
    desk: Context, opinions: SecondOpinion, qtbot, monkeypatch
):
    monkeypatch.setattr(reasons, "MAX_IMMEDIATE", 0)
    session = desk.session
    missing: list[str] = []
    session.current_plan.unexplained.connect(missing.append)
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("a", "c")))
    qtbot.waitUntil(lambda: session.current_plan.outcome.proof.state is ProofState.IN_PARTS)
    monkeypatch.setattr(session.current_plan.planner, "explained", lambda request, plan: None)
    session.cursor.select_line("c")
    qtbot.waitUntil(lambda: missing == ["c"])
