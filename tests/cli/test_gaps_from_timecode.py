"""`adstudio gaps` and `draft --in-step` with subtitles that count from a start timecode."""

import re
from pathlib import Path

import pytest
from cli_contracts import check_gaps

from adstudio.core.timebase import clock
from adstudio.store.project import ProjectFile

TEN = (
    "1\n09:59:50,000 --> 09:59:52,000\nOne, two.\n\n"
    "2\n10:00:05,000 --> 10:00:07,000\nHello.\n\n"
    "3\n10:00:20,000 --> 10:00:22,000\nWho is it?\n"
)
IN_FILM = [[0, 5], [7, 20], [22, 60]]


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    path = tmp_path / "ten.srt"
    path.write_text(TEN)
    return path


def problems(value: dict) -> str:
    return " ".join(problem["what"] for problem in value["problems"])


def test_the_start_timecode_is_taken_off(ten: Path, run):
    ran = run("gaps", ten, "--end", "60", "--start-timecode", "10:00:00:00")
    value = check_gaps(ran.out)
    assert (ran.code, value["gaps"]) == (0, IN_FILM)
    assert "the first words are now at 00:00:05" in problems(value)
    assert "a guess" not in problems(value)
    by_label = check_gaps(run("gaps", ten, "--end", "60", "--start-timecode", "10:00:00:29", "--frame-rate", "30").out)
    # 29 frames of a thirtieth of a second are 0.967 s.
    assert [float(edge) for edge in by_label["gaps"][0]] == [0, 4.033]


def test_without_it_a_guess_is_called_a_guess(ten: Path, run):
    value = check_gaps(run("gaps", ten, "--end", "60").out)
    assert value["gaps"] == IN_FILM
    found = problems(value)
    assert [part for part in ("a guess", "10:00:00:00 was subtracted", "10 s before") if part not in found] == []


def test_without_a_length_nothing_is_subtracted_by_guess(ten: Path, run):
    value = check_gaps(run("gaps", ten).out)
    assert value["end"] == 36_022
    assert "a guess" in problems(value)
    assert check_gaps(run("gaps", ten, "--start-timecode", "10:00:00:00").out)["end"] == 22


@pytest.mark.parametrize("given", [["--start-timecode", "10:00"], ["--frame-rate", "7"]])
def test_what_is_no_timecode_or_rate_is_refused(ten: Path, run, given: list[str]):
    assert run("gaps", ten, "--end", "60", *given).code == 2


def test_draft_refuses_with_the_guess_and_the_option(ten: Path, run, tmp_path: Path):
    source = tmp_path / "prose.txt"
    source.write_text("[00:00:10] A cat walks along the shelf.\n")
    arguments = ["draft", "--subtitles", ten, "--end", "60", "--description", source, "-o", tmp_path / "film.adproj"]
    ran = run(*arguments)
    assert ran.code == 2
    assert re.search(r"from 10:00:00.*a guess.*--start-timecode 10:00:00:00", ran.err)
    assert "09:00" not in ran.err
    assert run(*arguments, "--start-timecode", "10:00:00:00").code == 0


def test_in_step_from_a_start_timecode(shared_data: Path, run, tmp_path: Path):
    """The announcer's speech, as subtitles that count from 10:00:00 and are 0.8 s late."""
    pytest.importorskip("onnxruntime")
    video = shared_data / "film" / "plan9-trailer" / "plan9.av1.mp4"
    speech = check_gaps(run("gaps", video).out)["dialogue"]
    late = 36_000_000 + 800
    subtitles = tmp_path / "late.srt"
    subtitles.write_text(
        "\n\n".join(
            f"{n}\n{clock(round(cue['start'] * 1000) + late)} --> {clock(round(cue['end'] * 1000) + late)}\nWords."
            for n, cue in enumerate(speech, 1)
        )
    )
    source = tmp_path / "prose.txt"
    source.write_text("[00:00:10] A cat walks along the shelf.\n")
    project = tmp_path / "film.adproj"
    given = ["--subtitles", subtitles, "--description", source, "--start-timecode", "10:00:00:00", "--in-step"]
    ran = run("draft", video, *given, "-o", project)
    assert ran.code == 0, ran.err
    starts = [float(cue["start"]) for cue in speech]
    value = check_gaps(run("gaps", subtitles, "--against", video, "--start-timecode", "10:00:00:00", "--in-step").out)
    with ProjectFile.open(project) as opened:
        drafted = [cue.start / 1000 for cue in opened.saved_script.cues]
    for found in (drafted, [float(cue["start"]) for cue in value["dialogue"]]):
        assert found == pytest.approx(starts, abs=0.05)
