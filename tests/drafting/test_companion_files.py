"""What is found beside a video, and the names of new projects."""

import os
from pathlib import Path

import pytest

from adstudio.drafting.companion_files import (
    candidates_beside,
    descriptions_beside,
    free_project,
    is_script_file,
    screenplays_beside,
    subtitles_beside,
)


@pytest.mark.parametrize("stem", ["film", "Gün ter – ä", "日本", "#1 %20 &", "-film", "f" * 200])
def test_subtitles_of_the_same_name_with_and_without_a_language(tmp_path: Path, stem: str):
    video = tmp_path / f"{stem}.mp4"
    names = [f"{stem}.srt", f"{stem}.de.vtt", f"{stem}_en-GB.sdh.ttml", f"{stem} (forced).ASS"]
    for name in [*names, f"{stem}.txt", f"{stem}rolle.srt", "other.srt", f"{stem}.mp4"]:
        (tmp_path / name).touch()
    (tmp_path / f"{stem}.fr.srt").mkdir()
    assert subtitles_beside(video)[0].name == f"{stem}.srt"
    assert {path.name for path in subtitles_beside(video)} == set(names)


def test_subtitles_of_a_plain_name_where_none_have_the_films(tmp_path: Path):
    video = tmp_path / "film.mp4"
    for name in ("dialogue.srt", "dialogue.vtt", "dialogue.sdh.srt", "Captions.de.ass", "others.srt", "dialogues.srt"):
        (tmp_path / name).touch()
    found = [path.name for path in subtitles_beside(video)]
    assert found == ["dialogue.srt", "dialogue.vtt", "dialogue.sdh.srt", "Captions.de.ass"]
    (tmp_path / "film.vtt").touch()
    assert [path.name for path in subtitles_beside(video)] == ["film.vtt"]


def test_the_only_subtitles_of_a_folder_unless_they_are_another_films(tmp_path: Path):
    video = tmp_path / "film.mp4"
    assert subtitles_beside(video) == ()
    (tmp_path / "project.xml").touch()
    assert subtitles_beside(video) == ()
    (tmp_path / "Reel 1 final.SRT").touch()
    video.touch()
    assert [path.name for path in subtitles_beside(video)] == ["Reel 1 final.SRT"]
    (tmp_path / "reel 1.mov").touch()
    assert subtitles_beside(video) == ()
    (tmp_path / "reel 1.mov").unlink()
    (tmp_path / "another.vtt").touch()
    assert subtitles_beside(video) == ()


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("film.ad.srt", ""),
        ("film.ad.vtt", "WEBVTT"),
        ("film.en.descriptions.srt", ""),
        ("film AD.srt", ""),
        ("film.vtt", "WEBVTT\n\nNOTE\nkind=descriptions\nlanguage=en"),
        ("film.vtt", "WEBVTT\nKind: descriptions"),
        ("film.vtt", "WEBVTT\nKind: chapters"),
        ("film.thumbnails.vtt", "WEBVTT"),
        ("dialogue.ad.srt", ""),
        ("descriptions.vtt", "WEBVTT"),
        ("another.ad.srt", ""),
        ("another.vtt", "WEBVTT\nKind: metadata"),
    ],
)
def test_what_is_no_dialogue_is_never_proposed_as_such(tmp_path: Path, name: str, head: str):
    video = tmp_path / "film.mp4"
    (tmp_path / name).write_text(f"{head}\n\n00:00:01.000 --> 00:00:02.000\nA cat walks along the shelf.\n")
    assert subtitles_beside(video) == ()
    (tmp_path / "talk.srt").write_text("1\n00:00:03,000 --> 00:00:04,000\nHello.\n")
    assert [path.name for path in subtitles_beside(video)] == ["talk.srt"]


def test_a_film_whose_own_name_ends_as_descriptions_do(tmp_path: Path):
    (tmp_path / "My first.ad.srt").touch()
    assert [path.name for path in subtitles_beside(tmp_path / "My first.ad.mp4")] == ["My first.ad.srt"]


def test_letters_that_macos_writes_as_two_characters(tmp_path: Path):
    (tmp_path / "Gu\u0308nter.srt").touch()
    assert [path.name for path in subtitles_beside(tmp_path / "G\u00fcnter.mp4")] == ["Gu\u0308nter.srt"]


def test_candidates_by_name_or_the_only_ones_there(tmp_path: Path):
    video = tmp_path / "film.mp4"
    assert candidates_beside(video) == ()
    (tmp_path / "candidates.json").touch()
    assert candidates_beside(video) == (tmp_path / "candidates.json",)
    (tmp_path / "film.candidates.json").touch()
    assert candidates_beside(video) == (tmp_path / "film.candidates.json",)


def test_screenplays_and_descriptions_are_told_apart_by_their_names(tmp_path: Path):
    video = tmp_path / "film.mp4"
    assert (screenplays_beside(video), descriptions_beside(video)) == ((), ())
    names = ["film.txt", "film.PDF", "film.fountain", "film final.fdx", "screenplay.fountain", "screenplay.pdf"]
    prose = ["film.description.txt", "film Description.md", "description.txt"]
    for name in [*names, *prose, "film.srt", "other.fountain", "filmed.fdx"]:
        (tmp_path / name).touch()
    (tmp_path / "film.fdx").mkdir()
    found = [path.name for path in screenplays_beside(video)]
    assert found[0] == "film.fountain"
    assert found[-1] == "film.txt"
    assert set(found) == set(names)
    assert [path.name for path in descriptions_beside(video)] == ["film Description.md", *prose[::2]]


def test_generic_names_count_in_any_case(tmp_path: Path):
    for name in ("Screenplay.Fountain", "DESCRIPTION.TXT", "Candidates.json"):
        (tmp_path / name).touch()
    video = tmp_path / "film.mp4"
    found = (*screenplays_beside(video), *descriptions_beside(video), *candidates_beside(video))
    assert [path.name for path in found] == ["Screenplay.Fountain", "DESCRIPTION.TXT", "Candidates.json"]


@pytest.mark.parametrize(
    "name", ["film.ad.txt", "film AD.txt", "film.audiodescription.csv", "film.Audiobeschreibung.md"]
)
def test_a_text_that_says_it_is_audio_description_is_no_screenplay(tmp_path: Path, name: str):
    (tmp_path / name).touch()
    video = tmp_path / "film.mp4"
    assert [path.name for path in descriptions_beside(video)] == [name]
    assert screenplays_beside(video) == ()


def test_the_only_screenplay_of_a_folder_unless_it_is_another_films(tmp_path: Path):
    video = tmp_path / "reel 1.mp4"
    for name in ("Notes.txt", "Contract.pdf", "The clerk.fdx"):
        (tmp_path / name).touch()
    assert [path.name for path in screenplays_beside(video)] == ["The clerk.fdx"]
    (tmp_path / "the clerk.mov").touch()
    assert screenplays_beside(video) == ()
    (tmp_path / "the clerk.mov").unlink()
    (tmp_path / "The clerk, second draft.fountain").touch()
    assert screenplays_beside(video) == ()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path):
    assert subtitles_beside(tmp_path / "gone" / "film.mp4") == ()


def test_a_project_gets_a_name_that_nobody_has(tmp_path: Path):
    video = tmp_path / "film v2.mp4"
    assert free_project(video).name == "film v2.adproj"
    (tmp_path / "film v2.adproj").touch()
    (tmp_path / "film v2 2.adproj").symlink_to(tmp_path / "gone")
    assert free_project(video).name == "film v2 3.adproj"


@pytest.mark.parametrize("letter", ["f", "ä", "日"])
def test_a_name_at_the_limit_of_the_system(tmp_path: Path, letter: str):
    stem = letter * (250 // len(letter.encode()))
    free = free_project(tmp_path / f"{stem}.mp4")
    free.touch()
    again = free_project(tmp_path / f"{stem}.mp4")
    again.touch()
    assert free != again
    assert len(os.fsencode(again.name)) <= 255


@pytest.mark.parametrize(
    ("name", "is_script"),
    [
        ("film.dapt", True),
        ("film.dapt.xml", True),
        ("film.xlsx", True),
        ("film.descriptions.ttml", True),
        ("film.ttml", False),
        ("film.srt", False),
        ("description.txt", False),
    ],
)
def test_a_script_by_its_name(name: str, is_script: bool) -> None:
    assert is_script_file(Path(name)) is is_script
