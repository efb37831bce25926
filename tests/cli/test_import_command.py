"""`adstudio import`: a finished script into a new project, and into one that exists."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import Run, process

from adstudio.cli.program import run_command
from adstudio.core.errors import BadInputError
from adstudio.core.narration import LengthSource, VoiceSettings
from adstudio.core.script import NO_PIN, Origin
from adstudio.editing.labels import label_of
from adstudio.store.project import ProjectFile

SUBTITLES = "1\n00:00:00,000 --> 00:00:05,000\nDid you lock the door?\n\n2\n00:01:00,000 --> 00:01:03,000\nYes.\n"
SCRIPT = (
    "no,in,out,text,notes\n1,00:00:10:00,00:00:12:00,Ruth turns.,low\n2,00:00:20:00,00:00:21:12,Rain on the roof.,\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "film.srt").write_text(SUBTITLES, "utf-8")
    (tmp_path / "ad.csv").write_text(SCRIPT, "utf-8")
    return tmp_path


def new(folder: Path, *more: str) -> list[object]:
    return [
        *("import", folder / "ad.csv", "-o", folder / "p.adproj", "--subtitles", folder / "film.srt"),
        *("--end", "120", "--preset", "paper", *more),
    ]


def test_a_new_project(folder: Path) -> None:
    ran = process(*new(folder))
    assert ran.code == 0, ran.err
    assert "p.adproj: 2 lines: 2 new; 2 accepted, 2 locked; 2 lines spoken, 0:03 of 1:52 free" in ran.err
    with ProjectFile.open(folder / "p.adproj", read_only=True) as opened:
        script, plan = opened.saved_script, opened.saved_plan
    assert [line.variants[0].text for line in script.eventualities] == ["Ruth turns.", "Rain on the roof."]
    assert all(line.origin is Origin.HUMAN and line.accepted for line in script.eventualities)
    assert plan is not None
    # 12 frames of 25 a second are 0.48 s.
    assert [(each.start, each.end) for each in plan.deliveries] == [(10_000, 12_000), (20_000, 21_480)]
    assert {Path(source.path).name for source in script.sources} == {"film.srt", "ad.csv"}


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_lines_without_out_times_are_as_long_as_the_voice_of_a_new_project_speaks_them(run: Run, folder: Path) -> None:
    (folder / "ad.csv").write_text("in,text\n0:10,Ruth turns.\n0:20,Rain on the roof.\n", "utf-8")
    ran = run(*new(folder, "--voice", "espeak-ng:gmw/en-US"))
    assert ran.code == 0, ran.err
    with ProjectFile.open(folder / "p.adproj", read_only=True) as opened:
        script, plan = opened.saved_script, opened.saved_plan
    assert script.voice == VoiceSettings("espeak-ng", "gmw/en-US")
    assert plan is not None
    assert [each.start for each in plan.deliveries] == [10_000, 20_000]
    for each in plan.deliveries:
        line = script.eventuality(each.element)
        assert script.planned_length(line, each.variant) == (each.end - each.start, LengthSource.MEASURED)


def test_a_project_is_not_overwritten(run: Run, folder: Path) -> None:
    assert run(*new(folder)).code == 0
    before = (folder / "p.adproj").read_bytes()
    again = run(*new(folder))
    assert (again.code, "p.adproj already exists" in again.err) == (2, True)
    forced = run(*new(folder, "--force"))
    assert (forced.code, "which --force would discard" in forced.err) == (2, True)
    assert (folder / "p.adproj").read_bytes() == before


def test_a_dry_run_writes_nothing(run: Run, folder: Path) -> None:
    ran = run(*new(folder, "--dry-run"))
    assert (ran.code, (folder / "p.adproj").exists()) == (0, False)
    assert ran.out.decode().splitlines() == [
        "new: 00:00:10:00 “Ruth turns.”",
        "new: 00:00:20:00 “Rain on the roof.”",
    ]


def test_into_a_project_as_one_step(run: Run, folder: Path) -> None:
    project = folder / "p.adproj"
    assert run(*new(folder)).code == 0
    before = project.read_bytes()
    (folder / "ad.csv").write_text(SCRIPT.replace("Ruth turns.", "Ruth looks up.") + "3,0:30,0:31,Night.,\n", "utf-8")
    dry = run("import", folder / "ad.csv", project, "--dry-run")
    assert (dry.code, project.read_bytes()) == (0, before)
    diff = [
        "changed text: 00:00:10:00 “Ruth looks up.” (was “Ruth turns.”)",
        "new: 00:00:30:00 “Night.”",
    ]
    assert dry.out.decode().splitlines() == diff
    assert "3 lines: 1 same, 1 new, 1 changed text; 1 accepted, 1 locked; nothing was changed" in dry.err
    ran = run("import", folder / "ad.csv", project)
    assert (ran.code, ran.out.decode().splitlines()) == (0, diff)
    with ProjectFile.open(project, read_only=True) as opened:
        (step,) = opened.unsaved_steps
        assert label_of(step, opened.last_script) == "Import script (by a command)"
        assert step.inverse().apply(opened.last_script) == opened.saved_script
    assert "has unsaved changes" in run("import", folder / "ad.csv", project).err
    project.write_bytes(before)
    assert run("import", folder / "ad.csv", project, "--save").code == 0
    exported = run("export", project, "--format", "json")
    lines = json.loads(exported.out)["lines"]
    assert [(line["start"], line["text"]) for line in lines] == [
        (10, "Ruth looks up."),
        (20, "Rain on the roof."),
        (30, "Night."),
    ]


def test_an_unchanged_script_into_its_own_project_changes_nothing(run: Run, folder: Path) -> None:
    assert run(*new(folder)).code == 0
    project = folder / "drafted.adproj"
    with ProjectFile.open(folder / "p.adproj", read_only=True) as opened:
        script = opened.saved_script
    drafted = tuple(replace(each, seen=False, accepted=False, pin=NO_PIN) for each in script.eventualities)
    ProjectFile.create(project, script.with_changes(eventualities=drafted)).close()
    assert run("export", project, "--format", "srt", "-o", folder / "own.srt").code == 0
    before = project.read_bytes()
    for more in ([], ["--unlocked"], ["--dry-run"], ["--save"], ["--only"]):
        ran = run("import", folder / "own.srt", project, *more)
        assert (ran.code, ran.out) == (0, b""), ran.err
        assert ran.err.endswith("drafted.adproj: 2 lines: 2 same; nothing to change\n")
        assert project.read_bytes() == before


def test_columns_are_asked_for(run: Run, folder: Path) -> None:
    (folder / "ad.csv").write_text("A,B,C\n0:10,Ruth turns to him.,He turns to her.\n", "utf-8")
    asked = run(*new(folder))
    assert asked.code == 2
    assert "2 “B”; 3 “C”" in asked.err
    assert "--columns" in asked.err
    told = run(*new(folder, "--columns", "2=text,1=in"))
    assert told.code == 0, told.err


def test_times_one_hour_off_are_offered_mended(run: Run, folder: Path) -> None:
    (folder / "ad.csv").write_text(SCRIPT.replace("00:00:", "01:00:"), "utf-8")
    refused = run(*new(folder))
    assert (refused.code, "--start 01:00:00:00" in refused.err) == (2, True)
    mended = run(*new(folder, "--start", "01:00:00:00"))
    assert mended.code == 0, mended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ad.csv"], "name the project to import into, or a new one"),
        (["ad.csv", "p.adproj", "-o", "q.adproj"], "not both"),
        (["ad.csv", "p.adproj", "--subtitles", "film.srt"], "--subtitles is for a new project"),
        (["ad.csv", "p.adproj"], "p.adproj: there is no such project"),
        (["ad.csv", "-o", "q.adproj"], "nothing tells what film it is"),
        (["gone.csv", "-o", "q.adproj", "--end", "60"], "gone.csv: there is no such script"),
        (["ad.csv", "-o", "q.adproj", "--end", "60", "--in-step"], "--in-step compares subtitles with"),
        (["ad.csv", "-o", "q.adproj", "--end", "60", "--audio-track", "2"], "give the video"),
        (["ad.csv", "-o", "q.adproj", "--end", "60", "--voice", "festival"], "choose espeak-ng, pyttsx3 or piper"),
        (["ad.csv", "-o", "q.adproj", "--end", "60", "--columns", "x"], "--columns: “x” names no column"),
        (["ad.csv", "-o", "q.adproj", "--end", "60", "--rate", "x"], "--rate: “x” is not a standard frame rate"),
        (["ad.csv", "-o", "q.adproj", "--end", "60", "--start", "x"], "“x” is not a timecode"),
        (["ad.csv", "-o", "ad.csv", "--end", "60"], "ad.csv"),
        (["film.srt", "-o", "q.adproj", "--subtitles", "film.srt", "--columns", "1=text"], "is no table"),
    ],
)
def test_what_cannot_be_done(folder: Path, arguments: list[str], said: str) -> None:
    names = [str(folder / each) if each.endswith((".csv", ".adproj", ".srt")) else each for each in arguments]
    with pytest.raises(BadInputError) as refused:
        run_command(["import", *names])
    assert said in str(refused.value)
    assert not (folder / "q.adproj").exists()
