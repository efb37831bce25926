"""`adstudio export` without `--format`: the file's ending says which it is."""

from pathlib import Path

import pytest

from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.store.project import ProjectFile


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "small.adproj"
    line = Eventuality("a", (Variant("She waits.", duration=2_000),), Span(1_000, 3_000), 500_000)
    ProjectFile.create(path, Script(Film("Station", 20_000), eventualities=(line,))).close()
    return path


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("script.srt", b"1\n00:00:0"),
        ("script.VTT", b"WEBVTT"),
        ("script.dapt.xml", b"<?xml"),
        ("script.csv", b"\xef\xbb\xbfnumber,"),
        ("script.tsv", b"\xef\xbb\xbfnumber,"),
        ("script.xlsx", b"PK"),
        ("script.pdf", b"%PDF"),
        ("script.json", b'{\n  "format": "adstudio-script/1"'),
        ("script.plan.json", b'{\n  "format": "adstudio-plan/1"'),
    ],
)
def test_the_ending_says_the_format(project: Path, tmp_path: Path, run, name: str, begins: bytes):
    done = run("export", project, "-o", tmp_path / name)
    assert done.code == 0, done.err
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("output", [(), ("-o", "script"), ("-o", "script.txt")])
def test_where_nothing_says_it_it_is_asked_for(project: Path, tmp_path: Path, monkeypatch, run, output):
    monkeypatch.chdir(tmp_path)
    run("export", project, *output).refused(2, "no format is given", "choose one of srt, vtt, dapt", "--help")
    assert [each.name for each in tmp_path.iterdir()] == [project.name]
