from __future__ import annotations

import json
from pathlib import Path

import pytest

VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nRain falls.\n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\nRain falls.\n"


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_valid_file_is_called_valid(tmp_path: Path, run):
    ran = run("validate", write(tmp_path / "a.vtt", VTT))
    assert (ran.code, ran.out) == (0, b"")
    assert "valid WebVTT" in ran.err


def test_findings_are_printed_with_line_rule_and_clause(tmp_path: Path, run):
    ran = run("validate", write(tmp_path / "a.srt", SRT.replace(",", ".")))
    assert ran.code == 1
    (line,) = ran.out.decode().splitlines()
    assert line.startswith("line 2: ")
    assert "[srt:times; SubRip" in line
    assert "not valid SRT: 1 finding" in ran.err


def test_findings_as_json(tmp_path: Path, run):
    path = write(tmp_path / "a.vtt", VTT.replace("WEBVTT", "WEBVTT\nKind: descriptions"))
    ran = run("validate", path, "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    (finding,) = found.pop("findings")
    assert found == {"format": "adstudio-validation/1", "file": str(path), "kind": "vtt", "valid": False}
    assert {key: finding[key] for key in ("rule", "line", "advice")} == {
        "rule": "vtt:header",
        "line": 2,
        "advice": False,
    }
    assert finding["clause"].startswith("WebVTT 4.1")


def test_what_the_program_exports_is_valid(srt: Path, candidates: Path, tmp_path: Path, run):
    project = tmp_path / "p.adproj"
    assert run("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", project).code == 0
    for form in ("dapt", "vtt", "srt"):
        path = tmp_path / f"script.{form}"
        run("export", project, "--format", form, "-o", path)
        ran = run("validate", path, "--json")
        assert (ran.code, json.loads(ran.out)["kind"], json.loads(ran.out)["findings"]) == (0, form, [])


@pytest.mark.parametrize(("text", "kind"), [(VTT, "vtt"), (SRT, "srt"), ("<tt/>", "dapt")])
def test_the_format_is_known_by_content_where_the_name_says_nothing(tmp_path: Path, run, text: str, kind: str):
    assert json.loads(run("validate", write(tmp_path / "script", text), "--json").out)["kind"] == kind


def test_the_format_can_be_named(tmp_path: Path, run):
    ran = run("validate", write(tmp_path / "a.srt", VTT), "--format", "vtt")
    assert ran.code == 0


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", b"Rain falls.", "none of DAPT, WebVTT, SRT"),
        ("a.vtt", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("a.xml", b'<tt xmlns="http://www.w3.org/ns/ttml">' + b"<div>" * 200, "nested"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, run, name: str, content: bytes, complaint: str):
    run("validate", write(tmp_path / name, content)).refused(2, complaint)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path, run):
    run("validate", tmp_path / "none.vtt").refused(2, "there is no such")
    large = tmp_path / "large.xml"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    run("validate", large).refused(2, "larger than")


@pytest.mark.parametrize("declaration", ["<!DOCTYPE tt [<!ENTITY a 'b'>]>", "<!DOCTYPE tt SYSTEM 'a.dtd'>"])
def test_a_document_type_breaks_a_rule(tmp_path: Path, run, declaration: str):
    ran = run("validate", write(tmp_path / "a.xml", f"{declaration}<tt/>"), "--json")
    assert ran.code == 1
    assert [each["rule"] for each in json.loads(ran.out)["findings"]] == ["dapt:serialization"]
