"""The process that drafts: what goes in and out, and that it writes over nothing and ends when it is told to."""

import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import GapSettings, Penalty, Scope, Settings
from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.drafting.draft import DraftError, Sources, draft
from adstudio.drafting.messages import (
    MODULE,
    UNKNOWN,
    Done,
    Failed,
    Progress,
    draft_arguments,
    read_draft,
    read_message,
    write_message,
)
from adstudio.drafting.report import Found, Need, Repetition, Report
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.store.project import ProjectFile

SRT = "1\n00:00:02,000 --> 00:00:04,000\nWho goes there?\n\n2\n00:00:20,000 --> 00:00:21,500\nNobody.\n"


def run(*arguments: str) -> tuple[int, list[object]]:
    done = subprocess.run([sys.executable, "-I", "-m", MODULE, *arguments], capture_output=True, check=False)
    return done.returncode, [read_message(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "sources",
    [
        Sources(),
        Sources(
            subtitles=Path("/Gün ter – ä/日本/#1 %20 &.srt"),
            candidates=Path("/x\udcff.json"),
            video=Path("-v.mp4"),
            end=1234,
            title="A “film” \u2028",
            language="pt-BR",
            encoding="cp1252",
            frame_rate=RATES["29.97 DF"],
            start_timecode="10:00:00;00",
            settings=Settings(words_per_minute=180, gaps=GapSettings(least=700), max_share=500_000, scope=Scope.SCENE),
        ),
        Sources(frame_rate=FrameRate(Fraction(30000, 1003))),
        Sources(screenplay=Path("/日本/s 1.fountain"), any_screenplay=True, suggested_rules=True, in_step=True),
        Sources(description=Path("d.txt"), listening=True),
        Sources(video=Path("f.mp4"), in_scenes=True),
    ],
)
def test_a_request_arrives_as_it_was_sent(sources: Sources):
    project = Path("/Gün ter/film.adproj")
    assert read_draft(draft_arguments(sources, project)[1]) == (sources, project)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"project": 1}'])
def test_what_is_no_request_is_refused(text: str):
    with pytest.raises(BadInputError):
        read_draft(text)


@pytest.mark.parametrize(
    "message",
    [
        Progress(0.25, "planning"),
        Progress(UNKNOWN, "planning"),
        Done(Path("/x/ä.adproj"), (("a.srt", Oddity("odd", 3)), ("b.json", Oddity("odder")))),
        Done(
            Path("/x.adproj"),
            report=Report(
                5,
                3,
                unsure=("s1-e01",),
                lost=("s1-e02",),
                words=Match(6, 8, 9, 1),
                scenes=SceneMatch(1, 2, 3, 4),
                cues=7,
                speakers=2,
                repetitions=(Repetition(Penalty("a", "b", 10**12), "“a” and “b”"),),
                needs=(Need("a", "c", "“She”"),),
                rules_set=True,
                found=(Found("s.fountain", Oddity("odd", 3), ("s1-e01",)),),
            ),
        ),
        Failed("it is broken"),
        Failed("it is another film’s", other_film=True),
    ],
)
def test_a_message_arrives_as_it_was_sent(message: Progress | Done | Failed):
    assert read_message(write_message(message)) == message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"[1]",
        b'{"done": 1}',
        b'{"progress": "x"}',
        b"\xff",
        b'{"error": "x"}',
        b'{"done": "x", "oddities": []}',
        b'{"done": "x", "oddities": [], "report": "{}"}',
        b'{"done": "x", "oddities": [], "report": {"lines": 1}}',
    ],
)
def test_anything_else_is_passed_over(line: bytes):
    assert read_message(line) is None


def test_a_film_without_candidates_gives_a_project_for_human_lines(tmp_path: Path):
    srt = tmp_path / "Gün ter #1 %20 &.srt"
    srt.write_text(SRT, "utf-8")
    project = tmp_path / "film.adproj"
    code, said = run(*draft_arguments(Sources(subtitles=srt, end=60_000, title="Film"), project))
    assert code == 0
    assert said[-1] == Done(project, report=Report(lines=0, spoken=0, cues=2))
    assert all(isinstance(each, Progress) for each in said[:-1])
    with ProjectFile.open(project, read_only=True) as opened:
        script = opened.saved_script
    assert [cue.text for cue in script.cues] == ["Who goes there?", "Nobody."]
    assert script.eventualities == ()
    assert [scene.span for scene in script.scenes] == [Span(0, 60_000)]
    assert script.film.title == "Film"


def test_a_length_alone_is_a_silent_film(tmp_path: Path):
    made = draft(Sources(end=30_000), tmp_path / "silent.adproj")
    assert made.script.film.title == "silent"
    assert made.gaps.gaps == (Span(0, 30_000),)
    with pytest.raises(DraftError, match="how long"):
        draft(Sources(), tmp_path / "silent.adproj")


def test_a_project_that_is_there_stays_as_it_is(tmp_path: Path):
    project = tmp_path / "film.adproj"
    project.write_bytes(b"mine")
    code, said = run(*draft_arguments(Sources(end=60_000), project))
    assert code == 2
    assert isinstance(said[-1], Failed)
    assert "there already" in said[-1].sentence
    assert project.read_bytes() == b"mine"


def test_a_source_that_is_missing_is_told_in_one_sentence(tmp_path: Path):
    code, said = run(*draft_arguments(Sources(subtitles=tmp_path / "no.srt"), tmp_path / "film.adproj"))
    assert code == 2
    assert isinstance(said[-1], Failed)
    assert "no.srt" in said[-1].sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", ["signal", "both", "gone"])
def test_it_ends_when_it_is_told_to_or_left_alone(
    tmp_path: Path, tmp_path_factory, sample_film, monkeypatch: pytest.MonkeyPatch, way: str
):
    """Stopped, stopped as the editor does it (input closed, then a signal), or with the editor gone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    sources = Sources(video=sample_film.film, description=sample_film.description, listening=True)
    command = [sys.executable, "-I", "-m", MODULE, *draft_arguments(sources, tmp_path / "film.adproj")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert isinstance(read_message(process.stdout.readline()), Progress)
        if way != "signal":
            process.stdin.close()
        if way != "gone":
            process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 130
    assert list(tmp_path.iterdir()) == []
