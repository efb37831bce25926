"""Films from their files: what is taken from where, and each kind of bad input in one sentence that names the file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from evaluated_films import AMERICAN, BRITISH, DIALOGUE, MINUTE, film_files, moved, srt, vtt, write

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.timebase import RATES
from adstudio.evaluation.film_checks import OtherLanguageError, OtherTimeBaseError
from adstudio.evaluation.film_reading import NoSubtitlesError, read_film
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.request import FilmFiles, ScriptFile
from adstudio.subtitles.dialogue import NoDialogueError

GERMAN = [
    (6_000, 8_000, "Ruth öffnet die Tür und sieht in den Hof, der ist nicht leer."),
    (21_000, 24_000, "Der Regen fällt auf das Dach, und sie nimmt die Laterne von der Wand."),
    (36_000, 39_000, "Ein Fuchs läuft über den Kies, und Ruth sieht ihm von der Tür aus nach."),
]


def refused(files: FilmFiles, kind: type[AdstudioError], *parts: str) -> AdstudioError:
    """The error, whose message is one sentence with these parts."""
    with pytest.raises(kind) as raised:
        read_film(files)
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 600
    for part in parts:
        assert part in message, message
    return raised.value


def system(folder: Path, lines: list[tuple[int, int, str]] | tuple[tuple[int, int, str], ...]) -> ScriptFile:
    return ScriptFile("system", write(folder / "system.srt", srt(lines)))


def test_a_film_from_its_files(tmp_path: Path) -> None:
    read = read_film(film_files(tmp_path, system(tmp_path, BRITISH)))
    film = read.film
    assert (film.name, film.end, film.language, film.sequence_source) == ("film", 240_000, "en", SequenceSource.FILM)
    assert [len(each.descriptions) for each in (*film.references, *film.systems)] == [5, 5, 5]
    assert [(cue.start, cue.end) for cue in film.dialogue] == [(a, b) for a, b, _ in DIALOGUE]
    assert [(each.name, each.span.start, each.span.end) for each in film.sequences] == [("film", 0, 240_000)]
    assert read.notes == ("system says just what british says in film, at the same times",)


def test_without_an_end_the_film_ends_with_the_last_that_is_said(tmp_path: Path) -> None:
    last = (250_000, 252_000, "The lantern goes out.")
    read = read_film(replace(film_files(tmp_path, system(tmp_path, (*BRITISH, last))), end=None))
    assert read.film.end == 252_000
    assert "its length is not known, so it is taken to end with the last that is said (00:04:12.000)" in read.notes


def test_lines_outside_the_film_count_and_are_told(tmp_path: Path) -> None:
    read = read_film(film_files(tmp_path, system(tmp_path, (*AMERICAN, (4 * MINUTE, 4 * MINUTE + 1_000, "Credits.")))))
    assert len(read.film.systems[0].descriptions) == len(AMERICAN) + 1
    what = "1 line begins outside the film, which ends at 00:04:00.000: counted with its first or last sequence"
    assert [(Path(name).name, odd.what) for name, odd in read.oddities] == [("system.srt", what)]


def test_no_reference(tmp_path: Path) -> None:
    refused(film_files(tmp_path, references=()), BadInputError, "film has no reference")


def test_an_empty_system(tmp_path: Path) -> None:
    for text in ("", "WEBVTT\n", "1\n00:00:06,000 --> 00:00:08,000\n…\n"):
        empty = ScriptFile("system", write(tmp_path / "nothing.vtt", text))
        refused(film_files(tmp_path, empty), BadInputError, "nothing.vtt")


def test_the_same_name_twice(tmp_path: Path) -> None:
    one, other = (ScriptFile("a", write(tmp_path / name, srt(BRITISH))) for name in ("x.srt", "y.srt"))
    refused(
        film_files(tmp_path, one, other), BadInputError, "two systems are called “a”", "x.srt", "y.srt", "NAME=FILE"
    )
    refused(film_files(tmp_path, references=(one, other)), BadInputError, "two references are called “a”")
    for name in ("expert", "random", "expert american"):
        refused(film_files(tmp_path, replace(one, name=name)), BadInputError, f"“{name}”", "x.srt")


def test_a_reference_given_as_system(tmp_path: Path) -> None:
    files = film_files(tmp_path)
    (tmp_path / "link.vtt").symlink_to("american.vtt")
    for path in (tmp_path / "american.vtt", tmp_path / "link.vtt"):
        again = replace(files, systems=(ScriptFile("mine", path),))
        refused(again, BadInputError, path.name, "the reference “american”", "expert")


def test_the_dialogue_given_as_an_ad(tmp_path: Path) -> None:
    files = film_files(tmp_path)
    dialogue = ScriptFile("dialogue", tmp_path / "film.srt")
    for given in (replace(files, systems=(dialogue,)), replace(files, references=(dialogue,))):
        refused(given, BadInputError, "film.srt is given as the dialogue of film")


def test_another_language_of_a_reference_or_a_system(tmp_path: Path) -> None:
    german = ScriptFile("german", write(tmp_path / "german.srt", srt(GERMAN)))
    files = film_files(tmp_path)
    both = replace(files, references=(files.references[0], german))
    refused(both, OtherLanguageError, "german.srt", "another language (“de”)", "american.vtt", "(“en”)")
    refused(replace(files, systems=(german,)), OtherLanguageError, "german.srt", "another language (“de”)")
    assert read_film(replace(files, systems=(german,)), "en").film.language == "en"


def test_too_little_text_to_tell_its_language_is_not_refused(tmp_path: Path) -> None:
    read = read_film(film_files(tmp_path, system(tmp_path, [(6_000, 7_000, "Ruth lacht.")])))
    assert read.film.language == "en"


def test_an_hour_off_by_the_films_end(tmp_path: Path) -> None:
    late = ScriptFile("late", write(tmp_path / "late.srt", srt(moved(BRITISH, 60 * MINUTE))))
    files = film_files(tmp_path)
    for given in (replace(files, references=(files.references[0], late)), replace(files, systems=(late,))):
        for end in (files.end, None):
            error = refused(replace(given, end=end), BadInputError, "late.srt", "count from 01:00:00:00")
            assert error.option == "--shift late=-3600"
    mended = replace(late, shift=-60 * MINUTE)
    assert read_film(replace(files, systems=(mended,))).film.systems[0].descriptions[0].span.start == 6_500


RARE = (
    *("Anchor", "Beacon", "Cathedral", "Dagger", "Eagle", "Falcon", "Garden"),
    *("Harbour", "Island", "Jewel", "Kettle", "Ladder", "Mirror", "Nettle"),
)


def pair(*, later: int = 0, speed: float = 1.0) -> tuple[str, str]:
    """Two ADs of half an hour that name the same things, the second by other words and in another time base."""
    places = [MINUTE * (2 * number + 1) for number in range(len(RARE))]
    one = [(at, at + 2_000, f"She sees the {name}.") for at, name in zip(places, RARE, strict=True)]
    other = [
        (round((at + 1_000) * speed) + later, f"There is a {name}, far away.")
        for at, name in zip(places, RARE, strict=True)
    ]
    return srt(one), srt([(at, at + 2_000, text) for at, text in other])


def by_references(folder: Path, **how: float) -> FilmFiles:
    one, other = pair(**how)
    references = (
        ScriptFile("one", write(folder / "one.srt", one)),
        ScriptFile("other", write(folder / "other.srt", other)),
    )
    return FilmFiles("film", references, end=40 * MINUTE, without_dialogue=True)


def test_references_in_another_time_base_are_found_by_one_another(tmp_path: Path) -> None:
    assert read_film(by_references(tmp_path)).notes == ()
    late = by_references(tmp_path, later=90_000)
    error = refused(late, OtherTimeBaseError, "other.srt is 91.0 s later than", "one.srt")
    assert error.option == "--shift other=-91, or --shift other=0"
    confirmed = replace(late, references=(late.references[0], replace(late.references[1], shift=0)))
    assert len(read_film(confirmed).film.references) == 2
    mended = replace(late, references=(late.references[0], replace(late.references[1], shift=-91_000)))
    assert read_film(mended).film.references[1].descriptions[0].span.start == MINUTE


def test_references_at_another_speed_are_found_by_one_another(tmp_path: Path) -> None:
    fast = by_references(tmp_path, speed=24 / 25)
    error = refused(fast, OtherTimeBaseError, "other.srt runs at the speed of 25 frames a second where", "runs at 24")
    assert error.option.startswith("--frame-rate 24 --speed other=25, or")
    references = (fast.references[0], replace(fast.references[1], speed=RATES["25"]))
    mended = read_film(replace(fast, references=references, frame_rate=RATES["24"]))
    last = [each.descriptions[-1].span.start for each in mended.film.references]
    assert abs(last[1] - last[0] - 1_000) <= 1


def test_a_system_in_another_time_base_is_noted_and_evaluated_as_it_is(tmp_path: Path) -> None:
    files = by_references(tmp_path, later=90_000)
    one, other = files.references
    notes = read_film(replace(files, references=(one,), systems=(other,))).notes
    assert any(f"other.srt is 91.0 s later than {one.path} throughout" in each for each in notes)
    assert any("--shift other=-91 would mend that" in each for each in notes)


def test_overlapping_subtitles_are_told(tmp_path: Path) -> None:
    overlapping = (*DIALOGUE[:2], (18_000, 22_000, "Nobody."), *DIALOGUE[2:])
    files = film_files(tmp_path, subtitles=write(tmp_path / "over.srt", srt(overlapping)))
    told = [f"{Path(name).name}: {odd.what}" for name, odd in read_film(files).oddities]
    assert told == ["over.srt: the cue overlaps the one on line 6"]


def test_no_dialogue_has_to_be_confirmed(tmp_path: Path) -> None:
    files = film_files(tmp_path, subtitles=None)
    assert "--subtitles" in refused(files, NoSubtitlesError, "nothing says when there is dialogue in film").option
    assert read_film(replace(files, without_dialogue=True)).film.dialogue == ()
    silent = replace(files, subtitles=write(tmp_path / "silent.srt", srt([(0, 1_000, "[wind]")])))
    refused(silent, NoDialogueError, "silent.srt")
    assert len(read_film(replace(silent, without_dialogue=True)).film.dialogue) == 1


def test_a_film_of_ten_hours(tmp_path: Path) -> None:
    hours = 600 * MINUTE
    dialogue = [(at, at + 5_000, "What do you want from us?") for at in range(0, hours, 15_000)]
    lines = [(at + 6_000, at + 8_000, f"Ruth opens door {at}.") for at in range(0, hours, 15_000)]
    files = film_files(
        tmp_path,
        subtitles=write(tmp_path / "long.srt", srt(dialogue)),
        references=(ScriptFile("one", write(tmp_path / "one.vtt", vtt(lines))),),
        systems=(system(tmp_path, lines),),
        end=hours,
    )
    read = read_film(files)
    assert (read.film.end, len(read.film.dialogue), len(read.film.systems[0].descriptions)) == (hours, 2_400, 2_400)
    # 2,400 descriptions against as many.
    (odd,) = (odd.what for _, odd in read.oddities)
    assert odd.startswith("the film is one sequence, so 5,760,000 pairs of descriptions are compared, which takes long")


def test_a_file_of_sequences(tmp_path: Path) -> None:
    path = write(tmp_path / "parts.csv", "name,start,end\nYard,0,60\nHouse,1:00,3:00\n")
    read = read_film(film_files(tmp_path, sequences=path))
    assert read.film.sequence_source is SequenceSource.FILE
    assert [(each.name, each.span.start, each.span.end) for each in read.film.sequences] == [
        ("Yard", 0, 60_000),
        ("House", 60_000, 240_000),
    ]
    assert [(Path(name).name, odd.what) for name, odd in read.oddities] == [
        ("parts.csv", "no sequence covers 00:03:00.000 to 00:04:00.000: that belongs to the sequence beside it")
    ]


def test_our_own_script_in_json_is_a_system(tmp_path: Path) -> None:
    lines = [{"start": a / 1000, "end": b / 1000, "text": text} for a, b, text in AMERICAN]
    path = write(tmp_path / "mine.json", json.dumps({"format": "adstudio-script/1", "lines": lines}))
    assert len(read_film(film_files(tmp_path, ScriptFile("mine", path))).film.systems[0].descriptions) == 5
