"""Which fusions hold, what they are worth, and the script that a plan with them speaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from example_scripts import SCRIPT

from adstudio.core.film import Film
from adstudio.core.fusions import as_spoken, line_of, salience_of, usable_fusions, wording_of
from adstudio.core.narration import LineVoice, Take
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Approval, Eventuality, Fusion, Pin, Script, Variant
from adstudio.core.steps import Insert, Move, Remove, Replace, Step
from adstudio.core.timebase import Span


def line(name: str, text: str, start: int, salience: int, length: int) -> Eventuality:
    return Eventuality(name, (Variant(text, duration=length),), Span(start, start + 1000), salience, scene="s")


PARKS = line("a", "She parks.", 0, 500_000, 1000)
CROSSES = line("b", "She crosses the road.", 2000, 250_000, 2000)
ENTERS = line("c", "She enters a shop.", 5000, 400_000, 1500)
BOTH = Fusion(
    "f",
    ("a", "b"),
    (Variant("She parks and crosses the road.", duration=2500), Variant("She parks and crosses.", duration=2000)),
    ("She parks.", "She crosses the road."),
)
THREE = Fusion(
    "g",
    ("a", "b", "c"),
    (Variant("She parks, crosses the road and enters a shop.", duration=4000),),
    ("She parks.", "She crosses the road.", "She enters a shop."),
)
FILM = Script(Film("Shop", 20_000), eventualities=(PARKS, CROSSES, ENTERS), fusions=(THREE, BOTH))


@pytest.mark.parametrize(
    ("members", "variants", "texts"),
    [
        (("a",), BOTH.variants, ("x",)),
        (("a", "b", "c", "d"), BOTH.variants, ("x",) * 4),
        (("a", "a"), BOTH.variants, ("x", "x")),
        (("a", "f"), BOTH.variants, ("x", "x")),
        (("a", "b"), (), ("x", "x")),
        (("a", "b"), BOTH.variants, ("x",)),
    ],
)
def test_a_fusion_is_of_two_or_three_lines_and_has_a_wording(
    members: tuple[str, ...], variants: tuple[Variant, ...], texts: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match="fusion f"):
        Fusion("f", members, variants, texts)


def test_fusions_hold_as_they_were_made() -> None:
    assert usable_fusions(FILM) == (THREE, BOTH)
    assert usable_fusions(SCRIPT) == ()


TAKE = Take("t", "0f" * 32, 900, "She crosses the road.")
OFFICE = Eventuality("x", (Variant("An office."),), Span(1000, 1500), 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda e: replace(e, variants=(Variant("She crosses the street.", duration=2000),)),
        lambda e: replace(e, pin=Pin(selected=False)),
        lambda e: replace(e, pin=Pin(variant=0)),
        lambda e: replace(e, pin=Pin(start=100)),
        lambda e: replace(e, pin=Pin(start=100, override=True)),
        lambda e: replace(e, joined=True),
        lambda e: replace(e, extended=True),
        lambda e: replace(e, accepted=True, approval=Approval(0, 100)),
        lambda e: replace(e, voice=LineVoice("other")),
        lambda e: replace(e, duck=90),
        lambda e: replace(e, scene="t"),
        lambda e: replace(e, occurrence=None),
        lambda e: replace(e, salience=None),
        lambda e: replace(e, variants=(replace(e.variants[0], takes=(TAKE,)),)),
    ],
)
def test_what_a_describer_does_to_a_member_ends_its_fusions(change: Callable[[Eventuality], Eventuality]) -> None:
    step = Replace(CROSSES, change(CROSSES))
    changed = step.apply(FILM)
    assert usable_fusions(changed) == ()
    assert usable_fusions(step.inverse().apply(changed)) == (THREE, BOTH)


@pytest.mark.parametrize(
    ("step", "holding"),
    [
        (Insert(OFFICE, "b"), ()),
        (Insert(OFFICE, "c"), (BOTH,)),
        (Remove(PARKS, "b"), ()),
        (Remove(ENTERS), (BOTH,)),
        (Move(PARKS, "b", "c"), ()),
        (Replace(ENTERS, replace(ENTERS, pin=Pin(selected=False))), (BOTH,)),
        (Replace(ENTERS, replace(ENTERS, joined=True)), ()),
        (Replace(PARKS, replace(PARKS, within=Span(0, 9000))), (THREE, BOTH)),
        (Replace(PARKS, replace(PARKS, pin=Pin(selected=True), note="check", seen=True)), (THREE, BOTH)),
        (Insert(replace(OFFICE, id="f")), (THREE,)),
    ],
)
def test_a_fusion_holds_for_neighbours(step: Step, holding: tuple[Fusion, ...]) -> None:
    assert usable_fusions(step.apply(FILM)) == holding


def test_saying_all_of_a_fusion_counts_as_saying_each_member_in_full() -> None:
    # .5 · 1000 + .25 · 2000 = 1000 over 2500 ms; .5 · 1000 + .25 · 2000 + .4 · 1500 = 1600 over 4000 ms.
    # A millionth more: of two plans that say the same, the one in one breath is better.
    assert (salience_of(FILM, BOTH), salience_of(FILM, THREE)) == (400_001, 400_001)
    silent = replace(BOTH, variants=(Variant("", duration=0),))
    assert salience_of(FILM, silent) == 0


def test_a_fusion_as_a_line() -> None:
    noted = Replace(CROSSES, replace(CROSSES, pin=Pin(selected=True), note="which road?", seen=True)).apply(FILM)
    bounded = noted.with_eventuality(0, replace(PARKS, within=Span(0, 4000)))
    bounds = bounded.with_eventuality(1, replace(noted.eventualities[1], within=Span(2000, 9000)))
    assert (line_of(bounded, BOTH).within, line_of(bounds, BOTH).within) == (Span(0, 4000), Span(2000, 4000))
    fused = line_of(noted, BOTH)
    assert fused.within is None
    assert (fused.id, fused.variants, fused.occurrence) == ("f", BOTH.variants, Span(0, 3000))
    assert (fused.salience, fused.pin, fused.note, fused.seen) == (400_001, Pin(selected=True), "which road?", False)


def plan_of(*deliveries: Delivery) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


def test_a_plan_knows_the_deliveries_of_members() -> None:
    fused, alone = Delivery("f", 1, 100, 2100, members=("a", "b")), Delivery("c", 0, 5000, 6500)
    plan = plan_of(fused, alone)
    assert plan.by_element == {"f": fused, "c": alone}
    in_full = replace(fused, variant=0)
    assert plan.by_line == {"a": in_full, "b": in_full, "c": alone}
    assert [plan.spoken_as(name) for name in ("a", "b", "c", "f", "x")] == [fused, fused, alone, None, None]
    assert (fused.lines, alone.lines) == (("a", "b"), ("c",))
    assert (fused.line, alone.line) == ("a", "c")
    assert plan_of(alone).by_line == {"c": alone}


def test_the_script_as_spoken_has_one_line_for_a_fusion() -> None:
    plan = plan_of(Delivery("f", 1, 100, 2100, members=("a", "b")), Delivery("c", 0, 5000, 6500))
    spoken = as_spoken(FILM, plan)
    assert spoken.eventualities == (line_of(FILM, BOTH), ENTERS)
    assert spoken.fusions == ()
    assert as_spoken(FILM, plan_of(Delivery("a", 0, 100, 1100))) is FILM
    assert as_spoken(FILM, None) is FILM


def test_a_plan_of_another_script_changes_nothing() -> None:
    plan = plan_of(Delivery("h", 0, 100, 2100, members=("a", "b")))
    assert as_spoken(FILM, plan) is FILM
    without = Remove(CROSSES, "c").apply(FILM)
    assert as_spoken(without, plan_of(Delivery("f", 0, 0, 1, members=("a", "b")))) is without


def test_the_wording_of_a_delivery() -> None:
    assert wording_of(FILM, Delivery("f", 1, 0, 1, members=("a", "b"))) == BOTH.variants[1]
    assert wording_of(FILM, Delivery("c", 0, 0, 1)) == ENTERS.variants[0]
    assert wording_of(FILM, Delivery("c", 1, 0, 1)) is None
    assert wording_of(FILM, Delivery("nobody", 0, 0, 1)) is None


def test_sentences_in_one_breath_are_worth_less_than_by_themselves() -> None:
    # (0.5 · 1000 + 0.25 · 2000) · 0.95 over 2500 ms is 0.38.
    joined = replace(BOTH, variants=(Variant("She parks. She crosses the road.", duration=2500),))
    assert salience_of(FILM, joined) == 380_000
