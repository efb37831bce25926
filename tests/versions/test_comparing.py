"""Comparing two versions of a script: each line once, with what is different about it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Origin, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.store.version_rows import VersionContent
from adstudio.versions.comparing import ComparedLine, LineChange, LineState, compare, counts, reordered
from adstudio.versions.descriptions import change_words, marked_words, spoken_words, summary
from adstudio.versions.word_changes import MAX_WORDS, In, word_changes

E1, E2, E3, E4 = SCRIPT.eventualities


def plan(*deliveries: Delivery) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


PLAN = plan(Delivery("e1", 0, 1000, 3700), Delivery("e2", 0, 5000, 5600), Delivery("e4", 0, 32_000, 32_900))
OLD = VersionContent(SCRIPT, PLAN)


def with_lines(*lines: Eventuality, plan: Plan | None = PLAN) -> VersionContent:
    return VersionContent(replace(SCRIPT, eventualities=lines), plan)


def compared(new: VersionContent, old: VersionContent = OLD) -> dict[str, ComparedLine]:
    return {line.id: line for line in compare(old, new)}


def test_a_script_is_the_same_as_itself() -> None:
    lines = compare(OLD, OLD)
    assert [line.id for line in lines] == ["e1", "e2", "e3", "e4"]
    assert all(line.changes == () and line.old == line.new for line in lines)
    assert summary(lines) == "4 the same"
    assert lines[1].old == LineState("Tom waits.", Origin.MACHINE, spoken=True, start=5000, end=5600, accepted=True)
    assert lines[2].old == LineState("Rain.", Origin.MACHINE, spoken=False, start=None, end=None, accepted=False)


def test_a_line_that_a_person_reworded_says_so_word_by_word() -> None:
    line = compared(with_lines(E1, replace(E2, variants=(Variant("Tom still sits."),), origin=Origin.HUMAN), E3, E4))[
        "e2"
    ]
    assert line.changes == (LineChange.REWORDED, LineChange.DETAILS)
    assert line.details == ("origin",)
    assert (line.old and line.old.origin, line.new and line.new.origin) == (Origin.MACHINE, Origin.HUMAN)
    assert marked_words(line.words) == "Tom [-waits.-] {+still sits.+}"
    assert change_words(line) == "reworded, author"


def test_a_shorter_wording_that_the_plan_chose_is_another_wording() -> None:
    line = compared(with_lines(E1, E2, E3, E4, plan=plan(Delivery("e1", 1, 1000, 1900), *PLAN.deliveries[1:])))["e1"]
    assert line.changes == (LineChange.REWORDED, LineChange.MOVED)
    assert line.details == ()
    assert line.new is not None
    assert line.new.text == "She parks. She unmasks."


@pytest.mark.parametrize(("by", "moved"), [(39, False), (40, True), (-40, True), (0, False)])
def test_a_line_has_moved_by_a_frame_or_more(by: int, moved: bool) -> None:
    at = 5000 + by
    new = plan(PLAN.deliveries[0], Delivery("e2", 0, at, at + 600), PLAN.deliveries[2])
    assert SCRIPT.film.frame_rate.rate == 25
    assert compared(VersionContent(SCRIPT, new))["e2"].changes == ((LineChange.MOVED,) if moved else ())


def test_lines_that_came_and_went_are_where_they_are_and_were() -> None:
    new = Eventuality("n1", (Variant("New."),), Span(7000, 8000), origin=Origin.HUMAN)
    lines = compare(OLD, with_lines(E2, new, E4))
    assert [(line.id, line.changes) for line in lines] == [
        ("e1", (LineChange.GONE,)),
        ("e2", ()),
        ("e3", (LineChange.GONE,)),
        ("n1", (LineChange.ADDED,)),
        ("e4", ()),
    ]
    assert lines[0].new is None
    assert lines[3].old is None
    assert marked_words(lines[0].words) == "[-She parks her motorbike. She pulls off her helmet.-]"
    assert summary(lines) == "1 added, 2 gone, 2 the same"


def test_what_the_plan_leaves_out_and_brings_in_is_a_change() -> None:
    without = plan(*PLAN.deliveries[1:])
    assert compared(VersionContent(SCRIPT, without))["e1"].changes == (LineChange.LEFT_OUT,)
    assert compared(OLD, VersionContent(SCRIPT, without))["e1"].changes == (LineChange.BROUGHT_IN,)
    assert compared(OLD, VersionContent(SCRIPT, None))["e1"].changes == (LineChange.BROUGHT_IN,)


def test_a_line_that_holds_the_picture_is_spoken() -> None:
    line = compared(with_lines(replace(E1, extended=True), E2, E3, E4, plan=plan(*PLAN.deliveries[1:])))["e1"]
    assert line.new is not None
    assert (line.new.spoken, line.new.start) == (True, 0)
    assert line.changes == (LineChange.MOVED, LineChange.DETAILS)
    assert line.details == ("extended",)


def test_other_changes_of_a_line_are_named() -> None:
    changed = replace(E2, note="", pin=Pin(selected=True), seen=True, worked=True)
    line = compared(with_lines(E1, changed, E3, E4))["e2"]
    assert (line.changes, line.details) == ((LineChange.DETAILS,), ("pin", "note"))
    assert change_words(line) == "locks, note"


def test_the_fewest_lines_count_as_moved() -> None:
    lines = {line.id: line.changes for line in compare(OLD, with_lines(E2, E3, E4, E1))}
    assert lines == {"e2": (), "e3": (), "e4": (), "e1": (LineChange.MOVED,)}


def test_a_plan_of_another_script_does_no_harm() -> None:
    strange = plan(Delivery("none", 0, 0, 5), Delivery("e1", 7, 0, 5))
    assert compared(VersionContent(SCRIPT, strange))["e1"].changes == (LineChange.LEFT_OUT,)


def scripts(ids: list[int]) -> Script:
    return replace(SCRIPT, eventualities=tuple(Eventuality(f"n{i}", (Variant(f"Line {i}."),)) for i in ids))


orders = st.lists(st.integers(0, 12), unique=True)


@given(orders, orders)
def test_each_line_is_there_once_in_the_newer_order(before: list[int], after: list[int]) -> None:
    old, new = scripts(before), scripts(after)
    lines = compare(VersionContent(old, None), VersionContent(new, None))
    assert sorted(line.id for line in lines) == sorted({f"n{i}" for i in (*before, *after)})
    assert [line.id for line in lines if line.new] == [line.id for line in new.eventualities]
    moved = reordered(old, new)
    rest = [line.id for line in old.eventualities if line.id in new.eventuality_index and line.id not in moved]
    assert rest == [line.id for line in new.eventualities if line.id in rest]
    assert sum(counts(lines).values()) == len(lines)


@given(st.text(alphabet="ab ", max_size=60), st.text(alphabet="ab ", max_size=60))
def test_the_words_of_both_texts_can_be_read_off_their_difference(old: str, new: str) -> None:
    pieces = word_changes(old, new)
    assert " ".join(text for text, where in pieces if where is not In.NEW) == " ".join(old.split())
    assert " ".join(text for text, where in pieces if where is not In.OLD) == " ".join(new.split())


def test_very_long_texts_are_compared_as_wholes() -> None:
    old, new = "a " * (MAX_WORDS + 1), "a " * MAX_WORDS
    assert [where for _, where in word_changes(old, new)] == [In.OLD, In.NEW]
    assert [where for _, where in word_changes(old, old)] == [In.BOTH]


def test_a_difference_can_be_read_out() -> None:
    pieces = word_changes("a big black dog", "a brown dog barks")
    assert spoken_words(pieces) == "“big black” replaced by “brown”; “barks” inserted"
    assert spoken_words(word_changes("a big dog", "a dog")) == "“big” deleted"
