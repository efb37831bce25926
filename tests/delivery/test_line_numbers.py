"""A line has one number: in exports, takes, mixes, checks and the window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Fusion, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import exported_lines
from adstudio.delivery.line_numbers import line_numbers
from adstudio.delivery.options import ExportOptions
from adstudio.gaps.gaps import gaps_of
from adstudio.recording.importing import numbered_lines


def item(name: str, start: int, **changes: object) -> Eventuality:
    made = Eventuality(name, (Variant(f"{name} happens."),), Span(start, start + 500), 500_000, scene="s")
    return replace(made, **changes)


SCRIPT = Script(
    Film("Film", 40_000),
    scenes=(Scene("s", Span(0, 40_000)),),
    cues=(Cue("c1", 20_000, 22_000, "Who is there?"),),
    eventualities=(
        item("left out", 0),
        item("a", 0),
        item("b", 1_000),
        item("held late", 35_000, extended=True, accepted=True),
        item("c", 3_000),
        item("d", 4_000, joined=True),
        item("wordless", 6_000, variants=(Variant(" "),)),
        item("g", 24_000, joined=True, accepted=True),
        item("held", 32_000, extended=True, accepted=True),
    ),
    fusions=(Fusion("f", ("a", "b"), (Variant("a and b happen."),), ("a happens.", "b happens.")),),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(
        Delivery("f", 0, 0, 1_500, members=("a", "b")),
        Delivery("c", 0, 3_000, 3_500),
        Delivery("d", 0, 4_000, 4_500),
        Delivery("wordless", 0, 6_000, 6_000),
        Delivery("g", 0, 24_000, 24_500),
    ),
)


@pytest.mark.parametrize("gaps", [None, gaps_of(SCRIPT).gaps])
def test_items_said_together_share_a_number_and_what_no_line_says_has_none(gaps):
    expected = {"a": 1, "b": 1, "c": 2, "d": 2, "g": 3, "held": 4, "held late": 5}
    assert line_numbers(SCRIPT, PLAN, gaps) == expected


def test_exports_and_takes_have_the_same_numbers():
    numbers = line_numbers(SCRIPT, PLAN)
    every = {name: line.number for line in exported_lines(SCRIPT, PLAN) for name in line.elements}
    assert every == {name: number for name, number in numbers.items() if not name.startswith("held")}
    (accepted,) = exported_lines(SCRIPT, PLAN, ExportOptions(accepted_only=True))
    assert accepted.number == numbers["g"] == 3
    assert all(numbers[place.line] == place.number for place in numbered_lines(SCRIPT, PLAN))


@given(
    st.lists(
        st.tuples(st.integers(0, 3_000), st.integers(0, 2_000), st.booleans(), st.sampled_from(["He runs.", "", " "])),
        max_size=7,
    ),
    st.permutations(range(7)),
)
def test_any_plan_is_numbered_as_it_is_exported(spoken, order):
    """In and out of order, overlapping, linked and wordless."""
    at, items, deliveries = 0, list[Eventuality](), list[Delivery]()
    for place, (pause, length, joined, text) in enumerate(spoken):
        name = f"e{place}"
        items.append(item(name, at, joined=joined, variants=(Variant(text),)))
        deliveries.append(Delivery(name, 0, at + pause, at + pause + length))
        at += pause + length - (500 if joined and length > 500 else 0)
    shuffled = tuple(items[place] for place in order if place < len(items))
    script = Script(
        Film("Film", 60_000),
        scenes=(Scene("s", Span(0, 60_000)),),
        cues=(Cue("c1", 6_000, 7_000, "Who?"),),
        eventualities=shuffled,
    )
    plan = Plan(
        Status.FEASIBLE, "random", deliveries=tuple(sorted(deliveries, key=lambda each: (each.start, each.end)))
    )
    every = {name: line.number for line in exported_lines(script, plan) for name in line.elements}
    assert line_numbers(script, plan) == every
