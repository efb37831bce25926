"""What `-o` may name: a project by its ending only, and `-` for standard output."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path, srt: Path, candidates: Path, run) -> Path:
    path = tmp_path / "p.adproj"
    assert run("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", path).code == 0
    return path


@pytest.mark.parametrize("name", ["x.txt", "x", "x.adproj.bak", "-"])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_new_project_has_the_ending_of_projects(
    name: str, force: tuple[str, ...], srt: Path, candidates: Path, tmp_path: Path, run, nothing_written
):
    nothing_written()
    project = tmp_path / name
    drafting = ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, *force)
    for words in (drafting, ("import", srt, "--end", 60, *force)):
        run(*words, "-o", project).refused(2, f"{project} is not named like a project: end its name in .adproj")


def test_a_project_that_is_there_is_known_by_what_is_in_it(project: Path, srt: Path, candidates: Path, tmp_path, run):
    other = tmp_path / "old.project"
    project.rename(other)
    again = run("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "--force", "-o", other)
    assert again.code == 0
    assert (
        run("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", tmp_path / "P.ADPROJ").code == 0
    )


def test_a_dash_is_standard_output(srt: Path, tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    plain, dash = run("gaps", srt, "--end", 60), run("gaps", srt, "--end", 60, "-o", "-")
    assert (dash.code, dash.out) == (0, plain.out)
    assert json.loads(dash.out)["format"] == "adstudio-gaps/1"
    shown = run("preset", "house", "-o", "-")
    assert (shown.code, bool(shown.out)) == (0, True)
    assert not Path("-").exists()


def test_a_voice_that_there_is_not_is_bad_input_of_every_command(project: Path, srt: Path, candidates, tmp_path, run):
    if shutil.which("espeak-ng") is None:
        pytest.skip("eSpeak NG is not installed")
    drafting = ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", tmp_path / "q.adproj")
    said = "--voice: espeak-ng has no voice “nosuch”"
    run(*drafting, "--voice", "espeak-ng:nosuch").refused(2, said)
    lines = json.loads(run("export", project, "--format", "json").out)["lines"]
    name = lines[0]["element"]
    speaking = ("speak", project, "--line", name, "--engine", "espeak-ng", "-o", tmp_path / "x.wav")
    run(*speaking, "--voice", "nosuch").refused(2, said)
