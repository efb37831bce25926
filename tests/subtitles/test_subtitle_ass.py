"""ASS and SSA: fields by the format line, text as libass shows it, drawings and comments no dialogue."""

from __future__ import annotations

import pytest

from adstudio.subtitles.parsed_file import SubtitleFile, SubtitleFormat
from adstudio.subtitles.reading import parse_subtitles

FORMAT = "Format: Layer, Start, End, Style, Name, Text"


def read(*events: str, form: str = FORMAT, info: str = "") -> SubtitleFile:
    text = "\n".join(["[Script Info]", info, "", "[Events]", form, *events, ""])
    return parse_subtitles(text.encode(), "a.ass")


def line(text: str, times: str = "0:00:01.00,0:00:02.50") -> str:
    return f"Dialogue: 0,{times},Default,,{text}"


def odd(file: SubtitleFile) -> list[tuple[int | None, str]]:
    return [(oddity.line, oddity.what) for oddity in file.oddities]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Hello", "Hello"),
        ("Hello, you, there", "Hello, you, there"),
        (r"{\an8\blur5}Text {note to self}", "Text"),
        (r"\{literal\}", "{literal}"),
        (r"{\i1}one{\i0}\Ntwo\nthree\hfour", "one\ntwo three\u00a0four"),
        (r"{\k20}ka{\k30}ra", "kara"),
        (r"{\pos(10,20)}placed{\pbo3}", "placed"),
        (r"before{\p1}m 0 0 l 100 0{\p0} after", "before after"),
        ("{unclosed", "{unclosed"),
        ("a < b and c > d", "a < b and c > d"),
        ("<i>not a tag here</i>", "<i>not a tag here</i>"),
        ("{a}{b}c", "c"),
        (r"C:\path", r"C:\path"),
    ],
)
def test_text_is_what_a_viewer_reads(raw: str, shown: str) -> None:
    file = read(line(raw))
    assert [cue.text for cue in file.cues] == [shown]
    assert odd(file) == []


def test_soft_breaks_break_only_in_wrap_style_2() -> None:
    assert read(line(r"a\nb"), info="WrapStyle: 2").cues[0].text == "a\nb"
    assert read(line(r"a\nb"), info="WrapStyle: 0").cues[0].text == "a b"


def test_drawings_and_comments_are_no_dialogue() -> None:
    file = read(line(r"{\p1}m 0 0 l 100 0"), "Comment: 0,0:00:01.00,0:00:02.00,Default,,hidden", line("{said aside}Hi"))
    assert [cue.text for cue in file.cues] == ["Hi"]
    assert odd(file) == []


def test_the_format_line_says_which_field_is_which() -> None:
    file = read("Dialogue: Anna,0:00:02.00,0:00:01.00,hello, you", form="Format: Actor, End, Start, Text")
    assert [(c.start, c.end, c.text, c.speaker) for c in file.cues] == [(1000, 2000, "hello, you", "Anna")]
    first = read("Dialogue: hello, you,0:00:01.00,0:00:02.00", form="Format: Text, Start, End")
    assert [(c.start, c.end, c.text) for c in first.cues] == [(1000, 2000, "hello, you")]


def test_ssa_with_marked_and_no_format_line() -> None:
    text = "[Script Info]\n[Events]\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,Anna,0,0,0,,Hello, you\n"
    file = parse_subtitles(text.encode(), "a.ssa")
    assert [(c.text, c.speaker) for c in file.cues] == [("Hello, you", "Anna")]
    assert odd(file) == [(3, "there is no “Format:” line before the events, so the default order was used")]


@pytest.mark.parametrize(
    ("written", "ms", "notes"),
    [("0:00:01.25", 1250, False), ("10:00:01.25", 36_001_250, False), ("0:00:01:25", 1250, False),
     ("0:00:01.250", 1250, True), ("00:01.25", 1250, False), ("-0:00:01.00", -1000, True)],
)  # fmt: skip
def test_times(written: str, ms: int, notes: bool) -> None:
    file = read(line("x", f"{written},99:00:00.00"))
    assert [cue.start for cue in file.cues] == [ms]
    assert any("was read as" in what for _, what in odd(file)) == notes


def test_what_cannot_be_used_is_listed_with_its_text() -> None:
    file = read(line("lost words", "Invalid,0:00:02.00"), "Dialogue: 0,0:00:01.00", "nonsense", line("kept"))
    assert [cue.text for cue in file.cues] == ["kept"]
    assert [number for number, _ in odd(file)] == [6, 7, 8]
    assert "“lost words”" in odd(file)[0][1]
    assert "“nonsense”" in odd(file)[2][1]


def test_an_event_keeps_its_start_without_an_end() -> None:
    file = read(line("one two three four, five six", "0:00:02.00,?"), line("x", "0:00:09.00,0:00:10.00"))
    assert [(c.start, c.end) for c in file.cues] == [(2000, 4250), (9000, 10_000)]
    assert odd(file) == [(6, "the end in “0:00:02.00,?” cannot be read; the length of its text was used")]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines(newline: str) -> None:
    text = f"[Script Info]\n\n[Events]\n{FORMAT}\n{line('a')}\n{line('b')}".replace("\n", newline)
    file = parse_subtitles(text.encode(), "whatever")
    assert file.format is SubtitleFormat.ASS
    assert [(cue.line, cue.text) for cue in file.cues] == [(5, "a"), (6, "b")]
