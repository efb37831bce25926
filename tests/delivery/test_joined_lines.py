"""Fragments that the describer joined are handed in as one cue, in every format."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Opening, Origin, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.lines import Fragment, script_lines

SCRIPT = Script(
    Film("Film", 60_000),
    cues=(Cue("c1", 10_000, 14_000, "Who's there?"),),
    eventualities=(
        Eventuality("e1", (Variant("She parks,"),), Span(0, 1000), 1, note="quick", origin=Origin.HUMAN, seen=True),
        Eventuality(
            "e2",
            (Variant("pulls off her helmet"), Variant("unmasks ", Fraction(1, 2))),
            Span(1000, 2000),
            1,
            pin=Pin(selected=True),
            note="check",
            seen=True,
            joined=True,
        ),
        Eventuality("e3", (Variant("and runs."),), Span(3000, 4000), 1, joined=True),
        Eventuality("e4", (Variant("Rain."),), Span(14_000, 15_000), 1, joined=True),
    ),
)
E1, E2, E3, E4 = (
    Delivery("e1", 0, 1000, 2000),
    Delivery("e2", 1, 2500, 3000),
    Delivery("e3", 0, 4500, 5000),
    Delivery("e4", 0, 14_000, 14_500),
)


def plan(*deliveries: Delivery) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


def test_fragments_become_one_line() -> None:
    first, second = script_lines(SCRIPT, plan(E1, E2, E3, E4))
    assert (first.number, first.text, first.words) == (1, "She parks, unmasks and runs.", 5)
    assert (first.span, first.gap, first.room) == (Span(1000, 5000), Span(0, 10_000), 5000)
    assert (first.element, first.variant) == ("e1", 0)
    assert first.joined == (Fragment("e2", 1, Span(2500, 3000)), Fragment("e3", 0, Span(4500, 5000)))
    assert first.elements == ("e1", "e2", "e3")
    assert first.notes == "quick\ncheck"
    # e3 is a machine's and nobody has looked at it.
    assert (first.origin, first.seen, first.accepted) == (Origin.MACHINE, False, False)
    assert (first.pinned, first.override) == (True, False)
    assert first.next_dialogue is not None
    # Dialogue lies between.
    assert (second.number, second.text, second.elements) == (2, "Rain.", ("e4",))


def test_a_fragment_is_a_line_of_its_own_where_it_follows_nothing_in_its_gap() -> None:
    assert [line.text for line in script_lines(SCRIPT, plan(E3, E4))] == ["and runs.", "Rain."]


@pytest.mark.parametrize(("start", "lines"), [(2000, 1), (3500, 1), (3501, 2)])
def test_the_pause_is_a_second_and_a_half_at_most(start: int, lines: int) -> None:
    assert len(script_lines(SCRIPT, plan(E1, replace(E2, start=start, end=start + 500)))) == lines


def test_what_is_not_marked_is_not_joined() -> None:
    plain = replace(SCRIPT, eventualities=tuple(replace(e, joined=False) for e in SCRIPT.eventualities))
    assert len(script_lines(plain, plan(E1, E2, E3, E4))) == 4


def test_lines_outside_a_gap_or_out_of_order_are_not_joined() -> None:
    inside = plan(replace(E1, start=11_000, end=12_000), replace(E2, start=12_500, end=13_000))
    assert len(script_lines(SCRIPT, inside)) == 2
    opened = replace(SCRIPT, openings=(Opening("o", Span(11_000, 13_000)),))
    assert len(script_lines(opened, inside)) == 1
    assert len(script_lines(SCRIPT, plan(replace(E2, start=0, end=500), E1))) == 2
    assert len(script_lines(SCRIPT, plan(replace(E3, start=0, end=500), replace(E2, start=1000, end=1500)))) == 2


def test_a_line_from_a_pool_takes_nothing_in() -> None:
    pool = Delivery("pool-1", 0, 1000, 2000, text="A man walks.")
    assert len(script_lines(SCRIPT, plan(pool, E2))) == 2


def test_every_format_has_the_one_line() -> None:
    spoken = plan(E1, E2, E3, E4)
    found = json.loads(FORMATS["json"](SCRIPT, spoken))["lines"]
    assert len(found) == 2
    assert (found[0]["start"], found[0]["end"], found[0]["element"]) == (1.0, 5.0, "e1")
    assert found[0]["joined"] == [
        {"element": "e2", "variant": 1, "start": 2.5, "end": 3.0},
        {"element": "e3", "variant": 0, "start": 4.5, "end": 5.0},
    ]
    assert found[1]["joined"] == []
    assert json.loads(FORMATS["reframed"](SCRIPT, spoken)) == {
        "1": {"start": 1.0, "end": 5.0, "text": "She parks, unmasks and runs."},
        "2": {"start": 14.0, "end": 14.5, "text": "Rain."},
    }
    assert FORMATS["srt"](SCRIPT, spoken).startswith(
        b"1\n00:00:01,000 --> 00:00:05,000\nShe parks, unmasks and runs.\n\n2\n"
    )
    assert b"1\n00:00:01.000 --> 00:00:05.000\nShe parks, unmasks and runs.\n\n2\n" in FORMATS["vtt"](SCRIPT, spoken)
    assert FORMATS["csv"](SCRIPT, spoken).count(b"\r\n") == 3


def test_the_plan_and_the_problem_know_every_fragment() -> None:
    spoken = plan(E1, E2, E3, E4)
    assert [d["element"] for d in json.loads(FORMATS["plan"](SCRIPT, spoken))["deliveries"]] == ["e1", "e2", "e3", "e4"]
    problem = json.loads(FORMATS["problem"](SCRIPT, spoken))
    assert [element["id"] for element in problem["elements"]] == ["e1", "e2", "e3", "e4"]


def test_the_problem_has_the_openings() -> None:
    opened = replace(SCRIPT, openings=(Opening("o", Span(13_000, 14_000)),))
    assert json.loads(FORMATS["problem"](opened, plan()))["gaps"] == [[0.0, 10.0], [13.0, 60.0]]
