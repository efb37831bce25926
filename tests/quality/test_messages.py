"""A sentence for every kind of facts: what is too small is never rounded up, and limits are given exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from quality_scripts import film, line, speech, spoken

from adstudio.core.film import Film
from adstudio.core.narration import LengthSource
from adstudio.core.timebase import Span
from adstudio.quality.findings import (
    EarlyName,
    Estimated,
    Facts,
    Finding,
    MidSentence,
    Misplaced,
    Misplacement,
    Near,
    NeverNamed,
    Occupied,
    Offset,
    Overlap,
    ShortGap,
    Side,
    TooFast,
    TooLong,
    Unseen,
)
from adstudio.quality.messages import finding_message, levels_counted
from adstudio.quality.rules import TOO_LONG, Level

SCRIPT = replace(
    film(line("a", "Tom waits."), line("b", "Rain."), cues=(speech("c1", 10_000, 12_000),)),
    film=Film("Film", 60_000),  # 25 frames a second
)
PLAN = spoken(("a", 1000, 2000), ("b", 3000, 4000))
CASES: list[tuple[Facts, str]] = [
    (TooLong(3101, LengthSource.TAKE, 3000), "The take of “Tom waits” is 0.2 s longer than the 3.0 s it has."),
    (TooLong(3500, LengthSource.MEASURED, 3000), "“Tom waits” takes the voice 0.5 s longer than the 3.0 s it has."),
    (
        TooLong(3500, LengthSource.PREDICTED, 3000),
        "“Tom waits” will probably take the voice 0.5 s longer than the 3.0 s it has.",
    ),
    (
        TooFast(10, 2999, 200, LengthSource.MEASURED),
        "“Tom waits” is spoken at 201 words a minute (as measured); the limit is 200.",
    ),
    (
        TooFast(30, 11_000, 150, LengthSource.RATE, overall=True),
        (
            "The narration averages 164 words a minute (at the speaking rate); the limit is 150, and 2 lines are "
            "faster, “Tom waits” first."
        ),
    ),
    (Overlap(1, Occupied.DIALOGUE, "c1", allowed=False), "“Tom waits” overlaps dialogue by 0.1 s."),
    (Overlap(800, Occupied.SILENCE, "x1", allowed=True), "“Tom waits” overlaps a silence by 0.8 s, as allowed."),
    (
        Near(Side.BEFORE, 299, 300, "c1", allowed=False),
        "“Tom waits” ends 0.2 s before dialogue; at least 0.3 s is required.",
    ),
    (
        Near(Side.AFTER, 200, 250, "c1", allowed=False),
        "“Tom waits” starts 0.2 s after dialogue; at least 0.25 s is required.",
    ),
    (Near(Side.AFTER, 0, 300, "c1", allowed=True), "“Tom waits” starts less than 0.1 s after dialogue, as allowed."),
    (Misplaced(Misplacement.OVERLAP, 700), "“Rain” starts 0.7 s before “Tom waits” has ended."),
    (Misplaced(Misplacement.ORDER), "“Rain” is spoken after “Tom waits”, which it precedes in the script."),
    (Misplaced(Misplacement.TWICE), "“Tom waits” is in the script twice."),
    (Misplaced(Misplacement.LOCKS), "“Tom waits” is not spoken as you locked it: its locks cannot all be met."),
    (Misplaced(Misplacement.RULE), "A rule about “Tom waits” is not kept: it conflicts with locks."),
    (Misplaced(Misplacement.NO_DURATION), "“Tom waits” has no time to be spoken in."),
    (Misplaced(Misplacement.BEFORE_FILM, 1), "“Tom waits” starts 0.1 s before the film."),
    (Misplaced(Misplacement.AFTER_FILM, 2000), "“Tom waits” ends 2.0 s after the film."),
    (
        ShortGap(Span(1000, 2999), 2000, allowed=False),
        "“Tom waits” and 1 more are in a gap of 1.9 s; gaps of less than 2.0 s are not used.",
    ),
    (ShortGap(Span(1000, 1500), 1000, allowed=True), "“Tom waits” and 1 more are in a gap of 0.5 s, as allowed."),
    (
        Offset(3_600_000, from_timecode=False),
        "All 2 lines are late by an hour: moved that much earlier, they are within the film.",
    ),
    (
        Offset(36_000_000, from_timecode=True),
        "All 2 lines are late by the film’s start timecode: moved that much earlier, they are within the film.",
    ),
    (
        EarlyName("Tom", 1000, "c1", 10_000),
        "“Tom waits” and another line use the name Tom before dialogue first says it, at 00:00:10:00.",
    ),
    (
        Estimated(2),
        (
            "No voice is chosen, so lengths are estimated from word counts: choose one in the project settings before "
            "you mix or record."
        ),
    ),
    (
        Estimated(3),
        (
            "No voice is chosen, so the lengths of 2 of 3 lines are estimated from word counts: choose one in the "
            "project settings before you mix or record."
        ),
    ),
    (
        EarlyName("Tom", 1000, "", 10_000),
        "“Tom waits” and another line use the name Tom before 00:00:10:00, from when on it may be said.",
    ),
    (
        NeverNamed("Nora Vale", 1000, 2),
        "2 lines describe Nora Vale, seen from 00:00:01:00, and none says the name; nor does dialogue.",
    ),
    (
        NeverNamed("Nora Vale", 1000, 1),
        "1 line describes Nora Vale, seen from 00:00:01:00, and does not say the name; nor does dialogue.",
    ),
    (
        NeverNamed("Nora Vale", 1000, 0),
        "Nora Vale is seen from 00:00:01:00, and neither a line nor dialogue says who that is.",
    ),
    (MidSentence(""), "“Tom waits” begins in the middle of a sentence, but no line of its scene comes before it."),
    (MidSentence("a"), "“Tom waits” begins in the middle of a sentence, but the line before it ends its sentence."),
    (Unseen(31), "2 of 31 lines were written by a machine, and nobody has looked at them."),
]


@pytest.mark.parametrize(("facts", "sentence"), CASES)
def test_each_kind_of_facts_has_its_sentence(facts: Facts, sentence: str) -> None:
    finding = Finding(TOO_LONG, Level.ERROR, ("a", "b"), Span(1000, 2000), facts)
    assert finding_message(SCRIPT, PLAN, finding) == sentence


def test_no_kind_is_left_out() -> None:
    assert {type(facts) for facts, _ in CASES} == set(get_args(Facts))
    assert {facts.what for facts, _ in CASES if isinstance(facts, Misplaced)} == set(Misplacement)


def test_levels_are_counted() -> None:
    def of(*levels: Level) -> str:
        return levels_counted([Finding(TOO_LONG, level, ("a",), Span(0, 1), Unseen(1)) for level in levels])

    assert of() == ""
    assert of(Level.NOTE, Level.ERROR, Level.NOTE) == "1 error, 2 notes"
    assert of(Level.WARNING) == "1 warning"
