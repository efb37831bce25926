"""How sure a line is of when it happens: levels and words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.provenance import UNKNOWN_PROVENANCE, Provenance, ScreenplayLine
from adstudio.core.script import Eventuality, Pin, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.text.ground.ground import ORDERED, confidence
from adstudio.ui.session.timing_confidence import (
    TimingConfidence,
    confidence_words,
    drafted_words,
    timing_confidence,
    unsure,
)

LINE = Eventuality("a", (Variant("She parks."),), Span(1000, 2000), provenance=Provenance(ScreenplayLine(123)))


@pytest.mark.parametrize(
    ("figure", "level", "words", "look"),
    [
        (None, None, "", False),
        (1000, TimingConfidence.SURE, "sure (100 %)", False),
        (700, TimingConfidence.SURE, "sure (70 %)", False),
        (699, TimingConfidence.LIKELY, "likely (70 %)", True),
        (500, TimingConfidence.LIKELY, "likely (50 %)", True),
        (499, TimingConfidence.GUESS, "a guess (50 %)", True),
        (310, TimingConfidence.GUESS, "a guess (31 %)", True),
        (0, TimingConfidence.GUESS, "a guess (0 %)", True),
    ],
)
def test_levels_and_words(figure: int | None, level: TimingConfidence | None, words: str, look: bool) -> None:
    line = replace(LINE, confidence=figure)
    assert (timing_confidence(line), confidence_words(line), unsure(line)) == (level, words, look)


def test_what_is_placed_by_order_alone_is_a_guess_however_short_the_stretch() -> None:
    assert timing_confidence(replace(LINE, confidence=confidence(1.0, ORDERED))) is TimingConfidence.GUESS


def test_a_line_that_happens_nowhere_is_unsure_unless_somebody_placed_it() -> None:
    nowhere = replace(LINE, occurrence=None)
    assert timing_confidence(nowhere) is TimingConfidence.NOWHERE
    assert unsure(nowhere)
    assert not unsure(replace(nowhere, pin=Pin(start=1000, override=True)))


def test_where_it_comes_from_is_said() -> None:
    assert drafted_words(replace(LINE, confidence=310)) == "a guess (31 %) · from screenplay, line 123"
    assert drafted_words(LINE) == "from screenplay, line 123"
    assert drafted_words(replace(LINE, occurrence=None)) == "not placed · from screenplay, line 123"
    assert drafted_words(replace(LINE, provenance=UNKNOWN_PROVENANCE)) == ""
