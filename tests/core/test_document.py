"""The document: revisions, undo and redo, what counts as changed, and plans kept beside their revisions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from example_scripts import E1, EVERY_EXAMPLE, SCRIPT, fitting_steps
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.core.document import MAX_REMEMBERED_PLANS, Act, Change, Document, History, HistoryEntry
from adstudio.core.narration import LineVoice, Narrator
from adstudio.core.plan import Plan, Status
from adstudio.core.script import Script
from adstudio.core.steps import Replace, StepError


def note(number: int, script: Script = SCRIPT) -> Replace:
    old = script.eventuality("e1")
    return Replace(old, replace(old, note=str(number)))


def plan(number: int) -> Plan:
    return Plan(Status.OPTIMAL, "exact", objective=number)


class NoLengths:
    """Nothing is known."""

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        return None

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        return None

    def changed_from(self, before: object, narrator: Narrator) -> None:
        return None


def test_undo_stops_at_the_opened_state_however_often_it_is_asked() -> None:
    document = Document(SCRIPT)
    changes: list[Change] = []
    document.subscribe(changes.append)
    assert [document.undo() for _ in range(21)] == [False] * 21
    assert [document.redo() for _ in range(21)] == [False] * 21
    assert document.script is SCRIPT
    assert not document.changed
    document.apply(note(1))
    assert [document.undo() for _ in range(21)] == [True] + [False] * 20
    assert document.script == SCRIPT
    assert [change.act for change in changes] == [Act.DO, Act.UNDO]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_sequence_of_edits_undone_and_redone(data: st.DataObject) -> None:
    document = Document(SCRIPT)
    states: dict[int, Script] = {0: SCRIPT}
    line = [0]  # The revisions from the opened state to the newest that redo can reach.
    place = 0
    for number in range(data.draw(st.integers(1, 12))):
        act = data.draw(st.sampled_from(["do", "do", "undo", "redo", "withdraw", "save"]))
        changed_before, revision_before = document.changed, document.revision
        if act == "do":
            step = data.draw(fitting_steps(document.script, new_id=100 * number))
            document.apply(step)
            assert document.revision not in states
            del line[place + 1 :]
            line.append(document.revision)
            place += 1
            states[document.revision] = document.script
            assert document.changed
        elif act == "undo":
            assert document.undo() is (place > 0)
            place = max(0, place - 1)
        elif act == "withdraw":
            assert document.withdraw() is (place > 0)
            if place > 0:
                place -= 1
                del line[place + 1 :]
        elif act == "redo":
            assert document.redo() is (place + 1 < len(line))
            place = min(len(line) - 1, place + 1)
        else:
            document.mark_saved()
            assert not document.changed
            assert document.revision == revision_before
        if document.revision == revision_before and act != "save":
            assert document.changed is changed_before
        assert document.revision == line[place]
        assert document.script == states[document.revision]
        assert len(document.past) == place
        assert len(document.future) == len(line) - 1 - place
    while document.undo():
        pass
    assert document.script == SCRIPT
    assert document.revision == 0


def test_what_is_withdrawn_has_never_been() -> None:
    document = Document(SCRIPT)
    document.apply(note(1))
    document.apply(note(2, document.script))
    document.undo()
    changes: list[Change] = []
    document.subscribe(changes.append)
    assert document.withdraw()
    assert document.script == SCRIPT
    assert (document.past, document.future) == ((), ())
    assert not document.changed
    assert not document.redo()
    assert not document.withdraw()
    assert changes == [Change(note(1).inverse(), 0, Act.WITHDRAW)]
    document.apply(note(3))
    assert document.revision == 3  # Nor is its number, or that of what could have been redone, used again.


def test_a_revision_is_never_used_twice() -> None:
    document = Document(SCRIPT)
    document.apply(note(1))
    first = document.revision
    document.undo()
    document.apply(note(2))
    assert document.revision not in (0, first)
    assert not document.redo()


def test_changed_means_other_than_saved() -> None:
    document = Document(SCRIPT)
    document.apply(note(1))
    assert document.changed
    document.mark_saved()
    assert not document.changed
    document.undo()
    assert document.changed
    document.redo()
    assert not document.changed
    document.undo()
    document.apply(note(1))
    assert document.changed  # The same content by another way is not the saved state.


def test_listening_never_changes_anything_and_ends_when_asked() -> None:
    document = Document(SCRIPT)
    changes: list[Change] = []
    end = document.subscribe(changes.append)
    step = note(1)
    document.apply(step)
    document.undo()
    document.redo()
    end()
    document.undo()
    assert changes == [Change(step, 1, Act.DO), Change(step.inverse(), 0, Act.UNDO), Change(step, 1, Act.REDO)]


def test_a_plan_belongs_to_its_revision_and_returns_with_undo() -> None:
    document = Document(SCRIPT)
    assert document.plan is None
    assert document.keep_plan(0, plan(0))
    assert not document.changed
    document.apply(note(1))
    assert document.plan is None
    assert document.keep_plan(1, plan(1))
    document.undo()
    assert document.plan == plan(0)
    document.redo()
    assert document.plan == plan(1)
    assert document.past == (note(1),)


def test_a_plan_for_a_revision_that_is_gone_is_dropped() -> None:
    document = Document(SCRIPT)
    document.apply(note(1))
    assert not document.keep_plan(0, plan(0))
    document.undo()
    assert document.plan is None
    assert not document.keep_plan(7, plan(7))


def test_old_plans_go_but_never_the_present_one() -> None:
    document = Document(SCRIPT)
    for number in range(MAX_REMEMBERED_PLANS + 10):
        document.apply(note(number, document.script))
        document.keep_plan(document.revision, plan(number))
    while document.undo():
        pass
    assert document.plan is None
    assert document.keep_plan(0, plan(-1))
    assert document.plan == plan(-1)


def test_a_document_taken_up_again_goes_on_where_it_was() -> None:
    first, second = note(1), note(2, note(1).apply(SCRIPT))
    history = History((HistoryEntry(first, 0, 1),), (HistoryEntry(second, 1, 5),), revision=1, saved=0)
    document = Document(first.apply(SCRIPT), history)
    assert document.changed
    assert document.redo()
    assert document.revision == 5
    assert document.undo()
    assert document.undo()
    assert document.script == SCRIPT
    assert not document.changed
    assert not document.undo()
    document.apply(note(3))
    assert document.revision == 6


def test_many_examples_in_a_row_come_back_one_by_one() -> None:
    document = Document(SCRIPT)
    states = [SCRIPT]
    for step in EVERY_EXAMPLE:
        try:
            document.apply(step)
        except StepError:
            continue
        states.append(document.script)
    assert len(states) > 10
    for state in reversed(states):
        assert document.script == state
        document.undo()


def test_a_document_never_changes_the_script_it_was_given() -> None:
    before = replace(SCRIPT)
    document = Document(SCRIPT)
    for step in [note(1)]:
        document.apply(step)
    assert before == SCRIPT
    assert SCRIPT.eventuality("e1") is E1
    with pytest.raises(AttributeError):
        document.script = SCRIPT  # type: ignore[misc]


def test_looking_ahead_changes_nothing_and_is_what_the_step_then_does() -> None:
    document = Document(SCRIPT)
    changes: list[Change] = []
    document.subscribe(changes.append)
    step = note(1)
    script = document.preview(step)
    assert script.eventuality("e1").note == "1"
    assert (document.script, document.revision, document.past, changes) == (SCRIPT, 0, (), [])
    document.apply(step)
    assert document.script is script
    assert document.undo()
    assert document.script == SCRIPT


def test_what_was_looked_at_ahead_is_forgotten_once_the_script_is_another() -> None:
    document = Document(SCRIPT)
    step = note(1)
    document.preview(step)
    document.apply(note(2))
    with pytest.raises(StepError):
        document.apply(step)
    assert document.script.eventuality("e1").note == "2"
    with pytest.raises(StepError):
        document.preview(step)


def test_other_lengths_are_no_step_and_forget_the_plans_made_on_those_before() -> None:
    document = Document(SCRIPT)
    changes: list[Change] = []
    document.subscribe(changes.append)
    document.apply(note(1))
    document.mark_saved()
    assert document.keep_plan(1, plan(1))
    script, revision, past = document.script, document.revision, document.past
    lengths = NoLengths()
    step = note(2, script)
    document.preview(step)
    document.refresh_lengths(lengths)
    assert (document.revision, document.past, document.changed, len(changes)) == (revision, past, False, 1)
    assert document.script == script
    assert document.script.lengths is lengths
    assert document.plan is None
    document.apply(step)
    assert document.script.lengths is lengths, "what was looked at ahead went by other lengths"
    document.undo()
    document.undo()
    assert document.script.lengths is lengths
    assert document.plan is None
