"""Scripts of every form as transcripts: ends that are missing, lines without words, tables of several films."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evaluated_films import (
    AMERICAN,
    DIALOGUE,
    MINUTE,
    film_files,
    generated_csv,
    generated_json,
    moved,
    srt,
    vtt,
    write,
)

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import RATES, Span
from adstudio.evaluation.material import Description
from adstudio.evaluation.reading import ReadScript, read_script
from adstudio.evaluation.request import ScriptFile
from adstudio.importing.findings import ScriptTimesError

FILM = Script(Film("film", 4 * MINUTE), cues=tuple(Cue(f"c{a}", a, b, text) for a, b, text in DIALOGUE))
WHOLE = tuple(Description(Span(a, b), text) for a, b, text in AMERICAN)


def read(path: Path, film: Script = FILM, film_name: str = "", **how: object) -> ReadScript:
    return read_script(ScriptFile(path.stem, path, **how), film, film_name)  # type: ignore[arg-type]


def odd(found: ReadScript) -> list[str]:
    return [each.what for each in found.oddities]


def rows(form: str) -> str:
    return "".join(form.format(a / 1000, b / 1000, text) for a, b, text in AMERICAN)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.srt", srt(AMERICAN)),
        ("a.vtt", vtt(AMERICAN)),
        ("a.csv", generated_csv(AMERICAN)),
        ("a.json", generated_json(AMERICAN)),
        ("b.json", json.dumps([{"start": a / 1000, "end": b / 1000, "text_gen": text} for a, b, text in AMERICAN])),
        ("c.csv", "imdbid,start,end,text_gt,text_gen,anno_idx\n" + rows("1,{},{},x,{},3\n")),
        ("d.csv", "start,end,text_gen\n" + rows("{},{},{}\n")),
    ],
)
def test_a_transcript_is_the_same_from_every_form(tmp_path: Path, name: str, text: str) -> None:
    assert read(write(tmp_path / name, text)).transcript.descriptions == WHOLE


def test_seconds_with_many_decimals_are_rounded_to_milliseconds(tmp_path: Path) -> None:
    table = "start,end,text_gen\n6.00049999999999,8.0004000000000001,Ruth turns.\n"
    assert read(write(tmp_path / "a.csv", table)).transcript.descriptions[0].span == Span(6_000, 8_000)
    value = {"1": {"start": 6.0004999, "end": 8.0005001, "text": "Ruth turns."}}
    assert read(write(tmp_path / "a.json", json.dumps(value))).transcript.descriptions[0].span == Span(6_000, 8_001)


def test_lines_without_an_end_last_as_long_as_their_words_at_most_until_the_next_one(tmp_path: Path) -> None:
    # At 200 words a minute a word takes 0.3 s: five words 1.5 s, of which the first has 1 s.
    table = "start,text\n0:06,One two three four five.\n0:07,Six seven eight nine ten.\n"
    found = read(write(tmp_path / "a.csv", table))
    assert [each.span for each in found.transcript.descriptions] == [Span(6_000, 7_000), Span(7_000, 8_500)]
    assert any("2 lines are without an end: taken to last at 200 words a minute" in each for each in odd(found))


def test_an_end_that_is_none_is_replaced_and_a_short_one_is_not(tmp_path: Path) -> None:
    lines = [(6_000, 6_000, "One two three."), (9_000, 9_100, "Four five six.")]
    found = read(write(tmp_path / "a.srt", srt(lines)))
    # A tenth of a second is as the file says; whether that can be spoken is for the realistic filter.
    assert [each.span for each in found.transcript.descriptions] == [Span(6_000, 6_900), Span(9_000, 9_100)]


def test_lines_without_words_are_not_used_and_told(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a.srt", srt([(5_000, 6_000, "…"), *AMERICAN])))
    assert found.transcript.descriptions == WHOLE
    assert odd(found) == ["1 line is without a word, so not used"]


def test_lines_out_of_order_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.json", generated_json(AMERICAN[::-1]))).transcript.descriptions == WHOLE


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "WEBVTT\n", "start,end,text_gen\n", '{"1": {"start": 1, "text": ""}}']
)
def test_a_file_without_a_description_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInputError, match=r"empty-system\.txt"):
        read(write(tmp_path / "empty-system.txt", text))


def test_a_table_of_several_films_is_read_by_the_name_of_the_film(tmp_path: Path) -> None:
    both = generated_csv(AMERICAN, "tt1") + "".join(generated_csv(moved(AMERICAN, 1_000), "tt2").splitlines(True)[1:])
    path = write(tmp_path / "all.csv", both)
    assert read(path, film_name="TT1").transcript.descriptions == WHOLE
    assert read(path, film_name="tt2").transcript.descriptions[0].span.start == 7_000
    with pytest.raises(
        BadInputError, match=r"all\.csv has the descriptions of 2 films \(tt1, tt2\), and none is called"
    ):
        read(path, film_name="other")


def test_times_an_hour_off_are_found_and_mended(tmp_path: Path) -> None:
    path = write(tmp_path / "late.srt", srt(moved(AMERICAN, 60 * MINUTE)))
    with pytest.raises(ScriptTimesError, match=r"late\.srt: its times seem to count from 01:00:00:00") as raised:
        read(path)
    assert raised.value.option == "--shift late=-3600"
    assert read(path, shift=-60 * MINUTE).transcript.descriptions == WHOLE


def test_timecode_of_another_rate_is_found(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv", "in,out,text\n00:00:06:28,00:00:08:00,Ruth turns.\n00:00:21:29,00:00:22:00,Rain.\n"
    )
    with pytest.raises(ScriptTimesError, match=r"a\.csv: its timecode is not of 25 frames a second") as raised:
        read(path)
    assert raised.value.option == "--frame-rate 30"


def test_columns_that_only_a_person_can_tell_apart_are_refused_by_name(tmp_path: Path) -> None:
    table = (
        "x,y,z\n0:06,Ruth turns to the door.,Rain falls on the roof.\n0:09,He lifts a lantern up.,A fox runs away.\n"
    )
    with pytest.raises(BadInputError, match=r"a\.csv .*name its columns in their first row"):
        read(write(tmp_path / "a.csv", table))


def test_a_start_timecode_of_the_film_is_subtracted(tmp_path: Path) -> None:
    film = FILM.with_changes(film=Film("film", 4 * MINUTE, start_timecode="10:00:00:00"))
    rows = "".join(f"{clock_label(a)}\t{clock_label(b)}\t{text}\n" for a, b, text in moved(AMERICAN, 600 * MINUTE))
    assert read(write(tmp_path / "a.tsv", f"TC in\tTC out\tText\n{rows}"), film).transcript.descriptions == tuple(
        Description(Span(a // 40 * 40, b // 40 * 40), text) for a, b, text in AMERICAN
    )


def clock_label(ms: int) -> str:
    return RATES["25"].label(ms // 40 * 40)


def long_ad(speed: float = 1.0) -> list[tuple[int, int, str]]:
    """Forty lines, each in the middle of a gap of the long film below, timed to a version at another speed."""
    starts = range(20_000, 40 * MINUTE, MINUTE)
    spans = [(round(a * speed), round((a + 2_000) * speed)) for a in starts]
    return [(a, b, f"Line number{n} is spoken here.") for n, (a, b) in enumerate(spans)]


def test_another_speed_is_found_by_the_dialogue_of_the_film(tmp_path: Path) -> None:
    # Dialogue of half a minute at each half minute: a line timed at 24 for a film at 25 drifts over it.
    cues = tuple(Cue(f"c{at}", at, at + 30_000, "Words.") for at in range(30_000, 40 * MINUTE, MINUTE))
    film = Script(Film("film", 40 * MINUTE), cues=cues)
    path = write(tmp_path / "slow.srt", srt(long_ad(25 / 24)))
    with pytest.raises(ScriptTimesError, match=r"slow\.srt: .* 24 frames a second") as raised:
        read(path, film)
    assert raised.value.option == "--speed slow=24"
    mended = read(path, film, speed=RATES["24"]).transcript.descriptions
    assert all(abs(found.span.start - a) <= 1 for found, (a, _, _) in zip(mended, long_ad(), strict=True))


SAID = tuple(f"Come to house number {n}, please." for n in range(40))


@pytest.mark.parametrize(
    ("form", "speed"),
    [("{}", 1), ("{}", 25 / 24), ("MRS BROWN: {}", 1), ("[softly] {}", 1), ("<i>{}</i>", 1), ("- {}", 1)],
)
def test_the_dialogue_of_the_film_is_no_description_of_it(tmp_path: Path, form: str, speed: float) -> None:
    starts = [(n + 1) * 15_000 for n in range(len(SAID))]
    cues = tuple(Cue(f"c{at}", at, at + 5_000, text) for at, text in zip(starts, SAID, strict=True))
    film = Script(Film("film", 11 * MINUTE), cues=cues)
    lines = [(round(cue.start * speed), round(cue.end * speed), form.format(cue.text.upper())) for cue in cues]
    with pytest.raises(BadInputError, match=r"said\.srt is dialogue: 40 of its 40 lines") as raised:
        read(write(tmp_path / "said.srt", srt(lines)), film)
    assert not isinstance(raised.value, ScriptTimesError)


def test_a_description_that_quotes_the_film_is_one(tmp_path: Path) -> None:
    cues = tuple(Cue(f"c{n}", n * 15_000, n * 15_000 + 5_000, SAID[n]) for n in range(8))
    film = Script(Film("film", 4 * MINUTE), cues=cues)
    lines = [(n * 15_000 + 6_000, n * 15_000 + 8_000, SAID[n] if n < 4 else f"He nods {n} times.") for n in range(8)]
    assert len(read(write(tmp_path / "half.srt", srt(lines)), film).transcript.descriptions) == 8


def test_the_files_of_the_tests_are_read(tmp_path: Path) -> None:
    files = film_files(tmp_path)
    assert read(files.references[0].path).transcript.descriptions == WHOLE
