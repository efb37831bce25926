"""What each says in a gap, side by side: which gap a description belongs to, who speaks there, and what differs."""

from __future__ import annotations

import random

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, CueKind, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.evaluation.gap_rows import GapRow, Speaking, SpokenLine, film_gaps, gap_rows, same_words, spoken_lines
from adstudio.evaluation.material import Description

# Dialogue at 10–14 and 18–22 s of thirty: gaps of 10, 4 and 8 s.
GAPS = (Span(0, 10_000), Span(14_000, 18_000), Span(22_000, 30_000))


def said(start: int, end: int, text: str, origin: Origin | None = None) -> SpokenLine:
    return SpokenLine(Description(Span(start, end), text), end - start, origin)


def shown(rows: tuple[GapRow, ...]) -> list[tuple[int, int, str, str, str]]:
    return [(row.span.start, row.span.end, row.speaking.value, row.reference.text, row.plan.text) for row in rows]


def test_there_is_a_row_for_each_gap_and_it_says_who_speaks():
    reference = (said(1_000, 3_000, "A man waits."), said(4_000, 5_000, "He sighs."), said(15_000, 16_000, "A car."))
    plan = (said(2_000, 3_000, "A man waits."), said(23_000, 24_000, "Night."))
    rows = gap_rows(GAPS, reference, plan)
    assert shown(rows) == [
        (0, 10_000, "both", "A man waits. He sighs.", "A man waits."),
        (14_000, 18_000, "reference", "A car.", ""),
        (22_000, 30_000, "plan", "", "Night."),
    ]
    first = rows[0]
    # Three words and two; two seconds and one.
    assert (first.reference.words, first.reference.duration, first.plan.words) == (5, 3_000, 3)
    assert [row.differs for row in rows] == [True, True, True]
    assert gap_rows(GAPS, (), ())[1].speaking is Speaking.NEITHER
    assert not gap_rows(GAPS, (), ())[1].differs


@pytest.mark.parametrize(
    ("start", "end", "gaps"),
    [
        (9_000, 11_000, [0]),  # a second beyond the gap's end is within the collar
        (9_000, 11_001, []),
        (13_000, 19_000, [1]),  # a second on either side
        (12_999, 15_000, []),
        (12_000, 13_500, []),  # in the dialogue
        (0, 30_000, []),
    ],
)
def test_a_description_belongs_to_the_gap_that_contains_it_within_a_second(start: int, end: int, gaps: list[int]):
    rows = gap_rows(GAPS, (said(start, end, "Rain."),), ())
    assert [GAPS.index(row.span) for row in rows if row.is_gap and row.reference.lines] == gaps
    # What is in no gap has a row of its own, so that nothing is lost.
    assert [row.span for row in rows if not row.is_gap] == ([] if gaps else [Span(start, end)])


def test_a_description_that_two_gaps_contain_belongs_to_both():
    # Half a second of dialogue: from 9.6 to 10.8 s lies within a second of either gap.
    rows = gap_rows((Span(0, 10_000), Span(10_500, 20_000)), (said(9_600, 10_800, "Rain."),), ())
    assert [row.reference.text for row in rows] == ["Rain.", "Rain."]


def test_what_both_say_over_the_same_dialogue_shares_a_row_before_the_next_gap():
    rows = gap_rows(GAPS, (said(11_500, 13_500, "Rain."),), (said(11_200, 13_000, "It rains."),))
    assert shown(rows)[1] == (11_200, 13_500, "both", "Rain.", "It rains.")
    assert [row.is_gap for row in rows] == [True, False, True, True]


def test_a_version_is_a_third_side():
    rows = gap_rows(GAPS, (), (), (said(1_000, 2_000, "Was here.", Origin.MACHINE),))
    assert (rows[0].version.text, rows[0].version.origins, rows[0].speaking) == (
        "Was here.",
        (Origin.MACHINE,),
        Speaking.NEITHER,
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("He walks in.", "he walks in", True),
        ("He walks – in…", "He walks in", True),
        ("Zoë’s hat", "Zoe\u0308's hat", True),  # composed or not, either apostrophe
        ("He walks in.", "He walks", False),
        ("He walks", "He walks in.", False),
        ("", "", True),
        ("", "A", False),
        ("«Да»", "да", True),
    ],
)
def test_the_same_words_are_the_same_whatever_case_and_punctuation(one: str, other: str, same: bool):
    assert same_words(one, other) is same


def test_every_line_is_in_some_row_exactly_as_often_as_gaps_contain_it():
    chance = random.Random(7)
    for _ in range(200):
        edges = sorted(chance.sample(range(0, 60_000, 100), 12))
        gaps = tuple(Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= 1_000)
        starts = [chance.randrange(0, 58_000) for _ in range(20)]
        lines = [said(at, at + chance.randrange(100, 2_000), f"line {at}") for at in sorted(starts)]
        rows = gap_rows(gaps, lines, ())
        for line in lines:
            span = line.description.span
            within = [gap for gap in gaps if gap.start - 1_000 <= span.start and span.end <= gap.end + 1_000]
            assert sum(each is line for row in rows for each in row.reference.lines) == max(1, len(within))
            assert [row.span for row in rows if row.is_gap and line in row.reference.lines] == within
        assert [row.span for row in rows if row.is_gap] == list(gaps)
        assert [row.span.start for row in rows] == sorted(row.span.start for row in rows)


def test_a_films_gaps_last_a_second_and_lie_between_speech():
    cues = (
        Cue("c1", 500, 2_000, "First."),
        Cue("c2", 2_999, 4_000, "Less than a second after it."),
        Cue("c3", 5_000, 6_000, "A second after that."),
        Cue("c4", 7_000, 8_000, "[thunder]", kind=CueKind.SOUND),
        Cue("c5", 5_500, 9_000, "Meanwhile."),
    )
    # 0–0.5 and 2–2.999 s are too short; the sound at 7–8 s lies within speech anyway.
    assert film_gaps(Script(Film("F", 12_000), cues=cues)) == (Span(4_000, 5_000), Span(9_000, 12_000))
    assert film_gaps(Script(Film("F", 12_000))) == (Span(0, 12_000),)


def line(identity: str, start: int, *texts: str, **fields: object) -> Eventuality:
    variants = tuple(Variant(text, duration=2_000) for text in texts)
    return Eventuality(identity, variants, Span(start, start + 1_000), **fields)  # type: ignore[arg-type]


def test_the_lines_of_a_plan_are_those_that_it_speaks_in_the_order_of_time():
    script = Script(
        Film("F", 30_000),
        eventualities=(
            line("late", 8_000, "Long text.", "Short.", origin=Origin.HUMAN),
            line("early", 1_000, "First."),
            line("out", 3_000, "Not spoken."),
            line("held", 5_000, "The picture is held.", extended=True),
            line("held out", 6_000, "Not even then.", extended=True, pin=Pin(selected=False)),
        ),
    )
    plan = Plan(
        Status.OPTIMAL, "exact", deliveries=(Delivery("late", 1, 9_000, 10_500), Delivery("early", 0, 500, 2_500))
    )
    found = spoken_lines(script, plan)
    assert [(each.id, each.description.span, each.description.text, each.duration) for each in found] == [
        ("early", Span(500, 2_500), "First.", 2_000),
        # The film stands still: it takes no time of the film, and two seconds to speak.
        ("held", Span(5_000, 5_000), "The picture is held.", 2_000),
        ("late", Span(9_000, 10_500), "Short.", 1_500),
    ]
    assert found[-1].origin is Origin.HUMAN
    assert [each.id for each in spoken_lines(script, None)] == ["held"]
