"""Taking a line back from a version: one step that undo takes back, whatever became of the line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, done
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.document import Document
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Origin, Penalty, Pin, Rules, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused
from adstudio.editing.lines import delete_lines, move_lines
from adstudio.store.version_rows import VersionContent
from adstudio.versions.comparing import DETAILS, compare
from adstudio.versions.descriptions import taken_back
from adstudio.versions.taking_back import take_back

E1, E2, E3, E4 = SCRIPT.eventualities
PLAN = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 1, 1000, 1900), Delivery("e2", 0, 5000, 5600)))
VERSION = VersionContent(SCRIPT, PLAN)
SPOKEN = VersionContent(SCRIPT, replace(PLAN, deliveries=(*PLAN.deliveries, Delivery("e3", 0, 9000, 9500))))
"""The script with a plan that speaks a line more."""


def same(line: str, script, version: VersionContent = VERSION) -> None:
    found, wanted = script.eventuality(line), version.script.eventuality(line)
    assert all(getattr(found, name) == getattr(wanted, name) for name in DETAILS)


def now(script: Script) -> VersionContent:
    """The current script, with a plan that speaks nothing."""
    return VersionContent(script, Plan(Status.OPTIMAL, "exact"))


def test_a_reworded_line_is_as_it_was() -> None:
    reworded = replace(E2, variants=(Variant("Tom sits."),), origin=Origin.HUMAN, note="", accepted=False, scene="s2")
    script = replace(SCRIPT, eventualities=(E1, reworded, E3, E4))
    step = take_back(now(script), VERSION, "e2")
    after = done(step, script)
    same("e2", after)
    assert step.label == "Take “Tom waits” back"
    line = after.eventuality("e2")
    assert (line.scene, line.worked, line.pin) == ("s2", True, Pin())
    with pytest.raises(EditRefused, match="added later"):
        take_back(now(script), VersionContent(replace(SCRIPT, eventualities=(E1,)), None), "e2")


def test_a_line_that_only_the_plan_changed_is_locked_as_it_was_spoken() -> None:
    after = done(take_back(now(SCRIPT), VERSION, "e1"), SCRIPT)
    assert after.eventuality("e1").pin == Pin(selected=True, variant=1, start=1000)
    after = done(take_back(SPOKEN, VERSION, "e3"), SCRIPT)
    assert after.eventuality("e3").pin == Pin(selected=False)
    with pytest.raises(EditRefused, match="as it was"):
        take_back(now(after), VERSION, "e3")
    with pytest.raises(EditRefused, match="as it was"):
        take_back(now(SCRIPT), VersionContent(SCRIPT, None), "e1")


def test_a_line_that_is_spoken_as_it_was_is_not_locked_unasked() -> None:
    for line in ("e1", "e3"):
        with pytest.raises(EditRefused, match="as it was"):
            take_back(VERSION, VERSION, line)
    after = done(take_back(VERSION, VERSION, "e1", locked=True), SCRIPT)
    assert after.eventuality("e1").pin == Pin(selected=True, variant=1, start=1000)


@pytest.mark.parametrize(
    ("line", "pin", "delivery", "sentence"),
    [
        ("e1", Pin(), Delivery("e1", 1, 2000, 2900), ", and is spoken at 00:00:02:00"),
        ("e1", Pin(), Delivery("e1", 0, 2000, 2900), ", and is spoken at 00:00:02:00 in another wording"),
        ("e1", Pin(start=2000), Delivery("e1", 1, 2000, 2900), ", locked, and is spoken at 00:00:02:00"),
        ("e1", Pin(), None, ", and is not spoken: there is no room, or other lines are worth more"),
        ("e3", Pin(), Delivery("e3", 0, 9000, 9500), ", and is spoken at 00:00:09:00"),
        ("e3", Pin(selected=False), None, ", locked out, and is not spoken"),
    ],
)
def test_what_became_of_a_line_is_said(line: str, pin: Pin, delivery: Delivery | None, sentence: str) -> None:
    place = SCRIPT.eventuality_index[line]
    script = SCRIPT.with_eventuality(place, replace(SCRIPT.eventualities[place], pin=pin))
    plan = replace(PLAN, deliveries=() if delivery is None else (delivery,))
    assert taken_back(VersionContent(script, plan), VERSION, line, "First") == f"is as in “First”{sentence}"


def test_a_line_can_be_locked_as_it_was_spoken_at_once() -> None:
    script = replace(SCRIPT, eventualities=(replace(E1, variants=(Variant("She comes."),)), E2, E3, E4))
    line = done(take_back(now(script), VERSION, "e1", locked=True), script).eventuality("e1")
    assert (line.variants, line.pin) == (E1.variants, Pin(selected=True, variant=1, start=1000))


def test_a_line_that_is_gone_comes_back_where_it_was_with_its_rules() -> None:
    rules = Rules(
        alternatives=(("e1", "e2", "e3"),), requires=(("e2", "e3"),), together=(("e1", "e2"),),
        penalties=(Penalty("e2", "e1", 5), Penalty("e1", "e3", 5)),
    )  # fmt: skip
    version = VersionContent(replace(SCRIPT, rules=rules), PLAN)
    script = done(delete_lines(version.script, ("e2",)), version.script)
    assert script.rules == Rules(alternatives=(("e1", "e3"),), penalties=(Penalty("e1", "e3", 5),))
    after = done(take_back(now(script), version, "e2"), script)
    assert [line.id for line in after.eventualities] == ["e1", "e2", "e3", "e4"]
    same("e2", after)
    assert after.rules.alternatives == rules.alternatives
    assert (after.rules.requires, after.rules.together) == (rules.requires, rules.together)
    assert set(after.rules.penalties) == set(rules.penalties)
    without = done(delete_lines(script, ("e1",)), script)
    back = done(take_back(now(without), version, "e2"), without)
    assert back.rules == Rules(alternatives=(("e2", "e3"),), requires=(("e2", "e3"),))


def test_a_line_that_was_moved_goes_back_to_its_place() -> None:
    script = done(move_lines(SCRIPT, ("e1",), None), SCRIPT)
    after = done(take_back(now(script), VERSION, "e1"), script)
    assert [line.id for line in after.eventualities] == ["e1", "e2", "e3", "e4"]
    same("e1", after)


def test_a_line_comes_back_into_a_film_of_other_scenes_and_another_length() -> None:
    old = replace(E4, pin=Pin(selected=True, start=33_000), within=Span(31_000, 40_000))
    version = VersionContent(replace(SCRIPT, eventualities=(E1, E2, E3, old)), PLAN)
    film = replace(SCRIPT.film, end=31_500)
    script = replace(SCRIPT, film=film, scenes=(Scene("t1", Span(0, 60_000)),), eventualities=(E1,))
    line = done(take_back(now(script), version, "e4"), script).eventuality("e4")
    assert (line.scene, line.occurrence) == ("t1", Span(31_500, 31_500))
    assert (line.within, line.pin) == (Span(31_000, 31_500), Pin(selected=True))


@given(st.lists(st.sampled_from(["delete", "reword", "move", "back"]), max_size=8), st.randoms())
def test_all_lines_taken_back_make_the_version_again(acts: list[str], chance) -> None:
    document = Document(SCRIPT)
    for act in acts:
        lines = [line.id for line in document.script.eventualities]
        line = chance.choice(lines) if lines else None
        if line is None:
            break
        if act == "delete":
            document.apply(delete_lines(document.script, (line,)))
        elif act == "move" and (step := move_lines(document.script, (line,), chance.choice([*lines, None]))):
            document.apply(step)
    version = VersionContent(SCRIPT, None)
    for compared in compare(version, VersionContent(document.script, None)):
        before = document.script
        try:
            document.apply(take_back(now(before), version, compared.id))
        except EditRefused:
            continue
        after = document.script
        document.undo()
        assert document.script == before
        document.redo()
        assert document.script == after
    assert [line.id for line in document.script.eventualities] == [line.id for line in SCRIPT.eventualities]
    for line in SCRIPT.eventualities:
        same(line.id, document.script)
