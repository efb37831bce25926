"""Prose with and without times, and quotations found in the dialogue."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue
from adstudio.core.timebase import RATES, parse_start_timecode
from adstudio.drafting.text.chapters import Paragraph
from adstudio.drafting.text.ground.film_times import in_film
from adstudio.drafting.text.ground.prose import ProseError, Section, parse_prose, read_prose
from adstudio.drafting.text.prose_chapters import mentions, places_of
from adstudio.drafting.text.segment.elements import Element


def test_paragraphs_without_times():
    prose = parse_prose("Tom waits.\nHe looks up.\n\n\nNora comes in.\n")
    assert prose.sections == (Section("Tom waits. He looks up.", 1), Section("Nora comes in.", 5))
    assert not prose.timed


@pytest.mark.parametrize(
    ("line", "at", "until"),
    [
        ("[00:01:23] Tom waits.", 83_000, None),
        ("[00:01:23.500 - 00:01:30] Tom waits.", 83_500, 90_000),
        ("00:01:23 – Tom waits.", 83_000, None),
        ("00:01:23,250 --> 00:01:25,000 Tom waits.", 83_250, 85_000),
        ("1:23 Tom waits.", 83_000, None),
        ("(1:02:03) Tom waits.", 3_723_000, None),
        ("01:00:00:12 Tom waits.", 3_600_480, None),  # 12 of 25 frames
        ("- 00:00:07 Tom waits.", 7_000, None),
        ("- [0:07] Tom waits.", 7_000, None),
        ("* 0:07 Tom waits.", 7_000, None),
        ("1. 0:07 Tom waits.", 7_000, None),
        ("1) (0:07) Tom waits.", 7_000, None),
        ("**0:07** Tom waits.", 7_000, None),
        ("**0:07 –** Tom waits.", 7_000, None),
        ("**[0:07]** *Tom* waits.", 7_000, None),
        ("- **0:07**: Tom `waits`.", 7_000, None),
        ("> 0:07 Tom waits.", 7_000, None),
        ("> 2:00 – 2:05 Tom __waits__.", 120_000, 125_000),
        ("| 0:07 | Tom waits. |", 7_000, None),
        ("| 1 | **0:07** | 0:09 | Tom waits. |", 7_000, 9_000),
        ("TC 00:00:07:00 Tom waits.", 7_000, None),
        ("TC: 00:00:07:05 Tom waits.", 7_200, None),
        ("00.00.07 Tom waits.", 7_000, None),
        ("00.00.07.05 Tom waits.", 7_200, None),
        ("# 0:07\nTom waits.", 7_000, None),
        ("1m12s Tom waits.", 72_000, None),
        ("- 1 min 12 s: Tom waits.", 72_000, None),
        ("1h02m03s Tom waits.", 3_723_000, None),
        ("1'12\" Tom waits.", 72_000, None),
        ("1. at 95 seconds Tom waits.", 95_000, None),
        ("01:42.0 -> 01:48.0 Tom waits.", 102_000, 108_000),
        ("00:22,5 – Tom waits.", 22_500, None),
        ("0:07 | Tom waits.", 7_000, None),
        ("0:07;Tom waits.", 7_000, None),
        ("0:07,Tom waits.", 7_000, None),
        ("Tom waits. [0:07]", 7_000, None),
        ("- Tom waits. (0:07 – 0:09)", 7_000, 9_000),
        ("10.5s: Tom waits.", 10_500, None),
        ("[10.5 s] Tom waits.", 10_500, None),
        ("10s – 12.25s: Tom waits.", 10_000, 12_250),
    ],
)
def test_times_before_the_text(line: str, at: int, until: int | None):
    assert parse_prose(line).sections == (Section("Tom waits.", 1, "", at, until),)


@pytest.mark.parametrize(
    "line", ["10 men wait.", "At 1:23 Tom waits.", "7 s is not long.", "99:99 Tom waits.", "10:15 PM. Night."]
)
def test_what_is_no_time(line: str):
    assert parse_prose(line).sections == (Section(line, 1),)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# The kitchen", "The kitchen"),
        ("Scene 3", "Scene 3"),
        ("SCENE 3: The kitchen", "SCENE 3: The kitchen"),
        ("INT. KITCHEN - DAY", "INT. KITCHEN - DAY"),
    ],
)
def test_headings(line: str, heading: str):
    assert parse_prose(f"{line}\n\nTom waits.").sections == (Section("Tom waits.", 3, heading),)


def test_a_time_on_a_line_of_its_own_and_the_heading_over_it():
    prose = parse_prose("# Hall\n[0:10]\nTom waits.\n\nHe looks up.\n[0:20]\nNora comes in.\n")
    assert prose.sections == (
        Section("Tom waits. He looks up.", 2, "Hall", 10_000),
        Section("Nora comes in.", 6, "Hall", 20_000),
    )


def test_a_heading_with_a_time():
    prose = parse_prose("## 0:07 – The hall\nTom waits.\n\n## [0:20]\nNora comes in.\n")
    assert prose.sections == (
        Section("Tom waits.", 2, "The hall", 7_000),
        Section("Nora comes in.", 4, "The hall", 20_000),
    )


def test_a_table_is_read_without_its_head():
    prose = parse_prose("| time | what |\n|:---|---|\n| 02:19 | She blushes. |\n| 02:36 | They *leave*. |\n")
    assert prose.sections == (Section("She blushes.", 3, "", 139_000), Section("They leave.", 4, "", 156_000))


def test_items_of_a_list_are_paragraphs_and_their_marks_are_not_told():
    prose = parse_prose("- Tom waits\n- Nora comes in\n\n1. She sits at table no.\n5. It is empty.\n")
    assert [section.text for section in prose.sections] == [
        *("Tom waits", "Nora comes in", "She sits at table no.", "It is empty."),
    ]
    # Within a paragraph that is no list a number at the beginning of a line belongs to the text.
    assert (
        parse_prose("She sits at table no.\n5. It is empty.").sections[0].text
        == "She sits at table no. 5. It is empty."
    )


def test_items_under_one_time_end_like_sentences():
    prose = parse_prose("[0:07]\n- Tom waits\n- Nora comes in.\n")
    assert prose.sections == (Section("Tom waits. Nora comes in.", 1, "", 7_000),)


def test_frames_are_of_the_films_rate():
    assert parse_prose("00:00:07:12 Tom waits.", RATES["24"]).sections[0].at == 7_500


def test_marks_of_emphasis_and_links_are_taken_off():
    prose = parse_prose("He **runs** to the _old_ [gate](http://a.example/b), ~~slowly~~ on snake_case paper.")
    assert prose.sections[0].text == "He runs to the old gate, on snake_case paper."


@pytest.mark.parametrize(
    "head",
    [
        "# Things Turn Up\n\n*Draft 2*, by me.\n\n",
        "Things Turn Up\n==============\n\nAudio description by A. Writer\n\n",
        "---\ntitle: Things Turn Up\nauthor: A. Writer\n---\n",
        "© 2026 A. Writer\n\n---\n\n",
    ],
)
def test_who_wrote_it_is_not_described(head: str):
    assert [section.text for section in parse_prose(f"{head}Rain falls.\n\nBy the wall Tom waits.\n").sections] == [
        "Rain falls.",
        "By the wall Tom waits.",
    ]


def test_times_in_brackets_behind_a_sentence_begin_a_section():
    prose = parse_prose("Rain falls. [0:07] Tom waits. He looks up. (0:20) Nora comes in.\nShe laughs (0:30) and goes.")
    assert prose.sections == (
        Section("Rain falls.", 1),
        Section("Tom waits. He looks up.", 1, "", 7_000),
        Section("Nora comes in. She laughs (0:30) and goes.", 1, "", 20_000),
    )


def test_the_german_am_is_no_time_of_day():
    assert parse_prose("0:15 am Bahnhof steht Tom.").sections == (Section("am Bahnhof steht Tom.", 1, "", 15_000),)


def test_rules_are_no_text():
    assert [each.text for each in parse_prose("Rain falls.\n\n---\n\nTom waits.\n***\nHe looks up.\n").sections] == [
        "Rain falls.",
        "Tom waits. He looks up.",
    ]


def ats(text: str, end: int, start: str = "") -> tuple[list[int | None], list[str]]:
    rate = RATES["25"]
    prose = in_film(parse_prose(text), end, parse_start_timecode(start, rate) if start else None, rate)
    return [section.at for section in prose.sections], [f"{each.line}: {each.what}" for each in prose.oddities]


def test_a_time_that_goes_back_is_not_used():
    found, told = ats("[0:30] Tom waits.\n[0:10] Nora comes in.\n", 60_000)
    assert found == [30_000, None]
    assert told == ["2: the time 0:10 is out of order (0:30 is before it), so it is ignored: correct it"]


def test_of_times_in_disorder_the_one_that_is_wrong_is_left_out():
    found, told = ats("[0:05] Tom.\n[0:50] Nora.\n[0:10] Ben.\n[0:20] Lena.\n", 60_000)
    assert found == [5_000, None, 10_000, 20_000]
    assert len(told) == 1
    assert "0:50 is out of order (0:05 is before it and 0:10 is after it)" in told[0]


def test_a_time_past_the_films_end_says_so_and_spoils_no_other():
    found, told = ats("[0:05] Tom.\n[3:10] Nora.\n[1:10] Ben.\n", 165_000)
    assert found == [5_000, None, 70_000]
    assert told == ["2: the time 3:10 is past the film’s end (00:02:45), so it is ignored: correct it"]
    # With nothing behind it that is in the film it is nowhere: its order says nothing.
    found, told = ats("[0:05] Tom.\n[3:10] Nora.\n", 165_000)
    assert found == [5_000, 190_000]
    assert told == [
        "2: the time 3:10 is past the film’s end (00:02:45), so what it describes has no place in the film: correct it"
    ]


def test_minutes_seconds_and_frames_are_asked_for():
    _, told = ats("[0:05] Tom.\n02:39:12 The light goes out.\n", 165_000)
    assert "write 00:02:39:12" in told[0]


def test_where_all_times_fit_only_so_they_are_minutes_seconds_and_frames():
    found, told = ats("00:07:05 Tom.\n01:08:24 Nora.\n02:39:12 The light goes out.\n", 165_000)
    assert found == [7_200, 68_960, 159_480]
    assert len(told) == 1
    assert "minutes, seconds and frames (00:07:05)" in told[0]
    assert ats("00:07:05 Tom.\n00:08:24 Nora.\n", 600_000)[0] == [425_000, 504_000]
    assert ats("01:00:05 Tom.\n", 165_000)[0] == [3_605_000]


@pytest.mark.parametrize("start", ["10:00:00:00", ""])
def test_times_that_count_from_the_start_timecode(start: str):
    found, told = ats("10:00:01:00\nTom.\n\n10:00:22:12\nNora.\n\n10:01:08\nBen.\n", 165_000, start)
    assert found == [1_000, 22_480, 68_000]
    assert len(told) == 1
    assert "10:00:00" in told[0]


def test_a_start_timecode_that_is_no_whole_hour():
    # All three lie in the film only with 00:58:30 taken off; two of them would without.
    found, _ = ats("[00:59:30] Tom.\n[01:10:00] Nora.\n[02:00:00] Ben.\n", 4_500_000, "00:58:30:00")
    assert found == [60_000, 690_000, 3_690_000]


def test_times_that_lie_in_the_film_are_left_alone():
    assert ats("[0:05] Tom.\n", 60_000, "10:00:00:00") == ([5_000], [])


@given(st.lists(st.integers(0, 99), max_size=12), st.integers(1, 100))
def test_times_in_the_film_never_go_back_and_as_many_as_can_be_are_kept(seconds: list[int], end: int):
    text = "\n".join(f"[{at // 60}:{at % 60:02d}] Tom waits." for at in seconds)
    found = [at for at in ats(text, end * 1000)[0] if at is not None and at < end * 1000]
    assert found == sorted(found)
    inside = [at for at in seconds if at < end]
    longest: list[int] = []
    for place, at in enumerate(inside):
        longest.append(1 + max((longest[k] for k in range(place) if inside[k] <= at), default=0))
    assert len(found) == max(longest, default=0) or end <= 99


@given(st.text(max_size=300))
def test_any_text_is_read(text: str):
    for section in parse_prose(text).sections:
        assert section.text
        assert section.line >= 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04rest", "Word"),
        (b"PK\x03\x04rest", "Excel"),
        (b"%PDF-1.7", "PDF"),
        (b"{\\rtf1 hello}", "RTF"),
        (b"\x00\x01\x02", "not a text file"),
        (b" \n\n ...", "not a single sentence"),
    ],
)
def test_what_is_no_description(tmp_path: Path, content: bytes, said: str):
    path = tmp_path / "description.txt"
    path.write_bytes(content)
    with pytest.raises(ProseError, match=said):
        read_prose(path)


SRT = "1\n00:00:11,200 --> 00:00:14,520\nGood evening.\n\n2\n00:00:15,000 --> 00:00:16,000\nHello.\n"
SCENE = "INT. HALL - DAY\n\nTom waits.\n\nTOM\nGood evening.\n\nNORA\nThings turn up.\n"
TALK = "Tom waits.\n\nTOM\nGood evening.\n\nNORA\nYes.\n\nTOM\nNo.\n\nNORA\nThings turn up.\n"


@pytest.mark.parametrize(
    ("content", "option"),
    [
        (SRT, "--subtitles"),
        ("WEBVTT\n\n00:11.200 --> 00:14.520\nGood evening.\n", "--subtitles"),
        ("WEBVTT Kind: descriptions\n\n00:11.200 --> 00:14.520\nTom waits.\n", "adstudio import"),
        ("[Script Info]\nTitle: x\n", "--subtitles"),
        (SCENE, "--screenplay"),
        (TALK, "--screenplay"),
        ('<?xml version="1.0"?><FinalDraft DocumentType="Script"><Content/></FinalDraft>', "--screenplay"),
        ('[{"text": "Tom waits."}]', "--candidates"),
        ('{"scenes": [', "--candidates"),
        ("<?xml version='1.0'?><a>Tom waits.</a>", "XML"),
        ("<!DOCTYPE html><html><body>Tom waits.</body></html>", "web page"),
    ],
)
def test_what_belongs_elsewhere_is_refused_with_its_place(tmp_path: Path, content: str, option: str):
    path = tmp_path / "description.txt"
    path.write_text(content)
    with pytest.raises(ProseError, match=rf"description\.txt does not seem to be a description but .*{option}"):
        read_prose(path)


@pytest.mark.parametrize(
    "content",
    [
        "[0:05] Tom waits.",
        "[Tom waits.] He looks up.",
        "THE HALL\nTom waits.\n\nTHE STREET\nIt rains.\n\nTHE BRIDGE\nNora waits.\n\nTHE END\nThey leave.\n",
        "INT. HALL - DAY\n\nTom waits.\n\nEXT. STREET - NIGHT\n\nIt rains.\n",
        "00:00:11,200 --> 00:00:14,520 Tom waits.\n00:00:15,000 --> 00:00:16,000 Nora comes in.\n",
    ],
)
def test_what_only_looks_like_something_else_is_read(tmp_path: Path, content: str):
    path = tmp_path / "description.txt"
    path.write_text(content)
    assert read_prose(path).sections


def test_a_missing_file(tmp_path: Path):
    with pytest.raises(BadInputError, match="no such description"):
        read_prose(tmp_path / "none.txt")


def test_encodings(tmp_path: Path):
    path = tmp_path / "description.txt"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        path.write_text("“Café,” says Zoë.", encoding=encoding)
        assert read_prose(path).sections[0].text == "“Café,” says Zoë."


CUES = tuple(
    Cue(f"c{number}", 10_000 * number, 10_000 * number + 2_000, text)
    for number, text in enumerate(
        ["Good evening, Miss Vale.", "My umbrella. The red one.", "Things turn up.", "Good evening, Miss Vale."]
    )
)


def test_quotations_are_found_in_order():
    texts = [
        "He says “Good evening, Miss Vale”.",
        "“things turn up,” he says.",
        "He greets her: “Good evening, Miss Vale!”",
    ]
    assert [(found.text, found.cue) for found in mentions(texts, CUES)] == [(0, 0), (1, 2), (2, 3)]


def test_what_is_not_said_or_too_short_is_not_found():
    assert mentions(["“Red”, he says.", "“Where is my hat and my coat?”", "The sign says “Lost Property”."], CUES) == ()


def test_the_heavier_of_two_quotations_that_cross_wins():
    texts = ["“Things turn up.”", "“My umbrella. The red one.”"]
    assert [(found.text, found.cue, found.words) for found in mentions(texts, CUES)] == [(1, 1, 5)]


def test_two_texts_may_quote_one_cue():
    texts = ["“My umbrella,” she says.", "“The red one.”"]
    assert [(found.text, found.cue) for found in mentions(texts, CUES)] == [(0, 1), (1, 1)]


@given(st.lists(st.sampled_from(["“Things turn up.”", "“Good evening, Miss Vale.”", "“The red one.”", "He waits."])))
def test_mentions_never_go_back(texts: list[str]):
    found = mentions(texts, CUES)
    assert [mention.text for mention in found] == sorted({mention.text for mention in found})
    assert [mention.cue for mention in found] == sorted(mention.cue for mention in found)


def test_a_text_without_paragraphs_is_cut_behind_sentences():
    sentence = "Tom waits by the door and looks at his watch. "
    prose = parse_prose(f"[0:10] {sentence * 2_000}")
    assert len(prose.sections) == 5  # 92,000 characters
    assert all(len(section.text) <= 20_000 for section in prose.sections)
    assert all(section.text.endswith("watch.") and section.at == 10_000 for section in prose.sections)
    assert " ".join(section.text for section in prose.sections) == (sentence * 2_000).strip()


MARKS = [
    mark * 200_000 for mark in ("> ", "- ", "*", "_", "~~", "`", "|", "| 0:07 ", "[a](", "1m", "1. ", "- [x] ", "a_")
]


def test_hostile_lines_take_no_time():
    for line in (
        " " * 1_000_000 + "x",
        "[" * 300_000,
        "“" * 300_000 + "a",
        "1:" * 300_000,
        "# " + " " * 500_000,
        *MARKS,
    ):
        parse_prose(line)
        mentions([line[:100_000]], CUES)


def test_prose_is_placed_by_its_own_words_not_by_those_put_in_for_them():
    said = "He takes it out."
    element = Element(said, 0, len(said), "Tom takes the umbrella out.", complete=True)
    (place,) = places_of([(Paragraph(said), element)], [Cue("c1", 1_000, 2_000, "My umbrella. The red one.")])
    assert place.text == said
