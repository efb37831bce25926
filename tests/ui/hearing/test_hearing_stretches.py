"""Which lines are rendered together, and when the film is ducked: worked out by hand."""

from __future__ import annotations

import struct
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from adstudio.core.film import Film
from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.speech.engine import Style
from adstudio.speech.messages import Placed
from adstudio.ui.hearing.cue_tones import next_edge, tone
from adstudio.ui.hearing.film_narration import at_or_after, is_spoken, narration_in, narrations, wording

LINE = Eventuality("e", (Variant("Full text."), Variant("Short.", Fraction(1, 2))))
SCRIPT = Script(Film("Film", 60_000), eventualities=tuple(replace(LINE, id=name) for name in ("a", "b", "c", "d")))
PLAN = (
    Delivery("a", 0, 1000, 2000),
    Delivery("b", 1, 3000, 4000),  # 1 s after the line before: in the same stretch
    Delivery("c", 0, 6000, 7000),  # 2 s after
    Delivery("d", 0, 59_000, 60_000),
)


def plain(line: Eventuality | None) -> Style:
    return Style()


def test_each_line_has_its_own_style():
    def style(line: Eventuality | None) -> Style:
        return Style("" if line is None else line.id)

    found = narration_in(SCRIPT, (*PLAN[:2], Delivery("x", 0, 4500, 5000, text="A door.")), Span(0, 6500), style)
    assert [line.style.voice for line in found.lines] == ["a", "b", ""]


def test_lines_that_are_close_are_rendered_together():
    first, second, third = narrations(SCRIPT, PLAN, plain)
    # From half a second before the first line; until 1.5 s after the last, or where the next stretch begins.
    assert first.span == Span(500, 5500)
    assert first.lines == (Placed("Full text.", 1000), Placed("Short.", 3000))
    assert first.spoken == (Span(1000, 2000), Span(3000, 4000))
    assert second.span == Span(5500, 8500)
    assert third.span == Span(58_500, 60_000)


def test_a_long_run_of_lines_is_cut_between_two():
    lines = tuple(Delivery("a", 0, start, start + 10_000) for start in range(0, 150_000, 10_000))
    found = narrations(replace(SCRIPT, film=Film("Film", 150_000)), lines, plain)
    assert [stretch.span for stretch in found] == [Span(0, 60_000), Span(60_000, 120_000), Span(120_000, 150_000)]
    assert sum(len(stretch.lines) for stretch in found) == 15


def test_a_line_of_a_pool_is_its_own_text():
    assert narration_in(SCRIPT, [Delivery("x", 0, 0, 500, text="A door.")], Span(0, 1000), plain).lines == (
        Placed("A door.", 0),
    )


def test_a_gap_has_only_its_own_lines():
    found = narration_in(SCRIPT, PLAN, Span(0, 6500), plain, Span(1000, 5500))
    assert [line.start for line in found.lines] == [1000, 3000]
    assert found.span == Span(0, 6500)


def test_the_stretch_at_a_time_or_the_next():
    stretches = narrations(SCRIPT, PLAN, plain)
    assert [at_or_after(stretches, ms) for ms in (0, 500, 5499, 5500, 9000, 60_000)] == [0, 0, 0, 1, 2, 3]


def test_somebody_speaks_within_a_span_and_shortly_before():
    spoken = (Span(1000, 2000),)
    assert [is_spoken(spoken, ms, 150) for ms in (849, 850, 1999, 2000)] == [False, True, True, False]


def test_the_wording_that_is_planned_is_heard_else_the_one_held_else_the_full_one():
    assert wording(LINE, Delivery("e", 1, 0, 500)) == 1
    assert wording(replace(LINE, pin=Pin(variant=1)), None) == 1
    assert wording(LINE, None) == 0


def test_the_next_edge_of_a_gap():
    gaps = (Span(1000, 3000), Span(3500, 5500))
    found = [next_edge(gaps, ms) for ms in (0, 1000, 2999, 3000, 5499, 5500)]
    assert found == [(1000, True), (3000, False), (3000, False), (3500, True), (5500, False), None]


def test_of_two_lines_that_touch_the_second_is_heard_to_begin():
    """By hand: 1–2 s and 2–3 s touch, 4–5 s stands apart."""
    lines = (Span(1_000, 2_000), Span(2_000, 3_000), Span(4_000, 5_000))
    assert next_edge(lines, 0) == (1_000, True)
    assert next_edge(lines, 1_500) == (2_000, True)
    assert next_edge(lines, 2_000) == (3_000, False)
    assert next_edge(lines, 3_000) == (4_000, True)
    assert next_edge(lines, 5_000) is None


def test_a_tone_of_80_ms_without_a_click():
    samples = struct.unpack(f"<{48 * 80}h", tone(880))
    assert samples[0] == samples[-1] == 0
    assert 0.19 * 32767 < max(samples) <= 0.2 * 32767
    rising = sum(1 for before, after in pairwise(samples) if before <= 0 < after)
    assert 69 <= rising <= 71  # 880 Hz · 0.08 s = 70.4 waves
