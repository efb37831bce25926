"""WebVTT: blocks, notes, identifiers, settings, voices, and faults of files in the wild."""

from __future__ import annotations

import pytest

from adstudio.subtitles.parsed_file import SubtitleFile, SubtitleFormat
from adstudio.subtitles.reading import parse_subtitles

T1, T2, T3 = (f"00:0{n}.000 --> 00:0{n}.900" for n in (1, 3, 5))

SPECIFIED = f"""WEBVTT - The film
Kind: captions
Language: en-GB
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

STYLE
::cue(v[voice="Anna"]) {{ color: red }}

REGION
id:fred
width:40%

NOTE
{T1}
This was cut.

NOTE one line

intro
{T1} region:fred align:left line:0
<v Anna>Tom &amp; Jerry</v>

2
{T2}
<v.loud Bob O'Neil>Who's <i.foreign>there</i>?
<00:03.500><c.yellow>Me</c> &lt;here&gt;

NOTE the end
never spoken
"""


def read(text: str, name: str = "film.vtt") -> SubtitleFile:
    return parse_subtitles(text.encode(), name)


def odd(file: SubtitleFile) -> list[tuple[int | None, str]]:
    return [(oddity.line, oddity.what) for oddity in file.oddities]


def test_blocks_of_the_standard_are_no_cues() -> None:
    file = read(SPECIFIED)
    assert file.format is SubtitleFormat.VTT
    assert file.language == "en-GB"
    assert [(c.line, c.start, c.end, c.text, c.speaker) for c in file.cues] == [
        (20, 1000, 1900, "Tom & Jerry", "Anna"),
        (24, 3000, 3900, "Who's there?\nMe <here>", "Bob O'Neil"),
    ]
    mapped, note = odd(file)
    assert (mapped[0], "X-TIMESTAMP-MAP" in mapped[1]) == (4, True)
    assert note == (14, "times inside a NOTE are a comment, not a cue")


@pytest.mark.parametrize("separator", ["", " ", "\t", "\u00a0", "\n", " \n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", ["WEBVTT\n\n", "\ufeffWEBVTT FILE\n\n\n", "WEBVTT\n", "\n\nWEBVTT\n\n"])
@pytest.mark.parametrize("bottom", ["", "\n", "\n\n"])
def test_separators_and_newlines_make_no_difference(separator: str, newline: str, head: str, bottom: str) -> None:
    text = f"{head}{T1}\nOne\n{separator}\n{T2}\nTwo\n{separator}\nNOTE x\n{separator}\n{T3}\nThree{bottom}"
    file = read(text.replace("\n", newline))
    assert [(c.start, c.text) for c in file.cues] == [(1000, "One"), (3000, "Two"), (5000, "Three")]
    assert odd(file) == []


def test_no_blank_line_between_cues() -> None:
    file = read(f"WEBVTT\n\n1\n{T1}\nOne\n2\n{T2}\nTwo\n{T3}\nThree\n")
    assert [c.text for c in file.cues] == ["One", "Two", "Three"]


def test_a_line_of_white_space_inside_a_cue_is_text() -> None:
    assert [c.text for c in read(f"WEBVTT\n\n{T1}\nOne\n \ntwo\n\n{T2}\nThree").cues] == ["One\n\ntwo", "Three"]


def test_text_after_a_blank_line_is_listed() -> None:
    file = read(f"WEBVTT\n\n{T1}\nStuck at work,\n\nI'll be late.\n\n{T2}\nBye\n")
    assert [c.text for c in file.cues] == ["Stuck at work,", "Bye"]
    assert odd(file) == [(6, "text without times was ignored: “I'll be late.”")]


def test_a_cue_with_broken_times_is_listed_with_its_text() -> None:
    file = read(f"WEBVTT\n\n{T1}\nOne\n\nid\n00:02.bad --> 00:03.456\nTwo words\n\n{T3}\nThree")
    assert [c.text for c in file.cues] == ["One", "Three"]
    assert [line for line, _ in odd(file)] == [7]
    assert "“Two words”" in odd(file)[0][1]


@pytest.mark.parametrize("times", ["00:00:03.500 --> 00:00:1d.890", "00:03.500 -->", "00:03.500 --> --:--.---"])
def test_a_cue_keeps_its_start_without_an_end(times: str) -> None:
    # Six words at 160 a minute take 2.25 s, but the next cue starts at 5 s.
    file = read(f"WEBVTT\n\n{T1}\nOne\n\nid\n{times}\nTwo three four, five six seven.\n\n{T3}\nThree")
    assert [(c.start, c.end) for c in file.cues][1] == (3500, 5000)
    assert odd(file) == [(7, f"the end in “{times}” cannot be read; the start of the next one was used")]


def test_style_or_note_as_an_identifier() -> None:
    file = read(f"WEBVTT\n\nSTYLE\n{T1}\nOne\n\nNOTES\n{T2}\nTwo\n\nREGION\n{T3}\nThree")
    assert [c.text for c in file.cues] == ["One", "Two", "Three"]


def test_times_without_hours_and_beyond_99_hours() -> None:
    file = read("WEBVTT\n\n00:01.000 --> 123:00:02.000\nx")
    assert [(c.start, c.end) for c in file.cues] == [(1000, 442_802_000)]


@pytest.mark.parametrize("name", ["film.vtt", "film.srt", "film"])
def test_content_decides_before_the_name(name: str) -> None:
    assert read(f"WEBVTT\n\n{T1}\nx", name).format is SubtitleFormat.VTT


def test_a_vtt_name_without_the_first_line() -> None:
    file = read(f"{T1}\nx")
    assert file.format is SubtitleFormat.VTT
    assert [c.text for c in file.cues] == ["x"]
    assert odd(file) == [(1, "the file does not start with “WEBVTT”, as WebVTT requires")]


def test_only_a_header() -> None:
    file = read("WEBVTT")
    assert file.cues == ()
    begins = "it was read in utf-8 and begins “WEBVTT”: check that it is the right file"
    assert odd(file) == [(None, f"the file contains no cues: {begins}")]


def test_ruby_text_is_not_read_twice() -> None:
    assert read(f"WEBVTT\n\n{T1}\n<ruby>漢字<rt>かんじ</rt></ruby>です").cues[0].text == "漢字です"


def test_voices_within_one_cue() -> None:
    cue = read(f"WEBVTT\n\n{T1}\n  <v Anna>Hi</v>\n<v Bob>Ho").cues[0]
    assert cue.text == "Hi\nHo"
    assert [(v.name, v.at) for v in cue.voices] == [("Anna", 0), ("Bob", 3)]
    assert cue.speaker is None
