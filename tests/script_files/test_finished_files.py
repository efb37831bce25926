"""Finished scripts as timed text, JSON of ours and office files; hostile ones are refused or bounded."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import time, timedelta

import docx
import openpyxl
import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.script import Origin
from adstudio.core.timebase import RATES
from adstudio.script_files.columns import parse_choices
from adstudio.script_files.finished import FinishedScript
from adstudio.script_files.reading import read_finished_script

RATE = RATES["25"]
ROWS = [
    ["#", "TC in", "TC out", "Description", "Notes"],
    ["1", "00:00:05:00", "00:00:07:12", "Ruth turns.", "low"],
    ["2", "00:00:09:00", "00:00:10:00", "Rain.", ""],
]
LINES = [(5_000, 7_480, "Ruth turns."), (9_000, 10_000, "Rain.")]


def read(data: bytes, name: str, start: str = "") -> FinishedScript:
    return read_finished_script(data, name, RATE, start=start)


def times(script: FinishedScript) -> list[tuple[int, int | None, str]]:
    return [(line.start, line.end, line.text) for line in script.lines]


def xlsx(rows: list[list[object]], before: int = 0) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for _ in range(before):
        sheet.append([])
    for row in rows:
        sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def document(*tables: list[list[str]], paragraphs: tuple[str, ...] = ()) -> bytes:
    written = docx.Document()
    written.add_paragraph("Night ride – audio description")
    for text in paragraphs:
        written.add_paragraph(text)
    for rows in tables:
        table = written.add_table(len(rows), len(rows[0]))
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    target = io.BytesIO()
    written.save(target)
    return target.getvalue()


def repacked(data: bytes, **parts: bytes) -> bytes:
    """A package with parts replaced or added, named with / for __ and . for _ at the end."""
    target = io.BytesIO()
    named = {name.replace("__", "/").replace("_dot_", "."): content for name, content in parts.items()}
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, named.pop(part, None) or old.read(part))
        for part, content in named.items():
            new.writestr(part, content)
    return target.getvalue()


def test_webvtt_of_descriptions() -> None:
    text = (
        "WEBVTT\n\nNOTE\nkind=descriptions\nlanguage=de\n\n7\n00:05.000 --> 00:07.480\n<v AD>Ruth\nturns.\n\n"
        "00:09.000 --> 00:10.000\nRain.\n\n00:11.000 --> 00:12.000\n\n"
    )
    script = read(text.encode(), "a.vtt")
    assert times(script) == LINES
    assert (script.language, script.lines[0].voice, script.lines[0].line) == ("de", "AD", 8)
    # That it is no dialogue is as it should be.
    assert [odd.what for odd in script.oddities] == ["the cue has no text"]


def test_srt_with_a_start_timecode() -> None:
    text = "1\n10:00:05,000 --> 10:00:07,480\nRuth turns.\n\n2\n10:00:09,000 --> 10:00:10,000\nRain.\n"
    assert times(read(text.encode(), "a.srt", start="10:00:00:00")) == LINES


def test_chapters_are_no_script_but_can_be_read() -> None:
    script = read(b"WEBVTT\nKind: chapters\n\n00:05.000 --> 00:07.480\nRuth turns.\n", "a.vtt")
    assert "seems to hold chapters" in script.oddities[0].what


def test_json_of_ours_keeps_what_a_later_version_adds() -> None:
    line = {"number": 1, "start": 5, "end": 7.48, "text": "Ruth turns.", "notes": "low", "sparkle": [1]}
    whole = {"format": "adstudio-script/1", "film": {"language": "de", "x": 1}, "lines": [line], "y": 2}
    script = read(json.dumps(whole).encode(), "a.json")
    assert (times(script), script.language, script.lines[0].notes) == (LINES[:1], "de", "low")
    predictions = {"1": {"start": 5, "end": 7.48, "text": "Ruth turns."}}
    assert times(read(json.dumps(predictions).encode(), "a.json")) == LINES[:1]


def test_json_of_ours_is_read_as_it_was_exported() -> None:
    line = {
        "number": 3,
        "start": 5,
        "end": 7.48,
        "text": "Siobhan turns.",
        "notes": "low",
        "voice": "Ann",
        "duck": 4.5,
        "origin": "machine",
        "seen": True,
        "accepted": False,
        "previous_dialogue": {"end": 4, "text": "The key?"},
        "pronunciation": [
            {"word": "Siobhan", "spoken": "shiv-AWN", "phonemes": False},
            {"word": "turns", "spoken": "tɜːnz", "phonemes": True},
        ],
    }
    other = {"start": 9, "end": 10, "text": "Rain.", "duck": None, "previous_dialogue": None, "accepted": "yes"}
    whole = {"format": "adstudio-script/1", "lines": [line, other]}
    first, second = read(json.dumps(whole).encode(), "a.json").lines
    spoken = "Siobhan: shiv-AWN; turns: /tɜːnz/"
    assert (first.cue, first.voice, first.pronunciation, first.duck) == ("The key?", "Ann", spoken, 45)
    assert (first.number, first.notes, first.origin, first.seen, first.accepted) == (
        "3",
        "low",
        Origin.MACHINE,
        True,
        False,
    )
    assert (second.cue, second.duck, second.origin, second.seen, second.accepted) == ("", None, None, None, None)


@pytest.mark.parametrize(
    "value",
    [
        {"format": "adstudio-script/9", "lines": []},
        {"format": "adstudio-script/1"},
        {"format": "adstudio-script/1", "lines": [{"start": 1, "end": 2}]},
        {"format": "adstudio-script/1", "lines": [{"start": "x", "end": 2, "text": "a"}]},
        {"1": {"start": -1, "end": 2, "text": "a"}},
        {"1": []},
    ],
)
def test_json_that_is_no_script(value: object) -> None:
    with pytest.raises(BadInputError):
        read(json.dumps(value).encode(), "a.json")


def test_a_spreadsheet() -> None:
    script = read(xlsx(ROWS), "a.xlsx")
    assert times(script) == LINES
    assert [line.line for line in script.lines] == [2, 3]
    assert times(read(xlsx(ROWS, before=2), "a.xlsx")) == LINES


def test_a_spreadsheet_with_times_as_times() -> None:
    rows = [
        ["In", "Out", "Text"],
        [time(0, 0, 5), timedelta(seconds=7, milliseconds=480), "Ruth turns."],
        [timedelta(seconds=9), 10, "Rain."],
    ]
    assert times(read(xlsx(rows), "a.xlsx")) == LINES


def test_a_document_with_a_table() -> None:
    script = read(document([["Client", "BBC"]], ROWS), "a.docx")
    assert (times(script), script.lines[0].notes) == (LINES, "low")
    assert [odd.what for odd in script.oddities] == ["1 other table of it cannot be read as a script, so not used"]


def test_a_document_in_two_tables_is_one_script() -> None:
    script = read(document(ROWS[:2], [ROWS[0], ROWS[2]]), "a.docx")
    assert times(script) == LINES
    assert [odd.what for odd in script.oddities] == ["2 tables of it were read as one script"]


def test_line_breaks_in_a_cell_stay() -> None:
    rows = [["In", "Text", "Notes"], ["0:05", "Ruth turns.\nShe waits.", "one"], ["0:09", "Rain.", "two\nlines"]]
    for name, data in (("a.docx", document(rows)), ("a.xlsx", xlsx(rows))):
        lines = read(data, name).lines
        assert [line.text for line in lines] == ["Ruth turns.\nShe waits.", "Rain."]
        assert lines[1].notes == "two\nlines"


def test_paragraphs_of_a_cell_are_lines() -> None:
    data = document([["In\nTC", "Text"], ["0:05", "x"]])
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        written = package.read("word/document.xml")
    two = written.replace(
        b"<w:t>x</w:t></w:r></w:p>", b"<w:t>Ruth.</w:t></w:r></w:p><w:p><w:r><w:t>Rain.</w:t></w:r></w:p>"
    )
    assert two != written
    found = read(repacked(data, word__document_dot_xml=two), "a.docx")
    assert times(found) == [(5_000, None, "Ruth.\nRain.")]


def test_a_document_without_a_table() -> None:
    with pytest.raises(BadInputError, match="has no table"):
        read(document(), "a.docx")


def test_paragraphs_with_times_of_a_document() -> None:
    data = document(paragraphs=("[0:05] Ruth turns.", "", "[0:09] Rain."))
    assert times(read(data, "a.docx")) == [(5_000, None, "Ruth turns."), (9_000, None, "Rain.")]


def test_a_document_with_a_table_for_each_line() -> None:
    found = read(document([["AD 1", "0:05 – 0:07"], ["Ruth turns.", ""]], [["AD 2", "0:09"], ["Rain.", ""]]), "a.docx")
    assert times(found) == [(5_000, 7_000, "Ruth turns."), (9_000, None, "Rain.")]


def test_a_document_with_the_text_below_its_times() -> None:
    found = read(document([["0:05", "0:07"], ["Ruth turns.", ""], ["0:09", "0:10"], ["Rain.", ""]]), "a.docx")
    assert times(found) == [(5_000, 7_000, "Ruth turns."), (9_000, 10_000, "Rain.")]


def test_paragraphs_with_times_below_a_table_of_titles() -> None:
    data = document([["Film", "Night ride"], ["Length", "2:44"]], paragraphs=("0:05 Ruth.", "0:07 Snow.", "0:09 Rain."))
    assert times(read(data, "a.docx")) == [(5_000, None, "Ruth."), (7_000, None, "Snow."), (9_000, None, "Rain.")]


def test_a_table_with_heads_comes_before_comments_that_begin_with_times() -> None:
    table = [["In", "Text"], ["0:05", "Ruth turns."], ["0:09", "Rain."]]
    comments = ("0:05 check music", "0:06 too loud?", "0:07 and here", "0:09 cut this")
    found = read(document(table, paragraphs=comments), "a.docx")
    assert times(found) == [(5_000, None, "Ruth turns."), (9_000, None, "Rain.")]


def test_hidden_sheets_are_not_read() -> None:
    book = openpyxl.load_workbook(io.BytesIO(xlsx([["In", "Text"], ["0:05", "Ruth turns."]])))
    draft = book.create_sheet("Draft")
    draft.append(["In", "Text"])
    draft.append(["0:09", "Rain."])
    draft.sheet_state = "hidden"
    target = io.BytesIO()
    book.save(target)
    found = read(target.getvalue(), "a.xlsx")
    assert times(found) == [(5_000, None, "Ruth turns.")]
    assert [odd.what for odd in found.oddities] == ["hidden sheets were not read: “Draft”"]


def test_another_version_of_the_script_in_the_same_document_is_not_used() -> None:
    head = ["In", "Text"]
    final = [head, ["0:05", "Ruth turns."], ["0:09", "Rain."], ["0:12", "Snow."]]
    draft = [head, ["0:05", "Ruth looks."], ["0:09", "It rains."], ["0:15", "Snow."]]
    reel = [head, ["1:05", "Night."], ["1:09", "Stars."], ["1:15", "Dawn."]]
    found = read(document(final, draft, reel), "a.docx")
    assert [line.text for line in found.lines] == ["Ruth turns.", "Rain.", "Snow.", "Night.", "Stars.", "Dawn."]
    assert [odd.what for odd in found.oddities] == [
        "1 table of it with lines at the same times: taken for another version of the script, not used",
        "2 tables of it were read as one script",
    ]


def test_columns_of_an_office_file_are_chosen_too() -> None:
    rows = [["x", "y"], ["00:00:05:00", "Ruth turns."]]
    assert times(read_finished_script(xlsx(rows), "a.xlsx", RATE, parse_choices("1=in,2=text"))) == [
        (5_000, None, "Ruth turns.")
    ]


def test_macros_and_links_are_left_alone() -> None:
    linked = (
        b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="r1" Type="x" Target="http://127.0.0.1:1/a" TargetMode="External"/></Relationships>'
    )
    data = repacked(document(ROWS), word__vbaProject_dot_bin=b"x", word___rels__footer_dot_xml_dot_rels=linked)
    script = read(data, "a.docm")
    assert times(script) == LINES
    assert [odd.what for odd in script.oddities] == [
        "the file has macros, which were not run",
        "the file refers to other files or addresses, which were not opened",
    ]


BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (repacked(document(ROWS), word__document_dot_xml=BOMB), "declares a document type or entities"),
        (repacked(document(ROWS), word__document_dot_xml=BOMB.decode().encode("utf-16")), "declares a document type"),
        (repacked(xlsx(ROWS), xl__workbook_dot_xml=BOMB), "declares a document type or entities"),
        (repacked(xlsx(ROWS), xl__worksheets__sheet1_dot_xml=b"<worksheet><row"), "cannot be read as a spreadsheet"),
        (repacked(document(ROWS), word__document_dot_xml=b"<w:document"), "cannot be read as a document"),
        (repacked(document(ROWS), word__styles_dot_xml=b" " * 61_000_000), "too large unpacked"),
        (document(ROWS)[:900], "is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, "is of an old Office version, or protected"),
        (repacked(document(ROWS), a_dot_txt=b"x")[:0] + b"PK\x03\x04" + b"\0" * 60, "is damaged"),
    ],
    ids=range(9),
)
def test_hostile_office_files(data: bytes, said: str) -> None:
    with pytest.raises(BadInputError, match=said) as refused:
        read(data, "a.docx")
    assert "\n" not in str(refused.value)


def test_a_package_that_is_no_office_file() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("a.txt", "x")
    with pytest.raises(BadInputError, match="is neither a spreadsheet"):
        read(target.getvalue(), "a.zip")


CONTROLS = "Rain\x01 falls.\x0bSnow\x7f melts.\x9f"
"""As a paste from Word, a terminal, or a file of another encoding has them."""
IN_XML = "Rain\x7f falls.\x85Snow melts.\x9f"
"""Those that XML can hold."""


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("a.srt", f"1\n00:00:05,000 --> 00:00:07,480\n{CONTROLS}\n".encode(), 3),
        ("a.vtt", f"WEBVTT\n\n00:05.000 --> 00:07.480\n{CONTROLS}\n".encode(), 4),
        ("a.csv", f"TC in,TC out,Description\n00:00:05:00,00:00:07:12,{CONTROLS}\n".encode(), 2),
        (
            "a.md",
            f"| TC in | TC out | Description |\n|--|--|--|\n| 00:00:05:00 | 00:00:07:12 | {CONTROLS} |\n".encode(),
            3,
        ),
        (
            "a.json",
            json.dumps(
                {"format": "adstudio-script/1", "lines": [{"start": 5, "end": 7.48, "text": CONTROLS}]}
            ).encode(),
            1,
        ),
        (
            "a.xlsx",
            xlsx([ROWS[0], ["1", "00:00:05:00", "00:00:07:12", "Rain_x0001_ falls._x000B_Snow_x007F_ melts."]]),
            2,
        ),
        (
            "a.docx",
            document([ROWS[0], ["1", "00:00:05:00", "00:00:07:12", IN_XML, ""]]),
            2,
        ),
        (
            "a.xml",
            '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="en"'
            ' ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/content">\n<body>\n'
            f'<div xml:id="d1" begin="5s" end="7.48s"><p>{IN_XML}</p></div></body></tt>'.encode(),
            3,
        ),
    ],
)
def test_control_characters_are_removed_and_listed(name: str, data: bytes, line: int) -> None:
    script = read(data, name)
    assert times(script) == [(5_000, 7_480, "Rain falls. Snow melts.")]
    (oddity,) = [each for each in script.oddities if "control characters" in each.what]
    assert (oddity.line, "U+007F" in oddity.what) == (line, True)


def test_a_line_of_nothing_but_control_characters_is_no_line() -> None:
    lines = [{"start": 1, "end": 2, "text": text} for text in ("\x01", "Rain.")]
    script = read(json.dumps({"format": "adstudio-script/1", "lines": lines}).encode(), "a.json")
    assert times(script) == [(1_000, 2_000, "Rain.")]
    assert [each.line for each in script.oddities] == [1]


def test_what_is_escaped_in_a_spreadsheet_and_no_control_character_is_as_written() -> None:
    script = read(xlsx([ROWS[0], ["1", "00:00:05:00", "00:00:07:12", "Sign:_x000D_\nRoom_x0041_"]]), "a.xlsx")
    assert [line.text.split() for line in script.lines] == [["Sign:", "Room_x0041_"]]
    assert not script.oddities


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("a.docx", "no DOCX at all"),
        ("a.xlsx", "no XLSX at all"),
        ("a.srt", "adstudio imports DAPT"),
        ("a", "adstudio imports"),
    ],
)
@pytest.mark.parametrize("data", [b"\x00\xff\x13" * 300, b"\x01\x02\x03x" * 300])
def test_garbage_is_refused_for_what_it_is_named(name: str, sentence: str, data: bytes) -> None:
    with pytest.raises(BadInputError, match=sentence) as raised:
        read(data, name)
    assert "subtitle" not in str(raised.value)
