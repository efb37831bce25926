"""Subtitles that count from a timecode: the start timecode taken off, or a refusal that names what they count from."""

from __future__ import annotations

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import RATES, parse_start_timecode
from adstudio.subtitles.start_offset import StartOffsetError, shift_to_film_start

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
    with pytest.raises(StartOffsetError, match=r"film\.srt seem to count from 10:00:00.*guess") as refused:
        shift_to_film_start(cues(TEN + 5_000, TEN + 20_000), 165_000, None, "film.srt")
    assert refused.value.option == "--start-timecode 10:00:00:00"
    assert "“Hello.”, would fall at 00:00:05" in str(refused.value)


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


HOUR = 3_600_000


@pytest.mark.parametrize(
    ("starts", "end", "label", "first_words"),
    [
        # A cue ten seconds before the hour belongs to that hour, in a film of any length.
        ((10 * HOUR - 10_000, 10 * HOUR + 12_000, 10 * HOUR + 20_000), 60_000, "10:00:00:00", -10_000),
        ((10 * HOUR - 10_000, 10 * HOUR + 12_000, 10 * HOUR + 20_000), 2 * HOUR, "10:00:00:00", -10_000),
        ((HOUR - 10_000, HOUR + 5_000, HOUR + 15_000), 50_000, "01:00:00:00", -10_000),
        # A credit at 0, as many files have, does not hide what the others count from.
        ((0, *range(10 * HOUR + 5_000, 10 * HOUR + 105_000, 5_000)), 120_000, "10:00:00:00", 5_000),
        # Half of the dialogue seems to lie in the film, and nobody speaks in its first hour.
        (tuple(range(HOUR + 5_000, 3 * HOUR - 60_000, 60_000)), 2 * HOUR, "01:00:00:00", 5_000),
        ((23 * HOUR + 1_000,), 60_000, "23:00:00:00", 1_000),
    ],
)
def test_a_full_hour_is_guessed(starts: tuple[int, ...], end: int, label: str, first_words: int):
    with pytest.raises(StartOffsetError) as refused:
        shift_to_film_start(cues(*starts), end, None, "film.srt")
    assert (refused.value.guess.label, refused.value.guess.first_words) == (label, first_words)


def test_words_before_the_hour_are_told_as_such():
    with pytest.raises(StartOffsetError, match=r"would fall 10 s before its first frame"):
        shift_to_film_start(cues(TEN - 10_000, TEN + 12_000), 60_000, None, "film.srt")


def test_there_is_no_hour_24():
    with pytest.raises(BadInputError, match="outside the film") as refused:
        shift_to_film_start(cues(24 * HOUR + 5_000), 60_000, None, "film.srt")
    assert not isinstance(refused.value, StartOffsetError)


@pytest.mark.parametrize("end", [None, 60_000, 2 * HOUR])
def test_a_cue_in_the_leader_does_not_stop_the_start_timecode(end: int | None):
    first = parse_start_timecode("10:00:00:00", RATES["25"])
    found, notes = shift_to_film_start(cues(TEN - 10_000, TEN + 5_000, TEN + 9_000), end, first, "film.srt")
    assert [cue.start for cue in found] == [5_000, 9_000]
    assert [word for word in ("10:00:00:00", "first words are now at 00:00:05") if word not in notes[0].what] == []
    assert notes[1].what == "the cue before the film’s first frame was ignored"


@pytest.mark.parametrize("end", [None, 60_000, 2 * HOUR])
def test_a_film_that_starts_ten_seconds_before_the_hour(end: int | None):
    first = parse_start_timecode("00:59:50:00", RATES["25"])
    found, _ = shift_to_film_start(cues(HOUR - 8_000, HOUR + 5_000), end, first, "film.srt")
    assert [cue.start for cue in found] == [2_000, 15_000]


def test_a_long_film_whose_dialogue_could_count_from_either():
    those = cues(*range(HOUR + 5_000, HOUR + 905_000, 60_000))
    first = parse_start_timecode("01:00:00:00", RATES["25"])
    assert shift_to_film_start(those, 3 * HOUR, first, "film.srt")[0][0].start == 5_000
    # Nobody says that it does: it stays, and the guess is told.
    found, (note,) = shift_to_film_start(those, 3 * HOUR, None, "film.srt")
    assert found == those
    assert [word for word in ("a guess", "01:00:00", "00:00:05") if word not in note.what] == []
    assert shift_to_film_start(those, None, None, "film.srt") == (those, (note,))


def test_a_film_with_early_words_and_a_start_timecode_stays():
    first = parse_start_timecode("00:12:00:00", RATES["25"])
    those = cues(60_000, *range(720_000, 3_000_000, 60_000))
    assert shift_to_film_start(those, 2 * HOUR, first, "film.srt") == (those, ())


def test_a_cue_that_is_spoken_across_the_first_frame_stays():
    first = parse_start_timecode("10:00:00:00", RATES["25"])
    found, _ = shift_to_film_start(cues(TEN - 400, TEN + 5_000), 60_000, first, "film.srt")
    assert [(cue.start, cue.end) for cue in found] == [(0, 600), (5_000, 6_000)]


def test_a_guess_can_be_followed_and_is_then_called_one():
    found, (note,) = shift_to_film_start(cues(TEN + 5_000, TEN + 20_000), 60_000, None, "film.srt", by_guess=True)
    assert [cue.start for cue in found] == [5_000, 20_000]
    assert [word for word in ("a guess", "10:00:00:00", "00:00:05") if word not in note.what] == []
    those = cues(300_000)
    found, (note,) = shift_to_film_start(those, 60_000, None, "film.srt", by_guess=True)
    assert (found, "outside the film" in note.what) == (those, True)
