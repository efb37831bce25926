"""Conflicting pins in the editor, worked out by hand: what is marked, what is shown where, and what is planned."""

from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, HoldConflict, RuleConflict, Status
from adstudio.core.script import Eventuality, Pin, Rules, Scene, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.planning.film.live_plan import FilmPlanner, ProofState

GAPS = (Span(0, 10_000), Span(14_000, 24_000))


def film(rules: Rules | None = None, **pins: Pin) -> Script:
    """Five lines of 2 s (or 1 s), one every 4 s, in one scene."""
    lines = tuple(
        Eventuality(
            name,
            (Variant("", duration=2000), Variant("", duration=1000)),
            Span(n * 4000, n * 4000 + 2000),
            salience=500_000,
            pin=pins.get(name, Pin()),
        )
        for n, name in enumerate("abcde")
    )
    return Script(Film("f", 24_000), scenes=(Scene("s", Span(0, 24_000)),), eventualities=lines, rules=rules or Rules())


def planned(script: Script) -> FilmPlanner:
    return FilmPlanner(script, GAPS)


def test_two_lines_put_at_the_same_time_are_shown_there_and_the_rest_goes_round_them() -> None:
    planner = planned(film(b=Pin(start=5000), c=Pin(start=5500)))
    outcome = planner.outcome
    assert outcome.conflicts == ((HoldConflict("b", "start"), HoldConflict("c", "start")),)
    assert outcome.suspended == (HoldConflict("b", "start"), HoldConflict("c", "start"))
    # The shortest wording is the least that cannot go together.
    assert outcome.overlay == (Delivery("b", 1, 5000, 6000), Delivery("c", 1, 5500, 6500))
    # a to c is text: a stays before b; d and e stay after c.
    spoken = outcome.plan.by_element
    assert set(spoken) == {"a", "d", "e"}
    assert spoken["a"].end <= 5000
    assert spoken["d"].start >= 6500
    assert outcome.plan.status is Status.OPTIMAL
    assert outcome.proof.state is ProofState.EXACT


def test_a_line_that_cannot_hold_takes_no_share_from_a_locked_one() -> None:
    """By hand: a takes the 2 s that may be narrated of the first gap. b is locked between the gaps, where it cannot be.

    Less the pause before b the gap would have 9.5 s, of which 1.9 s may be narrated: then a could not hold either.
    """
    script = film(a=Pin(start=0, variant=0), b=Pin(start=10_500))
    script = replace(script, settings=Settings(min_pause=1_000, max_share=200_000))
    outcome = planned(script).outcome
    assert outcome.conflicts == ((HoldConflict("b", "start"),),)
    assert outcome.overlay == (Delivery("b", 1, 10_500, 11_500),)
    assert outcome.plan.by_element["a"] == Delivery("a", 0, 0, 2000)
    assert outcome.plan.status is Status.OPTIMAL


@pytest.mark.parametrize(("reach", "said"), [(0, {"last"}), (1, {"long", "last"})])
def test_reach_counts_whole_gaps_where_lines_that_cannot_hold_take_part_of_one(reach: int, said: set[str]) -> None:
    """By hand: two lines that clash take the first gap's last two seconds, which is where the action is.

    What is left of the gap no longer overlaps the action; still only the first gap is in reach of 0, and 9 s find no
    room there. With a reach of 1 they are said in the second gap.
    """
    clash = [
        Eventuality(id=name, variants=(Variant("", duration=1500),), occurrence=Span(8000, 10_000), salience=500_000)
        for name in ("one", "other")
    ]
    lines = (
        replace(clash[0], pin=Pin(start=8000)),
        replace(clash[1], pin=Pin(start=8500)),
        Eventuality("long", (Variant("", duration=9000),), occurrence=Span(8500, 9500), salience=900_000),
        Eventuality("last", (Variant("", duration=9000),), occurrence=Span(20_000, 40_000), salience=10_000),
    )
    settings = Settings(delta_max=60_000, reach=reach)
    gaps = (Span(0, 10_000), Span(20_000, 40_000))
    outcome = FilmPlanner(Script(Film("f", 40_000), settings, eventualities=lines), gaps).outcome
    assert {line.element for line in outcome.overlay} == {"one", "other"}
    assert set(outcome.plan.by_element) == said


def test_taking_the_pin_back_gives_the_normal_plan_again() -> None:
    planner = planned(film())
    before = planner.outcome
    assert planner.replan(film(b=Pin(start=5000), c=Pin(start=5500)), GAPS).conflicts
    after = planner.replan(film(), GAPS)
    assert after.conflicts == ()
    assert after.overlay == ()
    assert after.plan.deliveries == before.plan.deliveries


def test_a_line_held_in_between_two_that_leave_no_room() -> None:
    planner = planned(film(a=Pin(start=3000, variant=0), b=Pin(selected=True), c=Pin(start=5500, variant=1)))
    (conflict,) = planner.outcome.conflicts
    # Shortest wordings: a takes 2 s, so until 5.0 s; b needs 1 s, and c begins at 5.5 s.
    assert HoldConflict("b", "selected") in conflict
    assert {cause.element for cause in conflict if isinstance(cause, HoldConflict)} == {"a", "b", "c"}
    assert [d.element for d in planner.outcome.overlay] == ["a", "c"]
    assert "b" not in planner.outcome.plan.by_element


def test_a_start_over_dialogue_without_override() -> None:
    planner = planned(film(c=Pin(start=11_000)))
    assert planner.outcome.conflicts == ((HoldConflict("c", "start"),),)
    assert planner.outcome.overlay == (Delivery("c", 1, 11_000, 12_000),)
    assert set(planner.outcome.plan.by_element) == {"a", "b", "d", "e"}
    held = planner.replan(film(c=Pin(start=11_000, override=True)), GAPS)
    assert held.conflicts == ()
    assert held.plan.by_element["c"] == Delivery("c", 0, 11_000, 13_000)


def test_a_line_that_must_be_said_where_a_clash_is_shown_is_said_all_the_same() -> None:
    """d has to be said and can only be said from 14 to 15 s, which b and c, far from home, both hold."""
    script = film(b=Pin(start=14_000, override=True), c=Pin(start=14_500, override=True))
    lines = list(script.eventualities)
    lines[3] = replace(lines[3], pin=Pin(selected=True, variant=1), within=Span(14_000, 15_000))
    outcome = planned(replace(script, eventualities=tuple(lines))).outcome
    assert len(outcome.conflicts) >= 1
    assert outcome.plan.status is Status.OPTIMAL
    apart = {d.element for d in outcome.overlay}
    assert "d" in outcome.plan.by_element or HoldConflict("d", "selected") in outcome.suspended
    for delivery in outcome.plan.deliveries:
        if delivery.element != "d":
            for other in outcome.overlay:
                assert delivery.end <= other.start or other.end <= delivery.start
    assert apart <= {"b", "c"}


def test_rivals_both_held_in() -> None:
    rules = Rules(alternatives=(("a", "b"),))
    outcome = planned(film(rules, a=Pin(selected=True), b=Pin(selected=True))).outcome
    (conflict,) = outcome.conflicts
    assert set(conflict) == {
        HoldConflict("a", "selected"),
        HoldConflict("b", "selected"),
        RuleConflict("alternatives", ("a", "b")),
    }
    assert len({"a", "b"} & set(outcome.plan.by_element)) <= 1


def test_what_a_rule_needs_is_held_out() -> None:
    rules = Rules(requires=(("a", "b"),), together=(("c", "d"),))
    outcome = planned(film(rules, a=Pin(start=0), b=Pin(selected=False))).outcome
    (conflict,) = outcome.conflicts
    assert set(conflict) == {
        HoldConflict("a", "start"),
        HoldConflict("b", "selected"),
        RuleConflict("requires", ("a", "b")),
    }
    # a is shown as it was put; b stays out, as the describer wants it; c and d are still said together.
    assert [d.element for d in outcome.overlay] == ["a"]
    assert "b" not in outcome.plan.by_element
    assert len({"c", "d"} & set(outcome.plan.by_element)) in (0, 2)


def test_more_held_than_a_share_allows() -> None:
    """Half of 10 s may be narrated: three lines of 2 s held in with their full wordings are too much."""
    pins = {name: Pin(selected=True, variant=0) for name in "abc"}
    lines = film(**pins).eventualities
    script = replace(
        film(),
        eventualities=tuple(replace(e, within=Span(0, 10_000)) for e in lines[:3]) + lines[3:],
        settings=Settings(max_share=500_000),
    )
    outcome = planned(script).outcome
    assert outcome.conflicts
    in_first_gap = sum(d.end - d.start for d in outcome.plan.deliveries if d.end <= 10_000)
    assert in_first_gap <= 5000


@pytest.mark.parametrize(
    "pin",
    [
        Pin(variant=7),
        Pin(selected=True, variant=7),
        Pin(selected=False, start=3000),
        Pin(override=True),
        Pin(selected=False, start=3000, override=True, variant=9),
        Pin(start=0, override=True),
        Pin(start=10**9, override=True),
        Pin(start=10**9),
    ],
)
def test_pins_that_mean_nothing_do_no_harm(pin: Pin) -> None:
    for rules in (None, Rules(requires=(("a", "c"),), alternatives=(("b", "c"),))):
        planner = planned(film(rules))
        outcome = planner.replan(film(rules, c=pin), GAPS)
        assert outcome.plan.objective is not None
        assert all(planner.reason(line.id) is not None for line in film().eventualities)


def test_an_empty_film_and_lines_without_time() -> None:
    empty = Script(Film("", 0))
    planner = FilmPlanner(empty, ())
    assert planner.outcome.plan.deliveries == ()
    assert planner.replan(film(), GAPS).plan.deliveries
    still = Eventuality("x", (Variant("", duration=0),), Span(0, 0), salience=1)
    timeless = Eventuality("y", (Variant("", duration=0),))
    lines = (still, replace(timeless, pin=Pin(selected=True)), replace(timeless, id="z", pin=Pin(start=0)))
    outcome = planner.replan(replace(film(), eventualities=lines), (Span(0, 1),))
    assert {cause.element for cause in outcome.suspended if isinstance(cause, HoldConflict)} == {"y", "z"}
    assert planner.replan(empty, ()).plan.deliveries == ()
    assert planner.replan(replace(film(), settings=Settings(max_share=0)), GAPS).plan.objective == 0
