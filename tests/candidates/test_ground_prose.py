"""Prose with and without times, and quotations found in the dialogue."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.candidates.ground.mentions import mentions
from adstudio.candidates.ground.prose import ProseError, Section, parse_prose, read_prose
from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue


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
        ("01:00:00:12 Tom waits.", 3_600_000, None),
        ("10.5s: Tom waits.", 10_500, None),
        ("[10.5 s] Tom waits.", 10_500, None),
        ("10s – 12.25s: Tom waits.", 10_000, 12_250),
    ],
)
def test_times_before_the_text(line: str, at: int, until: int | None):
    assert parse_prose(line).sections == (Section("Tom waits.", 1, "", at, until),)


@pytest.mark.parametrize("line", ["10 men wait.", "At 1:23 Tom waits.", "7 s is not long.", "99:99 Tom waits."])
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


def test_a_time_that_goes_back_is_not_used():
    prose = parse_prose("[0:30] Tom waits.\n[0:10] Nora comes in.\n")
    assert [section.at for section in prose.sections] == [30_000, None]
    assert [oddity.line for oddity in prose.oddities] == [2]


@given(st.text(max_size=300))
def test_any_text_is_read(text: str):
    for section in parse_prose(text).sections:
        assert section.text
        assert section.line >= 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04rest", "Word"),
        (b"%PDF-1.7", "PDF"),
        (b"{\\rtf1 hello}", "RTF"),
        (b"\x00\x01\x02", "no text"),
        (b" \n\n ...", "not one sentence"),
    ],
)
def test_what_is_no_description(tmp_path: Path, content: bytes, said: str):
    path = tmp_path / "description.txt"
    path.write_bytes(content)
    with pytest.raises(ProseError, match=said):
        read_prose(path)


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


def test_hostile_lines_take_no_time():
    for line in (" " * 1_000_000 + "x", "[" * 300_000, "“" * 300_000 + "a", "1:" * 300_000, "# " + " " * 500_000):
        parse_prose(line)
        mentions([line[:100_000]], CUES)
