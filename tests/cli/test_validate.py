from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nRain falls.\n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\nRain falls.\n"


DAPT = """<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"
    xmlns:daptm="http://www.w3.org/ns/ttml/profile/dapt#metadata" xml:lang="en"
    ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/content"
    daptm:scriptRepresents="visual" daptm:represents="visual" daptm:scriptType="preRecording">
<body>
{}</body></tt>"""
EVENT = '<div xml:id="d1" begin="1s" end="2s"><p>Rain{}falls.</p></div>'
RANDOM = random.Random(7).randbytes(5_000)


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


def test_findings_beyond_the_limit_are_not_said_to_be_all(tmp_path: Path, run):
    ran = run("validate", write(tmp_path / "a.srt", (SRT + "\n") * 1_500))
    assert ran.code == 1
    assert len(ran.out.splitlines()) == 1_000
    assert "at least" in ran.err


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
        ("a.csv", b"in,text\n00:00:01:00,Rain.\n", "--against P.adproj"),
        ("a.xlsx", b"PK\x03\x04" + bytes(100), "--against P.adproj"),
        ("a.docx", b"PK\x03\x04" + bytes(100), "--against P.adproj"),
        ("a.vtt", b"PK\x03\x04" + bytes(100), "--against P.adproj"),
        ("a.adproj", b"SQLite format 3\0" + bytes(600), "adstudio qc"),
        ("a.vtt", b"", "is empty"),
        ("a.srt", b"", "is empty"),
        ("a.srt", b" \r\n\n", "is empty"),
        ("a.xml", b"", "is empty"),
        ("a.txt", b"", "is empty"),
        ("a.dapt.xml", RANDOM, "not a text file"),
        ("a.vtt", RANDOM, "not a text file"),
        ("a.srt", RANDOM, "not a text file"),
        ("a.xml", b"<!DOCTYPE html><html><body><tt>Rain</tt></body></html>", "first element is not <tt>"),
        ("a.xml", b"<html><p>Rain", "first element is not <tt>"),
        ("a.xml", b"<?xml version='1.0'?><!-- <tt> --><smil/>", "first element is not <tt>"),
        ("a.ttml", b"Rain falls.", "first element is not <tt>"),
        ("a.srt", b"Rain falls.", "no times of cues"),
        ("a.vtt", b"<html><body>Rain</body></html>", "no times of cues"),
        ("a.vtt", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("a.xml", b'<tt xmlns="http://www.w3.org/ns/ttml">' + b"<div>" * 200, "nested"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, run, name: str, content: bytes, complaint: str):
    run("validate", write(tmp_path / name, content)).refused(2, complaint)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.vtt", "WEBVTT\n"),
        ("a.vtt", "WEBVTT\n\nNOTE\nkind=descriptions\n"),
        ("a.xml", DAPT.format("")),
    ],
)
def test_a_script_without_a_line_is_valid_and_named(tmp_path: Path, run, name: str, text: str):
    ran = run("validate", write(tmp_path / name, text), "--json")
    assert ran.code == 0
    assert "script:lines" in [each["rule"] for each in json.loads(ran.out)["findings"]]


@pytest.mark.parametrize("char", ["\x7f", "\x80", "\x85", "\x9f"])
def test_control_characters_that_xml_can_hold_are_advised_against(tmp_path: Path, run, char: str):
    ran = run("validate", write(tmp_path / "a.xml", DAPT.format(EVENT.format(char))), "--json")
    assert ran.code == 0
    assert [(each["rule"], each["line"]) for each in json.loads(ran.out)["findings"]] == [("text:controls", 6)]


@pytest.mark.parametrize("char", ["\x01", "\x0b", "\x1f", "\ufffe"])
def test_control_characters_that_xml_cannot_hold_break_its_rules(tmp_path: Path, run, char: str):
    ran = run("validate", write(tmp_path / "a.xml", DAPT.format(EVENT.format(char))), "--json")
    assert ran.code == 1
    assert "dapt:serialization" in [each["rule"] for each in json.loads(ran.out)["findings"]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.srt", SRT.replace("-->", "->").encode()),
        ("a.vtt", VTT.replace("WEBVTT\n\n", "").encode()),
        ("a.vtt", VTT.encode("utf-16")),
        ("a.xml", '<tt xmlns="http://www.w3.org/ns/ttml"/>'.encode("utf-16")),
        ("a.xml", b"<!-- <b> --><?a b?><!DOCTYPE tt [<!ENTITY a '<b>'>]><x:tt/>"),
    ],
)
def test_a_file_of_its_format_with_faults_is_not_refused(tmp_path: Path, run, name: str, data: bytes):
    assert run("validate", write(tmp_path / name, data)).code == 1


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


FILM_SRT = "1\n00:00:10,000 --> 00:00:20,000\nWho is there?\n"
DESCRIPTIONS = [
    ("00:00:01.000 --> 00:00:03.000", None),
    ("00:00:12.000 --> 00:00:14.000", "film:dialogue"),
    ("00:00:25.000 --> 00:00:28.000", "film:overlap"),
    ("00:00:26.500 --> 00:00:27.500", None),
    ("00:00:59.000 --> 00:01:02.000", "film:runs-past-end"),
    ("00:01:30.000 --> 00:01:31.000", "film:past-end"),
]


@pytest.fixture
def film(candidates: Path, tmp_path: Path, run) -> Path:
    dialogue = write(tmp_path / "dialogue.srt", FILM_SRT)
    project = tmp_path / "film.adproj"
    drafting = ("--subtitles", dialogue, "--end", 60, "--candidates", candidates, "--without-dialogue")
    assert run("draft", *drafting, "-o", project).code == 0
    return project


def script_of(times: list[str]) -> str:
    return "WEBVTT\n\n" + "\n".join(f"{each}\nRain falls over there.\n" for each in times)


def test_a_script_is_checked_against_a_film(film: Path, tmp_path: Path, run):
    text = script_of([times for times, _ in DESCRIPTIONS] + ["00:00:05.000 --> 00:00:06.000"])
    ran = run("validate", write(tmp_path / "a.vtt", text), "--against", film, "--json")
    found = {(each["rule"], each["line"]) for each in json.loads(ran.out)["findings"]}
    expected = {(rule, 3 + 3 * place) for place, (_, rule) in enumerate(DESCRIPTIONS) if rule}
    assert ran.code == 1
    assert expected <= found
    assert ("film:order", 21) in found


def test_a_script_that_fits_its_film_is_valid(film: Path, tmp_path: Path, run):
    path = tmp_path / "a.dapt.xml"
    run("export", film, "--format", "dapt", "-o", path)
    ran = run("validate", path, "--against", film)
    assert (ran.code, ran.out) == (0, b"")


def test_times_that_count_from_an_hour_are_one_finding(film: Path, tmp_path: Path, run):
    text = script_of([f"01:{times[3:17]}01:{times[20:]}" for times, _ in DESCRIPTIONS[:4]])
    ran = run("validate", write(tmp_path / "a.vtt", text), "--against", film, "--json")
    (finding,) = json.loads(ran.out)["findings"]
    assert (finding["rule"], finding["line"]) == ("film:times", None)


def test_a_table_is_checked_against_the_film_alone(film: Path, tmp_path: Path, run):
    text = "in,out,text\n00:00:01:00,00:00:03:00,Rain falls.\n00:00:12:00,00:00:14:00,Over dialogue.\n"
    ran = run("validate", write(tmp_path / "a.csv", text), "--against", film, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["kind"]) == (1, None)
    assert [(each["rule"], each["line"]) for each in found["findings"]] == [("film:dialogue", 3)]


def test_what_is_no_script_is_refused_against_a_film_too(film: Path, tmp_path: Path, run):
    run("validate", write(tmp_path / "a.txt", "Rain falls."), "--against", film).refused(2, "a.txt")
    run("validate", write(tmp_path / "a.vtt", VTT), "--against", tmp_path / "none.adproj").refused(2, "none.adproj")
