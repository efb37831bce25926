"""Stretches of the film's dialogue that a screenplay lacks: half a screenplay, another cut, a scene that was added."""

from __future__ import annotations

import random

import pytest

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.align import align
from adstudio.drafting.text.align.coverage import uncovered
from adstudio.drafting.text.text_drafting import Footage, from_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayScene, Speech

SYLLABLES = ("ba", "ko", "ri", "tu", "me", "lan", "dor", "sif", "pe", "gru")
WORDS_OF_A_SPEECH = 8
SECONDS = 4


def speech(number: int) -> str:
    """Eight words, the same for the same number."""
    draw = random.Random(number)
    return " ".join("".join(draw.choices(SYLLABLES, k=3)) for _ in range(WORDS_OF_A_SPEECH))


def cues(numbers: list[int]) -> tuple[Cue, ...]:
    return tuple(
        Cue(f"c{at}", at * SECONDS * 1000, (at * SECONDS + 3) * 1000, speech(number))
        for at, number in enumerate(numbers)
    )


def screenplay(numbers: list[int]) -> Screenplay:
    parts = [part for number in numbers for part in (Action("She turns to the door."), Speech("ANNA", speech(number)))]
    return Screenplay((ScreenplayScene("INT. HALL - DAY", tuple(parts)),), language="en")


FILM = list(range(60))
ADDED = list(range(1000, 1030))


@pytest.mark.parametrize(
    ("written", "film", "spans"),
    [
        (FILM, FILM, []),
        (FILM[:30], FILM, [Span(30 * 4_000, 59 * 4_000 + 3_000)]),
        (FILM[30:], FILM, [Span(0, 29 * 4_000 + 3_000)]),
        (FILM, FILM[:20] + ADDED + FILM[20:], [Span(20 * 4_000, 49 * 4_000 + 3_000)]),
        (FILM, FILM[:20] + ADDED[:5] + FILM[20:], []),
        (FILM[:7], FILM[:14], [Span(7 * 4_000, 13 * 4_000 + 3_000)]),
        (FILM[7:14], FILM[:14], [Span(0, 6 * 4_000 + 3_000)]),
        (FILM[:14], FILM[:7] + ADDED[:2] + FILM[7:14], []),
        ([number for number in FILM if number % 3], FILM, []),
    ],
    ids=[
        "all of it",
        "the first half",
        "the second half",
        "a scene was added",
        "five lines were",
        "the first half of a short film",
        "the second half of it",
        "two lines were added to it",
        "every third was",
    ],
)
def test_stretches_without_the_screenplay(written: list[int], film: list[int], spans: list[Span]):
    found = uncovered(align(screenplay(written), cues(film)).words)
    assert [stretch.span for stretch in found] == spans
    assert all(stretch.matched == 0 for stretch in found)


def test_half_a_screenplay_is_said_with_figures():
    drafted = from_screenplay(screenplay(FILM[:30]), Footage(240_000, cues(FILM)))
    said = [oddity.what for oddity in drafted.oddities if "stretches that the screenplay does not have" in oddity.what]
    assert len(said) == 1
    assert said[0].startswith("240 of the 480 words of the film’s dialogue")
    assert "00:02:00–00:03:59" in said[0]
