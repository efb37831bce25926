"""Rolling captions: what is said counts once, in gaps and in words; ordinary repetitions stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adstudio.core.settings import GapSettings
from adstudio.core.timebase import clock
from adstudio.gaps.gaps import find_gaps
from adstudio.subtitles.dialogue import Dialogue, dialogue
from adstudio.subtitles.reading import parse_subtitles, read_subtitles

Entry = tuple[float, float, str]


def srt(*entries: Entry) -> Dialogue:
    text = "\n\n".join(
        f"{n}\n{clock(round(a * 1000))} --> {clock(round(b * 1000))}\n{words}"
        for n, (a, b, words) in enumerate(entries, 1)
    )
    return dialogue(parse_subtitles(text.encode(), "film.srt"))


def spoken(found: Dialogue) -> list[Entry]:
    return [(cue.start / 1000, cue.end / 1000, cue.text) for cue in found.cues]


def notes(found: Dialogue) -> list[str]:
    return [oddity.what for oddity in found.oddities if "count once" in oddity.what]


def test_live_captions_of_three_lines() -> None:
    found = srt(
        (1, 3, "One goes out."),
        (3, 5, "One goes out.\nTwo come in."),
        (5, 8, "One goes out.\nTwo come in.\nThree stay."),
        (8, 10, "Two come in.\nThree stay.\nFour leave."),
        (20, 22, "Three stay.\nFour leave.\nFive are back."),
    )
    assert spoken(found) == [
        (1, 3, "One goes out."),
        (3, 5, "Two come in."),
        (5, 8, "Three stay."),
        (8, 10, "Four leave."),
        (20, 22, "Five are back."),
    ]
    assert notes(found) == ["rolling captions: 4 of 5 cues repeat lines of the one before, which count once"]
    gaps = find_gaps(found.cues, (), 30_000, GapSettings()).gaps
    assert [(gap.start, gap.end) for gap in gaps] == [(0, 1000), (10_000, 20_000), (22_000, 30_000)]


def test_captions_that_appear_word_by_word() -> None:
    found = srt(
        (1, 1.5, "nobody"),
        (1.5, 2, "nobody was"),
        (2, 3, "Nobody was on it."),
        (3, 3.4, "Nobody was on it.\nnot"),
        (3.4, 4, "Nobody was on it.\nnot even"),
        (4, 5, "not even the captain"),
        (9, 10, "come home"),
    )
    assert spoken(found) == [
        (1, 3, "Nobody was on it."),
        (3, 5, "not even the captain"),
        (9, 10, "come home"),
    ]


def test_a_line_that_lingers_after_its_words_keeps_no_gap_shut() -> None:
    found = srt(
        (1, 3, "One goes out"),
        (3, 5, "One goes out\nTwo come in"),
        (5, 6, "Two come in\nThree stay here"),
        (6, 30, "Three stay here"),
        (30, 31, "Three stay here\nFour leave"),
    )
    # Three words at 160 a minute take 1.125 s.
    assert spoken(found)[2:] == [(5, 6.125, "Three stay here"), (30, 31, "Four leave")]


def test_speakers_of_lines_that_count() -> None:
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Who is there?\n\n"
        "00:02.000 --> 00:03.000\n<v Anna>Who is there?</v>\n<v Bob>Me.\n\n"
        "00:03.000 --> 00:04.000\n<v Bob>Me.\nOpen the door.\n\n"
    )
    found = dialogue(parse_subtitles(text.encode(), "film.vtt"))
    assert [(cue.text, cue.speaker) for cue in found.cues] == [
        ("Who is there?", "Anna"),
        ("Me.", "Bob"),
        ("Open the door.", "Bob"),
    ]


def test_in_ttml_as_well() -> None:
    lines = ["The sea is calm.", "No wind.", "A bell rings.", "They row on."]
    shown = [(n, "<br/>".join(lines[max(0, n - 1) : n + 1])) for n in range(4)]
    body = "".join(f'<p begin="{2 * n}s" end="{2 * n + 2}s">{text}</p>' for n, text in shown)
    text = f'<tt xmlns="http://www.w3.org/ns/ttml"><body><div>{body}</div></body></tt>'
    found = dialogue(parse_subtitles(text.encode(), "film.ttml"))
    assert spoken(found) == [(2 * n, 2 * n + 2, line) for n, line in enumerate(lines)]


def test_captions_that_are_built_up_and_cleared_again_and_again() -> None:
    lines = [f"This is line {n}" for n in range(8)]
    entries = [
        entry
        for n in range(0, 8, 2)
        for entry in ((5 * n, 5 * n + 2, lines[n]), (5 * n + 2, 5 * n + 5, f"{lines[n]}\n{lines[n + 1]}"))
    ]
    found = spoken(srt(*entries))
    assert found == [(a, b, text.split("\n")[-1]) for a, b, text in entries]


def test_a_rolling_stretch_within_ordinary_subtitles() -> None:
    ordinary = [(float(n), n + 0.9, f"Line {n} is only here.") for n in range(20)]
    rolling = [(30, 31, "A boat"), (31, 32, "A boat\nlies there"), (32, 33, "lies there\nempty")]
    found = srt(*ordinary, *rolling)
    assert spoken(found) == [*ordinary, (30, 31, "A boat"), (31, 32, "lies there"), (32, 33, "empty")]


@pytest.mark.parametrize(
    "entries",
    [
        [(1, 2, "No!"), (2, 3, "No!"), (3, 4, "No!"), (9, 10, "No!")],
        [(1, 2, "Wait."), (2, 4, "Wait.\nDo you hear that?"), (5, 6, "What?"), (8, 9, "Nothing.")],
        [(1, 2, "I"), (2, 4, "I can't."), (5, 6, "Why?"), (6, 7, "Why not?"), (8, 9, "Because.")],
        [(1, 3, "Row, row\nrow your boat"), (3, 5, "Gently down\nrow your boat"), (5, 7, "Row, row\nrow your boat")],
    ],
)
def test_ordinary_repetitions_stay(entries: list[Entry]) -> None:
    found = srt(*entries)
    assert spoken(found) == entries
    assert notes(found) == []


def test_cues_that_are_in_the_file_twice_count_once() -> None:
    one, other = (1, 2, "Come home now."), (4, 5, "Come home now.")
    found = srt(one, one, other, other, other)
    assert spoken(found) == [one, other]
    assert notes(found) == ["3 cues are in the file twice, with the same times, and count once"]


def test_nothing_is_lost_where_all_cues_are_odd() -> None:
    found = srt((5, 1, "A\nB"), (0, 0, "B\nC"), (-1, 2, "C\nD"))
    assert sorted(" ".join(cue.text for cue in found.cues).split()) == ["A", "B", "C", "D"]


@pytest.fixture
def reports(shared_data: Path) -> Path:
    return shared_data / "reports" / "45"


def test_the_captions_of_a_public_report(reports: Path) -> None:
    found = dialogue(read_subtitles(reports / "rolling.vtt"))
    gaps = find_gaps(found.cues, (), 60_000, GapSettings()).gaps
    assert [(gap.start, gap.end) for gap in gaps] == [(0, 10_000), (18_000, 40_000), (42_000, 60_000)]
    assert [cue.text for cue in found.cues] == [
        "when the ferry came in",
        "nobody was on it",
        "not even the captain",
        "come home now",
    ]
    rolling, plain = (dialogue(read_subtitles(reports / f"long-{name}.vtt")) for name in ("roll", "plain"))
    assert [(cue.start, cue.text) for cue in rolling.cues] == [(cue.start, cue.text) for cue in plain.cues]


@pytest.mark.parametrize(("name", "share"), [("rolling", "100 %"), ("long", "33 %")])
def test_the_share_of_what_is_said_counts_it_once(reports: Path, tmp_path: Path, name: str, share: str) -> None:
    from adstudio.cli.program import app

    subtitles = reports / ("rolling.vtt" if name == "rolling" else "long-roll.vtt")
    given = ["--subtitles", str(subtitles), "--screenplay", str(reports / f"{name}.fountain"), "--end", "300"]
    answer = CliRunner().invoke(app, ["draft", *given, "-o", str(tmp_path / "film.adproj")])
    assert answer.exit_code == 0
    assert f"{share} of the film’s dialogue is in the screenplay" in answer.output


def test_the_command_line_tells_it(reports: Path) -> None:
    from adstudio.cli.program import app

    answer = CliRunner().invoke(app, ["gaps", str(reports / "rolling.vtt"), "--end", "60"])
    assert ["rolling captions" in problem["what"] for problem in json.loads(answer.stdout)["problems"]] == [True]


@pytest.mark.attack(16)
def test_cues_of_very_many_equal_lines_are_compared_in_no_time() -> None:
    # Comparing each number of lines took minutes.
    lines = "<\n\n" * 40_000
    text = "".join(f"{k}\n00:00:0{k},000 --> 00:00:0{k},900\n{lines}\n" for k in range(1, 4))
    assert len(parse_subtitles(text.encode(), "a.srt").cues) == 3
    assert dialogue(parse_subtitles(text.encode(), "a.srt")).cues
