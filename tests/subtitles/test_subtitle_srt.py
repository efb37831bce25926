"""SRT as it is found: what is read, what is listed, and that nothing goes missing."""

from __future__ import annotations

import pytest

from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.parsed_file import SubtitleFile, SubtitleFormat
from adstudio.subtitles.reading import parse_subtitles

T1, T2, T3 = (f"00:00:0{n},000 --> 00:00:0{n},900" for n in (1, 3, 5))


def read(text: str, name: str = "film.srt") -> SubtitleFile:
    return parse_subtitles(text.encode(), name)


def texts(file: SubtitleFile) -> list[str]:
    return [cue.text for cue in file.cues]


def odd(file: SubtitleFile) -> list[tuple[int | None, str]]:
    return [(oddity.line, oddity.what) for oddity in file.oddities]


def test_plain_file() -> None:
    file = read(f"1\n{T1}\nHello\nthere\n\n2\n{T2}\nBye\n")
    assert file.format is SubtitleFormat.SRT
    assert [(c.number, c.line, c.start, c.end, c.text) for c in file.cues] == [
        (1, 2, 1000, 1900, "Hello\nthere"),
        (2, 7, 3000, 3900, "Bye"),
    ]
    assert odd(file) == []


@pytest.mark.parametrize("separator", ["", " ", "\t", "\u00a0", " \t\u00a0", "\u200b", "\n", "\n \n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("top", ["", "\n\n\n", " \n\ufeff\n"])
@pytest.mark.parametrize("bottom", ["", "\n", "\n\n\n"])
def test_separators_newlines_and_blank_lines_make_no_difference(
    separator: str, newline: str, top: str, bottom: str
) -> None:
    text = f"{top}1\n{T1}\nOne\n{separator}\n2\n{T2}\nTwo\n{separator}\n3\n{T3}\nThree{bottom}".replace("\n", newline)
    file = read(text)
    assert [(c.start, c.text) for c in file.cues] == [(1000, "One"), (3000, "Two"), (5000, "Three")]
    assert odd(file) == []


def test_newlines_mixed_in_one_file() -> None:
    file = read(f"1\r\n{T1}\rOne\n\r\n2\n{T2}\r\nTwo\r\r3\r{T3}\nThree")
    assert texts(file) == ["One", "Two", "Three"]
    assert [c.line for c in file.cues] == [2, 6, 10]


def test_no_blank_line_between_cues() -> None:
    file = read(f"1\n{T1}\nOne\n2\n{T2}\nTwo\n3\n{T3}\nThree\n")
    assert texts(file) == ["One", "Two", "Three"]


def test_no_numbers() -> None:
    file = read(f"{T1}\nOne\n\n{T2}\nTwo\n{T3}\nThree\n")
    assert texts(file) == ["One", "Two", "Three"]
    assert odd(file) == [(1, "the cues are not numbered, as SRT requires")]


@pytest.mark.parametrize("digits", ["42", "1984", "7"])
def test_text_of_digits_is_text(digits: str) -> None:
    assert texts(read(f"1\n{T1}\n{digits}\n\n2\n{T2}\n{digits}\n")) == [digits, digits]
    assert texts(read(f"{T1}\n{digits}\n\n{T2}\nTwo\n")) == [digits, "Two"]
    assert texts(read(f"1\n{T1}\nYear\n{digits}\n\n2\n{T2}\nTwo\n")) == [f"Year\n{digits}", "Two"]


def test_a_blank_line_inside_a_cue_keeps_both_halves() -> None:
    file = read(f"1\n{T1}\nStuck at work,\n\nI'll be ten minutes late.\n\n2\n{T2}\nBye\n")
    assert texts(file) == ["Stuck at work,\n\nI'll be ten minutes late.", "Bye"]
    assert file.cues[0].end == 1900
    assert odd(file) == [(2, "there is a blank line inside the cue; the text after it was kept")]


def test_a_blank_line_before_the_text() -> None:
    file = read(f"1\n{T1}\n\nHello\n\n2\n\n{T2}\nBye\n")
    assert texts(file) == ["Hello", "Bye"]


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("00:00:01,500", 1500),
        ("00:00:01.500", 1500),
        ("00:00:01,5", 1500),
        ("00:00:01,05", 1050),
        ("00:00:01,0005", 1001),
        ("00:00:01,0004", 1000),
        ("00:00:01", 1000),
        ("0:0:1,5", 1500),
        ("00:00:013,567", 13567),
        ("00:01,500", 1500),
        ("01.500", 1500),
        ("1:00:00:500", 3600500),
        ("100:00:00,001", 360000001),
        ("9999:00:00,000", 35996400000),
        ("-00:00:01,000", -1000),
        ("00 : 00 : 01 , 500", 1500),
        ("00;00;01,500", 1500),
        ("００：００：０１，５００", 1500),
        ("00:90:00,000", 5400000),
    ],
)
def test_times_written_in_many_ways(written: str, ms: int) -> None:
    file = read(f"1\n{written} --> 20000:00:00,000\nHello\n")
    assert [cue.start for cue in file.cues] == [ms]
    usual = written in ("00:00:01,500", "00:00:01.500", "00:01,500", "01.500", "9999:00:00,000", "100:00:00,001")
    notes = any("is read as" in what for _, what in odd(file) if "20000" not in what.split(" is read")[0])
    assert notes or usual or written.startswith("-")


@pytest.mark.parametrize(
    "arrow", ["->", "--->", "-- >", "- ->", "–>", "—>", "→", "=>", "-->", "  -->", "-->  ", "\t-->\t"]
)
def test_arrows_written_in_many_ways(arrow: str) -> None:
    glued = read(f"1\n00:00:01,000{arrow}00:00:02,000\nHello\n\n2\n00:00:03,000 {arrow} 00:00:04,000\nBye\n")
    assert [(c.start, c.end, c.text) for c in glued.cues] == [(1000, 2000, "Hello"), (3000, 4000, "Bye")]
    if "-->" not in arrow or arrow == "--->":
        assert all("arrow" in what for line, what in odd(glued) if line)


@pytest.mark.parametrize(
    "times",
    ["00:00:1d,000 --> 00:00:02,000", "0.0.0 --> 00:00:02,000", "-->", "soon --> 00:00:02,000"],
)
def test_a_cue_with_broken_times_is_listed_with_its_text(times: str) -> None:
    file = read(f"1\n{T1}\nOne\n\n2\n{times}\nTwo words\n\n3\n{T3}\nThree\n")
    assert texts(file) == ["One", "Three"]
    assert [line for line, _ in odd(file)] == [6]
    assert "“Two words”" in odd(file)[0][1]


@pytest.mark.parametrize(
    "times",
    ["00:00:03,000 --> ", "00:00:03,000 --> soon", "00:00:03,000 --> 99999999999:00:00,000", "00:00:03,000",
     "00:00:03,000 --> 00:00:xx,000", "00:00:03,000 --> --:--:--,---", "0:00:03.0-->?"],
)  # fmt: skip
def test_a_cue_keeps_its_start_without_an_end(times: str) -> None:
    # Six words at 160 a minute take 2.25 s; one word has a second, unless the next cue starts earlier.
    six = "Two three four, five six seven."
    file = read(f"1\n{T1}\nOne\n\n2\n{times}\n{six}\n\n3\n00:00:07,000 --> soon\nLast\n")
    assert [(c.start, c.end, c.text) for c in file.cues][1:] == [(3000, 5250, six), (7000, 8000, "Last")]
    assert [(line, "cannot be read; the length of its text was used" in what) for line, what in odd(file)] == [
        (6, True),
        (10, True),
    ]


def test_a_cue_without_an_end_ends_where_the_next_one_starts() -> None:
    broken = read("1\n00:00:03,000 --> bad\nTwo three four, five six seven.\n\n2\n00:00:04,000 --> 00:00:05,000\nx\n")
    assert [(c.start, c.end) for c in broken.cues] == [(3000, 4000), (4000, 5000)]
    assert odd(broken) == [(2, "the end in “00:00:03,000 --> bad” cannot be read; the start of the next one was used")]


@pytest.mark.parametrize("between", [" ", "  ", " > ", " ~ "])
def test_times_that_lost_their_arrow_are_times(between: str) -> None:
    file = read(f"1\n{T1}\nOne\n\n2\n00:00:03,000{between}00:00:04,500\nTwo\n")
    assert [(c.start, c.end, c.text) for c in file.cues][1:] == [(3000, 4500, "Two")]
    assert [line for line, _ in odd(file)] == [6]


def test_a_time_that_is_said_is_text() -> None:
    file = read(f"1\n{T1}\n12:30:15.5\nis the time.\n\n2\n{T2}\nIt is\n12:30:15.5\n")
    assert texts(file) == ["12:30:15.5\nis the time.", "It is\n12:30:15.5"]


@pytest.mark.parametrize(
    ("starts", "line", "more"),
    [
        ((20, 2, 8), 6, ""),
        ((2, 20, 8), 10, ""),
        ((30, 20, 10, 2), 6, ", like 2 more"),
        ((2, 9, 4, 20, 11), 10, ", like 1 more"),
    ],
)
def test_disorder_is_listed_once_and_is_no_overlap(starts: tuple[int, ...], line: int, more: str) -> None:
    entries = [f"{k}\n00:00:{s:02d},000 --> 00:00:{s + 2:02d},000\nt{s}\n\n" for k, s in enumerate(starts, 1)]
    file = read("".join(entries))
    what = "the cues were sorted by time: this one starts before the previous one in the file"
    assert odd(file) == [(line, what + more)]
    assert [cue.start for cue in dialogue(file).cues] == [s * 1000 for s in sorted(starts)]


def test_overlaps_of_cues_in_disorder_are_those_in_time() -> None:
    file = read(
        "1\n00:00:20,000 --> 00:00:24,000\na\n\n2\n00:00:02,000 --> 00:00:05,000\nb\n\n"
        "3\n00:00:04,000 --> 00:00:06,000\nc\n\n4\n00:00:19,000 --> 00:00:21,000\nd\n"
    )
    assert [(line, what) for line, what in odd(file) if "overlaps" in what] == [
        (2, "the cue overlaps the one on line 14"),
        (10, "the cue overlaps the one on line 6"),
    ]


FRAMED = "1\n{}\nOne\n\n2\n{}\nTwo\n"


@pytest.mark.parametrize(
    ("first", "second", "rate", "times"),
    [
        # 12 of 25 frames are 480 ms, of 30 they are 400 ms, of 50 they are 240 ms.
        ("00:00:01:12 --> 00:00:03:00", "00:01:10:24 --> 01:00:12:05", "25", [1480, 3000, 70_960, 3_612_200]),
        ("00:00:01:12 --> 00:00:03:29", "00:01:10:24 --> 00:01:12:00", "30", [1400, 3967, 70_800, 72_000]),
        ("00:00:01:12 --> 00:00:03:49", "00:01:10:24 --> 00:01:12:00", "50", [1240, 3980, 70_480, 72_000]),
        ("00:00:01;12 --> 00:00:03;00", "00:10:00;00 --> 00:10:01;00", "29.97 DF", [1401, 3003, 599_999, 601_000]),
        ("0:00:01:12-->0:00:03:00", "0:01:10:24-->1:00:12:05", "25", [1480, 3000, 70_960, 3_612_200]),
    ],
)
@pytest.mark.parametrize("name", ["a.srt", "a.vtt"])
def test_frames_are_read_at_a_rate_that_is_told(
    first: str, second: str, rate: str, times: list[int], name: str
) -> None:
    header = "WEBVTT\n\n" if name == "a.vtt" else ""
    file = read(header + FRAMED.format(first, second), name)
    assert [time for cue in file.cues for time in (cue.start, cue.end)] == times
    ((line, what),) = odd(file)
    assert line == 2 + header.count("\n")
    assert f"the times count frames; at a rate of {rate}, which is assumed" in what


@pytest.mark.parametrize(
    ("first", "second", "start"),
    [
        ("00:00:01:12 --> 00:00:03:75", "00:00:05:00 --> 00:00:06:00", 1120),
        ("00:00:01:12 --> 00:00:03,500", "00:00:05,000 --> 00:00:06,000", 1120),
        ("00:00:01:12 --> 00:00:03:10", "00:00:05,000 --> 00:00:06,000", 1120),
    ],
)
def test_what_may_be_frames_or_hundredths_is_called_unclear(first: str, second: str, start: int) -> None:
    file = read(FRAMED.format(first, second))
    assert file.cues[0].start == start
    assert (2, True) in [(line, "hundredths or frames is unclear" in what) for line, what in odd(file)]


def test_three_digits_are_no_frames() -> None:
    file = read(FRAMED.format("00:00:01:500 --> 00:00:03:012", "00:00:05:000 --> 00:00:06:000"))
    assert [(cue.start, cue.end) for cue in file.cues] == [(1500, 3012), (5000, 6000)]
    assert all("frames" not in what for _, what in odd(file))


def test_a_cue_without_times_is_listed_with_its_text() -> None:
    file = read(f"1\n{T1}\nOne\n\n2\nTwo words\n\n3\n{T3}\nThree\n")
    assert texts(file) == ["One", "Three"]
    assert odd(file) == [(5, "cue 2 has no times, so “Two words” was ignored")]


def test_text_before_the_first_cue_is_listed() -> None:
    file = read(f"Subtitles by nobody\n\n1\n{T1}\nOne\n")
    assert texts(file) == ["One"]
    assert odd(file) == [(1, "text before the first cue was ignored: “Subtitles by nobody”")]


def test_times_inside_a_line_are_text() -> None:
    file = read(f"1\n{T1}\nHe wrote {T2} on it\n\n2\n{T3}\nx --> y\n")
    assert texts(file) == [f"He wrote {T2} on it", "x --> y"]
    assert odd(file) == []


def test_words_after_the_times_are_reported_but_coordinates_are_not() -> None:
    file = read(f"1\n{T1} X1:10 X2:20 Y1:1 Y2:2\nOne\n\n2\n{T2} Hello\nTwo\n")
    assert texts(file) == ["One", "Two"]
    assert odd(file) == [(6, "text after the times was ignored: “Hello”")]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<i>Hi</i>", "Hi"),
        ("<I>Hi</I> <B>you</b>", "Hi you"),
        ("<font color=red>Hi</font>", "Hi"),
        ('<font color="#fff" size=1>Hi', "Hi"),
        ("{\\an8}Hi {\\i1}you{\\i0}", "Hi you"),
        ("{ \\an2} Hi", "{ \\an2} Hi"),
        ("{whispers} Hi", "{whispers} Hi"),
        ("a < b and c > d", "a < b and c > d"),
        ("<MAN> Hello", "<MAN> Hello"),
        ("<3 you", "<3 you"),
        ("I <3 you>", "I <3 you>"),
        ("<i>nested <b>tags</i> here", "nested tags here"),
        ("<i unclosed", "<i unclosed"),
        ("{\\an8 unclosed", "{\\an8 unclosed"),
        ("Tom &amp; Jerry &lt;3 &eacute;&#233;&#xe9;", "Tom & Jerry <3 ééé"),
        ("AT&T & R&D; &unknown;", "AT&T & R&D; &unknown;"),
        ("one<br/>two<br>three", "one\ntwo\nthree"),
        ("<i>Hi</i >", "Hi"),
        ("  indented  ", "indented"),
        ("<>", "<>"),
        ("<ibex>", "<ibex>"),
    ],
)
def test_text_is_what_a_viewer_reads(raw: str, shown: str) -> None:
    file = read(f"1\n{T1}\n{raw}\n")
    assert texts(file) == [shown]


def test_odd_times_are_read_and_each_is_listed() -> None:
    spans = [(5.0, 4.0), (6.0, 6.0), (7.0, 7.001), (1.0, 2.0), (8.0, 12.0), (9.0, 9.5), (10.0, 14.0), (10.0, 14.0)]
    text = "".join(f"{k}\n00:00:{a:06.3f} --> 00:00:{b:06.3f}\nt\n\n" for k, (a, b) in enumerate(spans, 1))
    file = read(text)
    assert [(c.start, c.end) for c in file.cues] == [(round(a * 1000), round(b * 1000)) for a, b in spans]
    assert odd(file) == [
        (2, "the cue ends (00:00:04.000) before it starts (00:00:05.000)"),
        (6, "the cue has no duration (it starts and ends at 00:00:06.000)"),
        (14, "the cues were sorted by time: this one starts before the previous one in the file"),
        (22, "the cue overlaps the one on line 18"),
        (26, "the cue overlaps the one on line 18"),
        (30, "the cue overlaps the one on line 26"),
    ]


def test_a_cue_beyond_a_hundred_hours_is_read_and_listed() -> None:
    file = read("1\n100:00:01,000 --> 100:00:02,000\nLate\n")
    assert [(c.start, c.end) for c in file.cues] == [(360_001_000, 360_002_000)]
    assert odd(file) == [(2, "the cue lies beyond 100 hours (100:00:02.000)")]


@pytest.mark.parametrize("content", ["", "\n", " \r\n\t\n", "\ufeff", "\ufeff\n"])
@pytest.mark.parametrize("name", ["a.srt", "a.vtt", "a.ass", "a.ttml", "a"])
def test_an_empty_file_is_read(content: str, name: str) -> None:
    file = read(content, name)
    assert file.cues == ()
    assert odd(file) == [(1, "the file is empty")]


def test_a_cue_without_text_is_read_and_reported() -> None:
    file = read(f"1\n{T1}\n\n\n2\n{T2}\nTwo\n")
    assert texts(file) == ["", "Two"]
    assert odd(file) == [(2, "the cue has no text")]


def test_the_language_in_a_name() -> None:
    assert read(f"1\n{T1}\nx\n", "film.en.srt").language == "en"
    assert read(f"1\n{T1}\nx\n", "film.pt-BR.sdh.srt").language == "pt-BR"
    assert read(f"1\n{T1}\nx\n", "film.srt").language is None


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff\ufeff", "\u200e", "\u202b"])
def test_marks_inside_joined_files_reach_no_cue(mark: str) -> None:
    file = read(f"{mark}1\n{T1}\nOne\n\n{mark}2\n{mark}{T2}\nTwo\n\n{mark}{T3}\n\ufeffThree\n")
    assert [(c.start, c.text) for c in file.cues] == [(1000, "One"), (3000, "Two"), (5000, "Three")]
    joined = read(f"\ufeffWEBVTT\n\n{T1}\nOne\n\n\ufeff{T2}\nTwo\n", "a.vtt")
    assert [(c.start, c.text) for c in joined.cues] == [(1000, "One"), (3000, "Two")]
