"""Edits written back: only the edited bytes change, in every format, encoding and newline style."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.timebase import clock
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import CueEdit
from adstudio.subtitles.reading import parse_subtitles
from adstudio.subtitles.rewriting import rewritten

SRT = (
    "1\n00:00:01,000 --> 00:00:02,000 X1:1\n<i>Jedna</i>\nřádka\n\n2\n00:00:03.000  -->  00:00:04.000\nDvě\n\n"
    "3\n00:00:05,000 --> 00:00:06,000\n"
)
VTT = "WEBVTT\n\nNOTE x\n\nid\n00:01.000 --> 00:02.000 line:0\n<v Anna>Jedna & dvě\n\n00:03.000 --> 00:04.000\nTři\n"
ASS = (
    "[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:01.00,0:00:02.00,{\\an8}Jedna, dvě\n"
    "Dialogue: 0,0:00:03.00,0:00:04.00,Tři {x}\n"
)
TTML = (
    '<tt xmlns="http://www.w3.org/ns/ttml">\n<body begin="10s"><div>\n<p begin="1s" end="00:00:02">Jedna<br/>dvě</p>\n'
    '<p begin="3s" dur="1s"><span>Tři</span></p>\n<p\n end="9s"/></div></body></tt>\n'
)
FILES = {"a.srt": SRT, "a.vtt": VTT, "a.ass": ASS, "a.ttml": TTML}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("codec", ENCODINGS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_only_the_edited_cue_changes(name: str, codec: str, newline: str) -> None:
    data = FILES[name].replace("\n", newline).encode(codec)
    file = parse_subtitles(data, name)
    assert rewritten(file, {}) == data
    assert rewritten(file, {1: CueEdit(), 2: CueEdit(start=file.cues[1].start, text=file.cues[1].text)}) == data
    for cue in file.cues:
        first, last = file.byte_range(cue.number)
        end = cue.end + 5000
        changed = rewritten(file, {cue.number: CueEdit(end=end, text="Nový\ntext <b> & {x}")})
        assert changed.startswith(data[:first])
        assert changed.endswith(data[last:])
        again = parse_subtitles(changed, name)
        assert [(c.start, c.end, c.text) for c in again.cues] == [
            (c.start, end, "Nový\ntext <b> & {x}") if c.number == cue.number else (c.start, c.end, c.text)
            for c in file.cues
        ]
        assert again.encoding == file.encoding


@pytest.mark.parametrize("name", FILES)
def test_many_edits_at_once(name: str) -> None:
    file = parse_subtitles(FILES[name].encode(), name)
    edits = {c.number: CueEdit(c.start + 7000, c.end + 7000, f"text {c.number}") for c in file.cues}
    again = parse_subtitles(rewritten(file, edits), name)
    assert [(c.start, c.end, c.text) for c in again.cues] == [
        (c.start + 7000, c.end + 7000, f"text {c.number}") for c in file.cues
    ]


def test_bytes_of_one_edit_by_hand() -> None:
    data = SRT.replace("\n", "\r\n").encode("cp1250")
    changed = rewritten(parse_subtitles(data, "a.srt"), {2: CueEdit(start=2500, text="Čtyři")})
    assert changed == data.replace(b"00:00:03.000", b"00:00:02,500").replace(
        "Dvě".encode("cp1250"), "Čtyři".encode("cp1250")
    )


def test_markup_around_the_whole_text_stays() -> None:
    text = (
        "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>old\ntext</i>\n\n"
        "2\n00:00:03,000 --> 00:00:04,000\n<i>a</i> <b>b</b>\n"
    )
    changed = rewritten(parse_subtitles(text.encode(), "a.srt"), {1: CueEdit(text="new"), 2: CueEdit(text="new")})
    assert changed.decode() == text.replace("old\ntext", "new").replace("<i>a</i> <b>b</b>", "new")


def test_undecodable_bytes_elsewhere_stay() -> None:
    data = SRT.encode() + b"\n4\n00:00:07,000 --> 00:00:08,000\n" + b"bad \xff\n"
    file = parse_subtitles(data, "a.srt")
    changed = rewritten(file, {1: CueEdit(text="x"), 4: CueEdit(end=9000)})
    assert changed.endswith(b"--> 00:00:09,000\nbad \xff\n")


def test_a_character_that_the_encoding_lacks_is_refused_or_written_as_a_number() -> None:
    with pytest.raises(SubtitleError, match="windows-1252, which has no “ř”"):
        rewritten(parse_subtitles(SRT.encode("cp1250"), "a.srt", encoding="windows-1252"), {1: CueEdit(text="ř")})
    xml = TTML.replace("dvě", "two").replace("ři", "ri").encode("latin-1")
    file = parse_subtitles(xml, "a.ttml", encoding="latin-1")
    changed = rewritten(file, {1: CueEdit(text="ř")})
    assert b"&#345;" in changed
    assert parse_subtitles(changed, "a.ttml", encoding="latin-1").cues[0].text == "ř"


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_number_that_is_no_cue(number: int) -> None:
    with pytest.raises(SubtitleError, match="has no cue"):
        rewritten(parse_subtitles(SRT.encode(), "a.srt"), {number: CueEdit(text="x")})


@pytest.mark.parametrize("name", ["a.vtt", "a.ass", "a.ttml"])
def test_times_before_zero_where_the_format_has_none(name: str) -> None:
    file = parse_subtitles(FILES[name].encode(), name)
    with pytest.raises(SubtitleError):
        rewritten(file, {1: CueEdit(start=-1)})


def test_smpte_labels_are_written_as_labels() -> None:
    text = (
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:timeBase="smpte" '
        'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:dropMode="dropNTSC"><body><div>'
        '<p begin="00:00:01:00" end="00:00:02:00">x</p></div></body></tt>'
    )
    file = parse_subtitles(text.encode(), "a.ttml")
    changed = rewritten(file, {1: CueEdit(start=60_060, end=3_599_996)})
    assert b'begin="00:01:00:02" end="01:00:00:00"' in changed


def test_what_hangs_on_others_is_not_retimed() -> None:
    text = '<tt><body><div timeContainer="seq"><p dur="1s">a</p><p dur="1s">b</p></div></body></tt>'
    file = parse_subtitles(text.encode(), "a.ttml")
    with pytest.raises(SubtitleError, match="hang on others"):
        rewritten(file, {1: CueEdit(end=3000)})
    assert rewritten(file, {1: CueEdit(text="c")}) == text.replace(">a<", ">c<").encode()


TEXT = st.lists(
    st.text(st.sampled_from("ab1 <>&{}\\/-:;,.♪♫é漢Nnhi!?#\"'→"), min_size=1, max_size=12).map(str.strip).filter(bool),
    min_size=0,
    max_size=3,
).map("\n".join)
TIMES = st.integers(0, 100 * 3_600_000)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["a.srt", "a.vtt", "a.ttml"]), TEXT, TIMES, TIMES)
def test_an_edit_reads_back_as_it_was_meant(name: str, text: str, start: int, end: int) -> None:
    file = parse_subtitles(FILES[name].encode(), name)
    start, end = (start + 11_000, end + 11_000) if name == "a.ttml" else (start, end)
    again = parse_subtitles(rewritten(file, {1: CueEdit(start, end, text)}), name)
    if name == "a.ttml":
        text = re.sub(" +", " ", text)  # XML shows one space for any number
    assert [c.text for c in again.cues] == [text, *(c.text for c in file.cues[1:])]
    assert (again.cues[0].start, again.cues[0].end) == (start, end)


@settings(max_examples=80, deadline=None)
@given(TEXT.filter(lambda text: "\\" not in text), TIMES, TIMES)
def test_an_edit_of_ass_reads_back_to_the_hundredth(text: str, start: int, end: int) -> None:
    file = parse_subtitles(ASS.encode(), "a.ass")
    again = parse_subtitles(rewritten(file, {2: CueEdit(start, end, text)}), "a.ass")
    assert [c.text for c in again.cues] == [file.cues[0].text, text]
    assert (again.cues[1].start, again.cues[1].end) == (round_hundredth(start), round_hundredth(end))


def round_hundredth(ms: int) -> int:
    return (ms + 5) // 10 * 10


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TIMES, TIMES, TEXT), max_size=8), st.sampled_from(ENCODINGS))
def test_without_edits_nothing_changes(cues: list[tuple[int, int, str]], codec: str) -> None:
    text = "".join(
        f"{k}\n{clock(a, separator=',')} --> {clock(b, separator=',')}\n{t}\n\n" for k, (a, b, t) in enumerate(cues, 1)
    )
    data = text.encode(codec)
    assert rewritten(parse_subtitles(data, "a.srt"), {}) == data
