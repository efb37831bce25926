"""What a plan changes in the one before, and lines that are kept against it."""

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.pins import pin_as_planned
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.plan_changes import Shift, compare, respoken, sentence


def script() -> Script:
    lines = tuple(
        Eventuality(
            name,
            (Variant("", duration=2000), Variant("", duration=1000)),
            Span(n * 3000, n * 3000 + 1000),
            salience=500_000,
        )
        for n, name in enumerate("abcd")
    )
    return Script(Film("f", 20_000), eventualities=lines)


def plan(*lines: tuple[str, int, int]) -> Plan:
    deliveries = tuple(Delivery(name, variant, start, start + 2000 - 1000 * variant) for name, variant, start in lines)
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


def test_each_kind_of_change_is_reported() -> None:
    before = plan(("a", 0, 0), ("b", 0, 3000), ("c", 1, 6000))
    after = plan(("b", 1, 3500), ("c", 1, 5800), ("d", 0, 9000))
    changes = compare(before, after)
    assert changes.added == ("d",)
    assert changes.dropped == ("a",)
    assert changes.moved == (Shift("c", -200),)
    assert changes.reworded == ("b",)
    assert changes.elements == {"a", "b", "c", "d"}
    assert sentence(changes) == "1 added, 1 left out, 1 reworded, 1 moved"


def test_what_was_deleted_is_not_said_to_be_left_out() -> None:
    """With the script after the change: `a` is not in it any more, `b` is and is left out."""
    before = plan(("a", 0, 0), ("b", 0, 3000), ("c", 0, 6000))
    left = script().with_changes(eventualities=script().eventualities[1:])
    changes = compare(before, plan(("c", 0, 6500)), left)
    assert (changes.dropped, changes.moved) == (("b",), (Shift("c", 500),))
    assert sentence(compare(before, plan(("b", 0, 3000), ("c", 0, 6000)), left)) == ""


def test_the_same_plan_changes_nothing() -> None:
    one = plan(("a", 0, 0))
    changes = compare(one, replace(one, seconds=3.0))
    assert not changes
    assert sentence(changes) == ""


def test_a_start_that_shifts_by_less_than_two_tenths_of_a_second_is_no_move() -> None:
    before = plan(("a", 0, 1000), ("b", 0, 5000), ("c", 0, 9000))
    after = plan(("a", 0, 1199), ("b", 0, 4801), ("c", 0, 9200))
    changes = compare(before, after)
    assert (changes.moved, changes.elements) == ((Shift("c", 200),), {"c"})
    assert respoken(before, after) == {"a", "b", "c"}, "but each is shown where it is now"
    assert not compare(before, plan(("a", 0, 1100), ("b", 0, 5000), ("c", 0, 9000)))


def test_what_has_to_be_shown_anew_is_every_other_delivery() -> None:
    before = plan(("a", 0, 0), ("b", 0, 3000), ("c", 0, 6000))
    after = plan(("b", 1, 3000), ("c", 0, 6000), ("d", 0, 9000))
    assert respoken(before, after) == {"a", "b", "d"}
    assert respoken(before, before) == frozenset()


def test_lines_can_be_pinned_as_planned() -> None:
    now = plan(("a", 0, 100), ("b", 1, 3000))
    step = pin_as_planned(script(), now, ["a", "b", "c"])
    assert step is not None
    held = step.apply(script())
    assert held.eventuality("a").pin == Pin(selected=True, variant=0, start=100)
    assert held.eventuality("b").pin == Pin(selected=True, variant=1, start=3000)
    assert held.eventuality("c").pin == Pin()
    assert step.inverse().apply(held) == script()
    assert pin_as_planned(held, now, ["a", "b"]) is None


def test_an_override_stays_one() -> None:
    line = replace(script().eventualities[0], pin=Pin(start=50, override=True))
    placed = replace(script(), eventualities=(line, *script().eventualities[1:]))
    step = pin_as_planned(placed, plan(("a", 1, 50)), ["a"])
    assert step is not None
    assert step.apply(placed).eventuality("a").pin == Pin(selected=True, variant=1, start=50, override=True)


def test_a_line_pinned_as_planned_withstands_what_would_move_it() -> None:
    gaps = (Span(0, 4000), Span(5000, 12_000))
    planner = FilmPlanner(script(), gaps)
    before = planner.outcome.plan
    step = pin_as_planned(script(), before, ["b"])
    assert step is not None
    held = step.apply(script())
    first = held.eventualities[0]
    louder = replace(held, eventualities=(replace(first, salience=9_000_000), *held.eventualities[1:]))
    after = planner.replan(louder, gaps).plan
    assert after.by_element["b"] == before.by_element["b"]
    assert "b" not in compare(before, after).elements
