"""Lines that a model wrote with their times: held as they stand, and the paper's realistic measure of them."""

from __future__ import annotations

from fractions import Fraction

from adstudio.core.film import Film
from adstudio.core.provenance import FreeText, Provenance
from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.model.timed_lines import Realistic, as_written, realistic
from adstudio.planning.film.film_plan import plan_film

GAPS = (Span(0, 10_000), Span(20_000, 30_000))


def line(identity, start, end, words=3):
    text = " ".join(["word"] * words) + "."
    return Eventuality(
        identity,
        (Variant(text, Fraction(1), end - start),),
        Span(start, end),
        500_000,
        provenance=Provenance(FreeText("model")),
    )


def script_of(*lines):
    return Script(Film("Film", 60_000), eventualities=lines)


def test_each_line_is_spoken_where_the_model_put_it():
    script = as_written(
        script_of(line("b", 21_000, 24_000), line("a", 1_000, 3_000), line("over", 9_000, 12_000)), GAPS
    )
    assert [each.id for each in script.eventualities] == ["a", "over", "b"]
    assert [each.pin for each in script.eventualities] == [
        Pin(start=1_000),
        Pin(start=9_000, override=True),
        Pin(start=21_000),
    ]
    plan = plan_film(script, GAPS)
    assert [(each.element, each.start, each.end) for each in plan.deliveries] == [
        ("a", 1_000, 3_000),
        ("over", 9_000, 12_000),
        ("b", 21_000, 24_000),
    ]


def test_one_that_begins_too_soon_is_held_out_and_the_rest_can_be_planned():
    script = as_written(script_of(line("a", 1_000, 4_000), line("b", 3_000, 5_000), line("c", 4_000, 6_000)), GAPS)
    assert [each.pin.selected for each in script.eventualities] == [None, False, None]
    assert "before the line ahead has ended" in script.eventualities[1].note
    assert [each.element for each in plan_film(script, GAPS).deliveries] == ["a", "c"]


def test_the_realistic_measure():
    lines = (
        line("sound", 1_000, 4_000, 15),  # 15 words in 3 s: 300 a minute, which is not faster
        line("fast", 5_000, 6_000, 6),  # 360 a minute
        line("near", 9_000, 11_000),  # a second over: within the collar
        line("over", 15_000, 16_000),  # in no gap
        line("early", 15_500, 16_500, 9),  # in none, 540 a minute, and over the one ahead
        line("late", 29_000, 31_001),  # a millisecond more than the collar
    )
    # Of six, `sound` and `near` stay. Four do not lie within a gap: near, over, early, late.
    assert realistic(lines, GAPS) == Realistic(lines=6, realistic=2, fast=2, outside=3, overlapping=1, unheld=4)
    assert realistic((), GAPS) == Realistic(0, 0, 0, 0, 0, 0)


def test_how_fast_a_line_would_be_said_is_noted():
    script = as_written(script_of(line("fast", 5_000, 6_000, 6), line("slow", 7_000, 9_000)), GAPS)
    assert [each.note for each in script.eventualities] == ["the model wants it said at 360 words a minute", ""]
