"""Every step class: do, undo, redo, undo, redo with whole documents compared; ill-fitting steps change nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from example_scripts import E1, E2, EXAMPLES, ILL_FITTING, SCRIPT, STEP_CLASSES
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.document import Document
from adstudio.core.script import Cue, Eventuality, Rules, Silence, Variant
from adstudio.core.steps import Insert, Move, Remove, Replace, SetRules, Several, Step, StepError, touched_items
from adstudio.core.timebase import Span


def examples(table: dict[type[Step], list[Step]]) -> list[Step]:
    # KeyError, and so a failing test, for a step class that nobody has written an example for.
    return [step for step_class in STEP_CLASSES for step in table[step_class]]


def test_there_is_an_example_of_every_step_class_and_of_its_misfits() -> None:
    for table in (EXAMPLES, ILL_FITTING):
        assert set(table) == set(STEP_CLASSES)
        assert all(steps and all(type(step) is kind for step in steps) for kind, steps in table.items())


@pytest.mark.parametrize("step", examples(EXAMPLES), ids=lambda step: f"{type(step).__name__}")
def test_do_undo_redo_undo_redo(step: Step) -> None:
    document = Document(SCRIPT)
    document.apply(step)
    done = document.script
    assert step.inverse().inverse() == step
    for _ in range(2):
        assert document.undo()
        assert document.script == SCRIPT
        assert document.redo()
        assert document.script == done
    assert document.past == (step,)


@pytest.mark.parametrize("step", examples(EXAMPLES), ids=lambda step: f"{type(step).__name__}")
def test_a_step_changes_what_it_says(step: Step) -> None:
    nothing = step in EXAMPLES[type(step)] and (
        (isinstance(step, Move) and step.old_before == step.new_before)
        or getattr(step, "label", "") in ("Nothing", "Nested")
    )
    assert (step.apply(SCRIPT) == SCRIPT) is nothing


@pytest.mark.parametrize("step", examples(ILL_FITTING), ids=lambda step: f"{type(step).__name__}")
def test_a_step_that_does_not_fit_changes_nothing(step: Step) -> None:
    document = Document(SCRIPT)
    changes: list[object] = []
    document.subscribe(changes.append)
    with pytest.raises(StepError):
        document.apply(step)
    assert document.script is SCRIPT
    assert document.revision == 0
    assert document.past == document.future == ()
    assert changes == []


@given(st.data())
def test_lines_that_come_and_go_together_do_what_each_would_do_alone(data: st.DataObject) -> None:
    """Whatever the order, and where one does not fit both refuse."""
    ids = [line.id for line in SCRIPT.eventualities] + ["n1", "n2", "n3"]
    places = st.sampled_from([*ids, None, "nobody"])
    items = {line.id: line for line in SCRIPT.eventualities}
    news = {name: Eventuality(name, (Variant(name),)) for name in ids}
    script, steps = SCRIPT, list[Step]()
    for _ in range(data.draw(st.integers(2, 8))):
        order = [line.id for line in script.eventualities]
        name, before = data.draw(st.sampled_from(ids)), data.draw(places)
        if data.draw(st.booleans()) and name in order:  # mostly steps that fit
            following = order[order.index(name) + 1 :]
            steps.append(Remove(items.get(name, news[name]), next(iter(following), None)))
        elif data.draw(st.booleans()):
            steps.append(Remove(items.get(name, news[name]), before))
        else:
            steps.append(Insert(items.get(name, news[name]), before))
        try:
            script = steps[-1].apply(script)
        except StepError:
            with pytest.raises(StepError):
                Several("All", tuple(steps)).apply(SCRIPT)
            return
    assert Several("All", tuple(steps)).apply(SCRIPT) == script
    assert Several("All", tuple(steps)).inverse().apply(script) == SCRIPT


def test_an_item_cannot_become_another_one() -> None:
    for old, new in [(E1, E2), (Cue("e1", 0, 1, ""), E1)]:
        with pytest.raises(StepError):
            Replace(old, new)


def test_an_item_cannot_move_before_itself() -> None:
    for step in [lambda: Move(E1, "e1", None), lambda: Move(E1, None, "e1")]:
        with pytest.raises(StepError):
            step()


def test_worked_out_positions() -> None:
    new = Eventuality("n", (Variant("New."),))

    def order(*steps: Step) -> list[str]:
        script = SCRIPT
        for step in steps:
            script = step.apply(script)
        return [e.id for e in script.eventualities]

    assert order(Insert(new, "e2")) == ["e1", "n", "e2", "e3"]
    assert order(Insert(new)) == ["e1", "e2", "e3", "n"]
    assert order(Move(E1, "e2", "e3")) == ["e2", "e1", "e3"]
    assert order(Move(E1, "e2", None)) == ["e2", "e3", "e1"]
    assert order(Move(E2, "e3", "e1")) == ["e2", "e1", "e3"]


def test_what_changed_is_named_for_the_undo_list() -> None:
    from dataclasses import replace

    assert Replace(E1, replace(E1, note="", seen=False)).changed == ("seen", "note")
    assert Replace(E1, E1).changed == ()


@pytest.mark.parametrize("step", examples(EXAMPLES), ids=lambda step: f"{type(step).__name__}")
def test_the_index_is_right_after_every_step(step: Step) -> None:
    before = SCRIPT.with_changes()
    assert before.eventuality_index
    after = step.apply(before)
    assert after.eventuality_index == {e.id: place for place, e in enumerate(after.eventualities)}


def test_the_index_is_reused_when_only_one_changes() -> None:
    before = SCRIPT.with_changes()
    index = before.eventuality_index
    assert Replace(E1, replace(E1, salience=1)).apply(before).eventuality_index is index


def test_touched_items_come_by_type_and_id() -> None:
    line, silence = Eventuality("e1", (Variant("One"),)), Silence("q1", Span(0, 1000))
    step = Several(
        "Two", (Insert(line, None), SetRules(Rules(), Rules()), Remove(silence, None), Move(line, None, "e2"))
    )
    assert list(touched_items(step)) == [(Eventuality, "e1"), (Silence, "q1"), (Eventuality, "e1")]
    assert set(touched_items(step.inverse())) == set(touched_items(step))
