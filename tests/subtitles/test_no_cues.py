"""A subtitle file in which nothing is found says how it was read, and what to try."""

from pathlib import Path

import pytest

from adstudio.subtitles.dialogue import NoDialogueError, dialogue, require_dialogue
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.reading import parse_subtitles

SRT = "1\n00:00:01,000 --> 00:00:03,000\nGood evening, François.\n\n2\n00:00:05,000 --> 00:00:07,000\nHello.\n"


@pytest.mark.parametrize("wrong", ["utf-16", "utf-16-be", "utf-32"])
def test_a_wrong_encoding_is_named_with_the_one_that_has_cues(wrong: str) -> None:
    file = parse_subtitles(SRT.encode("cp1252"), "film.srt", encoding=wrong)
    assert not file.cues
    (what,) = [oddity.what for oddity in file.oddities if "no cues" in oddity.what]
    assert what.startswith(f"the file contains no cues: it was read in {wrong}")
    assert what.endswith("but in windows-1252 it has 2 cues: choose that, or no encoding")
    with pytest.raises(
        NoDialogueError, match=r"in windows-1252 it has 2 cues: choose that, or no encoding, or confirm"
    ):
        require_dialogue(dialogue(file), Path("film.srt"))


def test_without_a_given_encoding_the_text_that_was_read_is_shown() -> None:
    file = parse_subtitles("Er ging über die Straße.\n".encode("cp1252"), "film.srt")
    assert "it was read in windows-1252, a guess, and begins “Er ging über die Straße.”" in file.how_read
    assert "choose its encoding if that is wrong" in file.how_read
    plain = parse_subtitles(b"no times here\n", "film.srt")
    assert "in utf-8 and begins “no times here”" in plain.how_read


def test_where_no_encoding_has_cues_the_file_is_in_doubt() -> None:
    file = parse_subtitles(b"no times here\n", "film.srt", encoding="utf-16")
    assert file.how_read.endswith("in utf-8 it has no cues either: check that it is the right file")


def test_an_unknown_format_in_a_given_encoding_says_so_too() -> None:
    with pytest.raises(SubtitleError, match="but in windows-1252 it has 2 cues"):
        parse_subtitles(SRT.encode("cp1252"), "film", encoding="utf-16")


@pytest.mark.parametrize("data", [SRT.encode(), b"", b"\n\n"])
def test_files_with_cues_and_empty_ones_need_no_word(data: bytes) -> None:
    assert parse_subtitles(data, "film.srt").how_read == ""
