"""`adstudio draft` from a screenplay or a description: what it says, what it refuses."""

import json
from pathlib import Path

import pytest

SRT = """1
00:00:04,000 --> 00:00:07,000
Who left the window open all night long?

2
00:00:13,000 --> 00:00:16,000
It was closed when I went to bed.
"""
FOUNTAIN = """INT. HALL - NIGHT

Anna opens the heavy door.

ANNA
Who left the window open all night long?

She shuts the window.

TOM
It was closed when I went to bed.
"""
OTHER = "INT. SHIP\n\nThe captain waits.\n\nCAPTAIN\n" + "All hands to the forward engine, quickly now!\n" * 4


@pytest.fixture
def dialogue(tmp_path: Path) -> Path:
    path = tmp_path / "film.srt"
    path.write_text(SRT)
    return path


@pytest.fixture
def screenplay(tmp_path: Path) -> Path:
    path = tmp_path / "film.fountain"
    path.write_text(FOUNTAIN)
    return path


def test_a_draft_from_a_screenplay(dialogue: Path, screenplay: Path, tmp_path: Path, run):
    pytest.importorskip("spacy")
    project, report = tmp_path / "p.adproj", tmp_path / "odd.json"
    done = run(
        *("draft", "--end", 24, "--subtitles", dialogue, "--screenplay", screenplay),
        *("-o", project, "--report", report),
    )
    assert done.code == 0, done.err
    # 8 of 8 and 7 of 7 words are the same.
    assert "100 % of the screenplay’s dialogue is in the film; 100 % of the film’s" in done.err
    assert "optimal" in done.err
    assert isinstance(json.loads(report.read_bytes()), list)
    assert run("export", project, "--format", "vtt").code == 0


def test_a_draft_from_a_description(dialogue: Path, tmp_path: Path, run):
    pytest.importorskip("spacy")
    description = tmp_path / "film.txt"
    description.write_text("[00:00:17] Tom leaves the room and slams the door.\n")
    project = tmp_path / "p.adproj"
    done = run("draft", "--end", 24, "--subtitles", dialogue, "--description", description, "-o", project)
    assert done.code == 0, done.err
    assert "of the screenplay’s dialogue" not in done.err
    assert "items described" in done.err


def test_that_nothing_is_spoken_is_said_with_the_reason(dialogue: Path, tmp_path: Path, run):
    pytest.importorskip("spacy")
    description, project = tmp_path / "film.txt", tmp_path / "p.adproj"
    description.write_text("[00:00:05] Tom leaves the room and slams the door.\n")
    asked = ("draft", "--end", 24, "--subtitles", dialogue, "--description", description, "-o", project)
    # The longest gap is that of 8 s after the last cue.
    done = run(*asked, "--least-gap", 100)
    assert done.code == 0
    assert "nothing is spoken: under these settings no gap is left" in done.err
    # Of 8 s a hundredth is 0.08 s.
    done = run(*asked, "--force", "--max-share", 0.01)
    assert f"nothing is spoken: adstudio explain {project} says why of each line" in done.err
    assert run("explain", project).code == 0


def test_a_screenplay_of_another_film(dialogue: Path, tmp_path: Path, run):
    pytest.importorskip("spacy")
    other = tmp_path / "ship.fountain"
    other.write_text(OTHER)
    asked = ("draft", "--end", 24, "--subtitles", dialogue, "--screenplay", other, "-o", tmp_path / "p.adproj")
    run(*asked).refused(2, str(other), "of its dialogue is in the film", "--any-screenplay")
    assert not (tmp_path / "p.adproj").exists()
    done = run(*asked, "--any-screenplay")
    assert done.code == 0, done.err
    assert "little in common with this film" in done.err


def test_what_cannot_be_drafted(dialogue: Path, screenplay: Path, tmp_path: Path, run, nothing_written):
    word = tmp_path / "film.docx"
    word.write_bytes(b"PK\x03\x04 and so on")
    nothing_written()
    asked = ("draft", "-o", tmp_path / "p.adproj")
    run(*asked, "--subtitles", dialogue).refused(2, "nothing to draft from", "--screenplay", "--description")
    run(*asked, "--screenplay", screenplay).refused(2, "--subtitles")
    run(*asked, "--subtitles", dialogue, "--screenplay", tmp_path / "no.fountain").refused(2, "no.fountain")
    run(*asked, "--subtitles", dialogue, "--description", tmp_path / "no.txt").refused(2, "no.txt")
    run(*asked, "--subtitles", dialogue, "--screenplay", word).refused(2, "film.docx")
    run(*asked, "--subtitles", dialogue, "--description", word).refused(2, "film.docx", "plain text")
    run(*asked, "--subtitles", dialogue, "--screenplay", screenplay, "--llm", "x").refused(2, "give the video")
    run("draft", "--subtitles", dialogue, "--screenplay", screenplay, "-o", screenplay).refused(2, str(screenplay))


def test_candidates_are_taken_first_and_that_is_said(
    dialogue: Path, screenplay: Path, candidates: Path, tmp_path: Path, run
):
    done = run(
        *("draft", "--end", 24, "--subtitles", dialogue, "--candidates", candidates, "--screenplay", screenplay),
        *("-o", tmp_path / "p.adproj"),
    )
    assert done.code == 0, done.err
    assert f"drafted from {candidates}; the screenplay was not used" in done.err
