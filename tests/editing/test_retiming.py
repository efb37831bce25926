"""All cues put in step with the film."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from editing_scripts import SCRIPT, done
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.script import Script
from adstudio.editing.change import EditRefused
from adstudio.editing.cues import retime_cues
from adstudio.editing.labels import label_of


def times(script: Script) -> list[tuple[int, int]]:
    return [(cue.start, cue.end) for cue in script.cues]


def test_an_offset_moves_all_cues_and_nothing_else() -> None:
    step = retime_cues(SCRIPT, -700)
    after = done(step)
    assert times(after) == [(9300, 13_300), (19_300, 17_300), (39_300, 40_300)]
    assert replace(after, cues=SCRIPT.cues) == SCRIPT
    assert [replace(cue, start=0, end=0) for cue in after.cues] == [replace(cue, start=0, end=0) for cue in SCRIPT.cues]
    assert step is not None
    assert label_of(step, SCRIPT) == "Sync subtitles: 0.70 s earlier"


def test_a_drift_is_taken_out_before_the_offset() -> None:
    step = retime_cues(SCRIPT, 500, Fraction(24, 25))
    assert times(done(step)) == [(10_100, 13_940), (19_700, 17_780), (38_900, 39_860)]
    assert step is not None
    assert label_of(step, SCRIPT) == "Sync subtitles: times × 96 %, 0.50 s later"


def test_nothing_to_do() -> None:
    assert retime_cues(SCRIPT, 0) is None
    assert retime_cues(replace(SCRIPT, cues=()), 700, Fraction(24, 25)) is None


def test_cues_moved_outside_the_film_stay_and_can_come_back() -> None:
    after = done(retime_cues(SCRIPT, -12_000))
    assert times(after) == [(-2000, 2000), (8000, 6000), (28_000, 29_000)]
    assert done(retime_cues(after, 12_000), after) == SCRIPT


@pytest.mark.parametrize(
    ("offset", "ratio"), [(60_000, Fraction(1)), (-41_001, Fraction(1)), (0, Fraction(3)), (0, Fraction(-1))]
)
def test_what_makes_no_sense_is_refused(offset: int, ratio: Fraction) -> None:
    with pytest.raises(EditRefused):
        retime_cues(SCRIPT, offset, ratio)


@settings(max_examples=60, deadline=None)
@given(st.integers(-9000, 9000), st.fractions(Fraction(9, 10), Fraction(11, 10), max_denominator=2000))
def test_cues_stay_in_order(offset: int, ratio: Fraction) -> None:
    step = retime_cues(SCRIPT, offset, ratio)
    if step is not None:
        starts = [cue.start for cue in done(step).cues]
        assert starts == sorted(starts)
