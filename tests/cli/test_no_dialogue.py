"""Subtitles in which nothing can be read as speech: never planned over without a yes, and always reported."""

from pathlib import Path

import pytest

from adstudio.store.project import ProjectFile

pytestmark = pytest.mark.flood

TTML = """<?xml version="1.0" encoding="utf-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div>{}</div></body></tt>
"""
ASS = """[Script Info]
ScriptType: v4.00+

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
{}
"""
NO_CUES = "it contains no cues"
NO_TEXT = "none of its cues has text (2 cues)"
NO_SPEECH = "it contains only sound labels and music (2 cues)"
FILES = {
    "empty.srt": ("", NO_CUES),
    "newlines.srt": ("\n\n\r\n\n", NO_CUES),
    "broken.srt": ("1\n00:0x:01,000 --> 00:0x:03,000\nWho is there?\n", NO_CUES),
    "blank.srt": ("1\n00:00:01,000 --> 00:00:03,000\n\n\n2\n00:00:10,000 --> 00:00:12,000\n \n", NO_TEXT),
    "labels.srt": (
        "1\n00:00:01,000 --> 00:00:03,000\n[door creaks]\n\n2\n00:00:10,000 --> 00:00:12,000\n♪♪\n",
        NO_SPEECH,
    ),
    "behind_a_blank_line.vtt": (
        "WEBVTT\n\n00:01.000 --> 00:03.000\n\nWho is there?\n\n00:10.000 --> 00:12.000\n\nIt is me.\n",
        NO_TEXT,
    ),
    "header.vtt": ("WEBVTT\n", NO_CUES),
    "note.vtt": ("WEBVTT\n\nNOTE\n00:01.000 --> 00:03.000\nWho is there?\n", NO_CUES),
    "empty.ttml": (TTML.format(""), NO_CUES),
    "blank.ttml": (TTML.format('<p begin="1s" end="3s"/><p begin="10s" end="12s"> </p>'), NO_TEXT),
    "untimed.ttml": (TTML.format("<p>Who is there?</p>"), NO_CUES),
    "empty.ass": (ASS.format(""), NO_CUES),
    "comments.ass": (ASS.format("Comment: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,Who is there?"), NO_CUES),
    "blank.ass": (
        ASS.format(
            "Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,\n"
            "Dialogue: 0,0:00:10.00,0:00:12.00,Default,,0,0,0,,{\\an8}"
        ),
        NO_TEXT,
    ),
}


@pytest.fixture(params=FILES)
def silent(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A file, and why nothing in it is dialogue."""
    text, why = FILES[request.param]
    path = tmp_path / request.param
    path.write_bytes(text.encode())
    return path, why


def listed(subtitles: Path, why: str) -> str:
    """How that is put where the problems of the file are listed."""
    if why is not NO_CUES:
        return why
    return "the file contains no cues" if subtitles.read_text().strip() else "the file is empty"


@pytest.mark.attack(14)
def test_a_film_is_drafted_over_them_only_with_a_yes(
    run, silent: tuple[Path, str], candidates: Path, tmp_path: Path
) -> None:
    subtitles, why = silent
    project = tmp_path / "p.adproj"
    draft = ("draft", "--end", 20, "--subtitles", subtitles, "--candidates", candidates, "-o", project)
    run(*draft).refused(2, str(subtitles), why, "--without-dialogue")
    assert not project.exists()
    done = run(*draft, "--without-dialogue")
    assert done.code == 0, done.err
    # It is still among the problems of the subtitles.
    assert listed(subtitles, why) in done.err, done.err
    with ProjectFile.open(project) as opened:
        assert not [cue for cue in opened.saved_script.cues if cue.kind.value in ("speech", "sung")]


@pytest.mark.attack(14)
def test_gaps_lists_that_as_a_problem(run, silent: tuple[Path, str], tmp_path: Path) -> None:
    subtitles, why = silent
    done = run("gaps", subtitles, "--end", 20)
    assert done.code == 0, done.err
    assert done.json["gaps"] == [[0.0, 20.0]]
    assert [listed(subtitles, why) in problem["what"] for problem in done.json["problems"]].count(True) == 1, done.json
    done = run("gaps", subtitles, "--end", 20, "-o", tmp_path / "gaps.json")
    assert done.code == 0
    assert listed(subtitles, why) in done.err


@pytest.mark.attack(14)
def test_a_yes_that_was_not_needed_changes_nothing(run, srt: Path, candidates: Path, tmp_path: Path) -> None:
    draft = ("draft", "--end", 20, "--subtitles", srt, "--candidates", candidates, "--without-dialogue")
    assert run(*draft, "-o", tmp_path / "p.adproj").code == 0
    with ProjectFile.open(tmp_path / "p.adproj") as opened:
        assert [(cue.start, cue.end) for cue in opened.saved_script.cues] == [(1000, 3000), (10_000, 12_000)]
