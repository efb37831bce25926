"""Subtitles that count from a timecode: the start timecode taken off, or a refusal that names what they count from."""

from __future__ import annotations

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import RATES, parse_start_timecode
from adstudio.subtitles.start_offset import shift_to_film_start

TEN = 36_000_000


def cues(*starts: int) -> tuple[Cue, ...]:
    return tuple(Cue(f"c{n}", start, start + 1_000, "Hello.") for n, start in enumerate(starts, 1))


def test_the_start_timecode_is_subtracted_and_reported():
    first = parse_start_timecode("10:00:00:12", RATES["25"])
    assert (first.clock_offset, first.label_offset) == (TEN + 480, TEN + 480)
    found, notes = shift_to_film_start(cues(TEN + 5_480, TEN + 20_480), 165_000, first, "film.srt")
    assert [(cue.start, cue.end) for cue in found] == [(5_000, 6_000), (20_000, 21_000)]
    assert ["10:00:00:12" in odd.what for odd in notes] == [True]


def test_labels_of_23_976_run_behind_the_clock():
    # 36,000 labelled seconds of 24 frames each: 864,000 frames of 1001/24000 s are 36,036 s.
    first = parse_start_timecode("10:00:00:00", RATES["23.976"])
    assert (first.label_offset, first.clock_offset) == (36_036_000, TEN)


def test_without_it_the_refusal_names_the_offset_and_the_option():
    with pytest.raises(BadInputError, match=r"film\.srt count from 10:00:00.*--start-timecode 10:00:00:00"):
        shift_to_film_start(cues(TEN + 5_000, TEN + 20_000), 165_000, None, "film.srt")


def test_another_films_dialogue_is_refused():
    with pytest.raises(BadInputError, match=r"starts at 00:05:00 and the film ends at 00:02:45"):
        shift_to_film_start(
            cues(300_000, 400_000), 165_000, parse_start_timecode("10:00:00:00", RATES["25"]), "film.srt"
        )


@pytest.mark.parametrize("start", ["", "10:00:00:00"])
def test_dialogue_in_the_film_stays_where_it_is(start: str):
    first = parse_start_timecode(start, RATES["25"]) if start else None
    # A piece of a film with the subtitles of all of it: what lies past its end is told elsewhere.
    those = cues(5_000, 20_000, 300_000, 400_000)
    assert shift_to_film_start(those, 165_000, first, "film.srt") == (those, ())
    assert shift_to_film_start((), 165_000, first, "film.srt") == ((), ())


def test_in_less_than_a_minute_of_a_film_it_may_be_that_nobody_speaks():
    assert shift_to_film_start(cues(300_000), 59_000, None, "film.srt") == (cues(300_000), ())


def test_sounds_and_music_are_no_dialogue():
    those = (Cue("m", 300_000, 301_000, "♪", kind=CueKind.MUSIC),)
    assert shift_to_film_start(those, 165_000, None, "film.srt") == (those, ())


def test_where_only_the_cues_tell_how_long_the_film_is():
    first = parse_start_timecode("10:00:00:00", RATES["25"])
    assert [cue.start for cue in shift_to_film_start(cues(TEN + 5_000), None, first, "film.srt")[0]] == [5_000]
    assert shift_to_film_start(cues(5_000), None, first, "film.srt") == (cues(5_000), ())
