"""What newcomers ran into: films written over, silence where there is no plan, speech talked over."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_running import problem

from adstudio.core.timebase import FrameRate
from adstudio.store.project import ProjectFile


@pytest.fixture
def project(srt: Path, candidates: Path, tmp_path: Path, run) -> Path:
    path = tmp_path / "film.adproj"
    made = run("draft", "--end", "20", "--subtitles", srt, "--candidates", candidates, "-o", path)
    assert made.code == 0
    return path


def rate_of(path: Path) -> FrameRate:
    with ProjectFile.open(path, read_only=True) as opened:
        return opened.saved_script.film.frame_rate


def test_a_script_is_never_written_over_the_dialogue_it_was_made_from(project: Path, srt: Path, run, nothing_written):
    nothing_written()
    run("export", project, "--format", "srt", "-o", srt).refused(2, "dialogue.srt", "made from")


@pytest.mark.parametrize("ending", [".mp4", ".MOV", ".mkv", ".mxf"])
def test_a_script_is_never_written_over_a_film(ending: str, project: Path, tmp_path: Path, run, nothing_written):
    film = tmp_path / f"film{ending}"
    film.write_bytes(b"the film")
    nothing_written()
    run("export", project, "--format", "csv", "-o", film).refused(2, film.name, "named like a video")


@pytest.mark.parametrize(
    ("form", "name", "noted"),
    [
        ("xlsx", "x.txt", True),
        ("csv", "x.xlsx", True),
        ("srt", "x.vtt", True),
        ("dapt", "x.json", True),
        ("plan", "x.csv", True),
        ("csv", "x.CSV", False),
        ("csv", "x.tsv", False),
        ("dapt", "x.xml", False),
        ("reframed", "x.json", False),
        ("vtt", "x.webvtt", False),
        ("srt", "x", False),
    ],
)
def test_a_name_that_says_another_format_is_noted(
    project: Path, tmp_path: Path, run, form: str, name: str, noted: bool
):
    ran = run("export", project, "--format", form, "-o", tmp_path / name)
    assert (ran.code, "another ending than is usual" in ran.err) == (0, noted)


def test_force_writes_over_projects_only(srt: Path, candidates: Path, project: Path, tmp_path: Path, run):
    thesis = tmp_path / "thesis.docx"
    thesis.write_bytes(b"PK years of work")
    arguments = ("draft", "--end", "20", "--subtitles", srt, "--candidates", candidates, "--force", "-o")
    run(*arguments, thesis).refused(2, "thesis.docx", ".adproj")
    assert thesis.read_bytes() == b"PK years of work"
    assert run(*arguments, project).code == 0


def test_of_two_new_projects_of_one_name_one_is_refused(project: Path, tmp_path: Path):
    with ProjectFile.open(project, read_only=True) as opened:
        script = opened.saved_script
    outcomes: list[str] = []
    start = threading.Barrier(4)

    def create() -> None:
        start.wait()
        try:
            ProjectFile.create(tmp_path / "new.adproj", script, replacing=False).close()
            outcomes.append("made")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is compared below
            outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("made") == 1
    assert set(outcomes) <= {"made", "BadInputError", "OutsideFailureError"}


def test_no_plan_is_said_aloud(problem_file: Callable[..., Path], tmp_path: Path, run):
    held = problem()
    held["gaps"] = []
    held["elements"][0]["pin"] = {"selected": True}
    target = tmp_path / "plan.json"
    ran = run("solve", problem_file(held), "-o", target)
    assert ran.code == 1
    assert held["elements"][0]["id"] in ran.err
    assert ran.err.count("\n") == 1
    assert json.loads(target.read_text())["status"] == "infeasible"


def test_a_film_without_a_length_is_said_to_end_with_its_dialogue(srt: Path, candidates: Path, tmp_path: Path, run):
    ran = run("draft", "--subtitles", srt, "--candidates", candidates, "-o", tmp_path / "film.adproj")
    assert ran.code == 0
    assert "taken to end with its last dialogue, at 00:00:12.000" in ran.err
    told = run("gaps", srt, "-o", tmp_path / "gaps.json")
    assert "--end" in told.err


def test_words_are_not_talked_over_where_a_cue_ends_before_it_begins(tmp_path: Path, candidates: Path, run):
    srt = tmp_path / "back.srt"
    srt.write_text("1\n00:00:10,000 --> 00:00:09,000\nI have loved you since we met.\n\n", encoding="utf-8")
    (first, second) = run("gaps", srt, "--end", "30").json["gaps"]
    # Seven words at 160 a minute: 2.625 s.
    assert (first, second) == ([0.0, 10.0], [12.625, 30.0])


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--frame-rate", "29.97"), "29.97 DF"),
        (("--frame-rate", "29.97", "--start-timecode", "10:00:00:00"), "29.97 NDF"),
        (("--frame-rate", "29.97", "--start-timecode", "10:00:00;00"), "29.97 DF"),
        (("--frame-rate", "29.97df", "--start-timecode", "10:00:00:00"), "29.97 DF"),
        (("--frame-rate", "59.94ndf"), "59.94 NDF"),
        (("--frame-rate", "25", "--start-timecode", "10:00:00:00"), "25"),
    ],
)
def test_a_start_timecode_tells_whether_frames_are_dropped(
    options: tuple[str, ...], name: str, srt: Path, candidates: Path, tmp_path: Path, run
):
    path = tmp_path / "film.adproj"
    ran = run("draft", "--end", "20", "--subtitles", srt, "--candidates", candidates, "-o", path, *options)
    assert ran.code == 0
    assert rate_of(path).name == name
    assert f"timecode: {name} frames a second" in ran.err


@pytest.mark.parametrize(
    ("end", "seconds"), [("0:20", 20.0), ("1:02.5", 62.5), ("1:00:00", 3600.0), ("2:45,25", 165.25)]
)
def test_lengths_may_be_given_as_clocks_show_them(end: str, seconds: float, srt: Path, run):
    assert run("gaps", srt, "--end", end).json["end"] == seconds


@pytest.mark.parametrize("language", ["", "xx-!!", "e", "en_!!"])
def test_a_language_is_a_tag(language: str, srt: Path, candidates: Path, tmp_path: Path, run):
    made = ("draft", "--end", "20", "--subtitles", srt, "--candidates", candidates, "-o", tmp_path / "film.adproj")
    run(*made, f"--language={language}").refused(2, "--language")


def test_a_picture_and_a_problem_in_the_wrong_place_are_told_by_what_they_are(
    tmp_path: Path, problem_file: Callable[..., Path], run
):
    picture = tmp_path / "still.json"
    picture.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF")
    run("solve", picture).refused(2, "picture")
    path = problem_file(problem())
    run("verify", path, path).refused(2, "this is a problem")


def test_a_project_is_explained_as_its_exported_problem_is(project: Path, tmp_path: Path, run):
    problem = tmp_path / "problem.json"
    assert run("export", project, "--format", "problem", "-o", problem).code == 0
    explained = run("explain", project)
    assert (explained.code, explained.out) == (0, run("explain", problem).out)
    before = project.read_bytes()
    run("explain", project, "-o", project).refused(2, project.name)
    assert project.read_bytes() == before
