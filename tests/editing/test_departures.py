"""Approved lines that the plan has changed, and putting them back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Approval, Eventuality, Pin, Scene, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.editing.departures import Departure, departures, restore, reviewed_scenes
from adstudio.editing.labels import label_of
from adstudio.editing.pins import set_accepted
from adstudio.editing.scenes import set_reviewed
from adstudio.editing.wordings import add_wording, remove_wording, rewrite
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import FilmPlanner


def line(name: str, at: int, *durations: int, salience: float = 0.5, scene: str | None = None) -> Eventuality:
    wordings = tuple(Variant(f"{name} {ms}", duration=ms) for ms in durations)
    return Eventuality(name, wordings, Span(at, at + 1000), round(salience * 1_000_000), scene)


SCENES = (Scene("s1", Span(0, 10_000)), Scene("s2", Span(10_000, 20_000)))
SCRIPT = Script(
    Film("f", 20_000),
    scenes=SCENES,
    eventualities=(
        line("a", 1000, 2000, 1000, scene="s1"),
        line("b", 5000, 2000, scene="s1"),
        line("c", 12_000, 2000, scene="s2"),
    ),
)


def plan(*spoken: tuple[str, int, int]) -> Plan:
    deliveries = tuple(Delivery(name, variant, start, start + 1000) for name, variant, start in spoken)
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


NOW = plan(("a", 0, 1000), ("b", 0, 5000), ("c", 0, 12_000))


def accepted(*names: str, script: Script = SCRIPT) -> Script:
    step = set_accepted(script, names, on=True, plan=NOW)
    assert step is not None
    return step.apply(script)


def reviewed(*names: str) -> Script:
    step = set_reviewed(SCRIPT, names, on=True, plan=NOW)
    assert step is not None
    return step.apply(SCRIPT)


def with_pin(script: Script, name: str, pin: Pin) -> Script:
    return script.with_eventuality(script.eventuality_index[name], replace(script.eventuality(name), pin=pin))


def test_an_accepted_line_remembers_how_it_was_spoken() -> None:
    script = accepted("a", "c")
    assert [each.approval for each in script.eventualities] == [Approval(0, 1000), None, Approval(0, 12_000)]
    assert departures(script, NOW) == ()
    other = plan(("a", 1, 1000), ("c", 0, 12_700))
    assert departures(script, other) == (
        Departure("a", accepted=True, approval=Approval(0, 1000), delivery=other.deliveries[0]),
        Departure("c", accepted=True, approval=Approval(0, 12_000), delivery=other.deliveries[1]),
    )
    assert [each.reworded for each in departures(script, other)] == [True, False]
    assert [each.by for each in departures(script, other)] == [0, 700]
    assert [each.delivery for each in departures(script, plan(("c", 0, 12_199)))] == [None], "0.199 s are no move"


def test_a_line_that_nobody_approved_may_change() -> None:
    assert departures(SCRIPT, plan()) == ()
    withdrawn = set_accepted(accepted("a"), ("a",), on=False)
    assert withdrawn is not None
    assert departures(withdrawn.apply(accepted("a")), plan()) == ()


def test_what_somebody_locked_is_no_departure() -> None:
    script = accepted("a", "b", "c")
    script = with_pin(script, "a", Pin(variant=1))
    script = with_pin(script, "b", Pin(start=7000))
    script = with_pin(script, "c", Pin(selected=False))
    assert departures(script, plan(("a", 1, 1000), ("b", 0, 7000))) == ()
    assert [each.line for each in departures(script, plan(("a", 1, 2000), ("b", 0, 7000)))] == ["a"]


def test_a_reviewed_scene_is_open_again_once_a_line_of_it_has_changed() -> None:
    script = reviewed("s1")
    assert [each.approval is not None for each in script.eventualities] == [True, True, False]
    assert reviewed_scenes(script, departures(script, NOW)) == {"s1"}
    found = departures(script, plan(("a", 0, 1000), ("b", 0, 6000)))
    assert [(each.line, each.accepted, each.scene) for each in found] == [("b", False, "s1")]
    assert reviewed_scenes(script, found) == frozenset()
    assert script.scenes[0].reviewed, "only a person clears it"


def test_reviewing_the_scene_again_approves_it_as_it_is() -> None:
    script, other = reviewed("s1"), plan(("b", 0, 6000))
    step = set_reviewed(script, ("s1",), on=True, plan=other)
    assert step is not None
    assert label_of(step, script) == "Mark scene 00:00:00:00–00:00:10:00 as reviewed"
    again = step.apply(script)
    assert departures(again, other) == ()
    assert again.eventuality("a").approval is None, "approved as left out"
    assert step.inverse().apply(again) == script
    assert set_reviewed(again, ("s1",), on=True, plan=other) is None


def test_an_approval_goes_with_its_wording() -> None:
    script = accepted("a")
    added = add_wording(script, "a", "longer", 0)
    assert added is not None
    script = added.apply(script)
    assert script.eventuality("a").approval == Approval(1, 1000)
    reworded = rewrite(script, "a", 1, "other words")
    assert reworded is not None
    assert reworded.apply(script).eventuality("a").approval == Approval(1, 1000)
    removed = remove_wording(script, "a", 0)
    assert removed is not None
    assert removed.apply(script).eventuality("a").approval == Approval(0, 1000)
    gone = remove_wording(script, "a", 1)
    assert gone is not None
    assert gone.apply(script).eventuality("a").approval is None


def planner_of(script: Script) -> FilmPlanner:
    return FilmPlanner(script, gaps_of(script).gaps)


# One gap of ten seconds, in which a and b are spoken in full, six and four seconds.
TIGHT = Script(
    Film("f", 10_000),
    eventualities=(line("a", 2000, 6000, 3000, salience=0.9), line("b", 7000, 4000, salience=0.5)),
)


def tight() -> Script:
    planner = planner_of(TIGHT)
    assert [(each.element, each.variant) for each in planner.outcome.plan.deliveries] == [("a", 0), ("b", 0)]
    step = set_accepted(TIGHT, ("a", "b"), on=True, plan=planner.outcome.plan)
    assert step is not None
    return step.apply(TIGHT)


def test_lines_are_put_back_as_one_step() -> None:
    script = tight()
    wanted = {each.id: each.approval for each in script.eventualities if each.approval is not None}
    louder = replace(script.eventuality("b"), salience=9_000_000)
    short = replace(louder, variants=(Variant("b", duration=7000), Variant("b 4000", duration=4000)))
    script = script.with_eventuality(1, replace(short, approval=Approval(1, wanted["b"].start)))
    planner = planner_of(script)
    assert {each.line for each in departures(script, planner.outcome.plan)} == {"a", "b"}
    found = restore(script, gaps_of(script).gaps, planner, {"a": wanted["a"], "b": Approval(1, wanted["b"].start)})
    assert (found.restored, found.partly, found.failed) == (("a", "b"), (), ())
    assert found.step is not None
    assert label_of(found.step, script) == "Put 2 lines back as accepted"
    after = found.step.apply(script)
    assert departures(after, planner_of(after).outcome.plan) == ()
    assert found.step.inverse().apply(after) == script


def test_where_there_is_no_room_the_more_salient_goes_back_and_the_other_is_named() -> None:
    # With 88 % of the gap filled there is room for 8.8 s of the 10 s that were accepted.
    script = replace(tight(), settings=Settings(max_share=880_000))
    planner = planner_of(script)
    # a in full is worth 0.9 · 6 = 5.4, b alone 2.0, a in short and b 0.9 · 3 + 0.5 · 4 = 4.7: b is left out.
    assert [each.element for each in planner.outcome.plan.deliveries] == ["a"]
    wanted = {each.id: each.approval for each in script.eventualities if each.approval is not None}
    found = restore(script, gaps_of(script).gaps, planner, {"b": wanted["b"]})
    assert (found.step, found.restored, found.failed) == (None, (), ("b",))


def test_of_very_many_lines_those_without_room_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adstudio.editing.departures.MANY", 0)
    script, planner, wanted = taken_place()
    found = restore(script, gaps_of(script).gaps, planner, wanted)
    assert (found.step, found.restored, found.partly, found.failed) == (None, (), (), ("b",))


def test_a_line_that_was_left_out_is_at_least_spoken_again() -> None:
    script, planner, wanted = taken_place()
    found = restore(script, gaps_of(script).gaps, planner, wanted)
    assert (found.restored, found.partly, found.failed) == ((), ("b",), ())
    assert found.step is not None
    assert found.step.apply(script).eventuality("b").pin == Pin(selected=True, variant=0)


def taken_place() -> tuple[Script, FilmPlanner, dict[str, Approval]]:
    """Where b was accepted, another line is locked; elsewhere there is room for it."""
    script = tight()
    wanted = {each.id: each.approval for each in script.eventualities if each.approval is not None}
    # Nobody accepted a any more, it was put at 4.5 s in short, and b, worth less than nothing, no longer begins at 6 s.
    a = replace(script.eventuality("a"), accepted=False, pin=Pin(selected=True, variant=1, start=4500))
    b = replace(script.eventuality("b"), variants=(Variant("b", duration=2500),), salience=-1, pin=Pin(selected=None))
    script = replace(script, eventualities=(a, b))
    planner = planner_of(script)
    assert [each.element for each in planner.outcome.plan.deliveries] == ["a"]
    return script, planner, {"b": wanted["b"]}
